import { endIfHeld } from '../../platform/call-watch.ts';

/** A repeat within this time is the same request: a terminal signals every process of a command line at once. */
const SAME_REQUEST_MS = 1000;

/**
 * Wait until the process is asked to end.
 *
 * @returns the signal's name on the first SIGINT, SIGTERM or SIGHUP. One that comes a second later or more ends the process at
 *   once: a person who asks twice does not want to wait.
 */
export function untilSignal(): Promise<string> {
  return new Promise((resolve) => {
    let askedMs: number | null = null;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        const nowMs = performance.now();
        if (askedMs !== null && nowMs - askedMs >= SAME_REQUEST_MS) {
          endIfHeld();
          process.exit(1);
        }
        askedMs ??= nowMs;
        resolve(signal);
      });
    }
  });
}
