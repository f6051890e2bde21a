// What of the old data of the log folders is there already, what is missing, and what cannot be told: by this agent's own
// ledger first, then by the catalogue, point by point. Nothing is sent or committed here.
import type { LogSourceSettings } from '../../settings/settings.ts';
import { rangeBytes, withoutRanges } from '../../sources/log/files/byte-ranges.ts';
import type { FillWanted } from '../../sources/log/log-source.ts';
import { OldData, type OldFile } from '../../sources/log/old-data.ts';
import type { ForeignEntries, ForeignEntry } from './foreign-entries.ts';
import { HeldEntries, type Span } from './held-entries.ts';
import { type Match, matchRows } from './match-rows.ts';

/** Folders with more files are not opened to be shown: their first stamps then are not told. */
const SHOWN_OPENED_MAX = 5000;

/**
 * `new`: nothing of it is there. `there`: all of it is, or it repeats a file that is. `partly`: the rest is missing.
 * `held`: what is missing of it cannot be told or sent soundly, and `why` says so. `unreadable`: as `why` says.
 */
type PlanState = 'new' | 'there' | 'partly' | 'held' | 'unreadable';

export interface PlanFile {
  readonly path: string;
  readonly state: PlanState;
  readonly bytes: number;
  /** Bytes that would be read and sent, bytes that are there, and bytes that are left alone. */
  readonly missingBytes: number;
  readonly thereBytes: number;
  readonly leftBytes: number;
  /** First stamp, and last modification time, Unix ms; null: not looked at. */
  readonly firstMs: number | null;
  readonly changedMs: number;
  readonly why: string;
  /** Entries of others that hold something of it. */
  readonly entries: readonly string[];
}

/** Files of one folder: most tools make one a run or a day. */
export interface PlanRun {
  /** Folder below the source's, `.` for files that stand in it. */
  readonly name: string;
  readonly files: number;
  readonly byState: Readonly<Record<PlanState, number>>;
  readonly missingBytes: number;
  /** First and last time of its files, Unix ms. */
  readonly fromMs: number;
  readonly toMs: number;
}

export interface SourcePlan {
  readonly sourceId: string;
  readonly folder: string;
  readonly runs: readonly PlanRun[];
  readonly files: readonly PlanFile[];
  /** Entries of others that may hold data of this source. */
  readonly foreignEntries: number;
  /** What a filling run leaves out. */
  readonly fill: Omit<FillWanted, 'since'>;
}

export interface PlanOptions {
  readonly settings: LogSourceSettings;
  /** What the source has committed. */
  readonly positions: ReadonlyMap<string, string>;
  /** Null: the catalogue could not be asked, and the plan goes by the ledger alone. */
  readonly catalogue: ForeignEntries | null;
  /** Entries that are still open count as ended: nobody writes into them any more. */
  readonly areOpenEnded: boolean;
  /** Told now and then what is being looked at. */
  readonly onProgress: (what: string) => void;
}

/**
 * Plan one source.
 *
 * @returns its files, by path.
 * @throws those of the folder (`log.folder-missing`, ...) and of the service.
 */
export async function planSource(options: PlanOptions): Promise<SourcePlan> {
  const { settings, positions, catalogue, onProgress } = options;
  const { id, path, match, dialect, timeZone, backfill } = settings;
  const data = await OldData.open({ id, path, match, dialect, timeZone, backfill }, positions);
  const unread = data.files.filter(({ unreadBytes }) => unreadBytes > 0).map((file) => file.path);
  const entries = catalogue?.ofSource(id) ?? [];
  const named = new Map(unread.flatMap((file) => pair(file, catalogue?.calledLike(file) ?? null)));
  if (entries.length > 0 || unread.length <= SHOWN_OPENED_MAX) {
    onProgress(`${id}: looking into ${unread.length === 1 ? '1 file' : `${unread.length} files`}`);
    await data.openFiles(unread);
  } else await data.openFiles([...named.keys()]);
  const matches = catalogue === null ? new Map<string, Match>() : await matchAll(data, entries, named, options);
  const files = data.files.map((file) => planFile(file, data, matches.get(file.path) ?? null));
  return {
    sourceId: id,
    folder: path,
    runs: runsOf(files),
    files,
    foreignEntries: entries.length + named.size,
    fill: {
      there: new Map([...matches].flatMap(([file, { there }]) => pair(file, there.length > 0 ? there : null))),
      left: new Map([...matches].flatMap(([file, { left }]) => pair(file, left.length > 0 ? left : null))),
      held: new Set(),
    },
  };
}

