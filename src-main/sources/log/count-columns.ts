// Columns that count time from a zero of its own: Unix time in its units, LabVIEW's seconds, days of spreadsheets.
import { parseDecimalText } from './decimal.ts';
import { TIME_HEADER, type TimeCandidate } from './time-candidate.ts';

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
  { format: 'labview-seconds', least: 3.0e9, most: 4.7e9, fraction: 0 },
  { format: 'unix-ms', least: 9.4e11, most: 2.6e12, fraction: 0 },
  { format: 'unix-us', least: 9.4e14, most: 2.6e15, fraction: 0 },
  { format: 'unix-ns', least: 9.4e17, most: 2.6e18, fraction: 0 },
  { format: 'excel-days', least: 36_526, most: 55_153, fraction: 4 },
  { format: 'matlab-days', least: 730_486, most: 749_113, fraction: 4 },
];

/** What is called a date counts days. */
const DATE_HEADER = /date|datum|fecha/i;

/**
 * List the columns that count time from a known zero.
 * **Takes**: as `findTimeColumns`. **Gives**: candidates among the first column and those that the header calls time.
 */
export function findCountColumns(
  rows: readonly (readonly string[])[],
  headers: readonly string[],
  decimal: '.' | ',',
): TimeCandidate[] {
  const found: TimeCandidate[] = [];
  for (let column = 0; column < (rows.at(-1)?.length ?? 0); column++) {
    if (column > 0 && !TIME_HEADER.test(headers[column] ?? '')) continue;
    // Headers may stand among the rows.
    const cells = rows.map((row) => row[column] ?? '').filter((cell) => !Number.isNaN(parseDecimalText(cell, decimal)));
    if (cells.length * 2 < rows.length) continue;
    const values = cells.map((cell) => parseDecimalText(cell, decimal));
    const isRising = values.every((value, i) => i === 0 || value >= (values[i - 1] as number));
    if (!isRising) continue;
    for (const { format, least, most, fraction } of COUNTS) {
      const isWithin = values.every((value) => value >= least && value <= most);
      const isDated = fraction === 0 || DATE_HEADER.test(headers[column] ?? '');
      const isFine = isDated || cells.filter((cell) => fractionOf(cell, decimal) >= fraction).length * 2 > cells.length;
      if (isWithin && isFine) found.push({ columns: [column], formats: [format] });
    }
  }
  return found;
}

function fractionOf(cell: string, decimal: '.' | ','): number {
  const mark = cell.indexOf(decimal);
  return mark === -1 ? 0 : cell.length - mark - 1;
}
