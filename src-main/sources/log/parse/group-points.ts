// Points with times of their own, gathered to rows: those of one instant share a row, and rows stand in the order of time.

interface Row {
  readonly timeMs: number;
  readonly values: Float64Array;
}

/** Gathers the points of one block. */
export class GroupPoints {
  readonly #width: number;
  readonly #rows: Row[] = [];
  /** The last row of each instant. */
  readonly #rowOf = new Map<number, Row>();

  /**
   * @param width - how many values a row has.
   */
  constructor(width: number) {
    this.#width = width;
  }

  /** Add a point: its instant, Unix ms, and its place in a row. */
  add(timeMs: number, out: number, value: number): void {
    let row = this.#rowOf.get(timeMs);
    // A channel that has two points at one instant keeps both.
    if (row === undefined || !Number.isNaN(row.values[out] as number)) {
      row = { timeMs, values: new Float64Array(this.#width).fill(Number.NaN) };
      this.#rows.push(row);
      this.#rowOf.set(timeMs, row);
    }
    row.values[out] = value;
  }

  /** Times and values, row by row. */
  finish(): { timesMs: Float64Array; values: Float64Array } {
    const rows = this.#rows.sort((a, b) => a.timeMs - b.timeMs);
    const timesMs = new Float64Array(rows.length);
    const values = new Float64Array(rows.length * this.#width);
    for (const [index, row] of rows.entries()) {
      timesMs[index] = row.timeMs;
      values.set(row.values, index * this.#width);
    }
    return { timesMs, values };
  }
}
