// Points that are held for a comparison, up to a bound.
import type { Points } from './compare.ts';

const FIRST_CAPACITY = 64;

/** Make a longer copy of a column. */
function longer(column: Float64Array, capacity: number): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(capacity);
  copy.set(column);
  return copy;
}

export class PointBuffer {
  readonly #max: number;
  #timesMs = new Float64Array(FIRST_CAPACITY);
  #values = new Float64Array(FIRST_CAPACITY);
  length = 0;
  /** More points came than may be held. */
  isOver = false;

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Add a point.
   * @returns false when there is no room for it.
   */
  add(timeMs: number, value: number): boolean {
    if (this.length >= this.#max) this.isOver = true;
    if (this.isOver) return false;
    if (this.length === this.#timesMs.length) {
      const capacity = Math.min(this.#max, 2 * this.length);
      this.#timesMs = longer(this.#timesMs, capacity);
      this.#values = longer(this.#values, capacity);
    }
    this.#timesMs[this.length] = timeMs;
    this.#values[this.length] = value;
    this.length += 1;
    return true;
  }

  /** Give a point that is held its value. */
  setValue(at: number, value: number): void {
    this.#values[at] = value;
  }

  get points(): Points {
    return { timesMs: this.#timesMs.subarray(0, this.length), values: this.#values.subarray(0, this.length) };
  }
}
