// The head of a file cut into rows: which separator, which decimal mark, which column gives the time.
import type { Dialect } from '../../model/dialect.ts';
import { shapeOfCell } from './cell-shape.ts';
import { splitCells } from './cells.ts';
import { cleanHeader } from './header-line.ts';
import { findTimeColumns, joinTimeCells, keepReading, type TimeCandidate } from './time-columns.ts';
import { compileTimeFormat, isRelative } from './time-format.ts';

/** A line of the head and where it begins in the file. */
export interface Line {
  readonly text: string;
  readonly byte: number;
}

/** Rows looked at in the head. */
export const ROWS_MAX = 200;
const SEPARATORS: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  whitespace: 'whitespace',
};

/** One way to cut the head into rows, with how well it fits. */
export interface Cut {
  readonly delimiter: string;
  readonly decimal: '.' | ',';
  readonly rows: readonly (readonly string[])[];
  /** Index of the first data row. */
  readonly first: number;
  readonly width: number;
  readonly time: TimeCandidate;
  readonly fit: number;
  /** Lines of words behind a stamp, whose number of cells says nothing. */
  readonly isEvents?: boolean;
}

/** The separators that a dialect leaves open, or its own. */
export function separatorsOf({ delimiter }: Dialect, open: readonly string[]): readonly string[] {
  return delimiter === 'auto' ? open : [SEPARATORS[delimiter] ?? delimiter];
}

/** Lines as cells; blank ones and comments have none. */
export function rowsOf(lines: readonly Line[], delimiter: string, dialect: Dialect): string[][] {
  return lines.map(({ text }) => (isSkipped(text, dialect) ? [] : splitCells(text, delimiter)));
}

/**
 * Cut the head in every way that gives rows with a time.
 * **Takes**: its lines and the dialect. **Gives**: the ways, each with how well it fits.
 */
export function listCuts(lines: readonly Line[], dialect: Dialect): Cut[] {
  const delimiters = separatorsOf(dialect, ['\t', ';', ',', '|', 'whitespace']);
  const cuts: Cut[] = [];
  for (const [rank, delimiter] of delimiters.entries()) {
    const decimals: ('.' | ',')[] =
      dialect.decimal === 'auto' ? (delimiter === ',' ? ['.'] : ['.', ',']) : [dialect.decimal === 'comma' ? ',' : '.'];
    const rows = rowsOf(lines, delimiter, dialect);
    for (const [markRank, decimal] of decimals.entries()) {
      if (decimal === delimiter) continue;
      const cut = tryCut(rows, delimiter, decimal, dialect);
      // Between ways that fit alike the order of the lists decides.
      if (cut !== null) cuts.push({ ...cut, fit: cut.fit - rank * 0.01 - markRank * 0.001 });
    }
  }
  return cuts;
}

function isSkipped(text: string, dialect: Dialect): boolean {
  return text.trim() === '' || (dialect.comment !== null && text.startsWith(dialect.comment));
}

function tryCut(
  rows: readonly (readonly string[])[],
  delimiter: string,
  decimal: '.' | ',',
  dialect: Dialect,
): Cut | null {
  const isTimeOnly = isTimeOfDay(dialect);
  const width = commonWidth(rows);
  const from = typeof dialect.preamble === 'number' ? dialect.preamble : 0;
  const wide = rows
    .map((row, index) => ({ row, index }))
    .filter(({ row, index }) => index >= from && row.length === width);
  const sample = wide.slice(-20).map(({ row }) => row);
  const headers = rows.find(
    (row) => row.length === width && row.every((cell) => shapeOfCell(cell, decimal) !== 'number'),
  );
  for (const time of candidates(sample, headers ?? [], decimal, dialect, rows)) {
    const formats = keepReading(sample.slice(-1), time.columns, time.formats, decimal, isTimeOnly);
    const readers = formats.map((format) => compileTimeFormat(format, { decimal, isTimeOnly }));
    const isData = (row: readonly string[]) => {
      const bytes = new TextEncoder().encode(joinTimeCells(row, time.columns));
      return readers.some((reader) => reader.read(bytes, 0, bytes.length));
    };
    const first = wide.find(({ row }) => isData(row))?.index;
    if (first === undefined) continue;
    const data = rows.slice(first, first + ROWS_MAX).filter((row) => row.length > 0);
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
    return { delimiter, decimal, rows, first, width, time: { ...time, formats }, fit };
  }
  return null;
}

/** Stamps carry no date: the start gives it. */
export function isTimeOfDay({ time }: Dialect): boolean {
  return time.start !== null && !isRelative(time.format);
}

/** The number of cells that most lines have, two at least; of equals the one that comes later. */
export function commonWidth(rows: readonly (readonly string[])[]): number {
  const count = new Map<number, number>();
  let best = 0;
  for (const row of rows.slice(-ROWS_MAX)) {
    if (row.length < 2) continue;
    const seen = (count.get(row.length) ?? 0) + 1;
    count.set(row.length, seen);
    if (seen >= (count.get(best) ?? 0)) best = row.length;
  }
  return best;
}

function candidates(
  sample: readonly (readonly string[])[],
  headers: readonly string[],
  decimal: '.' | ',',
  dialect: Dialect,
  rows: readonly (readonly string[])[],
): TimeCandidate[] {
  const { column, format } = dialect.time;
  const named = column === 'auto' ? null : columnIndexes(column, rows);
  if (named !== null) {
    if (named.some((index) => index < 0)) return [];
    if (format !== 'auto') return [{ columns: named, formats: [format] }];
    // Recognise the format in these columns alone.
    const only = sample.map((row) => named.map((index) => row[index] ?? ''));
    const found = findTimeColumns(
      only,
      named.map(() => 'time'),
      decimal,
    ).filter(({ columns }) => columns.length === named.length);
    return found.map(({ formats }) => ({ columns: named, formats }));
  }
  if (format === 'auto') return findTimeColumns(sample, headers, decimal);
  const width = sample.at(-1)?.length ?? 0;
  const single = Array.from({ length: width }, (_, index) => ({ columns: [index], formats: [format] }));
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
