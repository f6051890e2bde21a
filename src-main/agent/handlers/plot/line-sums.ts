import type { Value } from '../../../contract/table.ts';

/** Sums over the points of a line, added part by part. By Welford, so that a small spread about a large mean is not lost. */
export class LineSums {
  #count = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #mean = 0;
  #squares = 0;

  /** Add values; what is no finite number does not count. */
  add(values: ArrayLike<number>): void {
    for (let at = 0; at < values.length; at++) {
      const value = values[at] as number;
      if (!Number.isFinite(value)) continue;
      this.#count += 1;
      if (value < this.#min) this.#min = value;
      if (value > this.#max) this.#max = value;
      const off = value - this.#mean;
      this.#mean += off / this.#count;
      this.#squares += off * (value - this.#mean);
    }
  }

  /** What they are together; null: there are none. The deviation is that of a sample, 0 for one point. */
  statistics(): Value<'plot', 'read'>[number]['statistics'] {
    const count = this.#count;
    if (count === 0) return null;
    const deviation = count === 1 ? 0 : Math.sqrt(this.#squares / (count - 1));
    return { count, min: this.#min, max: this.#max, mean: this.#mean, deviation };
  }
}
