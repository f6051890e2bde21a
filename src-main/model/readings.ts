// What a source hands over and the recorder takes.
import type { Mark } from './marks.ts';

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

/** Count the cells that hold a finite number. */
export function countPoints({ values }: Pick<Readings, 'values'>): number {
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

/** A cell or line that could not be read as a finite number. It is kept as text, counted and shown; never 0, never null. */
export interface Refusal {
  /** File, or port and instrument. */
  readonly place: string;
  /** 1-based line (or reply) number within the place; null when not countable. */
  readonly line: number | null;
  /** Byte offset of the line within the place; null when not countable. */
  readonly byte: number | null;
  /** Channel (column) concerned; empty when the whole line is refused. */
  readonly channel: string;
  /** The text as the source gave it, cut to 200 characters. */
  readonly text: string;
  /** Why, in plain words: `not a number`, `no time stamp`, `over range`. */
  readonly reason: string;
}

/** Where a source stands in one of its places; committed in the same transaction as the readings it yielded. */
export interface Position {
  /** For a log: the file's identity key. Unique within the source. */
  readonly key: string;
  /** JSON text, opaque to everybody but the source; empty: the position is dropped. */
  readonly value: string;
}

/** Bytes of a file behind a capture, as they stand in the file: receipts carry the hash over them. */
export interface SourceBytes {
  /** Identity of the file within the source; unique, and the same wherever the file is moved. */
  readonly file: string;
  /** Where the file lies now, below the folder of the source. */
  readonly place: string;
  /** Where in the file `bytes` begins. */
  readonly fromByte: number;
  /** Good until the promise of the capture is settled: then the memory is read into again. */
  readonly bytes: Uint8Array;
  /** Index of the block in `blocks` that these bytes gave; null when they gave no reading. */
  readonly block: number | null;
}

/** What a source hands over at once. Committed whole or not at all. */
export interface Capture {
  /**
   * One or more blocks in source order; may be empty when only positions or refusals moved. Their times and values are
   * good until the promise of the capture is settled, like the bytes of files.
   */
  readonly blocks: readonly Readings[];
  readonly positions: readonly Position[];
  /** Lines of event logs, in order; absent where there are none. They become true together with the positions. */
  readonly marks?: readonly Mark[];
  /** Lines (or replies) read, with or without points. */
  readonly rowsRead: number;
  /** The first refusals in full (at most 100 a capture). */
  readonly refusals: readonly Refusal[];
  /** All refused cells and lines, also those not listed. */
  readonly refusedCount: number;
  /** `backfill` for data older than the agent's start, read as fast as it goes; `live` for what happens now. */
  readonly origin: 'live' | 'backfill';
  /** Everything that was read of files for this capture, in order; absent for sources without files. */
  readonly sourceBytes?: readonly SourceBytes[];
}
