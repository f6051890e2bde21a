// Finds files whose lines name their own values.

import { isStateWord, shapeOfCell, TOKEN } from '../cells/cell-shape.ts';
import { type Keyed, keyOf, LEAD, valuesOf } from '../cells/keyed-lines.ts';
import { isWholeStamp } from '../cells/led-lines.ts';
import { splitPlain } from '../cells/split-plain.ts';
import { isUnit } from '../cells/unit-grammar.ts';
import { isValueHeader } from '../columns/name-column.ts';
import { joinTimeCells } from '../columns/time-columns.ts';
import type { ColumnKind, Layout } from '../parse/layout.ts';
import { parseDecimalText } from '../time/decimal.ts';
import { listStampFormats } from '../time/stamp-shapes.ts';
import { TIME_HEADER } from '../time/time-names.ts';
import type { Cut, Line } from './cut.ts';

/** Names that a file may have. */
const KEYS_MAX = 5000;

/**
 * Tell whether nearly all lines are objects of JSON, or pairs behind a stamp or with one among them.
 *
 * @returns how they are cut, a name that is called after time first; null: they are not.
 */
export function findKeyed(lines: readonly Line[]): Keyed | null {
  const texts = lines.map(({ text }) => text).filter((text) => text.trim() !== '');
  for (const form of ['json', 'pairs'] as const) {
    const rows = texts.flatMap((text) => valuesOf(text, { form, keys: [] }) ?? []);
    if (rows.length < 2 || rows.length < texts.length * 0.9) continue;
    const isLed = rows.every((row) => !row.has(LEAD) || form === 'json' || isWholeStamp(row.get(LEAD) ?? ''));
    const keys = [...new Set(rows.flatMap((row) => [...row.keys()]))];
    const isPaired = form === 'json' || rows.every((row) => row.size > 1);
    if (!isLed || !isPaired || keys.length > KEYS_MAX) continue;
    const first = keys.find((key) => TIME_HEADER.test(key));
    return { form, keys: first === undefined ? keys : [first, ...keys.filter((key) => key !== first)] };
  }
  return findKeyedCells(texts);
}

/** Part of the lines that must be such rows. */
const SHARE_MIN = 0.9;
/** A name that no state is called by: with a number, or a mark between its parts. */
const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}]*[\p{N}_.:/-][\p{L}\p{N}_.:/-]*$/u;

/**
 * Tell whether the cells behind the time are name, value, name, value. No more names than one row has, or they change their
 * places, or be such as no state is called by: a column of states beside one of numbers looks alike.
 */
function findKeyedCells(texts: readonly string[]): Keyed | null {
  for (const delimiter of ['\t', ';', ',', '|']) {
    const cut = texts.map((text) => splitPlain(text, delimiter));
    for (const time of [[0], [0, 1]]) {
      const rows = cut.flatMap((cells) => namesOf(cells, time) ?? []);
      if (rows.length < 2 || rows.length < texts.length * SHARE_MIN) continue;
      const names = [...new Set(rows.flat())];
      const isSame = names.length === Math.max(...rows.map((row) => row.length));
      const isMoved = names.some(
        (name) => new Set(rows.map((row) => row.indexOf(name)).filter((at) => at !== -1)).size > 1,
      );
      const isPlain = names.every((name) => PLAIN_NAME.test(name));
      const isCertain = rows.some((row) => row.length > 1) && (isSame || isMoved || isPlain) && !names.every(isUnit);
      if (!isCertain || names.length > KEYS_MAX || names.length * 2 > rows.flat().length) continue;
      return { form: 'cells', keys: [LEAD, ...names], delimiter, time, first: time.length };
    }
  }
  return null;
}

