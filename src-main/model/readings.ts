/**
 * A block of readings on one time base: what some log lines or polls gave for the same columns.
 *
 * Shape: `timesMs` has R entries, `values` has R x C entries, row after row, for the C names in `channels`.
 * A reading is one row. NaN in a cell means: this row has no point for that channel. NaN and infinities are never
 * points; what could not be read as a finite number is reported beside the block as a refused cell.
 */
export interface Readings {
  /** C distinct channel names, in column order. */
  readonly channels: readonly string[];
  /** Unix time in milliseconds (fractions allowed), one per row, in source order (not necessarily rising). */
  readonly timesMs: Float64Array;
  /** Row-major values, R x C; NaN = no point. */
  readonly values: Float64Array;
}

/**
 * Tell whether every cell holds a point. The searches of the language do so at the speed of memory, where a loop that asks
 * `Number.isFinite` makes an object of each number until it is optimised.
 */
export function isAllFinite(values: Float64Array): boolean {
  return !values.includes(Number.NaN) && !values.includes(Infinity) && !values.includes(-Infinity);
}

/**
 * Count the points of a block.
 *
 * @param readings - any block.
 * @returns the number of cells that hold a finite number.
 */
export function countPoints({ values }: Readings): number {
  if (isAllFinite(values)) return values.length;
  let points = 0;
  for (let i = 0; i < values.length; i++) if (Number.isFinite(values[i])) points += 1;
  return points;
}

/** Stamp of the newest reading of some blocks, Unix milliseconds; null when there is none. */
export function newestMs(blocks: readonly Pick<Readings, 'timesMs'>[]): number | null {
  let newest = Number.NEGATIVE_INFINITY;
  for (const { timesMs } of blocks) for (const timeMs of timesMs) if (timeMs > newest) newest = timeMs;
  return newest === Number.NEGATIVE_INFINITY ? null : newest;
}
