// The true rate: frames between two moments that are seconds apart, by the frames' own times where they have them.
//
// Bounds: moments of the last 10 s, at most two in 50 ms; nothing is said of less than 0.9 s. Invariant: never negative,
// since what is noted rises in time and the count never falls.

/** Length of the window, milliseconds. */
export const RATE_WINDOW_MS = 10_000;
/** Shorter than this nothing is said, milliseconds. */
const SHORTEST_MS = 900;
/** Moments closer together than this are one, so that memory does not grow with the rate, milliseconds. */
const GRAIN_MS = 50;

interface Moment {
  readonly atMs: number;
  readonly counted: number;
}

export class FrameRate {
  /** Rising in time and count. */
  #moments: Moment[] = [];

  /** Start from scratch: what was counted before says nothing of what comes. */
  restart(): void {
    this.#moments = [];
  }

  /** Note how many frames were counted in all when the newest of them was there. */
  note(atMs: number, counted: number): void {
    const last = this.#moments.at(-1);
    if (last && atMs < last.atMs) return;
    const former = this.#moments.at(-2);
    if (last && former && last.atMs - former.atMs < GRAIN_MS && this.#moments.length > 2) this.#moments.pop();
    this.#moments.push({ atMs, counted });
    const fromMs = atMs - RATE_WINDOW_MS;
    let first = 0;
    while (first + 1 < this.#moments.length && (this.#moments[first + 1] as Moment).atMs <= fromMs) first += 1;
    if (first > 0) this.#moments.splice(0, first);
  }

  /**
   * The rate now.
   *
   * @param nowMs - now.
   * @param isStill - whether the counter is stalled.
   * @returns frames per second over the last 10 s, or since the beginning where that is later; null while it is not known.
   *   Never negative.
   */
  perSecond(nowMs: number, isStill: boolean): number | null {
    const last = this.#moments.at(-1);
    if (!last) return null;
    const fromMs = nowMs - RATE_WINDOW_MS;
    const first = this.#moments.findLast(({ atMs }) => atMs <= fromMs) ?? (this.#moments[0] as Moment);
    // While frames come, the time up to the newest one counts; the wait for the next is no part of it yet.
    const toMs = isStill ? nowMs : last.atMs;
    const overMs = toMs - Math.max(first.atMs, isStill ? fromMs : Number.NEGATIVE_INFINITY);
    if (overMs < SHORTEST_MS) return null;
    return ((last.counted - first.counted) * 1000) / overMs;
  }
}
