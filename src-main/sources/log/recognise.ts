// Makes the layout of a file from its head: what the dialect says is taken as said, what it leaves to `auto` is
// recognised, each step with its reason. Nothing is guessed where a wrong guess would be silent: an ambiguous date order
// or decimal mark, or a header that does not fit the rows, is a question to a person and the file waits.
import type { Dialect } from '../../model/dialect.ts';
import { splitCells } from './cells.ts';
import { decodeText, detectEncoding, type Encoding } from './encoding.ts';
import { cutEvents, isEventFile, isWordy } from './event-cut.ts';
import { settleEvents } from './event-layout.ts';
import { explainNoTime } from './explain-no-time.ts';
import { frameLines } from './framer.ts';
import { findHeader, type Undecided, undecided } from './header-line.ts';
import { isStreamed, type Layout } from './layout.ts';
import { judgeColumns, makeLayout, nameByFile, startOfDay } from './make-layout.ts';
import type { Recognised, Settled } from './recognised.ts';
import { chooseFormat, findStart, type Head, START_WORDS } from './settle-time.ts';
import { type Cut, type Line, listCuts, ROWS_MAX } from './table-cut.ts';
import { takeWordColumns } from './word-columns.ts';

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
  const settled = { lines, head, dialect, timeZone, encoding };
  if (isEventFile(dialect, head.path)) {
    const events = cutEvents(lines, dialect);
    return events === null ? explainNoTime(lines, head, dialect) : settleEvents(events, settled);
  }
  const best = listCuts(lines, dialect).sort((a, b) => b.fit - a.fit)[0];
  const found = best === undefined ? null : settle(best, settled);
  if (found !== null && (!('layout' in found) || !isOnlyText(found))) return found;
  const events = cutEvents(lines, dialect);
  if (events !== null && isWordy(events)) return settleEvents(events, settled);
  return found ?? explainNoTime(lines, head, dialect);
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

/** No column holds numbers, or may come to hold some. */
function isOnlyText({ kinds }: Recognised): boolean {
  return !kinds.some((kind) => isStreamed(kind) || kind === 'open' || kind === 'ignored') && kinds.includes('text');
}

function settle(cut: Cut, { lines, head, dialect, timeZone, encoding }: Settled): Recognised | Undecided {
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
  const layout: Layout = { ...taken.layout, ...startOfDay(start, format.format) };
  const { kinds } = taken;
  return { layout, kinds, dataByte: lines[dataLine]?.byte ?? 0, dataLine, startFrom: start?.from ?? null, reasons };
}

/** True when every number with a comma could as well be grouped by thousands. */
function isThousands(data: readonly (readonly string[])[], timeColumns: readonly number[]): boolean {
  const cells = data.flatMap((row) =>
    row.filter((cell, i) => !timeColumns.includes(i) && /^[+-]?[\d,]+$/.test(cell) && cell.includes(',')),
  );
  const others = data.some((row) => row.some((cell, i) => !timeColumns.includes(i) && /^[+-]?\d*,\d+e/i.test(cell)));
  return cells.length > 0 && !others && cells.every((cell) => /^[+-]?[1-9]\d{0,2}(,\d{3})+$/.test(cell));
}
