// The head of a file, line by line, and one way to cut it into rows.
import type { TimeCandidate } from '../columns/time-candidate.ts';

/** A line of the head and where it begins in the file. */
export interface Line {
  readonly text: string;
  readonly byte: number;
}

/** Rows looked at in the head. */
export const ROWS_MAX = 200;
/** One way to cut the head into rows, with how well it fits. */
export interface Cut {
  readonly delimiter: string;
  readonly decimal: '.' | ',';
  readonly rows: readonly (readonly string[])[];
  /** Index of the first data row. */
  readonly first: number;
  readonly width: number;
  readonly time: TimeCandidate;
  readonly fit: number;
  /** Lines that it reads, of those looked at. */
  readonly reads: number;
}
