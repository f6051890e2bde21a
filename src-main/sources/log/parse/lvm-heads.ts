// The heads of LabVIEW measurement files (.lvm): one for the file, and one for each segment of it, in which every channel
// has its own start in the column in which its values stand. Source: NI, "Specification for the LabVIEW Measurement File
// (.lvm)". What real files do besides: the last column is named `Comment` and seldom has a cell; the time of day has 19
// digits of fraction; `Time_Pref Absolute` stands over times that count from the start; early writers name no decimal mark
// and write one into the time of day all the same.

import { Buffer } from 'node:buffer';
import { DAY_MS } from '../time/calendar.ts';
import { parseDecimalText } from '../time/decimal.ts';
import { readWith } from '../time/stamp-search.ts';
import { listStampFormats } from '../time/stamp-shapes.ts';
import type { ZoneClock } from '../time/zone-clock.ts';
import type { TimeGroup } from './layout.ts';

const END = '***End_of_Header***';
/** The time of such columns, and the column of remarks behind all others. */
export const X_VALUE = 'X_Value';
export const COMMENT = 'Comment';
/** LabVIEW counts seconds since 1904, UTC; a smaller number counts from a start. */
export const LABVIEW_ZERO_MS = Date.UTC(1904, 0, 1);
const LABVIEW_LEAST = 1e9;

/** The lines of a head by their first cell; a later one of the same name counts. */
export type HeadFields = ReadonlyMap<string, readonly string[]>;

/** Read the lines of a head. */
export function fieldsOf(lines: readonly string[], delimiter: string): HeadFields {
  return new Map(
    lines.map((line) => {
      const cells = line.split(delimiter).map((cell) => cell.trim());
      return [cells[0] ?? '', cells];
    }),
  );
}

/** True for the line that ends a head. */
export function isHeadEnd(line: string): boolean {
  return line.startsWith(END);
}

/** The columns of a segment: names, and which are times and remarks. */
export function columnsOf(names: string, delimiter: string): string[] {
  const cells = names.split(delimiter).map((cell) => cell.replace(/\s+/g, ' ').trim());
  while (cells.length > 1 && cells.at(-1) === '') cells.pop();
  return cells;
}

/** The units of a segment by column; empty where none is set. */
export function unitsOf(segment: HeadFields, columns: readonly string[]): string[] {
  const said = segment.get('Y_Unit_Label') ?? [];
  const isValue = (name: string, column: number) => column > 0 && name !== X_VALUE && name !== COMMENT;
  return columns.map((name, column) => (isValue(name, column) ? (said[column] ?? '') : ''));
}

/**
 * Tell from when the columns of a segment count.
 *
 * @param segment - the head of the segment.
 * @param file - that of its file.
 * @param columns - the names of its columns.
 * @param firstX - the first time that its rows write (null: they write none).
 * @param decimal - the decimal mark.
 * @returns the groups; or a sentence with what cannot be told.
 */
export function groupsOf(
  segment: HeadFields,
  file: HeadFields,
  columns: readonly string[],
  firstX: string | null,
  decimal: '.' | ',',
  zone: ZoneClock,
): TimeGroup[] | string {
  const cellOf = (key: string, column: number) => segment.get(key)?.[column] || '';
  const groups: TimeGroup[] = [];
  let time = 0;
  for (const [column, name] of columns.entries()) {
    if (name === X_VALUE) time = column;
    if (column === 0 || name === X_VALUE || (name === COMMENT && column === columns.length - 1)) continue;
    const dimension = cellOf('X_Dimension', column);
    if (dimension !== '' && dimension.toLowerCase() !== 'time') return `"${name}" is over ${dimension}, not over time`;
    const date = cellOf('Date', column) || file.get('Date')?.[1] || '';
    const stamp = `${date} ${cellOf('Time', column) || file.get('Time')?.[1] || ''}`;
    const startMs = instantOf(stamp, zone);
    if (startMs === null) return `the start of "${name}" is "${stamp.trim()}"`;
    const own = groupOf(firstX, time, decimal, startMs, cellOf('X0', column), cellOf('Delta_X', column));
    if (typeof own === 'string') return `${own} of "${name}"`;
    const same = groups.find((one) => one.time === own.time && one.zeroMs === own.zeroMs && one.unitMs === own.unitMs);
    if (same === undefined) groups.push({ ...own, columns: [column] });
    else same.columns.push(column);
  }
  return groups;
}

function groupOf(
  firstX: string | null,
  time: number,
  decimal: '.' | ',',
  startMs: number,
  x0: string,
  deltaX: string,
): Omit<TimeGroup, 'columns'> | string {
  if (firstX === null) {
    const firstS = x0 === '' ? 0 : parseDecimalText(x0, decimal);
    const stepS = parseDecimalText(deltaX, decimal);
    if (Number.isNaN(firstS) || !(stepS > 0))
      return `its rows write no time, and the head no step (Delta_X "${deltaX}")`;
    return { time: null, zeroMs: startMs + firstS * 1000, unitMs: stepS * 1000 };
  }
  const first = parseDecimalText(firstX, decimal);
  if (Number.isNaN(first)) return `the first time is "${firstX}", no number, in the column`;
  if (first < LABVIEW_LEAST) return { time, zeroMs: startMs, unitMs: 1000 };
  const instantMs = LABVIEW_ZERO_MS + first * 1000;
  if (Math.abs(instantMs - startMs) > 1.5 * DAY_MS)
    return `the first time, ${firstX}, lies days from the start in the head`;
  return { time, zeroMs: LABVIEW_ZERO_MS, unitMs: 1000 };
}

/** The instant of a stamp that can be read in one way only; null: in none, or in several. */
export function instantOf(stamp: string, zone: ZoneClock): number | null {
  const shape = listStampFormats(stamp);
  const [format] = shape?.formats ?? [];
  if (shape?.kind !== 'stamp' || shape.formats.length !== 1 || format === undefined) return null;
  const read = readWith(format, stamp);
  if (read === null) return null;
  return read.hasZone ? read.stampMs : zone.toInstant(read.stampMs, Number.NaN);
}

/** The bytes of a head that are that of the file, its last line with them. */
export function fileHeadOf(head: Uint8Array): Uint8Array {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  const feed = text.indexOf('\n', text.indexOf(END));
  return feed === -1 || !text.includes(END) ? new Uint8Array() : head.subarray(0, feed + 1);
}

/** The bytes of the last head of a segment before a place, as far as it stands there. */
export function lastHeadOf(before: Uint8Array): Uint8Array {
  const text = Buffer.from(before.buffer, before.byteOffset, before.byteLength).toString('latin1');
  const begin = text.lastIndexOf('\nChannels');
  return begin === -1 ? new Uint8Array() : before.subarray(begin + 1);
}