function pair<V>(key: string, value: V | null): [string, V][] {
  return value === null ? [] : [[key, value]];
}

/** Hold the files against the entries of others, the oldest first. */
async function matchAll(
  data: OldData,
  entries: readonly ForeignEntry[],
  named: ReadonlyMap<string, ForeignEntry>,
  { settings, catalogue, areOpenEnded, onProgress }: PlanOptions,
): Promise<Map<string, Match>> {
  const matches = new Map<string, Match>();
  if (catalogue === null || (entries.length === 0 && named.size === 0)) return matches;
  const held = new HeldEntries(catalogue, areOpenEnded, ({ name }) =>
    onProgress(`${settings.id}: reading "${name}" from the service`),
  );
  for (const file of await inOrder(data)) {
    held.forgetBefore(file.firstMs);
    const own = named.get(file.path);
    const found = await held.overlapping(own === undefined ? entries : [...entries, own], file);
    if (own !== undefined && (await held.isEmpty(own))) {
      const why = `an entry is called "${own.name}" like this file, and has no series to compare`;
      matches.set(file.path, { there: [], left: [...data.unreadOf(file.path)], why, entries: [own.name] });
    } else if (found.length > 0) matches.set(file.path, await matchRows(data.rowsOf(file.path), found));
  }
  return matches;
}

/** A file with rows that may be sent, and the first and last instant of them. */
interface Dated extends Span {
  readonly path: string;
}

/** Files that may be sent, the oldest first; those without a row have nothing to be compared with. */
async function inOrder(data: OldData): Promise<Dated[]> {
  const dated: Dated[] = [];
  for (const { path, state, unreadBytes } of data.files) {
    if (unreadBytes === 0 || (state !== 'new' && state !== 'partly')) continue;
    let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    // By its rows: what a program does to the modification time of a file says nothing of them.
    for await (const { timesMs } of data.rowsOf(path)) {
      for (const timeMs of timesMs) {
        firstMs = Math.min(firstMs, timeMs);
        lastMs = Math.max(lastMs, timeMs);
      }
    }
    if (firstMs <= lastMs) dated.push({ path, firstMs, lastMs });
  }
  return dated.sort((a, b) => a.firstMs - b.firstMs);
}

function planFile(file: OldFile, data: OldData, match: Match | null): PlanFile {
  const { path, sizeBytes: bytes, changedMs, firstMs, state: own, unreadBytes } = file;
  const unread = data.unreadOf(path);
  const { there = [], left = [], entries = [] } = match ?? {};
  const thereBytes = rangeBytes(unread) - rangeBytes(withoutRanges(unread, there));
  const leftBytes = rangeBytes(unread) - rangeBytes(withoutRanges(unread, left));
  const isSent = own === 'new' || own === 'partly';
  const missingBytes = isSent ? unreadBytes - thereBytes - leftBytes : 0;
  const common = { path, bytes, missingBytes, thereBytes, leftBytes, firstMs, changedMs, entries };
  const why = [file.why, match?.why ?? ''].filter((text) => text !== '').join('; ');
  return { ...common, state: stateOf(file, missingBytes, thereBytes, leftBytes), why };
}

function stateOf({ state }: OldFile, missingBytes: number, thereBytes: number, leftBytes: number): PlanState {
  if (state === 'unreadable') return state;
  if (state === 'there' || state === 'copy') return 'there';
  if (leftBytes > 0 && missingBytes === 0) return 'held';
  if (missingBytes === 0) return 'there';
  return state === 'partly' || thereBytes > 0 || leftBytes > 0 ? 'partly' : 'new';
}

function runsOf(all: readonly PlanFile[]): PlanRun[] {
  const folders = new Map<string, PlanFile[]>();
  for (const file of all) {
    const cut = file.path.lastIndexOf('/');
    const name = cut === -1 ? '.' : file.path.slice(0, cut);
    const files = folders.get(name) ?? [];
    folders.set(name, files);
    files.push(file);
  }
  return [...folders].map(([name, files]) => {
    const byState = { new: 0, there: 0, partly: 0, held: 0, unreadable: 0 };
    for (const { state } of files) byState[state] += 1;
    return {
      name,
      files: files.length,
      byState,
      missingBytes: files.reduce((sum, { missingBytes }) => sum + missingBytes, 0),
      fromMs: files.reduce(
        (least, { firstMs, changedMs }) => Math.min(least, firstMs ?? changedMs),
        Number.POSITIVE_INFINITY,
      ),
      toMs: files.reduce((most, { changedMs }) => Math.max(most, changedMs), 0),
    };
  });
}
