// Finds the line that names the columns, and the line of units that some programs write below it.
import type { Dialect, DialectInput } from '../../../model/dialect.ts';
import { shapeOfCell } from '../cells/cell-shape.ts';
import { splitCells } from '../cells/cells.ts';
import { isRemark } from '../cells/remark-lines.ts';
import { shownLine } from '../cells/shown-line.ts';
import { isUnit } from '../cells/unit-grammar.ts';
import { tellUnitsRow, unitsOf } from '../cells/unit-names.ts';
import { namedColumns } from '../columns/part-columns.ts';
import { joinTimeCells } from '../columns/time-columns.ts';
import { listStampFormats } from '../time/stamp-shapes.ts';
import { isTimeName } from '../time/time-names.ts';
import type { Cut, Line } from './cut.ts';
import { linesAbove, readHeadBlock } from './head-block.ts';
import { areMoved, beginsWithTime, cleanHeader, isStatement, nameParts, writeNames } from './header-names.ts';

/** Why a file has no layout. `isWaiting`: it holds no data line yet; more lines may also help the other cases. */
export interface Undecided {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly isWaiting: boolean;
  /** What a person may add to the dialect, each of which settles it; none: nothing in a dialect does. */
  readonly answers?: readonly DialectInput[];
}

/** Say why a file has no layout. */
export function undecided(
  code: string,
  message: string,
  hint: string,
  isWaiting = false,
  answers: readonly DialectInput[] = [],
): Undecided {
  return { code, message, hint, isWaiting, answers };
}

/** True for the codes of files that are just no logs; all others hold data back until a person has answered. */
export function isNoLog(code: string): boolean {
  return NO_LOG.has(code);
}

const NO_LOG = new Set([
  'log.no-time',
  'log.not-text',
  'log.json-lines',
  'log.form-unread',
  'log.no-line-end',
  'log.no-rows',
]);

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
 * @param cut - how the head is cut.
 * @param path - of the file, as a question names it.
 * @returns the choice; or why it cannot be made: a header whose number of cells does not fit the rows would shift every name,
 *   so that is a question to a person.
 */
