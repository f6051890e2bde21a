// The head of a file cut into rows: which separator, which decimal mark, which column gives the time.
import type { Dialect } from '../../../model/dialect.ts';
import { holdsSeveral, shapeOfCell } from '../cells/cell-shape.ts';
import { splitCells } from '../cells/cells.ts';
import { isKeyed } from '../cells/keyed-lines.ts';
import { isRemark, withCounters, withoutMark } from '../cells/remark-lines.ts';
import { isCutByTabs } from '../cells/tab-stops.ts';
import { isUnit } from '../cells/unit-grammar.ts';
import { isLikely } from '../columns/count-columns.ts';
import { isOddNumber } from '../columns/odd-numbers.ts';
import { findRelativeColumns, unitFormat } from '../columns/relative-columns.ts';
import type { TimeCandidate } from '../columns/time-candidate.ts';
import { findTimeColumns, isHalfLeftOut, joinTimeCells, keepReading } from '../columns/time-columns.ts';
import { parseDecimalText } from '../time/decimal.ts';
import { listStampFormats } from '../time/stamp-shapes.ts';
import { compileTimeFormat, isCount, isRelative } from '../time/time-format.ts';
import { isCountHeader, isTimeName } from '../time/time-names.ts';
import { type Cut, type Line, ROWS_MAX } from './cut.ts';
import { cleanHeader, givenNames, headersOf, isStatement } from './header-names.ts';
import { endOfRows, otherRows } from './passed-rows.ts';

const SEPARATORS: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  whitespace: 'whitespace',
};

/** The separators that a dialect leaves open, or its own. */
export function separatorsOf({ delimiter }: Dialect, open: readonly string[]): readonly string[] {
  return delimiter === 'auto' ? open : [SEPARATORS[delimiter] ?? delimiter];
}

/** Lines as cells; blank ones and comments have none. A remark that a dialect does not know as one is cut without its mark. */
export function rowsOf(lines: readonly Line[], delimiter: string, dialect: Dialect): string[][] {
  const cut = lines.map(({ text }) => {
    if (isSkipped(text, dialect)) return [];
    const plain = withoutMark(text);
    // The first name of `#;Time;p` is #.
    const isName = delimiter.length === 1 && plain.startsWith(delimiter);
    const cells = splitCells(isRemark(text) && !isName ? plain : text, delimiter);
    return delimiter === 'whitespace' && mayBeNames(cells) ? mergeUnits(cells) : cells;
  });
  const texts = lines.map(({ text }) => text);
  const ownWidth = commonWidth(cut.filter((_, index) => !isRemark(texts[index] ?? '')));
  const isOfBlanks = delimiter === 'whitespace' || delimiter === 'wide';
  // Where the rows end with an empty cell as well, the one of the names may be one too many.
  const isEndFull = cut.some((row) => row.length === ownWidth && row.at(-1) !== '' && !isWords(row));
  const ended = cut.map((row) => (isEndFull ? withoutEmptyEnd(row, ownWidth) : withEmptyEnd(row, ownWidth)));
  const rows = isOfBlanks ? withCounters(cut, texts, ownWidth) : ended;
  const least = dialect.least_cells;
  if (least === null) return rows;
  const most = Math.max(0, ...rows.map((row) => row.length));
  return rows.map((row) =>
    row.length < least ? row : [...row, ...Array.from({ length: most - row.length }, () => '')],
  );
}

/** Names behind which one more separator stands, as the rows have none. */
function withoutEmptyEnd(row: string[], width: number): string[] {
  const isLonger = row.length > width && width > 1 && row.slice(width).every((cell) => cell === '');
  return isLonger && isWords(row) ? row.slice(0, width) : row;
}

/** Names behind which no separator stands, as one does behind each row. */
function withEmptyEnd(row: string[], width: number): string[] {
  const isShorter = row.length > 1 && row.length === width - 1 && row.at(-1) !== '';
  return isShorter && isWords(row) ? [...row, ''] : row;
}

const isWords = (row: readonly string[]) => !row.some((cell) => /^[+-]?[.,]?\d/.test(cell));

/** Rows stay as they will be read: `10:15:00 [main]` is a stamp and a word. */
function mayBeNames(cells: readonly string[]): boolean {
  return !cells.some((cell) => /\d:\d\d/.test(cell)) && shapeOfCell(cells[0] ?? '', '.') === 'text';
}

/** Names over columns that are set apart by blanks: `T [K]` is one. */
function mergeUnits(cells: readonly string[]): string[] {
  const merged: string[] = [];
  for (const cell of cells) {
    const isUnit = /^[[(][^\d\])]*[\])]$/.test(cell) && !/^[[(]/.test(merged.at(-1) ?? '[');
    if (isUnit) merged.push(`${merged.pop()} ${cell}`);
    else merged.push(cell);
  }
  return merged;
}

