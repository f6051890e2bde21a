// Finds the columns that hold the time of a line, and every format in which they can be read.

import { listStampFormats, type StampShape } from '../time/stamp-shapes.ts';
import { compileTimeFormat } from '../time/time-format.ts';
import { TIME_HEADER } from '../time/time-names.ts';
import { isOffset, OFFSET_LETTERS } from '../time/zone-offset.ts';
import { findCountColumns } from './count-columns.ts';
import { findPartColumns } from './part-columns.ts';
import { secondPartFormat, showsSecondParts } from './second-parts.ts';
import type { TimeCandidate } from './time-candidate.ts';

/** Cells that one stamp is written in, at most: Fri Nov 20 10:15:00 2026. */
const JOINED_MAX = 5;
/** Columns from which a stamp of several cells may begin. */
const BEGINS_MAX = 4;

const encoder = new TextEncoder();

/** Join the time cells of a row. */
export function joinTimeCells(row: readonly string[], columns: readonly number[]): string {
  return columns.map((column) => row[column] ?? '').join(' ');
}

/**
 * Keep the formats that read every given row. Takes rows, columns, formats, decimal mark.
 *
 * @returns the formats in their order.
 */
export function keepReading(
  rows: readonly (readonly string[])[],
  columns: readonly number[],
  formats: readonly string[],
  decimal: '.' | ',',
  isTimeOnly = false,
): string[] {
  const texts = rows.map((row) => encoder.encode(joinTimeCells(row, columns)));
  return formats.filter((format) => {
    const reader = compileTimeFormat(format, { decimal, isTimeOnly });
    return texts.every((bytes) => reader.read(bytes, 0, bytes.length));
  });
}

/** What most rows hold in some columns, joined; the formats are those of the last such row. Null: no time. */
export function shapeOfColumns(
  rows: readonly (readonly string[])[],
  columns: readonly number[],
): { kind: StampShape['kind']; formats: readonly string[] } | null {
  const count = { stamp: 0, date: 0, time: 0 };
  let most: StampShape | null = null;
  let last: StampShape | null = null;
  let former: StampShape | null = null;
  for (const row of rows) {
    former = last;
    last = listStampFormats(joinTimeCells(row, columns));
    if (last === null) continue;
    count[last.kind] += 1;
    if (count[last.kind] * 2 > rows.length) most = last;
  }
  // Of a file that has hardly begun most rows are its header.
  return most ?? (rows.length < 6 || last?.kind === former?.kind ? last : null);
}

/**
 * List what could be the time of a line, best first.
 *
 * @param rows - some rows that hold data.
 * @param headers - the header cells (empty list: none).
 * @param decimal - the decimal mark.
 * @param others - headers, or numbers from 1, of columns that are said to hold no part of a second.
 * @returns candidates: a stamp in several cells or in one, else a date and a time column, else a count such as Unix time in a
 *   column that the header calls time or that stands first. A column named after time comes before one that is not.
 */
export function findTimeColumns(
  rows: readonly (readonly string[])[],
  headers: readonly string[],
  decimal: '.' | ',',
  others: readonly (string | number)[] = [],
): TimeCandidate[] {
  const width = rows.at(-1)?.length ?? 0;
  const shapes = Array.from({ length: width }, (_, column) => shapeOfColumns(rows, [column]));
  const rank = ({ columns }: TimeCandidate) => (columns.some((c) => TIME_HEADER.test(headers[c] ?? '')) ? 0 : 1);
  // A stamp that is the same in all rows is of the file, or of its range.
  const isStill = (one: TimeCandidate) => {
    const own = ownRows(one, rows, decimal).map((row) => joinTimeCells(row, one.columns));
    return own.length > 2 && own.every((stamp) => stamp === own[0]);
  };
  const byName = (a: TimeCandidate, b: TimeCandidate) => Number(isStill(a)) - Number(isStill(b)) || rank(a) - rank(b);
  const stamps = shapes.flatMap((shape, column): TimeCandidate[] =>
    shape?.kind === 'stamp' ? [{ columns: [column], formats: shape.formats }] : [],
  );
  const found = stamps.length > 0 ? stamps.sort(byName) : findJoined(rows, width);
  const date = shapes.findIndex((shape) => shape?.kind === 'date');
  const time = shapes.findIndex((shape) => shape?.kind === 'time');
  if (date !== -1 && time !== -1) {
    const columns = [Math.min(date, time), Math.max(date, time)];
    const [first, second] = columns.map((column) => shapes[column]?.formats ?? []);
    const formats = (first ?? []).flatMap((one) => (second ?? []).map((other) => `${one} ${other}`));
    found.push({ columns, formats });
  }
  const parts = findPartColumns(rows, headers, decimal);
  if (stamps.length === 0 && parts !== null) found.unshift(parts);
  const withFraction = found.flatMap((one) =>
    withSecondPart(one, ownRows(one, rows, decimal), headers, decimal, others),
  );
  const whole = withFraction.map((one) => withOffset(one, ownRows(one, rows, decimal), headers));
  return [...whole, ...findCountColumns(rows, headers, decimal).sort(byName)];
}

