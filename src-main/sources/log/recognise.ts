// Makes the layout of a file from its head: what the dialect says is taken as said, what it leaves to `auto` is
// recognised, each step with its reason. Nothing is guessed where a wrong guess would be silent: an ambiguous date order
// or decimal mark, or a header that does not fit the rows, is a question to a person and the file waits.
import type { Dialect } from '../../model/dialect.ts';
import { shapeOfCell } from './cell-shape.ts';
import { splitCells } from './cells.ts';
import { stemOf } from './channel-names.ts';
import { fitName, nameColumns } from './column-names.ts';
import { settleDateOrder } from './date-order.ts';
import { parseDecimalText } from './decimal.ts';
import { decodeText, detectEncoding, type Encoding } from './encoding.ts';
import { frameLines } from './framer.ts';
import { cleanHeader, findHeader, type HeaderChoice, type Undecided } from './header-line.ts';
import type { ColumnKind, Layout, LayoutColumn } from './layout.ts';
import { settleStart } from './start-stamp.ts';
import { findTimeColumns, joinTimeCells, keepReading, type TimeCandidate } from './time-columns.ts';
import { compileTimeFormat } from './time-format.ts';
import { ZoneClock } from './zone-clock.ts';

export interface Head {
  /** First bytes of the file, at least one whole line or the layout waits. */
  readonly bytes: Uint8Array;
  /** Path below the watched folder; a date in it can settle the date order. */
  readonly path: string;
  /** Some lines from further on in the file, as rows for the date order; empty when not read. */
  readonly laterLines: readonly string[];
  /** Time format that other files of this folder have settled; null: none. */
  readonly settledFormat: string | null;
  /** When the file was last changed, Unix ms. */
  readonly modifiedMs: number;
}

export interface Recognised {
  readonly layout: Layout;
  readonly kinds: readonly ColumnKind[];
  /** Byte of the file at which the first line after the header begins. */
  readonly dataByte: number;
  /** Lines before it. */
  readonly dataLine: number;
  /** Where relative times get their start; null: stamps are absolute. */
  readonly startFrom: 'header' | 'name' | 'file' | null;
  /** What was concluded from what. */
  readonly reasons: readonly string[];
}

interface Line {
  readonly text: string;
  readonly byte: number;
}

/** Rows looked at in the head. */
const ROWS_MAX = 200;
/** Rows from which it is decided whether a column holds numbers. */
const JUDGED_ROWS = 100;

const SEPARATORS: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  whitespace: 'whitespace',
};
const SEPARATOR_NAMES: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };

/** One way to cut the head into rows, with how well it fits. */
interface Cut {
  readonly delimiter: string;
  readonly decimal: '.' | ',';
  readonly rows: readonly (readonly string[])[];
  /** Index of the first data row. */
  readonly first: number;
  readonly width: number;
  readonly time: TimeCandidate;
  readonly fit: number;
}

/**
 * Recognise the layout of a file.
 *
 * **Takes**: its head, the dialect, the zone for stamps that carry none.
 * **Gives**: the layout with its reasons, or why there is none and what would settle it.
 * **Errors**: throws AgentError only for a dialect that cannot be used (`log.time-format-unknown`, ...).
 */
export function recogniseLayout(head: Head, dialect: Dialect, timeZone: string): Recognised | Undecided {
  const encoding = detectEncoding(head.bytes, dialect.encoding);
  if (encoding === null) {
    return undecided(
      'log.not-text',
      `${head.path} is not a text log.`,
      'Leave it out with a narrower match, or name its encoding.',
    );
  }
  const lines = readLines(head.bytes, encoding);
  const cuts = listCuts(lines, dialect);
  const best = cuts.sort((a, b) => b.fit - a.fit)[0];
  if (best === undefined) return explainNoTime(lines, head, dialect);
  return settle(best, lines, head, dialect, timeZone, encoding);
}

function undecided(code: string, message: string, hint: string, isWaiting = false): Undecided {
  return { code, message, hint, isWaiting };
}