/**
 * Cut the head in every way that gives rows with a time.
 *
 * @returns the ways, the best first. Ways in which the time lacks its start or its day are listed only where there is no other.
 *   What a program writes behind its rows, such as a table of means, is not asked how they are written.
 */
export function listCuts(lines: readonly Line[], dialect: Dialect): Cut[] {
  const end = endOfRows(lines);
  for (const one of new Set([end, lines.length])) {
    const whole = tryAll(lines, dialect, false, one);
    const found = whole.length > 0 ? whole : tryAll(lines, dialect, true, one);
    if (found.length > 0) return found;
  }
  return [];
}

function tryAll(lines: readonly Line[], dialect: Dialect, isRelative: boolean, end = lines.length): Cut[] {
  const remarks = new Set(lines.flatMap(({ text }, index) => (isRemark(text) ? [index] : [])));
  const cuts: Cut[] = [];
  // A tab is a separator where it is one: between blanks a line that was cut off, or with an empty cell, looks otherwise.
  const tabbed = rowsOf(lines, '\t', dialect);
  const isTabbed = dialect.delimiter === 'auto' && isTable(tabbed.slice(-ROWS_MAX));
  for (const [rank, delimiter] of separatorsOf(dialect, ['\t', ';', ',', '|', 'whitespace', 'wide']).entries()) {
    if (isTabbed && (delimiter === 'whitespace' || delimiter === 'wide')) continue;
    const rows = rowsOf(lines, delimiter, dialect);
    for (const [markRank, decimal] of marksOf(dialect, delimiter, lines).entries()) {
      for (const width of widthsOf(rows.slice(0, end))) {
        const cut = tryCut({ rows, remarks, delimiter, decimal, width, isRelative, end }, dialect);
        // Between ways that fit alike the order of the lists decides.
        if (cut !== null) cuts.push({ ...cut, fit: cut.fit - rank * 0.01 - markRank * 0.001 });
      }
    }
  }
  // A way that begins to read further down fits only what it has left over.
  const most = Math.max(...cuts.map(({ reads }) => reads));
  const isWide = cuts.some(
    (cut) => cut.delimiter === 'wide' && (hasWordsWithBlanks(cut) || (hasFittingNames(cut) && !hasLists(cut))),
  );
  const marks = cuts.filter((cut) => cut.delimiter.length === 1 && hasNumbers(cut)).map(({ delimiter }) => delimiter);
  const isApart = cuts.some((cut) => cut.delimiter === 'wide' && cut.decimal === ',' && hasNumbers(cut));
  const wide = rowsOf(lines, 'wide', dialect);
  const areTabs = ({ rows, first, width, delimiter }: Cut) => {
    const at = rows.flatMap((row, index) => (index >= first && row.length === width ? [index] : []));
    const [own, ofTabs] = [rows, tabbed].map((all) => at.map((index) => all[index] ?? []));
    const texts = at.map((index) => lines[index]?.text ?? '');
    return isCutByTabs(own ?? [], ofTabs ?? [], texts, delimiter);
  };
  const fitting = cuts.filter((cut) => {
    if (cut.delimiter === 'whitespace' && (isWide || isCutByWide(cut, wide))) return false;
    const isOfBlanks = cut.delimiter === 'whitespace' || cut.delimiter === 'wide';
    if (isOfBlanks && dialect.delimiter === 'auto' && (areMost(cut, isSetApart) || areTabs(cut))) return false;
    // The decimal comma of numbers separates nothing.
    const isMark = cut.delimiter === ',' && !hasNumbers(cut);
    if (isMark && [';', '\t', '|'].some((mark) => hasInside(cut, mark))) return false;
    // Nor does one of numbers that wide blanks, or another separator, set apart.
    const isGap = (cell: string) => isApart && / {2,}/.test(cell);
    if (cut.delimiter === ',' && (areMost(cut, isGap) || areMost(cut, holdsSeveral))) return false;
    // Blanks that leave words alone have put the first number into the stamp: 20220727 065622,1 mbar.
    if (cut.delimiter.length > 1 && marks.length > 0 && !hasNumbers(cut)) return false;
    return cut.delimiter.length === 1 || !marks.some((mark) => hasInside(cut, mark));
  });
  const weighed = fitting.map((cut) => ({ ...cut, fit: cut.fit * (cut.reads / most) }));
  return weighed.sort((a, b) => b.fit - a.fit);
}

