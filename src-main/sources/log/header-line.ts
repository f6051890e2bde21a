// Finds the line that names the columns, and the line of units that some programs write below it.
import type { Dialect } from '../../model/dialect.ts';
import { shapeOfCell } from './cell-shape.ts';
import { splitCells } from './cells.ts';
import type { Cut, Line } from './cut.ts';
import { listStampFormats } from './stamp-shapes.ts';
import { joinTimeCells } from './time-columns.ts';
import { isUnitsRow, unitsOf } from './unit-names.ts';

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

/** True for the codes of files that are just no logs; all others hold data back until a person has answered. */
export function isNoLog(code: string): boolean {
  return code === 'log.no-time' || code === 'log.not-text' || code === 'log.json-lines';
}

/** A header cell without the quote or comment mark that some programs put in front. */
export function cleanHeader(cell: string): string {
  const clean = cell.replace(/^['#;/\s]+/, '').trim();
  // A name of nothing else, such as # over row numbers, is one.
  return clean === '' ? cell.trim() : clean;
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
 * **Takes**: how the head is cut, its lines, the dialect.
 * **Gives**: the choice; or why it cannot be made: a header whose number of cells does not fit the rows would shift every
 * name, so that is a question to a person.
 */
export function findHeader(cut: Cut, lines: readonly Line[], dialect: Dialect): HeaderChoice | Undecided {
  const { rows, first, width, decimal } = cut;
  const none: HeaderChoice = { cells: Array.from({ length: width }, () => ''), units: [], line: null, last: -1 };
  if (Array.isArray(dialect.header)) {
    const cells = withStatusCells(dialect.header, cut, dialect);
    if (cells.length !== width) return mismatch(dialect.header.length, width);
    return { cells, units: [], line: null, last: -1 };
  }
  if (dialect.header_line !== null) {
    const line = dialect.header_line - 1;
    const named = (rows[line] ?? []).map((cell, index) => (index === 0 ? cleanHeader(cell) : cell));
    const cells = withStatusCells(named, cut, dialect);
    if (cells.length !== width) return mismatch(cells.length, width);
    return { cells, units: [], line, last: first - 1 };
  }
  if (dialect.header === 'none') return none;
  let line = lineAbove(rows, first, width);
  if (line < 0) return none;
  const last = first - 1;
  let units: readonly string[] = [];
  const top = withUnits(rows, line, width, decimal) ?? withUnits(rows, lineAbove(rows, line, width), width, decimal);
  if (top !== null) {
    units = unitsOf(rows[top.units] ?? [], rows[top.names] ?? [], width, cut.time.columns);
    line = top.names;
  }
  const cells = (rows[line] ?? []).map((cell, index) => (index === 0 ? cleanHeader(cell) : cell));
  // A line of text behind a stamp is no header, however many cells it has.
  const isStamped = listStampFormats(joinTimeCells(cells, cut.time.columns))?.kind === 'stamp';
  if (isStamped || !isNames(cells, decimal)) return none;
  const fitting = fitCells(withStatusCells(cells, cut, dialect), cut, lines[line]?.text ?? '');
  if (fitting !== null) return { cells: withGroups(fitting, rows[line - 1] ?? [], decimal), units, line, last };
  // Names of which each stands for several cells, such as a value and its status, are no title.
  const names = cells.filter((cell) => cell !== '').length;
  const values = width - cut.time.columns.length;
  if (dialect.header === 'auto' && names > 1 && names < values && values % names === 0)
    return severalEach(names, width);
  // A title above the rows has few cells; a true header that is off by some is not to be guessed at.
  return cells.length * 2 <= width && dialect.header === 'auto' ? none : mismatch(cells.length, width);
}

/**
 * A line of units with names above it. Programs that plot write a third line, of remarks, below these two.
 * **Gives**: both lines; null when it is none.
 */
function withUnits(
  rows: Cut['rows'],
  units: number,
  width: number,
  decimal: '.' | ',',
): { names: number; units: number } | null {
  const names = lineAbove(rows, units, width);
  if (units < 0 || names < 0) return null;
  const isTop = isUnitsRow(rows[units] ?? [], rows[names]) && isNames(rows[names] ?? [], decimal);
  return isTop ? { names, units } : null;
}

/** The line above that may be a header; -1: none. Blank ones, rulers, sums in brackets, and single words such as BEGIN may stand between. */
function lineAbove(rows: Cut['rows'], from: number, width: number): number {
  let line = from - 1;
  const isRuler = (cell: string) => /^[-=_+*|:.\s]*$|^(?=.*[()[\]])[\d\s()[\]]+$/.test(cell);
  const isPassed = (row: readonly string[] | undefined) =>
    row !== undefined && ((row.length * 2 <= width && row.length < 2) || row.every(isRuler));
  while (line >= 0 && isPassed(rows[line])) line -= 1;
  return line;
}

/** Names that come several times, below a line that names groups of columns: each gets its group in front. */
function withGroups(cells: readonly string[], above: readonly string[], decimal: '.' | ','): readonly string[] {
  const isShared = (cell: string) => cell !== '' && cells.indexOf(cell) !== cells.lastIndexOf(cell);
  const groups = above.filter((cell) => cell !== '');
  const isGroups = groups.length > 1 && groups.every((cell) => shapeOfCell(cell, decimal) === 'text');
  if (!isGroups || above.length > cells.length || !cells.some(isShared)) return cells;
  let group = '';
  return cells.map((cell, index) => {
    group = above[index] || group;
    return isShared(cell) && group !== '' ? `${group} ${cell}` : cell;
  });
}

/** Names of values, with a nameless cell for the status of each where the dialect says that there are such. */
function withStatusCells(cells: readonly string[], { width, time }: Cut, { status }: Dialect): readonly string[] {
  const times = time.columns.length;
  const values = cells.length - times;
  if (status === null || times + 2 * values !== width) return cells;
  const nameless = Array.from({ length: values }, () => '');
  if (status.cells === 'behind-all') return [...cells, ...nameless];
  return [...cells.slice(0, times), ...cells.slice(times).flatMap((cell) => [cell, ''])];
}

/** The cells of a header, one for each column of the rows; null when they do not fit. */
function fitCells(cells: readonly string[], cut: Cut, text: string): readonly string[] | null {
  const { width, delimiter, time, rows, first } = cut;
  if (cells.slice(width).some((cell) => cell !== '')) {
    // Names of several words over columns that are set apart by blanks.
    const wide = delimiter === 'whitespace' ? splitCells(text.replace(/^\s*#+/, ''), 'wide') : [];
    return wide.length === width ? wide : null;
  }
  const missing = width - cells.length;
  if (missing <= 0) return cells.slice(0, width);
  // A stamp of several cells stands under fewer names.
  const begin = Math.min(...time.columns);
  const parts = time.columns.length - missing;
  if (delimiter === 'whitespace' && parts >= 1) {
    const at = begin + parts;
    return [...cells.slice(0, at), ...Array.from({ length: missing }, () => ''), ...cells.slice(at)];
  }
  // A separator at the end of each row gives a cell that holds nothing.
  const isEmpty = (row: readonly string[]) => row.length !== width || row.slice(-missing).every((cell) => cell === '');
  return rows.slice(first).every(isEmpty) ? [...cells, ...Array.from({ length: missing }, () => '')] : null;
}

function isNames(row: readonly string[], decimal: '.' | ','): boolean {
  const shapes = row.map((cell) => shapeOfCell(cell, decimal));
  return (
    shapes.includes('text') &&
    shapes.filter((shape) => shape === 'number' || shape === 'stamp').length * 2 <= row.length
  );
}

function severalEach(names: number, width: number): Undecided {
  return undecided(
    'log.header-mismatch',
    `The header of {file} has ${names} names, its lines have ${width} cells: each name may stand for several, such as a value and its status.`,
    'Where each value has a status, say so under dialect: status: { cells: behind-all, good: ["-"] }, or cells: behind-each. Else give the names in order under dialect: header.',
  );
}

function mismatch(header: number, width: number): Undecided {
  return {
    code: 'log.header-mismatch',
    message: `The header of {file} has ${header} cells, its lines have ${width}: the names cannot be told apart safely.`,
    hint: 'Give the column names in order under dialect: header.',
    isWaiting: false,
  };
}
