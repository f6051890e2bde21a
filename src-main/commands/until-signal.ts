/**
 * Wait until the process is asked to end.
 *
 * **Gives**: the signal's name on the first SIGINT, SIGTERM or SIGHUP. A second one ends the process at once: whoever
 * asks twice does not want to wait.
 */
export function untilSignal(): Promise<string> {
  return new Promise((resolve) => {
    let isAsked = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (isAsked) process.exit(1);
        isAsked = true;
        resolve(signal);
      });
    }
  });
}
