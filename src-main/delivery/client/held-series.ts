// A series that the service holds, to be asked point by point: is this one there? Each of its points answers once, so that
// a value written twice must be there twice. The service takes seconds in a double and gives whole milliseconds back, so a
// point is found by its value and its stamp to a millisecond.

/** So far a stamp may come back from where it was sent, milliseconds. */
export const STAMP_MS = 1;

/** Points of one channel: stamps and values, in any order. A value that is NaN is no point. */
export interface Points {
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
}

/** Indices of the points by value, then by stamp. */
function inOrder({ timesMs, values }: Points): Uint32Array {
  const order = Uint32Array.from(values.keys()).filter((at) => !Number.isNaN(values[at]));
  return order.sort((a, b) => {
    const byValue = (values[a] as number) - (values[b] as number);
    return byValue === 0 ? (timesMs[a] as number) - (timesMs[b] as number) : byValue;
  });
}

export class HeldSeries {
  // By value, then by stamp: however many points share a stamp or a value, one is found by halving.
  readonly #timesMs: Float64Array;
  readonly #values: Float64Array;
  readonly #isTaken: Uint8Array;
  /** Points taken since the last time that this was settled. */
  #lately: number[] = [];
  /** First and last stamp, Unix ms; Infinity and -Infinity when there are no points. */
  readonly firstMs: number;
  readonly lastMs: number;

  /**
   * @param timesMs - whole milliseconds and values, in any order.
   * @param values - NaN is no point.
   */
  constructor(timesMs: Float64Array, values: Float64Array) {
    const order = inOrder({ timesMs, values });
    this.#timesMs = Float64Array.from(order, (at) => timesMs[at] as number);
    this.#values = Float64Array.from(order, (at) => values[at] as number);
    this.#isTaken = new Uint8Array(order.length);
    this.firstMs = this.#timesMs.reduce((first, timeMs) => Math.min(first, timeMs), Number.POSITIVE_INFINITY);
    this.lastMs = this.#timesMs.reduce((last, timeMs) => Math.max(last, timeMs), Number.NEGATIVE_INFINITY);
  }

  get points(): number {
    return this.#values.length;
  }

  /** True when the point is there; with `isTaken` it does not answer for another one any more. */
  has(timeMs: number, value: number, isTaken: boolean): boolean {
    const at = this.#find(timeMs, value, 0);
    if (at !== null && isTaken) this.#take(at);
    return at !== null;
  }

  /** Take those of some points that are there; gives how many they are. No other pairing finds more. */
  take(points: Points): number {
    let taken = 0;
    let after = 0;
    // All stamps reach equally far, so the earliest that fits never costs a later point of the same value its partner.
    for (const row of inOrder(points)) {
      const at = this.#find(points.timesMs[row] as number, points.values[row] as number, after);
      if (at === null) continue;
      this.#take(at);
      taken += 1;
      after = at + 1;
    }
    return taken;
  }

  /** Take all of some points, which then answer for no others; false: one of them is not there, and none is taken. */
  takeAll(timesMs: Float64Array, values: Float64Array): boolean {
    const areThere = this.take({ timesMs, values }) === values.length;
    this.settle(areThere);
    return areThere;
  }

  /** The points from a stamp on that were taken. */
  takenFrom(fromMs: number): Points {
    const places = Uint32Array.from(this.#isTaken.keys()).filter(
      (at) => this.#isTaken[at] === 1 && (this.#timesMs[at] as number) >= fromMs,
    );
    const pick = (numbers: Float64Array) => Float64Array.from(places, (at) => numbers[at] as number);
    return { timesMs: pick(this.#timesMs), values: pick(this.#values) };
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

  /** The place, from one on, of the earliest point that may be this one and is not taken; null: there is none. */
  #find(timeMs: number, value: number, from: number): number | null {
    const lastMs = timeMs + STAMP_MS;
    let at = Math.max(from, this.#lowest(timeMs - STAMP_MS, value));
    for (; this.#values[at] === value && (this.#timesMs[at] as number) <= lastMs; at++) {
      if (this.#isTaken[at] === 0) return at;
    }
    return null;
  }

  #lowest(timeMs: number, value: number): number {
    let [low, high] = [0, this.#values.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#values[middle] as number;
      if (other < value || (other === value && (this.#timesMs[middle] as number) < timeMs)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
