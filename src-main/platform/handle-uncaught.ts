/**
 * Go on when something throws that nobody catches, instead of ending with all recordings: what was committed is in a file
 * that another thread writes in whole transactions, and each part of the agent restarts by itself.
 *
 * @param onBug - who is told what was thrown; when that throws as well, the process ends as it would have.
 */
export function handleUncaught(onBug: (thrown: unknown) => void): void {
  // Rejections that nobody handles come this way too.
  process.on('uncaughtException', onBug);
}
