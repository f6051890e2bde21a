// What follows in a file whose columns change, or whose time begins again: the layout of that part alone. What is known of
// the part before (encoding, separator, decimal mark, how stamps are written) is taken as known; its names are not.
// Bounds: 64 KiB before and behind the place; one of the 200 lines before it must hold data.
import type { Dialect } from '../../../model/dialect.ts';
import { readRange } from '../../../platform/read-range.ts';
import { decodeText, type Encoding, encodingOf } from '../cells/encoding.ts';
import { frameLines } from '../cells/framer.ts';
import { isKeyed, type KeyedRows, newKeys, packKeyed, unitsOfKeys, unpackKeyed } from '../cells/keyed-lines.ts';
import { isPattern } from '../cells/pattern-split.ts';
import { nameColumns } from '../columns/column-names.ts';
import type { WatchedFile } from '../files/watched-file.ts';
import { type Folder, type Unreadable, withFile } from '../files/with-file.ts';
import { isDataLine } from '../parse/data-line.ts';
import { eraAt } from '../parse/eras.ts';
import type { Layout } from '../parse/layout.ts';
import { fileHeadOf, lastHeadOf } from '../parse/lvm-heads.ts';
import { makeParser } from '../parse/make-parser.ts';
import { type Undecided, undecided } from '../recognise/header-line.ts';
import { recogniseLayout } from '../recognise/recognise.ts';
import type { Recognised } from '../recognise/recognised.ts';
import { lineEnds } from './file-part.ts';

/** Bytes looked at before and behind the place. */
const LOOK_BYTES = 64 * 1024;
/** Lines before the place of which one must hold data, or they all belong to what follows. */
const LINES_BACK_MAX = 200;
/** Lines shown. */
const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 500;
/** A line is cut here only for what is shown. */
const WHOLE = Number.POSITIVE_INFINITY;

/** The layout of the rest of a file; `dataByte` is a byte of the file. */
export type Rest = Pick<Recognised, 'layout' | 'kinds' | 'dataByte' | 'startFrom' | 'reasons'>;

