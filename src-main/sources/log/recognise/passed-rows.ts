// Lines of data that a cut leaves above its first row: another number of cells, another separator, another way of writing
// numbers. Nobody would miss them, so each is a question, unless it plainly belongs to something else.
import type { DialectInput } from '../../../model/dialect.ts';
import { holdsSeveral, shapeOfCell } from '../cells/cell-shape.ts';
import { splitCells } from '../cells/cells.ts';
import { shownLine } from '../cells/shown-line.ts';
import { keepReading } from '../columns/time-columns.ts';
import { isDataLine } from '../parse/data-line.ts';
import { parseDecimalText } from '../time/decimal.ts';
import { listStampFormats } from '../time/stamp-shapes.ts';
import { isCountHeader, isTimeName, TIME_HEADER } from '../time/time-names.ts';
import type { Cut, Line } from './cut.ts';
import { type HeaderChoice, type Undecided, undecided } from './header-line.ts';
import { writeNames } from './header-names.ts';

/**
 * Find the first line above the rows that holds data.
 *
 * @returns the index of the line; -1: none. A small table that ends before the header of the rows and has one of its own, which
 *   names no time, belongs to the head.
 */
export function findPassedRow({ first }: Cut, header: Pick<HeaderChoice, 'line'>, lines: readonly Line[]): number {
  const isData = (index: number) => isDataLine(lines[index]?.text ?? '');
  for (let index = 0; index < first; index++) {
    if (!isData(index)) continue;
    let end = index;
    while (end < first && isData(end)) end += 1;
    const texts = lines.slice(index, end).map(({ text }) => text);
    const isApart = end < first && (header.line === null || header.line >= end);
    if (!(isApart && isOwnTable(lines[index - 1]?.text ?? '', texts))) return index;
    index = end;
  }
  return -1;
}

/** Rows below names of which none is a time, and that hold no stamp themselves. */
function isOwnTable(above: string, texts: readonly string[]): boolean {
  // Whatever cuts it cuts its names as well.
  const separator = ['\t', ';', ',', '|', 'wide', 'whitespace'].find((one) => {
    const width = splitCells(above, one).length;
    return width > 1 && texts.every((text) => splitCells(text, one).length === width);
  });
  const names = separator === undefined ? [] : splitCells(above, separator);
  const isNames = names.length > 1 && !isDataLine(above) && names.every((name) => /\p{L}/u.test(name));
  const isTimed = names.some((name) => TIME_HEADER.test(name) || isCountHeader(name));
  const isStamped = texts.some((text) =>
    text.split(/[\t;,|]| {2,}/).some((cell) => listStampFormats(cell.trim()) !== null),
  );
  return isNames && !isTimed && !isStamped;
}

/**
 * Learn from some rows which others of as many cells another separator cuts: they hold several numbers where most hold one.
 *
 * @returns tells whether a row is such a one.
 */
export function otherRows(rows: Cut['rows'], decimal: '.' | ','): (row: readonly string[]) => boolean {
  const isNumber = (cell = '') => shapeOfCell(cell, decimal) === 'number';
  const numbers = (rows[0] ?? []).flatMap((_, column) =>
    rows.filter((row) => isNumber(row[column])).length * 2 > rows.length ? [column] : [],
  );
  return (row) => numbers.some((column) => holdsSeveral(row[column] ?? ''));
}

/**
 * Find a line among the rows that has more cells than they have, where blanks set the cells apart: then those of the others
 * left no trace where they are empty, and nobody can tell which they are.
 *
 * @returns the index of the line; -1: none.
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

/**
 * How the columns can be named by the lines above the rows: a line that has as many cells, cut as they are or by another mark.
 *
 * @returns one empty way where no line names a time; none where one does and does not fit: then no name may be lost.
 */
