// Makes the layout of a file from its head: what the dialect says is taken as said, what it leaves to `auto` is
// recognised, each step with its reason. Nothing is guessed where a wrong guess would be silent: an ambiguous date order
// or decimal mark, or a header that does not fit the rows, is a question to a person and the file waits.
import type { Dialect } from '../../model/dialect.ts';
import { shapeOfCell } from './cell-shape.ts';
import { splitCells } from './cells.ts';
import { settleDateOrder } from './date-order.ts';
import { parseDecimalText } from './decimal.ts';
import { decodeText, detectEncoding, type Encoding } from './encoding.ts';
import { frameLines } from './framer.ts';
import { findHeader, type Undecided } from './header-line.ts';
import type { ColumnKind, Layout } from './layout.ts';
import { judgeColumns, makeLayout, nameByFile } from './make-layout.ts';
import { settleStart } from './start-stamp.ts';
import { type Cut, type Line, listCuts, ROWS_MAX } from './table-cut.ts';
import { joinTimeCells, keepReading } from './time-columns.ts';
import { takeWordColumns } from './word-columns.ts';
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

const SEPARATOR_NAMES: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };

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
  const begin = Math.max(header.last + 1, typeof dialect.preamble === 'number' ? dialect.preamble : 0);
  const dataLine = header.last === -1 && typeof dialect.preamble !== 'number' ? first : begin;
  const judged = judgeColumns(plain, data, dialect);
  if (dialect.names === 'file') nameByFile(plain, judged, head.path);
  const taken = takeWordColumns(plain, judged, dialect);
  const isRelative = format.format === 'relative-seconds';
  const layout: Layout = {
    ...taken.layout,
    startMs: start !== null && isRelative ? start.instantMs : null,
    dayMs: start !== null && !isRelative ? Math.floor(start.localMs / DAY_MS) * DAY_MS : null,
  };
  const { kinds } = taken;
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
