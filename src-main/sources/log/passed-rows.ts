// Lines of data that a cut leaves above its first row: they have another number of cells, and nobody would miss them.
import type { Cut, Line } from './cut.ts';
import { parseDecimalText } from './decimal.ts';
import { type Undecided, undecided } from './header-line.ts';
import { keepReading } from './time-columns.ts';

/**
 * Find the first line above the rows that is stamped as they are and holds a number besides.
 * **Takes**: the cut and the format of its time. **Gives**: the index of the line; -1: none. Counts from a start are not
 * looked for: any small table above looks like them.
 */
export function findPassedRow({ rows, first, time, decimal }: Cut, format: string): number {
  if (time.needs === 'start') return -1;
  const isTimeOnly = time.needs === 'day';
  return rows.slice(0, first).findIndex((row) => {
    const isNumber = (cell: string, index: number) =>
      !time.columns.includes(index) && !Number.isNaN(parseDecimalText(cell, decimal));
    return row.some(isNumber) && keepReading([row], time.columns, [format], decimal, isTimeOnly).length > 0;
  });
}

/**
 * Find a line among the rows that has more cells than they have, where blanks set the cells apart: then those of the others
 * left no trace where they are empty, and nobody can tell which they are.
 * **Gives**: the index of the line; -1: none.
 */
export function findFullerRow({ rows, first, time, decimal, width, delimiter }: Cut, format: string): number {
  if (delimiter !== 'whitespace' && delimiter !== 'wide') return -1;
  const isFuller = (row: readonly string[]) =>
    row.length > width && row.slice(width).every((cell) => !Number.isNaN(parseDecimalText(cell, decimal)));
  const isTimeOnly = time.needs === 'day';
  return rows.findIndex(
    (row, index) =>
      index > first && isFuller(row) && keepReading([row], time.columns, [format], decimal, isTimeOnly).length > 0,
  );
}

/** Say that lines of a file have different numbers of cells. */
export function rowsDiffer({ rows, width }: Cut, lines: readonly Line[], index: number, path: string): Undecided {
  const shown = (lines[index]?.text ?? '').trim().slice(0, 100);
  return undecided(
    'log.rows-differ',
    `Line ${index + 1} of ${path}, "${shown}", has ${rows[index]?.length ?? 0} cells, most others have ${width}: the columns change, or empty cells leave no trace.`,
    'Let the tool begin a new file, or write a separator such as a semicolon. Or set dialect: preamble to the number of lines to pass over; then lines of another number of cells are refused, with their text.',
  );
}
