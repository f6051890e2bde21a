import { uptime } from 'node:os';

/** The clocks of the machine and its timers, behind one small interface so that tests can play them. */
export interface Clock {
  /** Wall clock, Unix time in milliseconds. May step. */
  nowMs(): number;
  /** Monotonic clock in milliseconds from an arbitrary start. Never steps back. */
  monotonicMs(): number;
  /**
   * Milliseconds since the machine was started, time asleep included (the monotonic clock leaves it out on Linux and
   * macOS); absent where that is not known. Coarse: some systems count whole seconds.
   */
  bootMs?(): number;
  /**
   * Wait.
   *
   * @param durationMs - milliseconds >= 0.
   * @param signal - optionally a signal.
   * @returns fulfilled when over, or at once when aborted.
   */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  bootMs: () => uptime() * 1000,
  sleep: (durationMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, durationMs);
      signal?.addEventListener('abort', done);
    }),
};