/** The rows whose time can be read: lines of the head, and sentences, may stand among them. */
export function ownRows(
  { columns, formats }: TimeCandidate,
  rows: readonly (readonly string[])[],
  decimal: '.' | ',',
  isTimeOnly = false,
): readonly (readonly string[])[] {
  const readers = formats.map((format) => compileTimeFormat(format, { decimal, isTimeOnly }));
  return rows.filter((row) => {
    const bytes = encoder.encode(joinTimeCells(row, columns));
    return readers.some((reader) => reader.read(bytes, 0, bytes.length));
  });
}

/** Stamps whose parts stand in neighbouring cells: the longest first, or the half of the day would be left out. */
function findJoined(rows: readonly (readonly string[])[], width: number): TimeCandidate[] {
  const found: TimeCandidate[] = [];
  for (let length = JOINED_MAX; length >= 2; length--) {
    for (let begin = 0; begin < BEGINS_MAX && begin + length <= width; begin++) {
      const columns = Array.from({ length }, (_, index) => begin + index);
      const shape = shapeOfColumns(rows, columns);
      if (shape?.kind === 'stamp' && !mayBeCounter(rows, columns, shape.formats)) {
        found.push({ columns, formats: shape.formats });
      }
    }
  }
  return found;
}

/**
 * 1 Feb 02, 2 Feb 02, ... may be the first rows of 2 February. One alone tells nothing where its year has two digits.
 *
 * @param columns - those in which the stamp stands.
 * @param formats - how it would be read.
 * @returns true where its first number may count the rows.
 */
export function mayBeCounter(
  rows: readonly (readonly string[])[],
  columns: readonly number[],
  formats: readonly string[],
): boolean {
  if (!formats.every((format) => /^dd\W*MMM/.test(format))) return false;
  const own = rows.filter((row) => listStampFormats(joinTimeCells(row, columns))?.kind === 'stamp');
  const cells = own.map((row) => Number.parseInt(row[columns[0] ?? 0] ?? '', 10));
  if (cells.length < 2) return formats.every((format) => !format.includes('yyyy'));
  return cells.every((cell, index) => index === 0 || cell > (cells[index - 1] ?? 0));
}

/** A stamp that ends with whole seconds, and is written by a pattern. */
function canAddMs({ formats }: TimeCandidate): boolean {
  return formats.every((format) => /s(?:[.,]S+)?$/.test(format) && format !== 'iso8601');
}

/** The same time with a pattern in place of `iso8601`, where its stamps are whole seconds without a zone. */
function asPattern(time: TimeCandidate, rows: readonly (readonly string[])[]): TimeCandidate {
  if (!time.formats.includes('iso8601')) return time;
  const stamps = rows.map((row) => joinTimeCells(row, time.columns)).filter((stamp) => /^\d{4}-/.test(stamp));
  const isWhole = stamps.every((stamp) => /^\d{4}-\d\d-\d\d[T ]+\d\d:\d\d:\d\d$/.test(stamp));
  if (!isWhole || stamps.length === 0) return time;
  const gap = stamps[0]?.charAt(10) === 'T' ? "'T'" : ' ';
  return { ...time, formats: [`yyyy-MM-dd${gap}HH:mm:ss.SSS`] };
}