export function findHeader(own: Cut, lines: readonly Line[], dialect: Dialect, path: string): HeaderChoice | Undecided {
  const cut = { ...own, rows: withoutRemarks(own, lines) };
  const { rows, first, width, decimal } = cut;
  const none: HeaderChoice = { cells: Array.from({ length: width }, () => ''), units: [], line: null, last: -1 };
  if (Array.isArray(dialect.header)) {
    const cells = withStatusCells(dialect.header, cut, dialect);
    if (cells.length !== width) return mismatch(dialect.header, cut, path);
    return { cells, units: [], line: null, last: -1 };
  }
  if (dialect.header_line !== null) {
    const line = dialect.header_line - 1;
    const named = (rows[line] ?? []).map((cell, index) => (index === 0 ? cleanHeader(cell) : cell));
    const cells = withStatusCells(named, cut, dialect);
    if (cells.length !== width) return mismatch(cells, cut, path);
    const below = line + 1 < first ? (rows[line + 1] ?? []) : [];
    const isUnits = below.length > 0 && tellUnitsRow(below, cells, cut.time.columns) !== 'names';
    return { cells, units: isUnits ? unitsOf(below, cells, width, cut.time.columns) : [], line, last: first - 1 };
  }
  if (dialect.header === 'none') return none;
  const block = readHeadBlock(cut);
  if (block !== null) return { cells: block.names, units: block.units, line: block.line, last: first - 1 };
  let line = lineAbove(rows, first, width);
  if (line < 0) return hiddenNames(cut, lines, dialect, path) ?? wordsAbove(cut, lines, dialect, path) ?? none;
  const last = first - 1;
  let units: readonly string[] = [];
  // Below them may stand a line of remarks, but none that names the time: then they are of groups.
  const mayBeRemark = !namesTime(rows[line] ?? [], cut);
  const top = withUnits(cut, line) ?? (mayBeRemark ? withUnits(cut, lineAbove(rows, line, width)) : null);
  if (top === 'unclear') return unclear(lines, line, lineAbove(rows, line, width), path);
  if (top !== null) {
    const over = lineAbove(rows, top.names, width);
    if (areUnitsAgain(cut, top.names, over)) return unclear(lines, top.names, over, path);
    units = unitsOf(rows[top.units] ?? [], rows[top.names] ?? [], width, cut.time.columns);
    line = top.names;
  }
  const named = (rows[line] ?? []).map((cell, index) => (index === 0 ? cleanHeader(cell) : cell));
  // No row number stands where the stamp begins: the # is a mark.
  const cells = named[0] === '#' && cut.time.columns.includes(0) ? named.slice(1) : named;
  const timed = rows.slice(0, line).findLastIndex((row) => namesTime(row, cut) && isFull(row));
  // A line of types or of a second half of the names, and one of limits, stand below the names.
  const upper = timed !== -1 && dialect.header === 'auto' ? timed : null;
  if (upper !== null && !isOnceEach(cells, cut)) {
    const isNamed = isTimedNames(cells, cut) || isNames(cells, decimal);
    return isNamed ? unclear(lines, line, upper, path) : uncertain(lines, upper, path);
  }
  // A line of text behind a stamp is no header, however many cells it has.
  const isStamped = listStampFormats(joinTimeCells(cells, cut.time.columns))?.kind === 'stamp';
  if (isStamped || !(isTimedNames(cells, cut) || isNames(cells, decimal)))
    return hiddenNames(cut, lines, dialect, path) ?? wordsAbove(cut, lines, dialect, path) ?? none;
  const fitting = fitCells(withStatusCells(cells, cut, dialect), cut, lines[line]?.text ?? '');
  // Behind a first column that counts # is its name: without it the others fit by chance.
  const isTime = (column: number) => isTimeName(cells[column] ?? '');
  const isShiftedByMark =
    isCounterMark(lines[line]?.text ?? '', cut) && cells[0] !== '#' && !cut.time.columns.every(isTime);
  if (fitting !== null && isShiftedByMark && dialect.header === 'auto') return uncertain(lines, line, path);
  const isDoubtful = (own: readonly string[]) => areMoved(own, cut) || !isCertain(cells, rows[line - 1] ?? [], cut);
  if (fitting !== null && dialect.header === 'auto' && isDoubtful(fitting)) return uncertain(lines, line, path);
  const above = rows[line - 1] ?? [];
  if (fitting !== null && dialect.header === 'auto' && isBelowNames(fitting, above, cut))
    return mismatch(above, cut, path, line - 1);
  if (fitting !== null) return { cells: withGroups(fitting, groupsAbove(rows, line), decimal), units, line, last };
  // Names of which each stands for several cells, such as a value and its status, are no title.
  const names = cells.filter((cell) => cell !== '').length;
  const values = width - cut.time.columns.length;
  if (dialect.header === 'auto' && names > 1 && names < values && values % names === 0)
    return severalEach(names, width, path);
  // A title above the rows has few cells, and no time first; a true header that is off by some is not to be guessed at.
  const isTimed = names > 1 && beginsWithTime(cells);
  if (cells.length * 2 > width || isTimed || dialect.header !== 'auto') return mismatch(cells, cut, path, line);
  return hiddenNames(cut, lines, dialect, path) ?? wordsAbove(cut, lines, dialect, path) ?? none;
}

/** Remarks above a line of names that is none itself say nothing of the columns. */
function withoutRemarks(cut: Cut, lines: readonly Line[]): Cut['rows'] {
  const { rows, first, width } = cut;
  const line = lineAbove(rows, first, width);
  const isMarked = (at: number) => isRemark(lines[at]?.text ?? '');
  if (line < 0 || isMarked(line) || !namesTime(rows[line] ?? [], cut)) return rows;
  return rows.map((row, at) => (at < line && isMarked(at) ? [] : row));
}

/**
 * A line of units with names above it. Programs that plot write a third line, of remarks, below these two.
 *
 * @returns both lines; null when it is none.
 */
function withUnits(cut: Cut, units: number): { names: number; units: number } | 'unclear' | null {
  const { rows, width, decimal, time } = cut;
  const names = lineAbove(rows, units, width);
  const above = rows[names] ?? [];
  if (units < 0 || names < 0 || !(isTimedNames(above, cut) || isNames(above, decimal))) return null;
  const told = tellUnitsRow(rows[units] ?? [], rows[names] ?? [], time.columns, measuredColumns(cut));
  if (told === 'unclear') return (rows[names] ?? []).length === width ? told : null;
  return told === 'units' ? { names, units } : null;
}

