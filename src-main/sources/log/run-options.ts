// What one run of a log source needs to know.
import type { Dialect } from '../../model/dialect.ts';
import type { Clock } from '../../platform/clock.ts';

export interface RunOptions {
  readonly id: string;
  readonly path: string;
  readonly match: string;
  readonly dialect: Dialect;
  readonly timeZone: string;
  /** `from-now`, `all`, the first instant wanted, or `ask`: from now on, and say what was there before. */
  readonly backfill: 'ask' | 'from-now' | 'all' | { readonly fromMs: number };
  /** One file a capture, for streams that follow the files. */
  readonly isFileByFile: boolean;
  readonly isDrain: boolean;
  readonly clock: Clock;
}
