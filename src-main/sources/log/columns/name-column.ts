// Tables with a row a channel: which column says the channel, by its name or its number.
import type { Dialect } from '../../../model/dialect.ts';
import { isStateWord, TOKEN } from '../cells/cell-shape.ts';
import { isUnit, unitIn } from '../cells/unit-grammar.ts';
import type { ColumnKind, Layout } from '../parse/layout.ts';
import { isOddNumber } from './odd-numbers.ts';
import { findSeriesColumns } from './series-columns.ts';

type Rows = readonly (readonly string[])[];

/** Headers of the column that holds the values of all channels. */
const VALUE = /^(?:\S*[\s_-])?(value|wert|messwert|reading|val|data|varvalue|valeur|valor)$/i;
/** Words for one of several channels. */
const CHANNEL = 'tag|pv|var|variable|signal|channel|kanal|sensor';
/** Headers of a column that says which channel a row belongs to. */
const NAMES = new RegExp(
  `^(?:\\S*[\\s_-])?(?:${CHANNEL}|parameter|point|item|measurement|metric|series|field|quantity)(?:[\\s_-]?(?:name|id))?$|^(?:var|tag|point|signal|channel)?name$`,
  'i',
);
/** Of several such columns this one names the quantity, where the other names what was measured. */
const FIELD = /^_?field$/i;
/** What calls a column a number. */
const NUMBER = '[\\s_-]?(?:index|idx|no|nr|num|number|id)?\\.?$';
/** Headers of a column that numbers the channels. */
const NUMBERS_CHANNELS = new RegExp(`^(?:\\S*[\\s_-])?(?:${CHANNEL}|ch|gauge|probe|detector)${NUMBER}`, 'i');
/** Headers of one that may: a number alone, or that of a point or a sample, may count the lines of one stamp. */
const NUMBERS = new RegExp(`^(?:\\S*[\\s_-])?(?:${CHANNEL}|ch|gauge|probe|detector|point|item)?${NUMBER}`, 'i');

/** True for the header of a column that holds the values of all channels. */
export function isValueHeader(header: string): boolean {
  return VALUE.test(header);
}

/**
 * The columns that together say which channel a line belongs to, where that is certain: with them each channel goes on in time, or
 * a header says so, or names take turns under one stamp, or names such as MBE:T1 stand before the stamp.
 *
 * @returns none where no column does.
 */
export function findNameColumns(layout: Layout, kinds: readonly ColumnKind[], data: Rows): number[] {
  if (!(kinds.includes('number') || kinds.includes('affixed'))) return [];
  const series = findSeriesColumns(layout, kinds, data);
  if (series.length > 0) return series;
  const column = findNameColumn(layout, kinds, data);
  return column === -1 ? [] : [column];
}

function findNameColumn(layout: Layout, kinds: readonly ColumnKind[], data: Rows): number {
  // Tag and value side by side: also while only one channel is written.
  const headers = layout.columns.map(({ header }) => header);
  const tags = kinds.flatMap((kind, index) => (kind === 'text' && NAMES.test(headers[index] ?? '') ? [index] : []));
  const [tag = -1] = tags.toSorted(
    (a, b) => Number(FIELD.test(headers[b] ?? '')) - Number(FIELD.test(headers[a] ?? '')),
  );
  if (tag !== -1 && headers.some(isValueHeader) && data.every((row) => (row[tag] ?? '') !== '')) return tag;
  if (data.length < 4) return -1;
  const named = kinds.findIndex((kind, index) => kind === 'text' && isNaming(layout, index, data, true));
  if (named !== -1) return named;
  const isCertain = (index: number) => NUMBERS_CHANNELS.test(headers[index] ?? '');
  const numbered = kinds.findIndex(
    (kind, index) => kind === 'number' && isCertain(index) && isNumbering(layout, index, data),
  );
  if (numbered !== -1 && headers.some(isValueHeader) && sharesStamps(layout, numbered, data)) return numbered;
  const isBefore = (index: number) => layout.timeColumns.every((column) => index < column);
  const isName = (cell: string) => /^\S*[:._\d]\S*$/.test(cell);
  return kinds.findIndex(
    (_, index) =>
      isBefore(index) && isNamelessPair(layout, kinds, index, data) && data.every((row) => isName(row[index] ?? '')),
  );
}

/**
 * A column that seems to say which channel a line belongs to.
 *
 * @returns -1: none.
 */