/** Cells that are set apart by several blanks and hold words with one: single blanks are no separators then. */
function hasWordsWithBlanks({ rows, first, width, time }: Cut): boolean {
  const data = rows.slice(first, first + ROWS_MAX).filter((row) => row.length === width);
  const cells = data.flatMap((row) => row.filter((cell, index) => cell.includes(' ') && !time.columns.includes(index)));
  return cells.some((cell) => /\p{L}/u.test(cell)) && !cells.some(isList);
}

/** Wide blanks cut names and rows into as many cells, some of them of several words: single ones cut as many by chance. */
function isCutByWide({ rows, first, width }: Cut, wide: Cut['rows']): boolean {
  const names = wide.slice(0, first).findLast((row) => row.length > 0) ?? [];
  const data = wide.slice(first).filter((_, index) => rows[first + index]?.length === width);
  const isText = (cell: string) => cell.includes(' ') && /^\p{L}/u.test(cell) && !isList(cell);
  const isSaid = names.length > 2 && names.length < width && data.every((row) => row.length === names.length);
  return isSaid && data.some((row) => row.some(isText));
}

/** A number beside a separator that is no blank, in a piece that blanks have cut: that separator sets apart (`holdsSeveral`). */
function isSetApart(cell: string): boolean {
  return /\d[;|]|[;|][+-]?[.,]?\d/.test(cell);
}

function isList(cell: string): boolean {
  // 20260503 213730.25 is one stamp.
  if (listStampFormats(cell) !== null) return false;
  return cell.split(/ +/).filter((part) => shapeOfCell(part, '.') === 'number').length > 1;
}

/** Cells hold several numbers each: they are cut further at blanks. */
function hasLists(cut: Cut): boolean {
  return otherCells(cut).some(isList);
}

/** Most rows have a cell that is such a one, besides their time. */
function areMost(cut: Cut, isSuch: (cell: string) => boolean): boolean {
  return otherCells(cut).filter(isSuch).length * 2 > cut.reads;
}

/** What stands in the rows besides their time. */
function otherCells({ rows, first, width, time }: Cut): string[] {
  const data = rows.slice(first, first + ROWS_MAX).filter((row) => row.length === width);
  return data.flatMap((row) => row.filter((_, index) => !time.columns.includes(index)));
}

/** Nearly all rows have one of two numbers of cells, as where a column was added, and no cell is a list. */
function isTable(rows: readonly (readonly string[])[]): boolean {
  const said = rows.filter((row) => row.length > 1);
  const widths = widthsOf(said);
  const own = said.filter((row) => widths.includes(row.length));
  return widths.length > 0 && own.length >= said.length * 0.6 && !own.some((row) => row.some(isList));
}

/** The line above its rows has as many cells as they have, and names them. */
function hasFittingNames({ rows, first, width, decimal }: Cut): boolean {
  const above = rows.slice(0, first).findLast((row) => row.length > 0) ?? [];
  const isTimed = above.some(isTimeName) && !isStatement(above);
  const isName = (cell: string) => isTimed || cell === '#' || shapeOfCell(cell, decimal) === 'text';
  return above.length === width && above.every(isName);
}

/** Most of its rows hold a number besides the time. */
function hasNumbers({ rows, first, width, time, decimal }: Cut): boolean {
  const data = rows.slice(first, first + ROWS_MAX).filter((row) => row.length === width);
  const isNumber = (cell: string, index: number) => {
    const [, number = '', unit = ''] = /^([+-]?[\d.,]+(?:e[+-]?\d+)?)\s*(.*)$/i.exec(cell) ?? [];
    const isPlain = shapeOfCell(number, decimal) === 'number' && (unit === '' || isUnit(unit));
    return !time.columns.includes(index) && (isPlain || isOddNumber(cell));
  };
  return data.filter((row) => row.some(isNumber)).length * 2 > data.length;
}

/** A separator stands inside cells that were cut at blanks, and is no decimal mark: the blanks were none. */
function hasInside({ rows, first, width, time, decimal }: Cut, mark: string): boolean {
  const data = rows.slice(first, first + ROWS_MAX).filter((row) => row.length === width);
  const isCut = (cell: string) => cell.includes(mark) && shapeOfCell(cell, decimal) === 'text';
  const cutRows = data.filter((row) => row.some((cell, index) => !time.columns.includes(index) && isCut(cell)));
  return cutRows.length * 2 > data.length;
}

