// What goes into the row parser and what comes out.
import type { Mark } from '../../../model/marks.ts';
import type { Refusal } from '../../source.ts';
import type { ColumnKind } from './layout.ts';

export interface Block {
  /** Whole lines, each with its line end. */
  readonly bytes: Uint8Array;
  /** File for the refusals. */
  readonly place: string;
  /** Number of the first line; null when not counted. */
  readonly line: number | null;
  /** Lines before this instant are skipped; -Infinity: none. */
  readonly sinceMs: number;
  /** What the block before left to be known, as `ParsedBlock` gave it; empty or absent: nothing. */
  readonly carry?: string;
  fileByteOf(at: number): number;
}

export interface ParsedBlock {
  readonly timesMs: Float64Array;
  /** Row-major, one value for each column that is `number` in `kinds`. */
  readonly values: Float64Array;
  /** Columns (from 0) that the values stand for. */
  readonly columns: readonly number[];
  /** Lines of an event log; empty for any other. */
  readonly marks: readonly Mark[];
  /** The kinds after this block: an `open` column may have shown what it is. */
  readonly kinds: readonly ColumnKind[];
  /** Data lines, with or without points; blank lines, comments and repeated headers are none. */
  readonly rowsRead: number;
  /** All lines of the block, to count on. */
  readonly lines: number;
  readonly refusals: readonly Refusal[];
  readonly refusedCount: number;
  /** Instant of the last line that had one; for the next block. */
  readonly lastMs: number;
  /** What must be known of these lines to read the next; absent: `lastMs` is all. It is kept with the position. */
  readonly carry?: string;
  /** Numbers that stood in columns left out as text, by column; they are refused, not lost in silence. */
  readonly numbersLeftOut: readonly number[];
  /** Data lines that were refused whole. */
  readonly linesRefused: number;
  /** Lines of data at the end of the block, one behind the other, that do not fit. */
  readonly misfitsAtEnd: number;
  /** Reading stopped at several such lines. */
  readonly isMisfit: boolean;
  /** Place in the block of a line that names the columns again and differently; nothing from there on was read. */
  readonly stoppedAt: number | null;
  /** It stopped at a stamp of the hour that a change of the clock repeats or skips; absent: not for that. */
  readonly openHour?: 'twice' | 'never';
  /** Stamps in the hour that comes twice, and in the hour that does not exist. */
  readonly stampsTwice: number;
  readonly stampsNever: number;
}

/** Reads the blocks of files of one layout. It may hold scratch memory: one parser serves one block at a time. */
export interface LineParser {
  /**
   * Read a block of whole lines.
   *
   * @param kinds - the kinds of the columns so far.
   * @param formerMs - the instant of the line before (NaN: none).
   * @returns readings of the lines that have at least one point, marks of those that are events, and everything else.
   */
  parse(block: Block, kinds: readonly ColumnKind[], formerMs: number): ParsedBlock;
}

/** What became of a line. `points`: at least one value; `empty`: none; `again`: an open column showed its kind; `header`: the header
 * repeated; `changed`: another header. */
export type Outcome = 'points' | 'empty' | 'refused' | 'again' | 'header' | 'changed';
