// Units in a line of their own, below the names of the columns.
import { isUnit } from './unit-grammar.ts';

/** How a recorder describes the cells of its time columns: YYYY/MM/DD, hh:mm:ss, ms. */
const STAMP_FORM = /^[yYmMdDhHsSfFaApP]+(?:[-/.: ,T][yYmMdDhHsSfFaApP]+)+$/;

/** Stand in a line of units for values that have none. */
const NO_UNIT = /^(?:arb|raw|a\.u)\.?$/i;

/** A unit of a time that counts, below the name of that time. */
const TIME_UNIT = /^[[(]?(?:m?s|secs?|seconds?|msec|min|minutes?|h|hrs?|hours?|sekunden|minuten|stunden)[\])]?$/i;
/** Characters of a unit with a remark: V vs. Ref. */
const LONGEST = 16;

/** Stands in a line of units below the name of a counter, or of the time. */
const COUNTER = /^(?:no|nr|rn|ts)\.?$/i;

/**
 * Tell whether a row below the names of the columns holds their units.
 *
 * @param names - the names above it (some programs repeat one that has no unit).
 * @param timeColumns - the columns of the time.
 * @param measured - the columns that hold numbers, where the rows were looked at; what counts them is none.
 * @returns `units`; `unclear` for a row that may hold units as well as names: it must not take the place of the names, and
 *   neither be lost.
 */
export function tellUnitsRow(
  row: readonly string[],
  names: readonly string[],
  timeColumns: readonly number[],
  measured: readonly number[] = [],
): 'units' | 'names' | 'unclear' {
  const isRepeated = (cell: string, index: number) => cell.toLowerCase() === names[index]?.toLowerCase();
  const said = row.filter((cell, index) => cell !== '' && !isRepeated(cell, index));
  const isBracketed = (cell: string) => /^\[.*\]$|^\(.*\)$/.test(cell);
  const isOwn = (cell: string) => isBracketed(cell) || isUnit(cell) || NO_UNIT.test(cell);
  const isSaid = (cell: string) => isOwn(cell) || STAMP_FORM.test(cell) || COUNTER.test(cell) || /^[-#]+$/.test(cell);
  const known = said.filter(isSaid).length;
  // Below names of groups stand more names than groups; below names of columns no more units than those.
  const isCovered = row.every((cell, index) => cell === '' || (names[index] ?? '') !== '');
  // The unit of the time below its name: then the line has units, whatever the others are.
  const isOfTime = (column: number) => TIME_UNIT.test(row[column] ?? '') && !TIME_UNIT.test(names[column] ?? '');
  const areShort = said.every((cell) => cell.length <= LONGEST && !/^[+-]?\d/.test(cell));
  if (row.length > 1 && timeColumns.some(isOfTime) && areShort && isCovered) return 'units';
  if (row.length < 2 || said.length === 0) return 'names';
  // One that is not known does not make the line one of names, as long as it is as short as units are.
  const isShort = said.every((cell) => isSaid(cell) || (cell.length <= 10 && !cell.includes(' ')));
  const isMost = known === said.length || (known >= 2 && known * 3 >= said.length * 2 && isShort);
  if (isMost && said.some(isOwn)) return 'units';
  // What describes words, a time or a counter says nothing of the others.
  const above = measured.map((column) => row[column] ?? '').filter((cell) => cell !== '');
  const isUnits = above.length > 0 && above.every((cell) => isBracketed(cell) || isUnit(cell));
  if (isCovered && isUnits) return above.some((cell) => cell.length > 1) ? 'units' : 'unclear';
  const isTimeFree = timeColumns.every((column) => (row[column] ?? '') === '' && (names[column] ?? '') !== '');
  const isPartly = said.some((cell) => isBracketed(cell) || (isUnit(cell) && cell.length > 1));
  return isCovered && isShort && (isTimeFree || isPartly) ? 'unclear' : 'names';
}

/**
 * The units of a row of units, by column.
 *
 * @param names - the names above it.
 * @param width - the number of columns.
 * @param timeColumns - those of the time.
 * @returns one for each column; none at all when the row has fewer cells than there are columns and it cannot be told which
 *   belongs where.
 */
export function unitsOf(
  row: readonly string[],
  names: readonly string[],
  width: number,
  timeColumns: readonly number[],
): string[] {
  const clean = row.map((cell, index) => {
    const isRepeated = cell.toLowerCase() === names[index]?.toLowerCase();
    return isRepeated || COUNTER.test(cell) || (!isUnit(cell) && STAMP_FORM.test(cell))
      ? ''
      : cell.replace(/^[[(]|[\])]$/g, '');
  });
  if (clean.length >= width) return clean.slice(0, width);
  const others = Array.from({ length: width }, (_, index) => index).filter((index) => !timeColumns.includes(index));
  if (clean.length !== others.length) return [];
  const units = Array.from({ length: width }, () => '');
  for (const [at, column] of others.entries()) units[column] = clean[at] as string;
  return units;
}