function waysToName(cut: Cut, above: readonly Line[]): Pick<DialectInput, 'header' | 'header_line' | 'units'>[] {
  const { rows, first, width, decimal, time, delimiter } = cut;
  // Where the time is called so the others may be called by numbers, such as masses.
  const isWords = (row: readonly string[]) =>
    row.length > 1 &&
    row.every((cell, column) => !time.columns.includes(column) || shapeOfCell(cell, decimal) === 'text');
  const namesTime = (row: readonly string[]) => time.columns.some((column) => isTimeName(row[column] ?? ''));
  const isNames = (row: readonly string[]) => row.length === width && isWords(row) && namesTime(row);
  const line = rows.slice(0, Math.min(first, above.length)).findLastIndex(isNames);
  // Between blanks words are as many as the cells by chance.
  if (line !== -1 && delimiter.length === 1) return [{ header_line: line + 1 }];
  const marks = ['\t', ';', ',', '|'];
  for (const [at, { text }] of [...above.entries()].toReversed()) {
    const mark = marks.find((one) => isNames(splitCells(text, one)));
    if (mark === undefined) continue;
    return [writeNames(splitCells(text, mark), splitCells(above[at + 1]?.text ?? '', mark), time.columns)];
  }
  const isNamed = ({ text }: Line) =>
    marks.some((mark) => {
      const cells = splitCells(text, mark);
      return isWords(cells) && isTimeName(cells[0] ?? '');
    });
  return line !== -1 || above.some(isNamed) ? [] : [{}];
}

/** Say that lines of a file do not fit the rows below them. */
export function rowsDiffer(cut: Cut, lines: readonly Line[], index: number, path: string): Undecided {
  const { rows, width, first } = cut;
  const below = first > index ? first : index;
  const last = first > index + 1 ? lines.slice(0, first).findLastIndex(({ text }) => isDataLine(text)) : index;
  const place = last > index ? `Lines ${index + 1} to ${last + 1}` : `Line ${index + 1}`;
  const cells = rows[index]?.length ?? 0;
  const how = cells === width ? 'other rows than most' : `${cells} cells where most rows have ${width}`;
  const names = waysToName(cut, lines.slice(0, below));
  const loss = names.length === 0 ? 'The names above them are skipped, too: give them under header. ' : '';
  return undecided(
    'log.rows-differ',
    `${place} of ${path}, ${shownLine(lines[index]?.text)}, ${last > index ? 'hold' : 'holds'} ${how}: the columns change, another program has written them, or empty cells leave no trace.`,
    `Let the tool begin a new file, or write a separator such as a semicolon. Or pass these lines over, for good; then later lines of another number of cells are refused, with their text. ${first > index ? loss : ''}`.trim(),
    false,
    names.map((named) => ({ preamble: below, ...named })),
  );
}

/** A date or a time of day. */
const HAS_STAMP = /\d:\d\d|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/;
/** Lines of a last word, and rows for each of them. */
const LAST_WORDS_MAX = 5;
const ROWS_BESIDE = 4;

/**
 * Find where the rows of a file end and what is no row follows: a table of means, a signature, a last word, or its head once more.
 *
 * @returns the index of the first line behind the last that may be a row; the number of lines where one with a stamp follows that
 *   is not of the head, or no line holds data.
 */
export function endOfRows(lines: readonly Line[]): number {
  const isData = ({ text }: Line) => isDataLine(text);
  const end = lines.findLastIndex(isData) + 1;
  const form = ({ text }: Line) => text.replaceAll(/\d+/g, '0');
  const head = new Set(lines.slice(0, lines.findIndex(isData)).map(form));
  const behind = lines.slice(end);
  // A last word may have a stamp (`Exported 2026-11-27`), as long as there are many more rows.
  const isShort = behind.length <= LAST_WORDS_MAX && end > ROWS_BESIDE * behind.length;
  const isFooter = behind.every((line) => head.has(form(line)) || isShort || !HAS_STAMP.test(line.text));
  return end > 0 && isFooter ? end : lines.length;
}
