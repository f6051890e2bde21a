// How the agent would read a folder, for the page on which a tool is connected: text and values side by side.
import { join } from 'node:path';
import { toAgentError } from '../../model/agent-error.ts';
import { Dialect, type DialectInput } from '../../model/dialect.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Files } from '../../platform/files.ts';
import { readRange } from '../../platform/read-range.ts';
import { decodeText, encodingOf } from './cells/encoding.ts';
import { frameLines } from './cells/framer.ts';
import { compileMatch, type Entry, scanFolder } from './files/folder-scan.ts';
import { unpackedFiles } from './files/unpacked-files.ts';
import type { Folder } from './files/with-file.ts';
import { type Opened, readLayout } from './follow/file-reader.ts';
import { byAge } from './follow/last-lines.ts';
import { resolveDialect } from './log-source.ts';
import { type ClockDoubt, compareZones, findClockDoubt, type ZoneChange } from './newest-stamp.ts';
import { addUp } from './notes/passed-over.ts';
import { isStreamed } from './parse/layout.ts';
import { makeParser } from './parse/make-parser.ts';
import { writeAnswer } from './recognise/answers.ts';
import { shippedDialects } from './recognise/dialect-library.ts';
import { isNoLog, type Undecided } from './recognise/header-line.ts';
import { type LookedThrough, lookThrough } from './recognise/look-through.ts';
import type { Recognised } from './recognise/recognised.ts';

/** Lines shown. */
const ROWS = 10;
/** Files tried, newest first, until one can be read. */
const TRIED_MAX = 20;
const TEXT_MAX = 500;

export interface PreviewOptions {
  readonly folder: string;
  readonly match: string;
  readonly timeZone: string;
  /** The zone that `timeZone` replaces; absent: none. */
  readonly oldZone?: string | undefined;
  /** Pattern of the time column; empty: recognise. */
  readonly timeFormat: string;
  readonly dialect?: string | DialectInput;
  /** Look further through the file than is shown, as `check` does. */
  readonly isThorough?: boolean;
}

export interface LogPreview {
  files: number;
  /** Size of all of them, and their first and last modification time, Unix ms; 0 when there are none. */
  bytes: number;
  oldestMs: number;
  newestMs: number;
  file: string | null;
  rows: { text: string; timeMs: number | null; values: (number | null)[] }[];
  channels: string[];
  leftOut: string[];
  /** The dialect by which the file was read, and what was concluded from what; empty when it was not. */
  dialect: string;
  reasons: string[];
  problem: string;
  hint: string;
  /** Dialects of which each settles the problem, with its line of YAML, the likeliest first; none: no dialect does. */
  answers: readonly { readonly dialect: DialectInput; readonly text: string }[];
  /** What the newest line says, where it contradicts the clock of this PC; null: it does not, or that cannot be told. */
  clock: ClockDoubt | null;
  /** The last rows by the old zone and by the new one; null: no zone is replaced, or no row can be read. */
  zoneChange: ZoneChange | null;
  /** How far the file was looked through; absent: it was not asked for, or could not be read at all. */
  looked?: LookedThrough;
}

/**
 * Read the first lines of the newest readable file of a folder, as the source would.
 *
 * @param options - folder, glob, zone, time format.
 * @param disk - the file system.
 * @returns the preview; a fault is its `problem` and `hint`, so nothing is thrown.
 */
export function previewLog(options: PreviewOptions, disk: Files): LogPreview {
  const preview = emptyPreview();
  const folder = { path: options.folder, files: unpackedFiles(disk, () => systemClock.nowMs()) };
  try {
    const { files } = scanFolder(folder, compileMatch(options.match));
    const { bytes = 0, fromMs = 0, toMs = 0 } = addUp([...files.values()].map((seen) => ({ seen }))) ?? {};
    Object.assign(preview, { files: files.size, bytes, oldestMs: fromMs, newestMs: toMs });
    const newest = [...files.values()].sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? -1 : 1));
    if (newest.length === 0) {
      preview.problem = 'No file of the folder matches.';
      preview.hint = 'Check the folder and the pattern; **/* matches every file.';
      return preview;
    }
    fill(preview, folder, newest.slice(0, TRIED_MAX), options);
  } catch (thrown) {
    Object.assign(preview, problemOf(thrown));
  }
  return preview;
}

/** A preview of a folder that could not be looked at. */
export const noPreview = (thrown: unknown): LogPreview => ({ ...emptyPreview(), ...problemOf(thrown) });

function problemOf(thrown: unknown): Pick<LogPreview, 'problem' | 'hint'> {
  const { message, hint } = toAgentError(thrown);
  return { problem: message, hint };
}

const emptyPreview = (): LogPreview => ({
  files: 0,
  bytes: 0,
  oldestMs: 0,
  newestMs: 0,
  file: null,
  rows: [],
  channels: [],
  leftOut: [],
  dialect: '',
  reasons: [],
  problem: '',
  hint: '',
  answers: [],
  clock: null,
  zoneChange: null,
});

