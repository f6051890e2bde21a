/** Where it begins, Unix milliseconds. */
export const START_MS = Date.UTC(2026, 10, 20, 12);

/** A clock that stands until the test moves it, and on which nobody waits. */
export class StillClock {
  monotonic = 0;
  nowMs = () => START_MS + this.monotonic;
  monotonicMs = () => this.monotonic;
  sleep = () => Promise.resolve();
}