function readLines(bytes: Uint8Array, encoding: Encoding): Line[] {
  const frame = frameLines(bytes, 0, encoding);
  const lines: Line[] = [];
  const textEncoding = encoding.unitBytes === 2 ? 'utf-8' : encoding.name;
  for (let begin = 0; begin < frame.bytes.length; ) {
    const end = frame.bytes.indexOf(10, begin);
    const text = decodeText(frame.bytes.subarray(begin, end), textEncoding);
    lines.push({ text: text.replace(/^\uFEFF+/, '').replace(/\r$/, ''), byte: frame.fileByteOf(begin) });
    begin = end + 1;
  }
  return lines;
}

function listCuts(lines: readonly Line[], dialect: Dialect): Cut[] {
  const delimiters =
    dialect.delimiter === 'auto'
      ? ['\t', ';', ',', '|', 'whitespace']
      : [SEPARATORS[dialect.delimiter] ?? dialect.delimiter];
  const cuts: Cut[] = [];
  for (const [rank, delimiter] of delimiters.entries()) {
    const decimals: ('.' | ',')[] =
      dialect.decimal === 'auto' ? (delimiter === ',' ? ['.'] : ['.', ',']) : [dialect.decimal === 'comma' ? ',' : '.'];
    const rows = lines.map(({ text }) => (isSkipped(text, dialect) ? [] : splitCells(text, delimiter)));
    for (const [markRank, decimal] of decimals.entries()) {
      if (decimal === delimiter) continue;
      const cut = tryCut(rows, delimiter, decimal, dialect);
      // Between ways that fit alike the order of the lists decides.
      if (cut !== null) cuts.push({ ...cut, fit: cut.fit - rank * 0.01 - markRank * 0.001 });
    }
  }
  return cuts;
}

function isSkipped(text: string, dialect: Dialect): boolean {
  return text.trim() === '' || (dialect.comment !== null && text.startsWith(dialect.comment));
}

function tryCut(
  rows: readonly (readonly string[])[],
  delimiter: string,
  decimal: '.' | ',',
  dialect: Dialect,
): Cut | null {
  const isTimeOnly = isTimeOfDay(dialect);
  const width = commonWidth(rows);
  const from = typeof dialect.preamble === 'number' ? dialect.preamble : 0;
  const wide = rows
    .map((row, index) => ({ row, index }))
    .filter(({ row, index }) => index >= from && row.length === width);
  const sample = wide.slice(-20).map(({ row }) => row);
  const headers = rows.find(
    (row) => row.length === width && row.every((cell) => shapeOfCell(cell, decimal) !== 'number'),
  );
  for (const time of candidates(sample, headers ?? [], decimal, dialect, rows)) {
    const formats = keepReading(sample.slice(-1), time.columns, time.formats, decimal, isTimeOnly);
    const readers = formats.map((format) => compileTimeFormat(format, { decimal, isTimeOnly }));
    const isData = (row: readonly string[]) => {
      const bytes = new TextEncoder().encode(joinTimeCells(row, time.columns));
      return readers.some((reader) => reader.read(bytes, 0, bytes.length));
    };
    const first = wide.find(({ row }) => isData(row))?.index;
    if (first === undefined) continue;
    const data = rows.slice(first, first + ROWS_MAX).filter((row) => row.length > 0);
    const readable = data.filter((row) => row.length === width && isData(row));
    if (readable.length < data.length / 2) continue;
    let good = 0;
    let all = 0;
    for (const row of readable) {
      for (const cell of row) {
        const shape = shapeOfCell(cell, decimal);
        all += 1;
        if (shape !== 'text' || Object.hasOwn(dialect.states, cell)) good += 1;
      }
    }
    const fit = (good / all) * (readable.length / data.length);
    return { delimiter, decimal, rows, first, width, time: { ...time, formats }, fit };
  }
  return null;
}

/** Stamps carry no date: the start gives it. */
function isTimeOfDay({ time }: Dialect): boolean {
  return time.start !== null && time.format !== 'relative-seconds';
}

