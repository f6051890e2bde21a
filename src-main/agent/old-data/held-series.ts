// A series that the service holds, to be asked point by point: is this one there? Each of its points answers once, so that
// a value written twice must be there twice.

export class HeldSeries {
  readonly #timesMs: Float64Array;
  readonly #values: Float64Array;
  readonly #isTaken: Uint8Array;
  /** Points taken since the last time that this was settled. */
  #lately: number[] = [];

  /**
   * @param timesMs - whole milliseconds and values, in any order.
   * @param values - NaN is no point.
   */
  constructor(timesMs: Float64Array, values: Float64Array) {
    const order = Uint32Array.from(values.keys())
      .filter((at) => !Number.isNaN(values[at]))
      .sort((a, b) => (timesMs[a] as number) - (timesMs[b] as number));
    this.#timesMs = Float64Array.from(order, (at) => timesMs[at] as number);
    this.#values = Float64Array.from(order, (at) => values[at] as number);
    this.#isTaken = new Uint8Array(order.length);
  }

  get points(): number {
    return this.#values.length;
  }

  get firstMs(): number {
    return this.#timesMs[0] ?? Number.POSITIVE_INFINITY;
  }

  get lastMs(): number {
    return this.#timesMs.at(-1) ?? Number.NEGATIVE_INFINITY;
  }

  /** True when the point is there; with `isTaken` it does not answer for another one any more. */
  has(timeMs: number, value: number, isTaken: boolean): boolean {
    // The service takes seconds in a double and gives whole milliseconds back.
    const end = this.#timesMs.length;
    for (let at = this.#lowest(timeMs - 1); at < end && (this.#timesMs[at] as number) <= timeMs + 1; at++) {
      if (this.#isTaken[at] === 1 || (this.#values[at] as number) !== value) continue;
      if (isTaken) this.#take(at);
      return true;
    }
    return false;
  }

  /** What was taken so far stays so; `isDone` false: what was taken since the last time is free again. */
  settle(isDone: boolean): void {
    if (!isDone) for (const at of this.#lately) this.#isTaken[at] = 0;
    this.#lately = [];
  }

  #take(at: number): void {
    this.#isTaken[at] = 1;
    this.#lately.push(at);
  }

  #lowest(timeMs: number): number {
    let [low, high] = [0, this.#timesMs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#timesMs[middle] as number) < timeMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
