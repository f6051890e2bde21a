// The log folder as a source: `openLogSource` keeps the promise of source.ts with one FolderRun for each run.
import { Dialect, type DialectInput } from '../../model/dialect.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { diskFiles, type Files } from '../../platform/files.ts';
import type { Source } from '../source.ts';
import { compileMatch } from './files/folder-scan.ts';
import { unpackedFiles } from './files/unpacked-files.ts';
import { REREAD_KEY } from './files/watched-file.ts';
import { FolderRun } from './follow/folder-run.ts';
import type { HeldDesk } from './follow/held-desk.ts';
import type { RunOptions } from './follow/run-options.ts';
import { completeDialect, findDialect, shippedDialects } from './recognise/dialect-library.ts';
import { compileTimeFormat } from './time/time-format.ts';
import { ZoneClock } from './time/zone-clock.ts';

export interface LogSourceOptions {
  readonly id: string;
  /** Folder, absolute. */
  readonly path: string;
  /** Glob below the folder, with `/`. */
  readonly match: string;
  /** `auto`, or the dialect itself. */
  readonly dialect: string | DialectInput;
  /** Zone of stamps that carry none. */
  readonly timeZone: string;
  /** `ask`: nobody has said. What was there before is skipped, and the source says so. */
  readonly backfill: 'ask' | 'from-now' | 'all' | { readonly fromDate: string };
  /** Read what is there at the start, then end. */
  readonly isDrain?: boolean;
  /** What is done where the columns of a file change on its way. Absent: `ask`. */
  readonly columnsChange?: 'ask' | 'accept';
  /** Files named by run that follow one another: one log, or things of their own. Absent: `continue`. */
  readonly runs?: 'continue' | 'apart';
  /** Awaited before lines are read by new columns that nobody was asked about. */
  readonly beforeNewColumns?: () => Promise<void>;
  /** Where a person answers for files that stopped. Absent: nowhere. */
  readonly held?: HeldDesk;
  readonly clock?: Clock;
  /** Absent: those of this PC. */
  readonly files?: Files;
}

/**
 * Make the source of a log folder.
 *
 * @param options - settings of the source.
 * @returns a source whose `run` reads until aborted, or with `isDrain` to the end that the files have at its start; it may be
 *   run again and then goes on from the committed positions.
 * @throws throws AgentError when the settings cannot be used (`log.zone-unknown`, `log.time-format-unknown`,
 *   `log.dialect-unknown`, `log.match-unusable`). `run` rejects with `log.folder-missing` (try later), and when draining with
 *   what holds a file back (`log.date-order-ambiguous`, ...).
 */
export function openLogSource(options: LogSourceOptions): Source {
  const own = runOptionsOf(options);
  const run: Source['run'] = async (sink, signal) => new FolderRun(own, sink, signal, await sink.positions()).run();
  return { id: own.id, kind: 'log', run };
}

/**
 * What a run needs to know, from the settings.
 *
 * @throws as `openLogSource`.
 */
function runOptionsOf(options: LogSourceOptions): RunOptions {
  const { id, path, match, timeZone, isDrain = false } = options;
  const { held = null, clock = systemClock, files = diskFiles } = options;
  const dialect = resolveDialect(options.dialect);
  const zone = new ZoneClock(dialect.time.zone ?? timeZone);
  const { format, start } = dialect.time;
  if (format !== 'auto') compileTimeFormat(format, { isTimeOnly: start !== null });
  const instantOf = (date: string) => zone.toInstant(Date.parse(`${date}T00:00:00Z`), Number.NaN);
  const backfill =
    typeof options.backfill === 'string' ? options.backfill : { fromMs: instantOf(options.backfill.fromDate) };
  const isMatch = compileMatch(match);
  const { runs = 'continue', columnsChange = 'ask', beforeNewColumns = () => Promise.resolve() } = options;
  const wanted = { backfill, isDrain, runs, columnsChange, beforeNewColumns, held };
  const shown = unpackedFiles(files, () => clock.nowMs());
  return { id, path, isMatch, dialect, timeZone, ...wanted, clock, files: shown };
}

/** Whether something of a log source is still to be read again. Takes the positions of the source. */
export function isToReread(positions: ReadonlyMap<string, string>): boolean {
  return (positions.get(REREAD_KEY) ?? '') !== '';
}

/** The dialect itself, with its defaults and what it takes from another one. */
export function resolveDialect(dialect: string | DialectInput): Dialect {
  if (dialect === 'auto') return Dialect.parse({});
  if (typeof dialect === 'string') return findDialect(dialect, shippedDialects());
  return completeDialect(Dialect.parse(dialect), shippedDialects());
}
