// Columns that count time from a zero of its own: Unix time in its units, LabVIEW's seconds, days of spreadsheets.
import { parseDecimalText } from '../time/decimal.ts';
import { TIME_HEADER } from '../time/time-names.ts';
import type { TimeCandidate } from './time-candidate.ts';

interface Count {
  readonly format: string;
  /** Values of the years 2000 to 2050: what .NET counts since the year 1 would be nanoseconds of 1990. */
  readonly least: number;
  readonly most: number;
  /** A count of days is told from a number that happens to lie there by its fraction: more digits than people write. */
  readonly fraction: number;
}

const COUNTS: readonly Count[] = [
  { format: 'unix-seconds', least: 9.4e8, most: 2.6e9, fraction: 0 },
  { format: 'labview-seconds', least: 3.03e9, most: 4.62e9, fraction: 0 },
  { format: 'unix-ms', least: 9.4e11, most: 2.6e12, fraction: 0 },
  { format: 'unix-us', least: 9.4e14, most: 2.6e15, fraction: 0 },
  { format: 'unix-ns', least: 9.4e17, most: 2.6e18, fraction: 0 },
  { format: 'filetime', least: 1.25e17, most: 1.41e17, fraction: 0 },
  { format: 'excel-days', least: 36_526, most: 55_153, fraction: 4 },
  { format: 'matlab-days', least: 730_486, most: 749_113, fraction: 4 },
];

/** True for an instant that a log may tell: others count something else. */
export function isLikely(instantMs: number): boolean {
  return instantMs > Date.UTC(1999, 11, 1) && instantMs < Date.UTC(2053, 0, 1);
}

/** What is called a date counts days. */
const DATE_HEADER = /date|datum|fecha/i;

/**
 * List the columns that count time from a known zero.
 *
 * @param rows - as `findTimeColumns`.
 * @returns candidates among the first column and those that the header calls time.
 */
export function findCountColumns(
  rows: readonly (readonly string[])[],
  headers: readonly string[],
  decimal: '.' | ',',
): TimeCandidate[] {
  const found: TimeCandidate[] = [];
  for (let column = 0; column < (rows.at(-1)?.length ?? 0); column++) {
    if (column > 0 && !TIME_HEADER.test(headers[column] ?? '')) continue;
    const said = rows.map((row) => row[column] ?? '');
    // Headers, and a small table of the head, may stand among the rows.
    const fitting = COUNTS.filter(({ least, most, fraction }) => {
      const isWithin = (cell: string) => {
        const value = parseDecimalText(cell, decimal);
        return value >= least && value <= most && isExact(cell, decimal);
      };
      const cells = said.slice(said.findLastIndex((cell) => !isWithin(cell)) + 1);
      const values = cells.map((cell) => parseDecimalText(cell, decimal));
      const isRising = values.every((value, i) => i === 0 || value >= (values[i - 1] as number));
      // Whole days tell no time of day: lines of one day are not told apart by them, and one alone says nothing.
      const days = said.filter(isWithin);
      const isDay = fraction > 0 && days.every((cell) => fractionOf(cell, decimal) === 0);
      if (isDay && (days.length < 2 || new Set(days).size < days.length)) return false;
      const isDated = fraction === 0 || DATE_HEADER.test(headers[column] ?? '');
      const fine = cells.filter((cell) => fractionOf(cell, decimal) >= fraction).length;
      return cells.length > 0 && isRising && (isDated || fine * 2 > cells.length);
    });
    if (fitting.length > 0) found.push({ columns: [column], formats: fitting.map(({ format }) => format) });
  }
  return found;
}

/** False for 1.7952E+9: its last digits are lost, and with them the time. */
function isExact(cell: string, decimal: '.' | ','): boolean {
  const [mantissa = '', exponent] = cell.split(/e/i);
  return exponent === undefined || fractionOf(mantissa, decimal) >= Number(exponent);
}

function fractionOf(cell: string, decimal: '.' | ','): number {
  const mark = cell.indexOf(decimal);
  return mark === -1 ? 0 : cell.length - mark - 1;
}