/** The decimal marks that are possible. A comma between commas needs quotes around every number. */
function marksOf({ decimal }: Dialect, delimiter: string, lines: readonly Line[]): readonly ('.' | ',')[] {
  if (decimal !== 'auto') return [decimal === 'comma' ? ',' : '.'];
  const isQuoted = lines.slice(-20).some(({ text }) => /"[+-]?\d+,\d+(?:e[+-]?\d+)?"/i.test(text));
  return delimiter !== ',' || isQuoted ? ['.', ','] : ['.'];
}

/** A line with zeros, as a power cut leaves them, tells nothing about the others. */
function isSkipped(text: string, dialect: Dialect): boolean {
  return text.trim() === '' || text.includes('\0') || (dialect.comment !== null && text.startsWith(dialect.comment));
}

interface Way {
  readonly rows: Cut['rows'];
  readonly remarks: ReadonlySet<number>;
  readonly delimiter: string;
  readonly decimal: '.' | ',';
  readonly width: number;
  readonly isRelative: boolean;
  /** Lines from here on are not asked how the rows are written. */
  readonly end: number;
}

function tryCut({ rows, remarks, delimiter, decimal, width, isRelative, end }: Way, dialect: Dialect): Cut | null {
  const from = typeof dialect.preamble === 'number' ? dialect.preamble : 0;
  const fitting = rows
    .map((row, index) => ({ row, index }))
    .filter(({ row, index }) => index >= from && index < end && row.length === width && !remarks.has(index));
  const recent = fitting.slice(-20).map(({ row }) => row);
  const isCutElsewhere = otherRows(recent, decimal);
  const wide = fitting.filter(({ row }) => !isCutElsewhere(row));
  const { headers: above, firstAt } = headersOf(rows.slice(0, end), width, decimal);
  const headers = (isKeyed(delimiter) ? null : givenNames(dialect, width)) ?? above;
  // What counts stands below the names that say so: a line of the head may have as many cells.
  const own = isRelative ? wide.filter(({ index }) => index > firstAt) : wide;
  const sample = (own.length > 0 ? own : wide).slice(-20).map(({ row }) => row);
  const times = isRelative
    ? relativeTimes(sample, headers, { decimal, delimiter }, dialect)
    : candidates(sample, headers, decimal, dialect, rows);
  for (const time of times) {
    // Rows of nothing but a time: 10:15:00,600 is no fraction of a second.
    if (time.columns.length >= width) continue;
    const isTimeOnly = time.needs === undefined ? isTimeOfDay(dialect) : time.needs === 'day';
    const formats = keepReading(sample.slice(-1), time.columns, time.formats, decimal, isTimeOnly);
    const readers = formats.map((format) => compileTimeFormat(format, { decimal, isTimeOnly }));
    const isData = (row: readonly string[]) => {
      if (isCutElsewhere(row)) return false;
      const bytes = new TextEncoder().encode(joinTimeCells(row, time.columns));
      return readers.some(
        (reader) => reader.read(bytes, 0, bytes.length) && (!isCount(reader.format) || isLikely(reader.stampMs)),
      );
    };
    // What counts is told by its header alone: above that a small table of anything else looks the same.
    const isCounted = time.columns.length === 1 && time.needs === 'start';
    const first = wide.find(({ row, index }) => isData(row) && (!isCounted || index > firstAt))?.index;
    if (first === undefined || isHalfLeftOut(sample.filter(isData), time.columns, formats)) continue;
    // A count that was small at first is none of these: 0, 3600000, ... counts milliseconds from a start.
    const before = rows[first - 1] ?? [];
    const former = before.length === width && !isCutElsewhere(before) ? before : undefined;
    const isNumber = (cell: string | undefined) => !Number.isNaN(parseDecimalText(cell ?? '', decimal));
    if (formats.every(isCount) && former !== undefined && isNumber(former[time.columns[0] ?? 0])) continue;
    const data = rows
      .slice(first, Math.min(first + ROWS_MAX, end))
      .filter((row, index) => row.length > 0 && !remarks.has(first + index));
    const readable = data.filter((row) => row.length === width && isData(row));
    if (readable.length < data.length / 2) continue;
    let good = 0;
    let all = 0;
    for (const row of readable) {
      for (const cell of row) {
        const shape = shapeOfCell(cell, decimal);
        all += 1;
        if (shape !== 'text' || Object.hasOwn(dialect.states, cell)) good += 1;
      }
    }
    const fit = (good / all) * (readable.length / data.length);
    const said = rows.map((row, index) => (index > first && (remarks.has(index) || isCutElsewhere(row)) ? [] : row));
    const reads = readable.length;
    return { delimiter, decimal, rows: said, first, width, time: { ...time, formats }, fit, reads };
  }
  return null;
}