function fill(preview: LogPreview, folder: Folder, newest: readonly Entry[], options: PreviewOptions): void {
  const given = resolveDialect(options.dialect ?? 'auto');
  const dialect =
    options.timeFormat === ''
      ? given
      : Dialect.parse({ ...given, time: { ...given.time, format: options.timeFormat } });
  // A log whose lines are marks is shown where no other can be.
  let events: { path: string; result: Opened } | null = null;
  let first: { file: string; result: Undecided; rank: number } | null = null;
  const { files } = folder;
  for (const seen of newest) {
    const { path } = seen;
    const file = join(options.folder, path);
    const nowMs = systemClock.nowMs();
    const readIn = (zone: string) =>
      readLayout(folder, { path, seen }, dialect, zone, null, shippedDialects(), nowMs, byAge(nowMs));
    const openIn = (zone: string) => {
      const opened = readIn(zone);
      return typeof opened !== 'string' && 'layout' in opened ? opened : null;
    };
    const result = readIn(options.timeZone);
    if (typeof result === 'string') continue;
    if ('layout' in result) {
      if (!result.kinds.some(isStreamed)) {
        events ??= { path, result };
        continue;
      }
      showFile(preview, files, path, result, file);
      preview.clock = findClockDoubt({
        files,
        file,
        result,
        timeZone: options.timeZone,
        nowMs,
        readIn: openIn,
      });
      if (options.oldZone) {
        const both = [openIn(options.oldZone), result] as const;
        preview.zoneChange = compareZones(files, file, both, TEXT_MAX);
      }
      if (options.isThorough === true) preview.looked = lookThrough(files, file, result);
      return;
    }
    // What a person can settle is shown before a file that is just no log.
    const rank = isNoLog(result.code) ? 1 : result.isWaiting ? 2 : 0;
    if (first === null || rank < first.rank) first = { file: path, result, rank };
  }
  if (events !== null && (first === null || first.rank > 0)) {
    showFile(preview, files, events.path, events.result, join(options.folder, events.path));
    return;
  }
  preview.file = first?.file ?? newest[0]?.path ?? null;
  preview.problem = first?.result.message ?? 'No file could be opened.';
  preview.hint = first?.result.hint ?? 'Another program may hold them; try again.';
  preview.answers = (first?.result.answers ?? []).map((dialect) => ({ dialect, text: writeAnswer(dialect) }));
  if (preview.file !== null) preview.rows = rawRows(files, join(options.folder, preview.file));
}

function showFile(preview: LogPreview, files: Files, path: string, result: Opened, file: string): void {
  preview.file = path;
  preview.dialect = result.dialect;
  preview.reasons = [...result.reasons];
  showRows(preview, (at) => readHead(files, file, at), file, result);
}

function readHead(files: Files, file: string, at: number): Uint8Array {
  const handle = files.open(file);
  try {
    return readRange(handle, at, 64 * 1024);
  } finally {
    handle.close();
  }
}

function showRows(
  preview: LogPreview,
  read: (at: number) => Uint8Array,
  file: string,
  { layout, kinds, dataByte }: Recognised,
): void {
  const shown = layout.columns.filter((_, column) => isStreamed(kinds[column]));
  preview.channels = shown.map(({ name, unit }) => (unit === '' ? name : `${name} (${unit})`));
  preview.leftOut = layout.columns.filter((_, column) => kinds[column] === 'text').map(({ name }) => name);
  const { bytes } = frameLines(read(dataByte), dataByte, encodingOf(layout.encoding));
  const parser = makeParser(layout);
  const text = /^utf-?16/i.test(layout.encoding) ? 'utf-8' : layout.encoding;
  let [oldMs, carry] = [Number.NaN, ''];
  for (let at = 0; at < bytes.length && preview.rows.length < ROWS; ) {
    const next = bytes.indexOf(10, at) + 1;
    const line = bytes.subarray(at, next);
    const parsed = parser.parse(
      { bytes: line, place: file, line: null, sinceMs: -Infinity, carry, fileByteOf: (place) => place },
      kinds,
      oldMs,
    );
    const { timesMs, values, marks, lines, columns } = parsed;
    [oldMs, carry] = [parsed.lastMs, parsed.carry ?? ''];
    at = next;
    const written = decodeText(line, text)
      .replace(/\r?\n$/, '')
      .slice(0, TEXT_MAX);
    if (lines === 0 || written.trim() === '') continue;
    // A line whose columns have times of their own gives several rows, each with the values of its time.
    const row = columns.map((_, out) => {
      const own = values.filter((value, at) => at % columns.length === out && !Number.isNaN(value));
      return own[0] ?? null;
    });
    preview.rows.push({ text: written, timeMs: timesMs[0] ?? marks[0]?.timeMs ?? null, values: row });
  }
}

function rawRows(files: Files, file: string): LogPreview['rows'] {
  const text = decodeText(readHead(files, file, 0), 'utf-8');
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.slice(0, ROWS).map((line) => ({ text: line.slice(0, TEXT_MAX), timeMs: null, values: [] }));
}
