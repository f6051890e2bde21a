// Is the mark in the numbers of a file its decimal mark, or does it group the digits of thousands? 60,470 can be both.

import { mayBeGrouped } from '../cells/cell-shape.ts';
import { type ColumnKind, isStreamed } from '../parse/layout.ts';

type Rows = readonly (readonly string[])[];

/** Digits that no mark groups. */
const SMALL = /^[+-]?\d{1,3}$/;

/**
 * Find a number with a mark that groups digits as likely as not.
 *
 * @param decimal - the mark.
 * @param isForeign - dates are written as where the other mark is the decimal one.
 * @returns the number; null where some number shows that it is the decimal mark. A comma is asked about wherever it can be
 *   either: programs write dates in their own way, and numbers as their PC does. A point is so only beside such dates, or where
 *   a column has no mark below a thousand.
 */
export function findGrouped(
  data: Rows,
  timeColumns: readonly number[],
  decimal: '.' | ',',
  isForeign: boolean,
): string | null {
  const isMarked = (cell: string) => /^[+-]?[\d.,]+(?:e[+-]?\d+)?$/i.test(cell) && cell.includes(decimal);
  const width = Math.max(0, ...data.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, column) => column)
    .filter((column) => !timeColumns.includes(column))
    .map((column) => data.map((row) => row[column] ?? '').filter((cell) => /\d/.test(cell)));
  const marked = columns.flat().filter(isMarked);
  if (marked.length === 0 || !marked.every(mayBeGrouped)) return null;
  const isCounting = (cells: readonly string[]) =>
    cells.some((cell) => SMALL.test(cell)) &&
    cells.some(isMarked) &&
    cells.every((cell) => SMALL.test(cell) || isMarked(cell));
  return decimal === ',' || isForeign || columns.some(isCounting) ? (marked[0] as string) : null;
}

/**
 * Mark the columns of whole numbers in a file that shows nowhere which mark is the decimal one: 998, 999, 1.000 may come yet.
 *
 * @param decimal - the mark that is taken for it.
 * @returns the kinds; null where some number shows it.
 */
export function markWhole(kinds: readonly ColumnKind[], data: Rows, decimal: '.' | ','): ColumnKind[] | null {
  // Without the name before it and the unit behind it.
  const numberOf = (cell = '') => cell.replace(/^[^=:]*[=:]\s*/, '').replace(/[^\d.,]+$/, '');
  const isMarked = (cell?: string) => numberOf(cell).includes(decimal);
  const shows = (cell?: string) => isMarked(cell) && !mayBeGrouped(numberOf(cell));
  const isShown = kinds.some((kind, column) => isStreamed(kind) && data.some((row) => shows(row[column])));
  if (isShown) return null;
  // 1500 is not grouped, and neither are the others of its column.
  const isLarge = (column: number) => data.some((row) => /^[+-]?[1-9]\d{3,}$/.test(numberOf(row[column])));
  return kinds.map((kind, column) => {
    if ((kind !== 'number' && kind !== 'affixed') || data.some((row) => isMarked(row[column])) || isLarge(column))
      return kind;
    return kind === 'number' ? 'whole' : 'affixed-whole';
  });
}
