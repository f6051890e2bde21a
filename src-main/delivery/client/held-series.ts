// A series that the service holds, to be asked point by point: is this one there? Each of its points answers once, so that
// a value written twice must be there twice. The service takes seconds in a double and gives whole milliseconds back, so a
// point is found by its value and its stamp to a millisecond.

/** So far a stamp may come back from where it was sent, milliseconds. */
const STAMP_MS = 1;

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
    const end = this.#timesMs.length;
    const lastMs = timeMs + STAMP_MS;
    for (let at = this.#lowest(timeMs - STAMP_MS); at < end && (this.#timesMs[at] as number) <= lastMs; at++) {
      if (this.#isTaken[at] === 1 || (this.#values[at] as number) !== value) continue;
      if (isTaken) this.#take(at);
      return true;
    }
    return false;
  }

  /** Take all of some points, which then answer for no others; false: one of them is not there, and none is taken. */
  takeAll(timesMs: Float64Array, values: Float64Array): boolean {
    // Nearest stamps of equal values pair off in order, so both sides are walked in rising order.
    const order = Uint32Array.from(timesMs.keys()).sort((a, b) => (timesMs[a] as number) - (timesMs[b] as number));
    const areThere = order.every((row) => this.has(timesMs[row] as number, values[row] as number, true));
    this.settle(areThere);
    return areThere;
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