/** What the stamps of rows that can be read say, ms, by the first format that reads one. */
function instantsOf(
  { columns, formats }: TimeCandidate,
  rows: readonly (readonly string[])[],
  decimal: '.' | ',',
): number[] {
  const readers = formats.map((format) => compileTimeFormat(format, { decimal, isTimeOnly: !/[yd]/.test(format) }));
  return rows.flatMap((row) => {
    const bytes = encoder.encode(joinTimeCells(row, columns));
    const reader = readers.find((one) => one.read(bytes, 0, bytes.length));
    return reader === undefined ? [] : [reader.stampMs];
  });
}

/** Some recorders write the part of a second into a column behind the time; whether its rows show that is judged later. */
function withSecondPart(
  found: TimeCandidate,
  rows: readonly (readonly string[])[],
  headers: readonly string[],
  decimal: '.' | ',',
  others: readonly (string | number)[],
): TimeCandidate[] {
  const time = asPattern(found, rows);
  const next = Math.max(...time.columns) + 1;
  const header = headers[next] ?? '';
  const own = rows.filter((row) => /\d/.test(row[next] ?? ''));
  const isSaid = others.some((one) => one === next + 1 || one === header);
  // A row may be cut.
  if (isSaid || own.length * 2 <= rows.length || !canAddMs(time)) return [found];
  if (instantsOf(time, rows, decimal).some((ms) => ms % 1000 !== 0)) return [found];
  const cells = own.map((row) => row[next] ?? '');
  const part = secondPartFormat(header, cells, decimal);
  if (part === null) return [found];
  // What no header names is told by its rows alone.
  const instants = header === '' ? instantsOf(time, own, decimal) : [];
  if (header === '' && !(own.length === rows.length && showsSecondParts(instants, cells, part))) return [found];
  return [{ columns: [...time.columns, next], formats: time.formats.map((format) => `${format} ${part}`) }, found];
}

/** Headers of a column that tells the zone of the stamps. */
const OFFSET_HEADER = /(?:utc|gmt|tz|zone).?off|time.?zone|zeitzone|^(?:tz|zone|dst)$/i;

/** True for the header of a column that tells the zone of the stamps. */
export function isOffsetHeader(header: string): boolean {
  return OFFSET_HEADER.test(header);
}

/** Some programs write the offset from UTC into a column behind the time. */
function withOffset(
  time: TimeCandidate,
  rows: readonly (readonly string[])[],
  headers: readonly string[],
): TimeCandidate {
  const next = Math.max(...time.columns) + 1;
  const cells = rows.map((row) => row[next] ?? '').filter((cell) => cell !== '');
  // +0200 is a number as well, where no header says what it is.
  const isPlain = OFFSET_HEADER.test(headers[next] ?? '') || cells.every((cell) => /[:A-Z]/.test(cell));
  const isTold = cells.length * 2 > rows.length && cells.every(isOffset) && isPlain;
  if (!isTold || time.formats.some((format) => format.includes(OFFSET_LETTERS))) return time;
  const formats = time.formats.map((format) => (format === 'iso8601' ? format : `${format} ${OFFSET_LETTERS}`));
  return { columns: [...time.columns, next], formats };
}

/** AM or PM, in the languages of the tools that are known. */
const HALF = /^(?:[ap]\.? ?m\b|午前|午後|上午|下午|오전|오후|vorm|nachm)/i;

/** True where AM or PM stands beside what would be read as a time of 24 hours. */
export function isHalfLeftOut(
  sample: readonly (readonly string[])[],
  columns: readonly number[],
  formats: readonly string[],
): boolean {
  const begin = Math.min(...columns) - 1;
  const beside = Array.from({ length: Math.max(...columns) - begin + 2 }, (_, n) => begin + n);
  const isTold = formats.every((format) => / a$|^a | a /.test(format));
  return !isTold && sample.some((row) => beside.some((column) => HALF.test(row[column] ?? '')));
}
