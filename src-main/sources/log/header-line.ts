// Finds the line that names the columns, and the line of units that some programs write below it.
import type { Dialect } from '../../model/dialect.ts';
import { shapeOfCell } from './cell-shape.ts';

/** Why a file has no layout. `isWaiting`: it holds no data line yet; more lines may also help the other cases. */
export interface Undecided {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly isWaiting: boolean;
}

/** Say why a file has no layout. */
export function undecided(code: string, message: string, hint: string, isWaiting = false): Undecided {
  return { code, message, hint, isWaiting };
}

/** A header cell without the quote or comment mark that some programs put in front. */
export function cleanHeader(cell: string): string {
  return cell.replace(/^['#;/\s]+/, '').trim();
}

export interface HeaderChoice {
  /** One cell for each column; empty where it has no name. */
  readonly cells: readonly string[];
  /** Units from a line of their own; empty when there is none. */
  readonly units: readonly string[];
  /** Index of the header line; null when no line of the file names the columns. */
  readonly line: number | null;
  /** Index of the last line that belongs to the header; -1 when there is none. */
  readonly last: number;
}

/**
 * Find the header.
 *
 * **Takes**: the head as rows, the index of the first data row, the number of cells of data rows, dialect, decimal mark.
 * **Gives**: the choice; or why it cannot be made: a header whose number of cells does not fit the rows would shift every
 * name, so that is a question to a person.
 */
export function findHeader(
  rows: readonly (readonly string[])[],
  first: number,
  width: number,
  dialect: Dialect,
  decimal: '.' | ',',
): HeaderChoice | Undecided {
  const nameless = Array.from({ length: width }, () => '');
  if (Array.isArray(dialect.header)) {
    if (dialect.header.length !== width) return mismatch(dialect.header.length, width);
    return { cells: dialect.header, units: [], line: null, last: -1 };
  }
  if (dialect.header_line !== null) {
    const line = dialect.header_line - 1;
    const cells = (rows[line] ?? []).map((cell, index) => (index === 0 ? cleanHeader(cell) : cell));
    if (cells.length !== width) return mismatch(cells.length, width);
    return { cells, units: [], line, last: first - 1 };
  }
  if (dialect.header === 'none') return { cells: nameless, units: [], line: null, last: -1 };
  // Blank lines and single words, such as BEGIN, may stand between the header and the data.
  let line = first - 1;
  const isPassed = (row: readonly string[] | undefined) =>
    row !== undefined && row.length * 2 <= width && row.length < 2;
  while (line >= 0 && isPassed(rows[line])) line -= 1;
  const none: HeaderChoice = { cells: nameless, units: [], line: null, last: -1 };
  if (line < 0) return none;
  const last = first - 1;
  let units: readonly string[] = [];
  const above = rows[line - 1];
  if (above !== undefined && isUnits(rows[line] ?? []) && isNames(above, decimal)) {
    units = (rows[line] ?? []).map((cell) => cell.replace(/^[[(]|[\])]$/g, ''));
    line -= 1;
  }
  const cells = (rows[line] ?? []).map((cell, index) => (index === 0 ? cleanHeader(cell) : cell));
  if (!isNames(cells, decimal)) return none;
  const extra = cells.slice(width);
  if (cells.length < width || extra.some((cell) => cell !== '')) {
    // A title above the rows has few cells; a true header that is off by some is not to be guessed at.
    return cells.length * 2 <= width && dialect.header === 'auto' ? none : mismatch(cells.length, width);
  }
  return { cells: cells.slice(0, width), units, line, last };
}

function isNames(row: readonly string[], decimal: '.' | ','): boolean {
  const shapes = row.map((cell) => shapeOfCell(cell, decimal));
  return (
    shapes.includes('text') &&
    shapes.filter((shape) => shape === 'number' || shape === 'stamp').length * 2 <= row.length
  );
}

function isUnits(row: readonly string[]): boolean {
  return row.length > 1 && row.every((cell) => cell === '' || /^\[.*\]$|^\(.*\)$/.test(cell));
}

function mismatch(header: number, width: number): Undecided {
  return {
    code: 'log.header-mismatch',
    message: `The header of {file} has ${header} cells, its lines have ${width}: the names cannot be told apart safely.`,
    hint: 'Give the column names in order under dialect: header.',
    isWaiting: false,
  };
}
