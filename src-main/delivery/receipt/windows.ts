// A channel that is too long to be held is compared window by window in time. Where the windows are cut is found from
// samples of its stamps, so that none holds much more than another, in whatever order the stamps came.
import { HeldSeries, type Points, STAMP_MS } from '../client/held-series.ts';

/** Points of a window that are held of what is stored at most; a window with more counts as not compared. */
export const WINDOW_POINTS = 250_000;
/** How full a window is to be. */
const AIM = 0.72;
/** Of so many stamps one is kept as a sample: 256 a window leave the windows a few per cent apart. */
export const SAMPLE_EVERY = Math.floor((WINDOW_POINTS * AIM) / 256);
/** Read points of a window that are held: twice what is stored there, and so many that lie close to its edges. */
const EDGE_POINTS = 1000;

/** Points of a channel in an interval of time: those that are stored here, and those that the service gives. */
export class Window {
  readonly #fromMs: number;
  readonly #toMs: number;
  readonly #max: number;
  readonly #stored = { timesMs: [] as number[], values: [] as number[] };
  #firstMs = Number.POSITIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;
  /** Values may come before their stamps, which give their place in the series; then the series is read twice. */
  readonly #read = { timesMs: [] as number[], places: [] as number[], values: [] as number[] };
  #isOver = false;

  /** Takes the interval, from the first stamp up to, not with, the second, and how many stored points are held. */
  constructor(fromMs: number, toMs: number, max: number) {
    this.#fromMs = fromMs;
    this.#toMs = toMs;
    this.#max = max;
  }

  /** First stamp at the service that a stored point may have, Unix ms; Infinity when nothing is stored. */
  get firstMs(): number {
    return this.#firstMs - STAMP_MS;
  }

  /** What is stored; null: nothing, or more points than are held. */
  stored(): Points | null {
    const { timesMs, values } = this.#stored;
    if (this.#isOver || values.length === 0) return null;
    return { timesMs: Float64Array.from(timesMs), values: Float64Array.from(values) };
  }

  get needsValues(): boolean {
    return this.#read.values.length < this.#read.places.length;
  }

  addStored(timeMs: number, value: number): void {
    if (timeMs < this.#fromMs || timeMs >= this.#toMs) return;
    if (this.#stored.values.length >= this.#max) this.#isOver = true;
    if (this.#isOver) return;
    this.#stored.timesMs.push(timeMs);
    this.#stored.values.push(value);
    this.#firstMs = Math.min(this.#firstMs, timeMs);
    this.#lastMs = Math.max(this.#lastMs, timeMs);
  }

  /** Keep of a series the stamps that a stored point may have. */
  addTimes(from: number, timesMs: Float64Array): void {
    const max = 2 * this.#stored.values.length + EDGE_POINTS;
    const [firstMs, lastMs] = [this.firstMs, this.#lastMs + STAMP_MS];
    for (let at = 0; at < timesMs.length; at++) {
      const timeMs = timesMs[at] as number;
      if (timeMs < firstMs || timeMs > lastMs) continue;
      if (this.#read.places.length >= max) this.#isOver = true;
      if (this.#isOver) return;
      this.#read.timesMs.push(timeMs);
      this.#read.places.push(from + at);
    }
  }

  addValues(from: number, values: Float64Array): void {
    const { places, values: known } = this.#read;
    for (let at = known.length; at < places.length; at++) {
      const value = values[(places[at] as number) - from];
      if (value === undefined) return;
      known.push(value);
    }
  }

  /** What the service gives. A stamp without its value is no point. */
  held(): HeldSeries {
    const { timesMs, values } = this.#read;
    return new HeldSeries(Float64Array.from(timesMs), Float64Array.from(values));
  }
}

/**
 * Cut the time of a channel into windows.
 *
 * @param points - how many points it has.
 * @param samplesMs - samples of their stamps in any order.
 * @param max - points that a window may hold.
 * @returns windows in rising order that together are all of time; one when the points fit into it.
 */
export function cutWindows(points: number, samplesMs: readonly number[], max: number): Window[] {
  const count = points > max ? Math.ceil(points / (max * AIM)) : 1;
  const sorted = Float64Array.from(samplesMs).sort();
  const edges = new Set<number>();
  for (let at = 1; at < count; at++) {
    const edge = sorted[Math.floor((at * sorted.length) / count)];
    if (edge !== undefined) edges.add(edge);
  }
  const starts = [Number.NEGATIVE_INFINITY, ...edges];
  return starts.map((fromMs, at) => new Window(fromMs, starts[at + 1] ?? Number.POSITIVE_INFINITY, max));
}
