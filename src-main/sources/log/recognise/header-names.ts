// What the names in a header say: which of them are of the time, and which line names nothing.
import type { Dialect, DialectInput } from '../../../model/dialect.ts';
import { shapeOfCell } from '../cells/cell-shape.ts';
import { tellUnitsRow, unitsOf } from '../cells/unit-names.ts';
import { namedColumns, namesPart } from '../columns/part-columns.ts';
import { secondPartOf } from '../columns/second-parts.ts';
import { isOffsetHeader } from '../columns/time-columns.ts';
import { isTimeName, TIME_HEADER } from '../time/time-names.ts';
import type { Cut } from './cut.ts';

/** A header cell without the quote or comment mark that some programs put in front. */
export function cleanHeader(cell: string): string {
  const clean = cell.replace(/^['#;/\s]+/, '').trim();
  // A name of nothing else, such as # over row numbers, is one.
  return clean === '' ? cell.trim() : clean;
}

/** True for names of which the first is of the time, or some are of the parts of a stamp; # counts the rows. */
export function beginsWithTime(cells: readonly string[]): boolean {
  const first = (cells[0] === '#' ? cells[1] : cells[0]) ?? '';
  return isTimeName(cleanHeader(first)) || namedColumns(cells) !== null;
}

/** True for the name of a stamp or of a part of it: Date, Hour, ms, AM/PM, Zone. */
function isPartName(cell: string): boolean {
  const isBeside = isOffsetHeader(cell) || /^(?:am|pm|am ?\/ ?pm|zone|offset)$/i.test(cell);
  return isBeside || TIME_HEADER.test(cell) || namesPart(cell) || secondPartOf(cell) !== null;
}

/**
 * Names of the parts of a stamp, such as `Date Time`, stand over a cell each, also from the place on that would be the value's:
 * the cell too many is of a text with a blank in it.
 */
export function nameParts(cells: readonly string[], at: number): boolean {
  const [last = '', next = ''] = cells.slice(at - 1);
  const isWhole = /stamp|date.?time/i.test(last);
  return namedColumns(cells) !== null || (!isWhole && isPartName(next));
}

/**
 * Tell whether names stand over other cells than their own, although there are as many: between blanks the last part of a stamp
 * is under a word that is none of the time (`Time Sub Temp`), or the name of a part is over a value and the last over nothing.
 */
export function areMoved(cells: readonly string[], { rows, first, width, time, delimiter }: Cut): boolean {
  const end = Math.max(...time.columns);
  const name = cells[end] ?? '';
  if (delimiter === 'whitespace' && time.columns.length > 1 && name !== '' && !isPartName(name)) return true;
  const isBare = cells[width - 1] !== '' && rows.slice(first).every((row) => row.length !== width || row.at(-1) === '');
  return isBare && time.columns.length === 1 && nameParts(cells, end + 1);
}

/** `gain = 1.25` says one thing of the file. */
export function isStatement(row: readonly string[]): boolean {
  const marked = row.filter((cell) => /[:=]$/.test(cell));
  return marked.length === 1 || marked.some((cell) => cell.length === 1);
}

/**
 * What stands above each column: the last row without a number, joined with a blank to one right above it (names above
 * units); and the first row that says the same.
 */
export function headersOf(
  rows: Cut['rows'],
  width: number,
  decimal: '.' | ',',
): { headers: string[]; firstAt: number } {
  // The plain numbers of most rows are told at a glance.
  const isWords = (row: readonly string[]) =>
    row.length === width &&
    !isStatement(row) &&
    (beginsWithTime(row) ||
      (!row.some((cell) => /^[+-]?\d[\d.,]*(?:e[+-]?\d+)?$/i.test(cell)) &&
        row.every((cell) => !['number', 'stamp', 'date', 'time'].includes(shapeOfCell(cell, decimal)))));
  const places = rows.flatMap((row, index) => (isWords(row) ? [index] : []));
  const last = places.at(-1) ?? -1;
  const isAbove = (at: number) =>
    at < last && rows.slice(at + 1, last).every((row, index) => row.length === 0 || places.includes(at + 1 + index));
  const words = places.slice(-3).filter((at) => at === last || isAbove(at));
  const headers = Array.from({ length: width }, (_, column) => {
    const cells = words.map((at) => cleanHeader(rows[at]?.[column] ?? ''));
    const isFirst = (cell: string, at: number) =>
      cells.findIndex((one) => one.toLowerCase() === cell.toLowerCase()) === at;
    return cells.filter(isFirst).join(' ').trim();
  });
  const text = (rows[last] ?? []).join('\n');
  return { headers, firstAt: rows.findIndex((row) => row.length === width && row.join('\n') === text) };
}

/** The names that a person gives, as far as they say something; null: none for this many columns. */
export function givenNames({ header }: Dialect, width: number): string[] | null {
  if (!Array.isArray(header) || header.length !== width) return null;
  return header.map((name) => (/^column \d+$/.test(name) ? '' : name));
}

/**
 * Names of columns, and the units of a line below them, as a dialect has them; numbers stand where there is no name.
 *
 * @param cells - one for each column.
 * @param below - the cells of the line below.
 */
export function writeNames(
  cells: readonly string[],
  below: readonly string[],
  timeColumns: readonly number[],
): Pick<DialectInput, 'header' | 'units'> {
  const header = cells.map((cell, column) =>
    cell !== '' && cells.indexOf(cell) === column ? cell : `column ${column + 1}`,
  );
  const isUnits = below.length > 1 && tellUnitsRow(below, cells, timeColumns) === 'units';
  const told = isUnits ? unitsOf(below, cells, cells.length, timeColumns) : [];
  const units = Object.fromEntries(header.flatMap((name, column) => (told[column] ? [[name, told[column]]] : [])));
  return { header, ...(Object.keys(units).length > 0 && { units }) };
}