/** A line above one of units is one of units itself, below names: two rows of units. */
function areUnitsAgain(cut: Cut, line: number, over: number): boolean {
  const [own = [], names = []] = [cut.rows[line], cut.rows[over]];
  if (over < 0 || isTimedNames(own, cut) || !isTimedNames(names, cut)) return false;
  return tellUnitsRow(own, names, cut.time.columns) === 'units';
}

/** Columns of numbers that are neither the time nor count the rows. */
function measuredColumns({ rows, first, width, decimal, time }: Cut): number[] {
  const own = rows.slice(first).filter((row) => row.length === width);
  const isMeasured = (column: number) => {
    const cells = own.map((row) => row[column] ?? '');
    const isNumbers = cells.every((cell) => ['number', 'token', 'empty'].includes(shapeOfCell(cell, decimal)));
    const isCounter = cells.every((cell, n) => n === 0 || Number(cell) === Number(cells[n - 1]) + 1);
    return isNumbers && !(column === 0 && isCounter && cells.length > 1) && !time.columns.includes(column);
  };
  return Array.from({ length: width }, (_, column) => column).filter(isMeasured);
}

/**
 * Are these names, and no line of the head that has as many cells by chance? The time is called so; or a separator that is no
 * blank cuts it into words alone.
 */
function isCertain(cells: readonly string[], above: readonly string[], { time, decimal, delimiter }: Cut): boolean {
  // `Date: 2005-06-03` above is one of the head, and names nothing.
  const over = isNames(above, decimal) ? above : [];
  if (time.columns.some((column) => isTimeName(cells[column] ?? '') || isTimeName(over[column] ?? ''))) return true;
  if (delimiter === 'whitespace' || delimiter === 'wide') return cells.some((cell) => /[([].*[)\]]$/.test(cell));
  return cells.every((cell) => shapeOfCell(cell, decimal) !== 'number');
}

/** A line above that names the columns, but for its separator: another program has written it, or what follows it. */
function hiddenNames(
  { first, decimal, delimiter }: Cut,
  lines: readonly Line[],
  dialect: Dialect,
  path: string,
): Undecided | null {
  if (dialect.header !== 'auto' || dialect.preamble !== 'auto') return null;
  const isNamed = (text: string, separator: string) => {
    const cells = splitCells(text, separator);
    return cells.length > 1 && isNames(cells, decimal) && beginsWithTime(cells);
  };
  // Between blanks the words of a name look like names.
  const separators = NAMED_BY.includes(delimiter) ? NAMED_BY : ['wide'];
  const line = lines
    .slice(0, first)
    .findLastIndex(({ text }) => separators.some((separator) => separator !== delimiter && isNamed(text, separator)));
  if (line === -1) return null;
  const { hint, ...asked } = uncertain(lines, line, path);
  return { ...asked, hint: `${hint} Its separator is not that of the rows.`, answers: [{ header: 'none' }] };
}

/** A line of as many cells as the rows, with a word of its own over each number: it must not be left out unseen. */
function wordsAbove(cut: Cut, lines: readonly Line[], dialect: Dialect, path: string): Undecided | null {
  // Between blanks a sentence has as many words as the rows have cells by chance.
  if (dialect.header !== 'auto' || dialect.preamble !== 'auto' || cut.delimiter.length > 1) return null;
  const measured = measuredColumns(cut);
  const isWords = ({ cells }: { cells: readonly string[] }) => {
    const said = measured.map((column) => cells[column] ?? '');
    const isStamped = listStampFormats(joinTimeCells(cells, cut.time.columns)) !== null;
    const isWord = (cell: string) => shapeOfCell(cell, cut.decimal) === 'text';
    return !isStamped && said.length > 1 && said.every(isWord) && new Set(said).size === said.length;
  };
  const above = linesAbove(cut);
  const line = above.find((one, index) => cut.first - one.at === above.length - index && isWords(one));
  return line === undefined ? null : uncertain(lines, line.at, path);
}

const NAMED_BY = ['\t', ';', ',', '|'];

