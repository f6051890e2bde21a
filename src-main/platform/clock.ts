/** The two clocks of the machine and its timers, behind one small interface so that tests can play them. */
export interface Clock {
  /** Wall clock, Unix time in milliseconds. May step. */
  nowMs(): number;
  /** Monotonic clock in milliseconds from an arbitrary start. Never steps back. */
  monotonicMs(): number;
  /**
   * Wait.
   * **Takes**: milliseconds >= 0 and optionally a signal. **Gives**: fulfilled when over, or at once when aborted.
   */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
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