/** The number of cells that most lines have, two at least; of equals the one that comes later. */
function commonWidth(rows: readonly (readonly string[])[]): number {
  const count = new Map<number, number>();
  let best = 0;
  for (const row of rows.slice(-ROWS_MAX)) {
    if (row.length < 2) continue;
    const seen = (count.get(row.length) ?? 0) + 1;
    count.set(row.length, seen);
    if (seen >= (count.get(best) ?? 0)) best = row.length;
  }
  return best;
}

function candidates(
  sample: readonly (readonly string[])[],
  headers: readonly string[],
  decimal: '.' | ',',
  dialect: Dialect,
  rows: readonly (readonly string[])[],
): TimeCandidate[] {
  const { column, format } = dialect.time;
  const named = column === 'auto' ? null : columnIndexes(column, rows);
  if (named !== null) {
    if (named.some((index) => index < 0)) return [];
    if (format !== 'auto') return [{ columns: named, formats: [format] }];
    // Recognise the format in these columns alone.
    const only = sample.map((row) => named.map((index) => row[index] ?? ''));
    const found = findTimeColumns(
      only,
      named.map(() => 'time'),
      decimal,
    ).filter(({ columns }) => columns.length === named.length);
    return found.map(({ formats }) => ({ columns: named, formats }));
  }
  if (format === 'auto') return findTimeColumns(sample, headers, decimal);
  const width = sample.at(-1)?.length ?? 0;
  const single = Array.from({ length: width }, (_, index) => ({ columns: [index], formats: [format] }));
  const pairs = Array.from({ length: Math.max(0, width - 1) }, (_, index) => ({
    columns: [index, index + 1],
    formats: [format],
  }));
  return [...single, ...pairs].filter(
    ({ columns }) => keepReading(sample.slice(-1), columns, [format], decimal, isTimeOfDay(dialect)).length > 0,
  );
}

function columnIndexes(
  column: Exclude<Dialect['time']['column'], 'auto'>,
  rows: readonly (readonly string[])[],
): number[] {
  const wanted = Array.isArray(column) ? column : [column];
  return wanted.map((one) => {
    if (typeof one === 'number') return one - 1;
    const row = rows.find((cells) => cells.some((cell) => cleanHeader(cell) === one));
    return row?.findIndex((cell) => cleanHeader(cell) === one) ?? -1;
  });
}

function explainNoTime(lines: readonly Line[], head: Head, dialect: Dialect): Undecided {
  const isNumeric = lines.some(
    ({ text }) =>
      /\d/.test(text) && text.split(/[\t;,| ]+/).filter((cell) => shapeOfCell(cell, '.') === 'number').length > 1,
  );
  const isStamped = lines.some(({ text }) => listsStamp(text));
  if (!isNumeric && !isStamped) {
    return undecided(
      'log.no-rows-yet',
      `${head.path} holds no line with data yet.`,
      'It is read as soon as it does.',
      true,
    );
  }
  const wanted = dialect.time.format === 'auto' ? '' : ` in the format "${dialect.time.format}"`;
  return undecided(
    'log.no-time',
    `No column of ${head.path} gives the time${wanted}.`,
    'Name the time column and its format under dialect: time, or leave the file out with a narrower match.',
  );
}

function listsStamp(text: string): boolean {
  return /\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d\d/.test(text);
}

