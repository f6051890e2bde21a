// What one run of a log source needs to know.
import type { Dialect } from '../../model/dialect.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Files } from '../../platform/files.ts';
import type { ByteRange } from './byte-ranges.ts';
import type { HeldDesk } from './held-desk.ts';

/** Old data that is to be read now, besides what the settings say. */
export interface FillOptions {
  /** First instant wanted, Unix ms; -Infinity: everything. */
  readonly sinceMs: number;
  /** Pieces of files, by path, that need not be read since the service has them. */
  readonly there: ReadonlyMap<string, readonly ByteRange[]>;
  /** Pieces of files, by path, that are left alone and stay unread. */
  readonly left: ReadonlyMap<string, readonly ByteRange[]>;
  /** Files, by path, that are left alone. */
  readonly held: ReadonlySet<string>;
}

/** Pieces of files, by path: that the service has, and that are left alone. */
export type FormerPieces = Pick<FillOptions, 'there' | 'left'>;

/** Who knows. Each call rejects while the service cannot be asked. */
export interface FormerData {
  /** True when the service holds anything of this source that this queue does not know. */
  isAny(): Promise<boolean>;
  /** Hold the old rows of the folder, as they are committed, against what the service holds. */
  find(): Promise<FormerPieces>;
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
  /** Null: as `backfill` says. */
  readonly fill: FillOptions | null;
  /** One file a capture, for streams that follow the files. */
  readonly isFileByFile: boolean;
  readonly isDrain: boolean;
  /** Where a person's answers about stopped files come from; null: from nowhere. */
  readonly held: HeldDesk | null;
  /** Who knows what was sent from here before this queue knew of it; null: nothing was. */
  readonly former: FormerData | null;
  readonly clock: Clock;
  readonly files: Files;
}