function uncertain(lines: readonly Line[], line: number, path: string): Undecided {
  const { text = '' } = lines[line] ?? {};
  // A line that begins with the name of a time names the columns, or the file is not read: no name is lost.
  const isNamed = [...NAMED_BY, 'wide'].some((separator) => {
    const cells = splitCells(text, separator);
    return cells.length > 1 && beginsWithTime(cells);
  });
  return undecided(
    'log.header-unclear',
    `Does line ${line + 1} of ${path}, ${shownLine(text)}, name its columns?`,
    'Say so, or that no line does.',
    false,
    [...(isNamed ? [] : [{ header: 'none' as const }]), { header_line: line + 1 }],
  );
}

function unclear(lines: readonly Line[], lower: number, upper: number, path: string): Undecided {
  return undecided(
    'log.header-unclear',
    `Which line of ${path} names its columns: line ${upper + 1}, ${shownLine(lines[upper]?.text)}, or line ${lower + 1}, ${shownLine(lines[lower]?.text)}?`,
    'Say which one; where it is the upper, the lower is taken for their units.',
    false,
    [{ header_line: upper + 1 }, { header_line: lower + 1 }],
  );
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

/** The line that names groups of columns: right above, or above one of their units. */
function groupsAbove(rows: Cut['rows'], line: number): readonly string[] {
  const [above = [], over = []] = [rows[line - 1], rows[line - 2]];
  const said = above.slice(1).filter((cell) => cell !== '');
  return said.length > 0 && said.every(isUnit) && over.length === above.length ? over : above;
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

/** A line between blanks that begins with #, above rows whose time is not the first cell: a remark, or the name of a counter. */
function isCounterMark(text: string, { delimiter, time }: Cut): boolean {
  return (delimiter === 'whitespace' || delimiter === 'wide') && /^#\s/.test(text) && Math.min(...time.columns) > 0;
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
  // One name too many, over the empty cell behind the last separator, has shifted all of them.
  const own = rows.slice(first).filter((row) => row.length === width);
  const isShifted = missing < 0 && cells[width - 1] !== '' && own.every((row) => row[width - 1] === '');
  if (isShifted) return null;
  if (missing <= 0) return cells.slice(0, width);
  // A stamp of several cells stands under fewer names.
  const parts = time.columns.length - missing;
  const begin = Math.min(...time.columns);
  const at = begin + parts;
  if (delimiter === 'whitespace' && parts >= 1 && !isCounterMark(text, cut)) {
    const isApart = Math.max(...time.columns) - begin >= time.columns.length;
    if (isApart || nameParts(cells, at)) return null;
    return [...cells.slice(0, at), ...Array.from({ length: missing }, () => ''), ...cells.slice(at)];
  }
  // A separator at the end of each row gives a cell that holds nothing.
  const isEmpty = (row: readonly string[]) => row.length !== width || row.slice(-missing).every((cell) => cell === '');
  return rows.slice(first).every(isEmpty) ? [...cells, ...Array.from({ length: missing }, () => '')] : null;
}

/** A line that leaves values without a name, below one of more names that do not fit: of units, perhaps, and below all names. */
function isBelowNames(cells: readonly string[], above: readonly string[], { width, time, decimal }: Cut): boolean {
  const isNameless = cells.some((cell, column) => cell === '' && !time.columns.includes(column));
  const count = (row: readonly string[]) => row.filter((cell) => cell !== '').length;
  return isNameless && above.length !== width && count(above) > count(cells) && isNames(above, decimal);
}

/** Where the time is called so the others may be called by numbers, such as masses. */
function isTimedNames(cells: readonly string[], { width, time }: Cut): boolean {
  const isTimed = time.columns.every((column) => isTimeName(cells[column] ?? ''));
  return cells.length === width && isTimed && !isStatement(cells);
}

/** As many names as columns, one of them of the time or a part of it. */
function namesTime(row: readonly string[], { width, time, decimal }: Cut): boolean {
  const own = time.columns.map((column) => row[column] ?? '');
  const isNamed = own.some(isTimeName) || namedColumns(row) !== null;
  const areWords = own.every((cell) => shapeOfCell(cell, decimal) === 'text');
  return row.length === width && isNamed && areWords && !isStatement(row);
}

/** No cell is empty but for those at the end: groups of columns have empty ones. */
function isFull(row: readonly string[]): boolean {
  return row
    .slice(
      0,
      row.findLastIndex((cell) => cell !== ''),
    )
    .every((cell) => cell !== '');
}

/** Each column has a name of its own, the time among them. */
function isOnceEach(cells: readonly string[], { width, time }: Cut): boolean {
  const isNamed = time.columns.every((column) => (cells[column] ?? '') !== '');
  const said = cells.filter((cell) => cell !== '');
  return (
    cells.length === width &&
    isNamed &&
    new Set(said).size === said.length &&
    said.every((cell) => /\p{L}|#/u.test(cell))
  );
}

function isNames(row: readonly string[], decimal: '.' | ','): boolean {
  if (isStatement(row)) return false;
  const shapes = row.map((cell) => shapeOfCell(cell, decimal));
  // A day without a year is no name either.
  const isClock = (cell: string) => /(?<![\d:])\d{1,2}:\d\d:\d\d/.test(cell);
  const isTimed = row.some(isClock) || shapes.some((shape) => ['stamp', 'date', 'time'].includes(shape));
  return shapes.includes('text') && !isTimed && shapes.filter((shape) => shape === 'number').length * 2 <= row.length;
}

function severalEach(names: number, width: number, path: string): Undecided {
  return undecided(
    'log.header-mismatch',
    `The header of ${path} has ${names} names, its lines have ${width} cells: each name may stand for several, such as a value and its status.`,
    'Where each value has a status, say so under dialect: status: { cells: behind-all, good: ["-"] }, or cells: behind-each. Else give the names in order under dialect: header.',
  );
}

/** @param names - the cells of the header, at the given line where one of the file has them. */
function mismatch(names: readonly string[], cut: Cut, path: string, line = -1): Undecided {
  const { width } = cut;
  const message = `The header of ${path} has ${names.length} cells, its lines have ${width}: the names cannot be told apart safely.`;
  if (mayBeHalved(cut, width - names.length)) {
    const hint =
      'Its commas seem to be decimal marks as well as separators. Let the tool write points, semicolons between the cells, or quotes around the numbers; or describe a whole line under dialect: line, with a group for each value, such as (?P<time>[^,]+),(?P<p>[0-9]+,[0-9]+), and decimal: comma.';
    return undecided('log.header-mismatch', message, hint);
  }
  const below = line === -1 ? [] : (cut.rows[line + 1] ?? []);
  const answers = waysToFit(names, below, cut);
  return undecided('log.header-mismatch', message, 'Say which name stands over which cell, in order.', false, answers);
}

/**
 * The names of a header that has more or fewer of them than the rows have cells, over the cells: those that are too many or
 * missing are so at the end or at the begin, whichever puts a name of time over the time first. Numbers stand where no name does.
 */
function waysToFit(names: readonly string[], below: readonly string[], { width, time }: Cut): DialectInput[] {
  // Marks and numbers are the names of no header: the line was cut otherwise.
  if (!names.every((name) => name === '' || name === '#' || /\p{L}/u.test(name))) return [];
  if (names.filter((name) => name !== '').length < 2) return [writeNames(Array(width).fill(''), [], time.columns)];
  const ways = [0, width - names.length].map((shift) => {
    const over = (cells: readonly string[]) =>
      Array.from({ length: width }, (_, column) => cells[column - shift] ?? '');
    return { names: over(names), below: below.length === names.length ? over(below) : [] };
  });
  const namesOfTime = (way: (typeof ways)[number]) =>
    time.columns.filter((column) => isTimeName(way.names[column] ?? '')).length;
  const best = Math.max(...ways.map(namesOfTime));
  return ways.filter((way) => namesOfTime(way) === best).map((way) => writeNames(way.names, way.below, time.columns));
}

/** Each row has as many pairs of whole numbers, one behind the other, as it has cells too many: 1,5 between commas may be one number. */
function mayBeHalved({ rows, first, width, delimiter, time }: Cut, surplus: number): boolean {
  if (delimiter !== ',' || surplus <= 0) return false;
  const isWhole = (cell: string | undefined) => /^[+-]?\d+$/.test(cell ?? '');
  const isRest = (cell: string | undefined) => /^\d+(?:e[+-]?\d+)?$/i.test(cell ?? '');
  const own = rows.slice(first).filter((row) => row.length === width);
  return own.every((row) => {
    let pairs = 0;
    for (let column = Math.max(...time.columns) + 1; column < width - 1; column++) {
      if (!isWhole(row[column]) || !isRest(row[column + 1])) continue;
      pairs += 1;
      column += 1;
    }
    return pairs >= surplus;
  });
}