function settle(
  cut: Cut,
  lines: readonly Line[],
  head: Head,
  dialect: Dialect,
  timeZone: string,
  encoding: Encoding,
): Recognised | Undecided {
  const { rows, first, width, time, decimal, delimiter } = cut;
  const data = rows
    .slice(first)
    .filter((row) => row.length === width)
    .slice(0, ROWS_MAX);
  const later = head.laterLines.map((line) => splitCells(line, delimiter)).filter((row) => row.length === width);
  const reasons = [
    `separator ${SEPARATOR_NAMES[delimiter] ?? `"${delimiter}"`}: ${data.length} lines of ${width} cells`,
    ...(decimal === ',' ? ['decimal comma'] : []),
  ];
  const isMarkOpen = dialect.decimal === 'auto' && decimal === ',' && isThousands(data, time.columns);
  if (isMarkOpen) {
    return undecided(
      'log.decimal-mark-ambiguous',
      `The comma in the numbers of ${head.path} may be a decimal comma or a thousands mark.`,
      'Set dialect: decimal to comma, or to point to refuse these cells.',
    );
  }
  const format = chooseFormat(cut, lines, head, [...data, ...later]);
  if ('code' in format) return format;
  reasons.push(`time in column ${time.columns.map((c) => c + 1).join(' and ')} as ${format.format} (${format.reason})`);
  const header = findHeader(rows, first, width, dialect, decimal);
  if ('code' in header) return { ...header, message: header.message.replace('{file}', head.path) };
  reasons.push(header.line === null ? 'no header line' : `header in line ${header.line + 1}`);
  const start = findStart(cut, lines, head, dialect, timeZone, [...data, ...later]);
  if (start !== null && 'code' in start) return start;
  if (start !== null)
    reasons.push(`begins at ${new Date(start.instantMs).toISOString()} by ${START_WORDS[start.from]}`);
  const plain = makeLayout(cut, header, format.format, dialect, timeZone, encoding, lines);
  const isRelative = format.format === 'relative-seconds';
  const layout: Layout = {
    ...plain,
    startMs: start !== null && isRelative ? start.instantMs : null,
    dayMs: start !== null && !isRelative ? Math.floor(start.localMs / DAY_MS) * DAY_MS : null,
  };
  const begin = Math.max(header.last + 1, typeof dialect.preamble === 'number' ? dialect.preamble : 0);
  const dataLine = header.last === -1 && typeof dialect.preamble !== 'number' ? first : begin;
  const kinds = judgeColumns(layout, data.slice(0, JUDGED_ROWS), dialect);
  const numbers = kinds.flatMap((kind, index) => (kind === 'number' ? [index] : []));
  if (dialect.names === 'file' && numbers.length === 1) nameByFile(layout, numbers[0] as number, head.path);
  return { layout, kinds, dataByte: lines[dataLine]?.byte ?? 0, dataLine, startFrom: start?.from ?? null, reasons };
}

const DAY_MS = 86_400_000;
const START_WORDS = { header: 'its header', name: 'its name', file: 'its time of change' } as const;

type FoundStart = { from: 'header' | 'name' | 'file'; localMs: number; instantMs: number };

function findStart(
  { first, time, decimal }: Cut,
  lines: readonly Line[],
  head: Head,
  dialect: Dialect,
  timeZone: string,
  data: readonly (readonly string[])[],
): FoundStart | Undecided | null {
  const { start, zone } = dialect.time;
  if (start === null) return null;
  const before = lines.slice(0, first).map(({ text }) => text);
  const lastS = parseDecimalText(joinTimeCells(data.at(-1) ?? [], time.columns), decimal);
  const clock = new ZoneClock(zone ?? timeZone);
  const found = settleStart(start, before, head.path, clock, { modifiedMs: head.modifiedMs, lastS });
  if (found !== null) return { from: start.from, ...found };
  return undecided(
    'log.no-start',
    `${head.path} tells no start for its times: none found in ${START_WORDS[start.from]}.`,
    'Set where the start stands under dialect: time: start.',
  );
}

/** A file of one channel that is called like it: that is the channel's name. */
function nameByFile(layout: Layout, column: number, path: string): void {
  const name = fitName(stemOf(path));
  layout.columns.forEach((other, index) => {
    if (index !== column && other.name === name) other.name = `${name} (${index + 1})`;
  });
  (layout.columns[column] as LayoutColumn).name = name;
}

