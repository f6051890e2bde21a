// When was frame n there? Each sighting says: not before a - u and not after a + u. Frames come at a steady rate, so the
// sightings of some seconds together narrow that down far below the time between two looks: the line through all of them
// can only lie where the windows overlap. Bounds: the last 10 s, 240 sightings; more are thinned to every other one.

/** Sightings that are used, milliseconds back. */
const WINDOW_MS = 10_000;
/** Windows kept: more say nothing new. */
const ANCHORS_MAX = 120;

interface Anchor {
  readonly number: number;
  readonly atMs: number;
  readonly uncertaintyMs: number;
}

/** A time and how far off it may be either way. */
export interface FrameTime {
  readonly timeMs: number;
  readonly uncertaintyMs: number;
}

export class FrameClock {
  #anchors: Anchor[] = [];

  /** Start from scratch: earlier sightings say nothing of what comes. */
  restart(): void {
    this.#anchors = [];
  }

  /** Note a sighting. A number that goes back starts from scratch. */
  note(number: number, atMs: number, uncertaintyMs: number): void {
    const last = this.#anchors.at(-1);
    if (last && number <= last.number) {
      if (number === last.number) return;
      this.#anchors = [];
    }
    // Lines of one write have one time; the newest of them was there at that time.
    if (last?.atMs === atMs) this.#anchors.pop();
    this.#anchors.push({ number, atMs, uncertaintyMs });
    while ((this.#anchors[0] as Anchor).atMs < atMs - WINDOW_MS) this.#anchors.shift();
    if (this.#anchors.length > 2 * ANCHORS_MAX) this.#anchors = this.#anchors.filter((_, at) => at % 2 === 0);
  }

  /**
   * Say when a frame was there.
   *
   * @returns its time by this PC's steady clock and the uncertainty either way; null before the first sighting.
   */
  timeOf(number: number): FrameTime | null {
    const last = this.#anchors.at(-1);
    const first = this.#anchors[0];
    if (!last || !first) return null;
    if (last === first || last.number === first.number) {
      return { timeMs: last.atMs, uncertaintyMs: last.uncertaintyMs };
    }
    const msPerFrame = (last.atMs - first.atMs) / (last.number - first.number);
    // Frame 0 of the line lies, by each sighting, within a window; the windows overlap where all are right.
    let [lowMs, highMs] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const anchor of this.#anchors) {
      const zeroMs = anchor.atMs - anchor.number * msPerFrame;
      lowMs = Math.max(lowMs, zeroMs - anchor.uncertaintyMs);
      highMs = Math.min(highMs, zeroMs + anchor.uncertaintyMs);
    }
    const timeMs = (lowMs + highMs) / 2 + number * msPerFrame;
    // Windows that do not overlap (a camera that is not steady) leave their distance as what is not known.
    return { timeMs, uncertaintyMs: Math.abs(highMs - lowMs) / 2 };
  }
}
