// The settled parts of a layout put together: names, units, and what each column holds.
import type { Dialect } from '../../../model/dialect.ts';
import { isStateWord, shapeOfCell } from '../cells/cell-shape.ts';
import type { Encoding } from '../cells/encoding.ts';
import { stemOf } from '../columns/channel-names.ts';
import { fitName, nameColumns } from '../columns/column-names.ts';
import type { ColumnKind, Layout, LayoutColumn } from '../parse/layout.ts';
import { DAY_MS } from '../time/calendar.ts';
import type { FoundStart } from '../time/found-start.ts';
import { isRelative } from '../time/time-format.ts';
import { ZoneClock } from '../time/zone-clock.ts';
import type { Cut, Line } from './cut.ts';
import type { HeaderChoice } from './header-line.ts';

/** Rows from which it is decided whether a column holds numbers. */
const JUDGED_ROWS = 100;

/**
 * Call the one channel of a file like the file.
 *
 * @param path - path. A file with several columns of numbers keeps the names of its header.
 */
export function nameByFile(layout: Layout, kinds: readonly ColumnKind[], path: string): void {
  const indexes = kinds.map((_, index) => index);
  const numbers = indexes.filter((index) => kinds[index] === 'number');
  const others = indexes.filter((index) => kinds[index] !== 'time');
  const column = numbers.length === 1 ? numbers[0] : others.length === 1 ? others[0] : undefined;
  if (column === undefined) return;
  const name = fitName(stemOf(path));
  layout.columns.forEach((other, index) => {
    if (index !== column && other.name === name) other.name = `${name} (${index + 1})`;
  });
  (layout.columns[column] as LayoutColumn).name = name;
}

/** Put the layout together from what was settled. */
export function makeLayout(
  { delimiter, decimal, time }: Cut,
  header: HeaderChoice,
  timeFormat: string,
  dialect: Dialect,
  zone: string,
  encoding: Encoding,
  lines: readonly Line[],
): Layout {
  const columns = nameColumns(header.cells).map((column, index) => ({
    ...column,
    unit: ownUnit(dialect, column.header) ?? (column.unit === '' ? (header.units[index] ?? '') : column.unit),
  }));
  const remark = ['#', '%', '//'].find((mark) => lines.some(({ text }) => text.startsWith(mark)));
  return {
    encoding: encoding.name,
    delimiter,
    decimal,
    comment: dialect.comment ?? remark ?? null,
    columns,
    timeColumns: [...time.columns],
    timeFormat,
    zone,
    ...plainCells(dialect),
    startMs: null,
    dayMs: null,
    ...statusesOf(dialect, header.cells.length, time.columns),
    ...(dialect.least_cells !== null && { leastCells: dialect.least_cells }),
    headerText: header.line === null ? '' : (lines[header.line]?.text.trim() ?? ''),
  };
}

/** What a dialect says of the cells of any column, as long as none of them holds words or units. */
export function plainCells({ absent, refused, states }: Dialect) {
  return { absent, refused, states, masks: [], affixes: [], eventText: null } satisfies Partial<Layout>;
}

/** The columns that say how good the value of another one is, where the dialect speaks of such. */
function statusesOf({ status }: Dialect, width: number, timeColumns: readonly number[]): Pick<Layout, 'statuses'> {
  if (status === null) return {};
  const { cells, good } = status;
  const first = timeColumns.length;
  const values = (width - first) / 2;
  const placeOf = (value: number) => (cells === 'behind-all' ? [value, values + value] : [2 * value, 2 * value + 1]);
  const statuses = Array.from({ length: values }, (_, value) => {
    const [of = 0, column = 0] = placeOf(value).map((place) => first + place);
    return { column, of, good };
  });
  return { statuses };
}

/** The unit that the dialect gives a header; undefined: none. */
export function ownUnit({ units }: Dialect, header: string): string | undefined {
  return Object.hasOwn(units, header) ? units[header] : undefined;
}