/** The names of a row, each once and before a number; null where it is no such row. */
function namesOf(cells: readonly string[], time: readonly number[]): string[][] | null {
  const own = cells.slice(time.length);
  const isStamped = listStampFormats(joinTimeCells(cells, time))?.kind === 'stamp';
  if (!isStamped || own.length < 2 || own.length % 2 !== 0) return null;
  const names = own.filter((_, index) => index % 2 === 0);
  const isName = (cell: string) => /\p{L}/u.test(cell) && !isStateWord(cell) && shapeOfCell(cell, '.') === 'text';
  const isValue = (cell: string) => cell === '' || TOKEN.test(cell) || /^[+-]?[.,]?\d/.test(cell);
  const areValues = own.every((cell, index) => index % 2 === 0 || isValue(cell));
  const areNames = names.every(isName) && new Set(names).size === names.length && !names.includes(LEAD);
  return areNames && areValues ? [names] : null;
}

/** Headers of the column that holds the units of values. */
const UNIT =
  /^(?:\S*[\s_.-])?(units?|u|uom|einheit|einh|egu|eu|dim|unité|unità|unidad|unidade|eenheid|enhet|jednostka|単位|单位)$/i;

/** True for the header of a column that holds the units of values. */
export function isUnitHeader(header: string): boolean {
  return UNIT.test(header.replace(/[\s_]*\d+$/, ''));
}

/**
 * Cut a table with a row a channel into a column a channel. Takes the table, and the columns that together name the channel.
 *
 * @returns how it is cut; null when it is not certain which column holds the values, or a channel has several units.
 */
export function keyedRows(
  cut: Cut,
  { columns, qualities = [] }: Pick<Layout, 'columns' | 'qualities'>,
  kinds: readonly ColumnKind[],
  name: readonly number[],
): Keyed | null {
  const headers = columns.map(({ header }) => header);
  const numbers = kinds.flatMap((kind, index) => (kind === 'number' || kind === 'affixed' ? [index] : []));
  const called = headers.findIndex(isValueHeader);
  const value = called !== -1 ? called : numbers.length === 1 ? (numbers[0] as number) : -1;
  if (value === -1 || name.includes(value)) return null;
  // A column of nA alone is open: NA says as well that there is no value.
  const isWord = (index: number) => kinds[index] === 'text' || kinds[index] === 'open';
  const unit = headers.findIndex((header, index) => UNIT.test(header) && isWord(index));
  const needed = Math.max(value, ...name, ...cut.time.columns);
  const data = cut.rows.slice(cut.first).filter((row) => row.length > needed && keyOf(row, { name }) !== '');
  const names = [...new Set(data.map((row) => keyOf(row, { name })))];
  const units = unit === -1 ? {} : firstUnits(data.map((row) => [keyOf(row, { name }), row[unit] ?? '']));
  if (units === null) return null;
  const hasNumbers = data.some((row) => !Number.isNaN(parseDecimalText(row[value] ?? '', cut.decimal)));
  if (!hasNumbers || names.includes(LEAD) || names.length > KEYS_MAX) return null;
  const { delimiter, time } = cut;
  const rows = {
    form: 'rows',
    keys: [LEAD, ...names],
    units,
    delimiter,
    time: time.columns,
    name,
    value,
    unit,
  } as const;
  const judging = qualities.filter(({ of }) => of.includes(value));
  if (judging.length === 0) return rows;
  return { ...rows, qualities: judging.map(({ column, code, good }) => ({ column, code, good })) };
}

/**
 * The units that rows state for some names, the first of each: reading stops where a name states another one, and goes on with
 * that when a person has agreed.
 *
 * @returns null where a name goes to and fro between two, or states none of what a unit is.
 */
function firstUnits(rows: readonly (readonly [name: string, said: string])[]): Record<string, string> | null {
  const units = new Map<string, string[]>();
  for (const [name, said] of rows) {
    const seen = units.get(name) ?? [];
    if (seen.at(-1) === said) continue;
    if (seen.length > 0 && (seen.includes(said) || !isUnit(said))) return null;
    units.set(name, [...seen, said]);
  }
  return Object.fromEntries([...units].map(([name, [first = '']]) => [name, first]));
}