/** True when every number with a comma could as well be grouped by thousands. */
function isThousands(data: readonly (readonly string[])[], timeColumns: readonly number[]): boolean {
  const cells = data.flatMap((row) =>
    row.filter((cell, i) => !timeColumns.includes(i) && /^[+-]?[\d,]+$/.test(cell) && cell.includes(',')),
  );
  const others = data.some((row) => row.some((cell, i) => !timeColumns.includes(i) && /^[+-]?\d*,\d+e/i.test(cell)));
  return cells.length > 0 && !others && cells.every((cell) => /^[+-]?[1-9]\d{0,2}(,\d{3})+$/.test(cell));
}

function chooseFormat(
  { time, decimal, rows, first }: Cut,
  lines: readonly Line[],
  head: Head,
  data: readonly (readonly string[])[],
): { format: string; reason: string } | Undecided {
  const [only] = time.formats;
  if (time.formats.length === 1 && only !== undefined) return { format: only, reason: 'the only way to read it' };
  const all = keepReading(data, time.columns, time.formats, decimal);
  // Single damaged stamps must not decide: then the formats that read most lines stay.
  const left = all.length > 0 ? all : time.formats;
  const [single] = left;
  if (left.length === 1 && single !== undefined) return { format: single, reason: 'the others fail on some line' };
  const texts = [head.path, ...lines.slice(0, first).map(({ text }) => text)];
  const order = settleDateOrder(left, data, time.columns, texts, head.settledFormat);
  if (order.format !== null) return { format: order.format, reason: order.reason };
  const shown = joinTimeCells(rows[first] ?? [], time.columns);
  return undecided(
    'log.date-order-ambiguous',
    `"${shown}" in ${head.path} can be read as ${left.join(' or ')}; nothing is streamed from it until that is settled.`,
    'It settles itself with a day after the 12th, or with a date such as 2026-11-20 in the name of the file or folder; or set the time format in the settings.',
  );
}

function makeLayout(
  { delimiter, decimal, time }: Cut,
  header: HeaderChoice,
  timeFormat: string,
  dialect: Dialect,
  timeZone: string,
  encoding: Encoding,
  lines: readonly Line[],
): Layout {
  const columns = nameColumns(header.cells).map((column, index) => ({
    ...column,
    unit: ownUnit(dialect, column.header) ?? (column.unit === '' ? (header.units[index] ?? '') : column.unit),
  }));
  const isHash = dialect.comment === null && lines.some(({ text }) => text.startsWith('#'));
  return {
    encoding: encoding.name,
    delimiter,
    decimal,
    comment: isHash ? '#' : dialect.comment,
    columns,
    timeColumns: [...time.columns],
    timeFormat,
    zone: dialect.time.zone ?? timeZone,
    absent: dialect.absent,
    refused: dialect.refused,
    states: dialect.states,
    startMs: null,
    dayMs: null,
    headerText: header.line === null ? '' : (lines[header.line]?.text.trim() ?? ''),
  };
}

function ownUnit({ units }: Dialect, header: string): string | undefined {
  return Object.hasOwn(units, header) ? units[header] : undefined;
}

function judgeColumns(layout: Layout, data: readonly (readonly string[])[], dialect: Dialect): ColumnKind[] {
  const isNamed = (list: Dialect['leave_out'], index: number) => {
    const { header, name } = layout.columns[index] ?? { header: '', name: '' };
    return list.some((one) => one === index + 1 || one === header || one === name);
  };
  return layout.columns.map((_, index) => {
    if (layout.timeColumns.includes(index)) return 'time';
    if (dialect.events || isNamed(dialect.leave_out, index)) return 'ignored';
    if (isNamed(dialect.numeric, index)) return 'number';
    const shapes = data.map((row) => {
      const cell = row[index] ?? '';
      if (Object.hasOwn(layout.states, cell)) return 'number';
      return layout.absent.includes(cell) ? 'empty' : shapeOfCell(cell, layout.decimal);
    });
    if (shapes.includes('number')) return 'number';
    return shapes.some((shape) => shape !== 'empty' && shape !== 'token') ? 'text' : 'open';
  });
}
