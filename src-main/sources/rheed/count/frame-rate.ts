// The rate of a camera, for the channel, for the session and for a look at a counter: the one estimator.
//
// Each frame begins an interval that ends ten frames later, and the rate is the mean of the middle half of these intervals. A
// frame that was lost, came late or waited for a look lies outside the middle half. Ten frames, since files carry times in
// ticks of up to 16 ms: a single interval at 30 fps would be wrong by half. The mean and not the median for the same reason.
//
// Bounds: the intervals of the last 10 s, or of 20 frames where these take longer; 2,000 moments. Nothing is known before 20
// frames, or before 10 s where the time of a frame is only that of the look at it.

/** Frames before anything is known. */
const FRAMES_MIN = 20;
/** An interval ends so many frames after its begin. */
const SPAN_FRAMES = 10;
/** Length of the window, milliseconds. */
const WINDOW_MS = 10_000;
const MOMENTS_MAX = 2000;
/** A time that is less certain is that of a look, milliseconds. */
const CERTAIN_MS = 20;

interface Moment {
  readonly atMs: number;
  /** Frames that had come by then. */
  readonly frames: number;
  readonly isCertain: boolean;
}

/** Frames per second, and how far the middle half of the intervals lies from it. */
export interface Rate {
  readonly perSecond: number;
  readonly uncertainty: number;
}

export class FrameRate {
  /** Rising in time; several frames of one time are one moment. */
  #moments: Moment[] = [];
  #frames = 0;

  /** Start from scratch: earlier frames say nothing of later ones. */
  restart(): void {
    this.#moments = [];
  }

  /** Note frames that came live: how many, when the newest was there, and how far off that may be, milliseconds. */
  note(frames: number, atMs: number, uncertaintyMs: number): void {
    this.#frames += frames;
    const last = this.#moments.at(-1);
    // A frame that was seen late belongs to what was counted by the newest moment.
    const timeMs = Math.max(atMs, last?.atMs ?? atMs);
    if (last?.atMs === timeMs) this.#moments.pop();
    this.#moments.push({ atMs: timeMs, frames: this.#frames, isCertain: uncertaintyMs <= CERTAIN_MS });
    const isSpare = ({ atMs: thenMs, frames: then }: Moment) =>
      this.#moments.length > MOMENTS_MAX || (thenMs < timeMs - WINDOW_MS && this.#frames - then >= 2 * FRAMES_MIN);
    while (isSpare(this.#moments[0] as Moment)) this.#moments.shift();
  }

  /** The rate while frames come; null: not known yet. */
  get rate(): Rate | null {
    const [first, last] = [this.#moments[0], this.#moments.at(-1)];
    if (!first || !last || last.frames - first.frames < FRAMES_MIN - 1) return null;
    const isCertain = this.#moments.every((moment) => moment.isCertain);
    if (!isCertain && last.atMs - first.atMs < WINDOW_MS * 0.9) return null;
    const middle = middleHalf(this.#intervals());
    if (middle.length === 0) return null;
    const intervalMs = middle.reduce((sum, ms) => sum + ms, 0) / middle.length;
    const perSecond = 1000 / intervalMs;
    const spreadMs = ((middle.at(-1) as number) - (middle[0] as number)) / 2;
    return { perSecond, uncertainty: (perSecond * spreadMs) / intervalMs };
  }

  /** From each moment to the first one that is ten frames later, milliseconds a frame. */
  #intervals(): number[] {
    const intervals: number[] = [];
    let end = 0;
    for (const begin of this.#moments) {
      while (end < this.#moments.length && (this.#moments[end] as Moment).frames < begin.frames + SPAN_FRAMES) end += 1;
      const ended = this.#moments[end];
      if (ended) intervals.push((ended.atMs - begin.atMs) / (ended.frames - begin.frames));
    }
    return intervals;
  }
}

function middleHalf(values: number[]): number[] {
  const cut = Math.floor(values.length / 4);
  return values.sort((a, b) => a - b).slice(cut, values.length - cut);
}