export function findPossibleNames(layout: Layout, kinds: readonly ColumnKind[], data: Rows): number {
  if (!kinds.includes('number') || data.length < 4) return -1;
  const [series] = findSeriesColumns(layout, kinds, data);
  if (series !== undefined) return series;
  return kinds.findIndex(
    (kind, index) =>
      (kind === 'text' && (isNaming(layout, index, data, false) || isNamelessPair(layout, kinds, index, data))) ||
      (kind === 'number' && isNumbering(layout, index, data) && sharesStamps(layout, index, data)),
  );
}

/** One text and one number behind each stamp, no header, and texts that come back after others: it can be either. */
function isNamelessPair(layout: Layout, kinds: readonly ColumnKind[], column: number, data: Rows): boolean {
  const cellsOf = (index: number) => data.map((row) => row[index] ?? '');
  // Units, and a word that is always the same, tell nothing apart.
  const isTelling = (index: number) => !cellsOf(index).every((cell, _, all) => cell === all[0] || isUnit(cell));
  const texts = kinds.filter((kind, index) => kind === 'text' && isTelling(index)).length;
  const numbers = kinds.filter((kind) => kind === 'number').length;
  if (layout.headerText !== '' || texts !== 1 || numbers !== 1 || !isTelling(column)) return false;
  const names = cellsOf(column);
  if (names.includes('') || names.every((name) => isStateWord(name))) return false;
  return names.some((name, index) => index > 1 && name !== names[index - 1] && names.indexOf(name) < index);
}

/** Names take turns: for certain under one stamp, perhaps also line by line, as where two devices write in turn. */
function isNaming({ columns, timeColumns }: Layout, column: number, data: Rows, isCertain: boolean): boolean {
  const names = data.map((row) => row[column] ?? '');
  const count = new Map<string, number>();
  for (const name of names) count.set(name, (count.get(name) ?? 0) + 1);
  const isState = [...count.keys()].every((name) => isStateWord(name) || name === columns[column]?.header);
  // Values with their units, or in a form that is not read, are no names, however few there are.
  if (names.every((name) => isUnit(unitIn(name)) || isOddNumber(name) || TOKEN.test(name))) return false;
  const isFew = !isState && count.size >= 2 && !names.includes('') && count.size * 2 <= data.length;
  if (!isFew) return false;
  // Names take turns; a state stays for a while.
  const turns = names.filter((name, index) => index > 0 && name !== names[index - 1]).length;
  if (NAMES.test(columns[column]?.header ?? '')) return turns > 0;
  const stamps = data.map((row) => timeColumns.map((index) => row[index] ?? '').join(' '));
  const shared = stamps.filter((stamp, index) => index > 0 && stamp === stamps[index - 1]);
  const isTurning = turns >= (names.length - 1) * 0.5;
  // Remarks come once; devices that write in turn all come back.
  const isReturning = (name: string) =>
    names.some((one, at) => one === name && at > names.indexOf(name) && names[at - 1] !== name);
  const isName = (name: string) => /\p{L}/u.test(name) && !/^0x/i.test(name) && isReturning(name);
  if (!isCertain && isTurning && [...count.keys()].every(isName)) return true;
  return isTurning && shared.length >= (stamps.length - 1) * 0.3;
}

/** A few whole numbers that take turns, under a header that says that they number channels. */
function isNumbering({ columns }: Layout, column: number, data: Rows): boolean {
  const header = columns[column]?.header ?? '';
  const cells = data.map((row) => row[column] ?? '');
  const count = new Set(cells).size;
  if (header === '' || !NUMBERS.test(header) || !cells.every((cell) => /^\d{1,6}$/.test(cell))) return false;
  const turns = cells.filter((cell, index) => index > 0 && cell !== cells[index - 1]).length;
  return count >= 2 && count * 2 <= cells.length && turns >= (cells.length - 1) * 0.5;
}

/** Rows of one stamp are of different channels, and many share one. */
function sharesStamps({ timeColumns }: Layout, column: number, data: Rows): boolean {
  const stamps = data.map((row) => timeColumns.map((index) => row[index] ?? '').join(' '));
  const shared = stamps.filter((stamp, index) => index > 0 && stamp === stamps[index - 1]).length;
  const own = new Set(stamps.map((stamp, index) => `${stamp} ${data[index]?.[column]}`));
  return shared >= (stamps.length - 1) * 0.3 && own.size === stamps.length;
}

/** A person has named the column, by its number, its header or its channel. */
export function isNamedIn(list: Dialect['numeric'], { columns }: Pick<Layout, 'columns'>, index: number): boolean {
  return list.some((one) => one === index + 1 || one === columns[index]?.header || one === columns[index]?.name);
}