/** Times that lack their start or day, where the dialect leaves all of that open. */
function relativeTimes(
  sample: Cut['rows'],
  headers: readonly string[],
  { decimal, delimiter }: Pick<Cut, 'decimal' | 'delimiter'>,
  { time }: Dialect,
): TimeCandidate[] {
  // A person who names the column says that it is the time.
  const named = headers.findIndex((header, index) => time.column === header || time.column === index + 1);
  if (named !== -1 && time.format === 'auto') {
    return [{ columns: [named], formats: [unitFormat(headers[named] ?? '') ?? 'relative-seconds'], needs: 'start' }];
  }
  const isOpen = time.column === 'auto' && (time.format === 'auto' || isRelative(time.format));
  const found = isOpen ? findRelativeColumns(sample, headers, decimal, delimiter) : [];
  if (time.format === 'auto') return found;
  const counting = found.filter(({ needs }) => needs === 'start' || time.format === 'relative-time');
  return counting.map(({ columns }) => ({ columns, formats: [time.format], needs: 'start' }));
}

/** Stamps carry no date: the start gives it. */
export function isTimeOfDay({ time }: Dialect): boolean {
  return time.start !== null && !isRelative(time.format);
}

/** The number of cells that most lines have, two at least; of equals the one that comes later. */
export function commonWidth(rows: readonly (readonly string[])[]): number {
  return widthsOf(rows)[0] ?? 0;
}

/** Numbers of cells that the rows may have: the most common one, and that of the last line, if a preamble is longer. */
function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const count = new Map<number, number>();
  let best = 0;
  let last = 0;
  for (const row of rows.slice(-ROWS_MAX)) {
    if (row.length < 2) continue;
    const seen = (count.get(row.length) ?? 0) + 1;
    count.set(row.length, seen);
    if (seen >= (count.get(best) ?? 0)) best = row.length;
    last = row.length;
  }
  return [...new Set([best, last])].filter((width) => width > 0);
}

function candidates(
  sample: readonly (readonly string[])[],
  headers: readonly string[],
  decimal: '.' | ',',
  dialect: Dialect,
  rows: readonly (readonly string[])[],
): TimeCandidate[] {
  const { column, format } = dialect.time;
  // What counts from a start has none yet.
  const needed = isRelative(format) ? ({ needs: 'start' } as const) : {};
  const named = column === 'auto' ? null : columnIndexes(column, rows);
  if (named !== null) {
    if (named.some((index) => index < 0)) return [];
    if (format !== 'auto') return [{ columns: named, formats: [format], ...needed }];
    // Recognise the format in these columns alone.
    const only = sample.map((row) => named.map((index) => row[index] ?? ''));
    const found = findTimeColumns(
      only,
      named.map(() => 'time'),
      decimal,
    ).filter(({ columns }) => columns.length === named.length);
    return found.map(({ formats }) => ({ columns: named, formats }));
  }
  if (format === 'auto') return findTimeColumns(sample, headers, decimal, [...dialect.numeric, ...dialect.leave_out]);
  if (isRelative(format)) {
    const called = headers.flatMap((header, index) =>
      isCountHeader(header) ? [{ columns: [index], formats: [format], ...needed }] : [],
    );
    return called.length > 0 ? called : [{ columns: [0], formats: [format], ...needed }];
  }
  const width = sample.at(-1)?.length ?? 0;
  // A date alone is no time of its lines: the time stands beside it, in a form that is not read.
  const isDate = (column: number) => sample.every((row) => listStampFormats(row[column] ?? '')?.kind === 'date');
  const places = Array.from({ length: width }, (_, index) => index).filter(
    (index) => format !== 'iso8601' || !isDate(index),
  );
  const single = places.map((index) => ({ columns: [index], formats: [format] }));
  const pairs = Array.from({ length: Math.max(0, width - 1) }, (_, index) => ({
    columns: [index, index + 1],
    formats: [format],
  }));
  return [...single, ...pairs].filter(
    ({ columns }) => keepReading(sample.slice(-1), columns, [format], decimal, isTimeOfDay(dialect)).length > 0,
  );
}

/** Places of the time columns that a dialect names; -1 for one that is not there. */
export function columnIndexes(
  column: Exclude<Dialect['time']['column'], 'auto'>,
  rows: readonly (readonly string[])[],
): number[] {
  const wanted = Array.isArray(column) ? column : [column];
  return wanted.map((one) => {
    if (typeof one === 'number') return one - 1;
    const row = rows.find((cells) => cells.some((cell) => cleanHeader(cell) === one));
    return row?.findIndex((cell) => cleanHeader(cell) === one) ?? -1;
  });
}
