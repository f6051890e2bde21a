// Columns that count from a start which stands elsewhere, and times of day without their date. Only looked for where no
// column tells the whole time: a table of anything else rises from 0 as well, so the header must call the column time.
import { parseDecimalText } from '../time/decimal.ts';
import { isElapsed } from '../time/time-format.ts';
import { isCountHeader, isForeignTime } from '../time/time-names.ts';
import { namedColumns } from './part-columns.ts';
import type { TimeCandidate } from './time-candidate.ts';
import { shapeOfColumns } from './time-columns.ts';

const DATE_HEADER = /^(?:date|datum|fecha|日付|日期)$/i;
const ELAPSED = /elapsed|relative|rel\.?\b|run|process|duration|dauer|since/i;

/**
 * List columns that hold a time without its start.
 *
 * @param rows - rows that hold data.
 * @param decimal - decimal mark.
 * @param delimiter - separator.
 * @returns times of day (which need a day), hours, minutes and seconds since a start, and counts since a start in the unit of
 *   their header (seconds, where it names none).
 */
export function findRelativeColumns(
  rows: readonly (readonly string[])[],
  headers: readonly string[],
  decimal: '.' | ',',
  delimiter: string,
): TimeCandidate[] {
  const width = rows.at(-1)?.length ?? 0;
  const kinds = Array.from({ length: width }, (_, column) => shapeOfColumns(rows, [column])?.kind);
  const hasDate = kinds.includes('date');
  // What stands beside a date, or beside its parts, is no count from a start, whatever it is. So it is beside a number that is
  // called a date: 46346 or 201126.
  const isNamedDate = headers.some((header) => DATE_HEADER.test(header.trim()));
  if (hasDate || isNamedDate || namedColumns(headers) !== null) return [];
  // Numbers that nothing names are no time beside one that is written as such.
  const isBare = headers.every((header) => header === '') && !kinds.includes('time');
  const found: TimeCandidate[] = [];
  for (let column = 0; column < width; column++) {
    const header = headers[column] ?? '';
    const shape = shapeOfColumns(rows, [column]);
    const cells = rows.map((row) => row[column] ?? '').filter((cell) => /\d/.test(cell));
    if (isMinutes(cells, header, column)) {
      found.push({ columns: [column], formats: ['relative-time'], needs: 'start' });
    } else if (shape?.kind === 'time' || isLong(cells)) {
      const isSince = ELAPSED.test(header) || cells.some((cell) => Number(/^\d+/.exec(cell)?.[0]) > 23);
      const isWhole = cells.every((cell) => /^\d{1,5}:[0-5]\d:[0-5]\d/.test(cell));
      if (isSince && isWhole) found.push({ columns: [column], formats: ['relative-time'], needs: 'start' });
      else found.push({ columns: [column], formats: shape?.formats ?? [], needs: 'day' });
    } else if (column === 0 && isBare && isClock(rows, decimal) && !(delimiter === ',' && isCutInTwo(rows))) {
      found.push({ columns: [0], formats: ['relative-seconds'], needs: 'start' });
    } else if (isCountHeader(header) && !isForeignTime(header) && isCount(rows, column, decimal)) {
      found.push({ columns: [column], formats: [unitFormat(header) ?? 'relative-seconds'], needs: 'start' });
    }
  }
  return found;
}

/** Hours, minutes and seconds of which some are above 99 h: no time of a day has three digits. */
function isLong(cells: readonly string[]): boolean {
  const isWhole = (cell: string) => /^\d{1,5}:[0-5]\d:[0-5]\d(?:[.,]\d+)?$/.test(cell);
  return cells.every(isWhole) && cells.some((cell) => /^\d{3}/.test(cell));
}

const SAYS_MINUTES = /\bmm?:ss\b|\bmin:s(?:ec)?\b/i;
const SAYS_HOURS = /\bhh?:mm\b/i;

/**
 * Minutes and seconds since a start, as 75:10, 0:07.5, or 59:59 before 1:00:00? What could be hours and minutes of a day as
 * well is none, unless the header says so.
 */
function isMinutes(cells: readonly string[], header: string, column: number): boolean {
  const isShort = (cell: string) => /^\d+:\d\d(?:[.,]\d+)?$/.test(cell);
  const isTime = column === 0 || isCountHeader(header) || SAYS_MINUTES.test(header);
  if (!isTime || SAYS_HOURS.test(header) || !cells.some(isShort)) return false;
  const own = cells.slice(cells.findLastIndex((cell) => !isElapsed(cell)) + 1);
  if (!own.some(isShort)) return false;
  const isNoTimeOfDay = (cell: string) => isShort(cell) && (/[.,]/.test(cell) || Number(/^\d+/.exec(cell)?.[0]) > 23);
  return SAYS_MINUTES.test(header) || ELAPSED.test(header) || own.some((cell) => isNoTimeOfDay(cell) || !isShort(cell));
}

function isCount(rows: readonly (readonly string[])[], column: number, decimal: '.' | ','): boolean {
  // The rows above may be those of a head with as many cells.
  const all = rows.map((row) => parseDecimalText(row[column] ?? '', decimal));
  const values = all.slice(all.findLastIndex(Number.isNaN) + 1);
  const [first] = values;
  if (first === undefined) return false;
  const isRising = values.every((value, i) => i === 0 || value >= (values[i - 1] as number));
  return isRising && first >= -60 && (values.length === 1 || (values.at(-1) as number) > first);
}

/**
 * Whole seconds from 0 on in steps that differ: what no list of settings has, and no row number. Steps of which half are 1 are
 * those of a row number in a log that lacks rows.
 */
function isClock(rows: readonly (readonly string[])[], decimal: '.' | ','): boolean {
  const values = rows.map((row) => parseDecimalText(row[0] ?? '', decimal));
  const steps = values.slice(1).map((value, index) => value - (values[index] as number));
  const isRising = values.every(Number.isInteger) && steps.every((step) => step > 0 && step <= 60);
  const isRowNumber = steps.filter((step) => step === 1).length * 2 >= steps.length;
  return values.length > 2 && isRising && !isRowNumber && new Set(steps).size > 1;
}

/** Digits behind the comma in every row: 0,040 may be one number, and the comma a decimal mark. */
function isCutInTwo(rows: readonly (readonly string[])[]): boolean {
  return rows.every((row) => /^\d+(?:\s|$)/.test(row[1] ?? ''));
}

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/^(m(illi)?s(ec(onds?)?)?|millisekunden)$/i, 'relative-ms'],
  [/^(s|secs?|seconds?|sek(unden)?)$/i, 'relative-seconds'],
  [/^(min(s|utes?|uten)?)$/i, 'relative-minutes'],
  [/^(h|hrs?|hours?|std|stunden)$/i, 'relative-hours'],
];

/** The format of a count by the unit that a text names: a unit itself, or a header with one at its end; null: none. */
export function unitFormat(text: string): string | null {
  // What stands in brackets is the unit as a whole: Rate [nm/min] counts no minutes.
  const inner = /[[(]\s*([^[\]()]*?)\s*[\])]$/.exec(text.trim())?.[1];
  const unit = inner ?? /(?:^|[\s_/,])([\p{L}]+)$/u.exec(text.trim())?.[1] ?? '';
  return UNITS.find(([pattern]) => pattern.test(unit))?.[1] ?? null;
}