/** Digits from which a word of zeros and ones that begins with a one is no round number such as 1000. */
const BITS_MIN = 6;

/** 00011010 is a word of bits, and no eleven thousand; 1000 and 1100 may be a set point. */
function areBinaryWords(cells: readonly string[]): boolean {
  const [first] = cells;
  if (first === undefined || !cells.every((cell) => /^[01](?:[ _]?[01]){3,}$/.test(cell))) return false;
  const isLong = first.length >= BITS_MIN && new Set(cells).size > 1;
  return cells.some((cell) => cell.startsWith('0') || /[ _]/.test(cell)) || isLong;
}

/** 0FFA and 1E50 are words of as many hexadecimal digits: then 1E50 is no number, and neither is 1000 beside them. */
function areHexWords(cells: readonly string[], decimal: '.' | ','): boolean {
  const length = cells[0]?.length ?? 0;
  const isHex = (cell: string) => cell.length === length && /^[0-9a-f]{2,16}$/i.test(cell);
  return cells.every(isHex) && cells.some((cell) => shapeOfCell(cell, decimal) !== 'number');
}

/** Tell what each column holds, from the first rows. */
export function judgeColumns(layout: Layout, data: readonly (readonly string[])[], dialect: Dialect): ColumnKind[] {
  const isNamed = (list: Dialect['leave_out'], index: number) => {
    const { header, name } = layout.columns[index] ?? { header: '', name: '' };
    return list.some((one) => one === index + 1 || one === header || one === name);
  };
  const judged = data.slice(0, JUDGED_ROWS);
  return layout.columns.map((_, index) => {
    if (layout.timeColumns.includes(index)) return 'time';
    if (layout.statuses?.some(({ column }) => column === index) === true) return 'status';
    if (isNamed(dialect.leave_out, index)) return 'ignored';
    if (isNamed(dialect.numeric, index)) return 'number';
    const shapes = judged.map((row) => {
      const cell = row[index] ?? '';
      if (Object.hasOwn(layout.states, cell)) return 'number';
      return layout.absent.includes(cell) ? 'empty' : shapeOfCell(cell, layout.decimal);
    });
    const said = judged.map((row) => row[index] ?? '').filter((cell) => cell !== '');
    if (areBinaryWords(said) || areHexWords(said, layout.decimal)) return 'text';
    // Between blanks a number among words is a part of such a text as `Step 2`, where nothing says that it is one of its own.
    const numbers = shapes.filter((shape) => shape === 'number').length;
    const words = judged.filter((row, at) => shapes[at] === 'text' && !isStateWord(row[index] ?? '')).length;
    const mayBeParts = layout.delimiter === 'whitespace' && (layout.columns[index]?.unit ?? '') === '';
    if (mayBeParts && words > numbers) return 'text';
    if (shapes.includes('number')) return 'number';
    return shapes.some((shape) => shape !== 'empty' && shape !== 'token') ? 'text' : 'open';
  });
}

/** A start in the hour that comes twice, where that is settled to be the second one. */
export function startIn(
  { isLaterHour }: Pick<Layout, 'isLaterHour'>,
  start: FoundStart | null,
  zone: string,
): FoundStart | null {
  if (start === null || isLaterHour !== true) return start;
  return { ...start, instantMs: new ZoneClock(zone).toInstant(start.localMs, Number.POSITIVE_INFINITY) };
}

/** Where relative times, or times of day, begin: the instant, or the day as if it were UTC. */
export function startOfDay(
  start: { readonly localMs: number; readonly instantMs: number } | null,
  format: string,
): Pick<Layout, 'startMs' | 'dayMs'> {
  if (start === null) return { startMs: null, dayMs: null };
  if (isRelative(format)) return { startMs: start.instantMs, dayMs: null };
  return { startMs: null, dayMs: Math.floor(start.localMs / DAY_MS) * DAY_MS };
}
