// Waiting until a line has been quiet for a time. A process that stood still (the PC slept, or had something else to do) heard
// nothing: its timers run first, and what came meanwhile is read after them. Such a wait says nothing about the line.
//
// Bounds: a line that is never quiet is given up after GIVE_UP_TIMES the quiet that was wanted, not counting the first
// DEAF_WAITS_MAX standstills; later ones count as heard, or a slow machine would wait for ever.

/** A wait that took this much longer than it should was a standstill, milliseconds. */
const STILL_MS = 50;
const DEAF_WAITS_MAX = 3;
const GIVE_UP_TIMES = 10;

/** One wait for a quiet line; all times by the monotonic clock, milliseconds. */
export class Quiet {
  readonly #quietMs: number;
  #dueMs: number;
  #giveUpMs: number;
  #deafWaits = 0;

  constructor(quietMs: number, nowMs: number) {
    this.#quietMs = quietMs;
    this.#dueMs = nowMs + quietMs;
    this.#giveUpMs = nowMs + quietMs * GIVE_UP_TIMES;
  }

  /** How long is still to be waited; 0: it was quiet, or is given up. */
  leftMs(nowMs: number): number {
    return nowMs > this.#giveUpMs ? 0 : Math.max(0, this.#dueMs - nowMs);
  }

  /** A wait is over: at its end, or because something came. */
  waited(nowMs: number, hasInput: boolean): void {
    const lateMs = nowMs - this.#dueMs;
    const isDeaf = lateMs > STILL_MS && this.#deafWaits < DEAF_WAITS_MAX;
    if (isDeaf) {
      this.#deafWaits += 1;
      this.#giveUpMs += lateMs;
    }
    if (isDeaf || hasInput) this.#dueMs = nowMs + this.#quietMs;
  }
}
