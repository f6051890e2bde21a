// What one run of a log source needs to know.
import type { Dialect } from '../../../model/dialect.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Files } from '../../../platform/files.ts';
import type { ByteRange } from '../files/byte-ranges.ts';
import type { HeldDesk } from './held-desk.ts';

/** Old data that one pass reads. */
export interface FillOptions {
  /** First instant wanted, Unix ms; -Infinity: everything. */
  readonly sinceMs: number;
  /** Pieces of files, by path, that are left alone and stay unread. */
  readonly left: ReadonlyMap<string, readonly ByteRange[]>;
  /** Files, by path, that are left alone. */
  readonly held: ReadonlySet<string>;
}

export interface RunOptions {
  readonly id: string;
  readonly path: string;
  /** Whether a path below the folder (with `/`) belongs to the source. */
  readonly isMatch: (path: string) => boolean;
  readonly dialect: Dialect;
  readonly timeZone: string;
  /** `from-now`, `all`, the first instant wanted, or `ask`: from now on, and say what was there before. */
  readonly backfill: 'ask' | 'from-now' | 'all' | { readonly fromMs: number };
  readonly isDrain: boolean;
  /** What is done where the columns of a file change on its way, and what is awaited before they are taken unasked. */
  readonly columnsChange: 'ask' | 'accept';
  readonly beforeNewColumns: () => Promise<void>;
  /** Files named by run that follow one another: one log, or things of their own. */
  readonly runs: 'continue' | 'apart';
  /** Where a person's answers about stopped files come from; null: from nowhere. */
  readonly held: HeldDesk | null;
  readonly clock: Clock;
  readonly files: Files;
}