/** The bytes around the place at which reading stopped. */
interface Surroundings {
  /** The first bytes of the file, as far as they are a header; empty where they tell nothing of what follows. */
  readonly head: Uint8Array;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** The layout that held up to the place at which reading stopped. */
export function layoutBefore(
  file: WatchedFile,
  atByte: number,
): { layout: Layout | null; kinds: WatchedFile['kinds'] } {
  return eraAt({ ...file, byte: Math.max(0, atByte - 1) }).by;
}

/**
 * Find the layout of what follows the place at which reading stopped.
 *
 * @param file - the file (it has a problem with a place).
 * @returns the layout and the next lines as text; or why there is no layout, with what would settle it; or why the file cannot
 *   be read.
 */
export function recogniseRest(
  file: WatchedFile,
  folder: Folder,
  dialect: Dialect,
): { rest: Rest | Undecided; nextLines: string[] } | Unreadable {
  const at = file.problem?.at;
  const { layout, kinds } = layoutBefore(file, at?.byte ?? 0);
  if (at === undefined || layout === null) return 'gone';
  const around = withFile(folder, file, (handle): Surroundings => {
    const beginByte = Math.max(0, at.byte - LOOK_BYTES);
    const isHeadWanted = layout.dayMs !== null || layout.heads !== undefined;
    const headBytes = isHeadWanted ? Math.min(file.dataByte, LOOK_BYTES) : 0;
    return {
      head: readRange(handle, 0, headBytes),
      before: readRange(handle, beginByte, at.byte - beginByte),
      after: readRange(handle, at.byte, LOOK_BYTES),
    };
  });
  if (typeof around === 'string') return around;
  const encoding = encodingOf(layout.encoding);
  const nextLines = textLines(around.after, encoding, SHOWN_CHARACTERS).slice(0, SHOWN_LINES);
  const keyed = isKeyed(layout.delimiter) ? unpackKeyed(layout.delimiter) : null;
  if (keyed?.form === 'rows') {
    const lines = textLines(around.after, encoding);
    return { rest: { ...withUnits(layout, keyed, lines), kinds, dataByte: at.byte }, nextLines };
  }
  const isSegments = layout.heads !== undefined;
  if (isSegments && file.problem?.code === 'log.time-again') {
    const message = 'The times begin again, and no head says from when.';
    const hint = 'Let LabVIEW write a head for each segment (Multi_Headings Yes), or leave the file out.';
    return { rest: undecided('log.no-start', message, hint), nextLines };
  }
  const own = isSegments ? around.after : beforeNextHeader(around.after, layout.encoding);
  const lead = isSegments ? lastHeadOf(around.before) : leadOf(around.before, layout, kinds, encoding);
  const head = isSegments ? fileHeadOf(around.head) : around.head;
  const bytes = Buffer.concat([head, lead, own]);
  const known = {
    bytes,
    path: at.line === null ? `the part of ${file.path} behind the change` : `the part from line ${at.line} on`,
    laterLines: [],
    settledFormat: layout.timeFormat,
    modifiedMs: 0,
    ...(kinds.some((kind) => kind === 'whole' || kind === 'affixed-whole') && { hasWholeBefore: true }),
  };
  const found = recogniseWith(known, layout, dialect);
  if (!('layout' in found)) return { rest: found, nextLines };
  const dataByte = at.byte - head.length - lead.length + found.dataByte;
  if (dataByte < at.byte) {
    const hint = 'It is read as soon as there is one; or leave the file out.';
    return { rest: undecided('log.no-rows-yet', 'No line with data follows yet.', hint, true), nextLines };
  }
  return { rest: { ...found, dataByte }, nextLines };
}

/**
 * Add the channels that lines name from a place on to the layout before it.
 *
 * @returns the layout of the rest; null when nothing new is named there; or why the file cannot be read.
 */
export function addChannels(file: WatchedFile, folder: Folder): Rest | null | Unreadable {
  const at = file.problem?.at;
  const { layout, kinds } = layoutBefore(file, at?.byte ?? 0);
  if (at === undefined || layout === null || !isKeyed(layout.delimiter)) return null;
  const after = withFile(folder, file, (handle) => readRange(handle, at.byte, LOOK_BYTES));
  if (typeof after === 'string') return after;
  const lines = textLines(after, encodingOf(layout.encoding));
  const fresh = [...new Set(lines.flatMap((line) => newKeys(line, layout.delimiter)))];
  if (fresh.length === 0) return null;
  const keyed = unpackKeyed(layout.delimiter);
  const units = keyed.form === 'rows' ? unitsOfKeys(keyed, lines, fresh) : {};
  const keys = [...keyed.keys, ...fresh];
  const delimiter = packKeyed(
    keyed.form === 'rows' ? { ...keyed, keys, units: { ...keyed.units, ...units } } : { ...keyed, keys },
  );
  const named = nameColumns([...layout.columns.map(({ header }) => header), ...fresh]).slice(layout.columns.length);
  const columns = named.map((column) => ({
    ...column,
    unit: column.unit === '' ? (units[column.header] ?? '') : column.unit,
  }));
  const grown = { ...layout, delimiter, columns: [...layout.columns, ...columns] };
  const open = fresh.map(() => 'open' as const);
  return { layout: grown, kinds: [...kinds, ...open], dataByte: at.byte, startFrom: null, reasons: [] };
}

/** The same rows with the units that they state from here on. */
function withUnits(
  layout: Layout,
  keyed: KeyedRows,
  lines: readonly string[],
): Pick<Rest, 'layout' | 'startFrom' | 'reasons'> {
  const stated = unitsOfKeys(keyed, lines, keyed.keys);
  const columns = layout.columns.map((column) => ({ ...column, unit: stated[column.header] ?? column.unit }));
  const delimiter = packKeyed({ ...keyed, units: { ...keyed.units, ...stated } });
  return {
    layout: { ...layout, columns, delimiter },
    startFrom: null,
    reasons: ['the units of the lines that follow'],
  };
}

/** First with all that is known of the part before, then with its encoding and zone alone: the head of the file told them. */
function recogniseWith(
  known: Parameters<typeof recogniseLayout>[0],
  layout: Layout,
  dialect: Dialect,
): Recognised | Undecided {
  if (layout.heads !== undefined) return recogniseLayout(known, { ...dialect, encoding: layout.encoding }, layout.zone);
  const open: Dialect = {
    ...dialect,
    encoding: layout.encoding,
    preamble: 'auto',
    header: Array.isArray(dialect.header) ? 'auto' : dialect.header,
    header_line: null,
  };
  const isAbsolute = layout.startMs === null && layout.dayMs === null;
  const settled: Dialect = {
    ...open,
    delimiter: isPattern(layout.delimiter) || isKeyed(layout.delimiter) ? open.delimiter : layout.delimiter,
    // A file of whole numbers has not told its decimal mark.
    decimal: known.hasWholeBefore === true ? open.decimal : layout.decimal === '.' ? 'point' : 'comma',
    time: isAbsolute ? { ...open.time, format: layout.timeFormat } : open.time,
  };
  // The smallest change: the same columns, and another way to write their time.
  const isNamed = !isKeyed(layout.delimiter) && !isPattern(layout.delimiter) && layout.headerText !== '';
  const beginsWithRow = isDataLine(firstLine(known.bytes, layout.encoding));
  if (isNamed && beginsWithRow && isAbsolute) {
    const header = layout.columns.map(({ header }, index) => header || `column ${index + 1}`);
    const time = { ...open.time, column: layout.timeColumns.map((column) => column + 1), format: 'auto' };
    const units = Object.fromEntries(layout.columns.map((column) => [column.header, column.unit]));
    const changed = { ...settled, header, time, units: { ...units, ...open.units } };
    const same = recogniseLayout({ ...known, settledFormat: null }, changed, layout.zone);
    if ('layout' in same) return { ...same, layout: { ...same.layout, headerText: layout.headerText } };
  }
  const found = recogniseLayout(known, settled, layout.zone);
  if ('layout' in found) return found;
  const other = recogniseLayout(known, open, layout.zone);
  return 'layout' in other ? other : found;
}

function firstLine(bytes: Uint8Array, encoding: string): string {
  const [end = bytes.length] = lineEnds(bytes, encoding);
  return decodeText(bytes.subarray(0, end), encoding);
}

/** The lines right before the place that hold no data: a run begins with what is said of it there. */
function leadOf(before: Uint8Array, layout: Layout, kinds: WatchedFile['kinds'], encoding: Encoding): Uint8Array {
  const parser = makeParser(layout);
  const ends = lineEnds(before, layout.encoding);
  let begin = before.length;
  for (let index = ends.length - 2; index >= 0 && index > ends.length - LINES_BACK_MAX; index--) {
    const line = before.subarray(ends[index] as number, ends[index + 1]);
    const { bytes } = frameLines(line, 0, encoding);
    const block = { bytes, place: '', line: null, sinceMs: Number.NEGATIVE_INFINITY, fileByteOf: (at: number) => at };
    const { rowsRead, refusedCount } = parser.parse(block, kinds, Number.NaN);
    if (rowsRead > 0 && refusedCount < rowsRead) break;
    begin = ends[index] as number;
  }
  return before.subarray(begin);
}

/** The bytes up to the header that comes once more. */
function beforeNextHeader(after: Uint8Array, encoding: string): Uint8Array {
  const ends = lineEnds(after, encoding);
  const first = after.subarray(0, ends[0] ?? 0);
  const next = ends.findIndex((end, index) => {
    const line = after.subarray(end, ends[index + 1] ?? end);
    return line.length > 0 && Buffer.compare(line, first) === 0;
  });
  return next === -1 ? after : after.subarray(0, ends[next]);
}

function textLines(bytes: Uint8Array, encoding: Encoding, mostCharacters = WHOLE): string[] {
  const frame = frameLines(bytes, 0, encoding);
  const text = decodeText(frame.bytes, encoding.unitBytes === 2 ? 'utf-8' : encoding.name);
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => line.replace(/\r$/, '').slice(0, mostCharacters));
}
