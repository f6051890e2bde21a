// Finds files whose lines name their own values.

import { isStateWord } from '../cells/cell-shape.ts';
import { type Keyed, keyOf, LEAD, valuesOf } from '../cells/keyed-lines.ts';
import { isWholeStamp } from '../cells/led-lines.ts';
import { isUnit } from '../cells/unit-grammar.ts';
import { isValueHeader } from '../columns/name-column.ts';
import { TIME_HEADER } from '../columns/time-candidate.ts';
import type { ColumnKind, Layout } from '../parse/layout.ts';
import { parseDecimalText } from '../time/decimal.ts';
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
  return null;
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
  const unit = headers.findIndex((header, index) => UNIT.test(header) && kinds[index] === 'text');
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

/** Pairs of name and value that a row has at least: one alone may be a remark and a number. */
const PAIRS_MIN = 2;
/** A name that no state is called by: with a number, or a mark between its parts. */
const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}]*[\p{N}_.:/-][\p{L}\p{N}_.:/-]*$/u;

/**
 * Tell whether the cells behind the time are name, value, name, value, in any order of the names.
 *
 * @param data - rows.
 * @returns how they are cut; null where a header names the columns, or the words change and may be states.
 */
export function keyedCells(cut: Cut, layout: Layout, kinds: readonly ColumnKind[], data: Cut['rows']): Keyed | null {
  const first = Math.max(...cut.time.columns) + 1;
  const pairs = (cut.width - first) / 2;
  const isAlternating = kinds.slice(first).every((kind, index) => kind === (index % 2 === 0 ? 'text' : 'number'));
  if (layout.headerText !== '' || !isAlternating || !Number.isInteger(pairs) || pairs < PAIRS_MIN) return null;
  const rows = data.map((row) => new Set(row.slice(first).filter((_, index) => index % 2 === 0)));
  const names = [...new Set(rows.flatMap((own) => [...own]))];
  const areNames = names.every((name) => /\p{L}/u.test(name) && !isStateWord(name)) && !names.every(isUnit);
  const isWhole = rows.every((own) => own.size === pairs);
  const areCertain = names.length === pairs || names.every((name) => PLAIN_NAME.test(name));
  if (!isWhole || !areNames || !areCertain || names.includes(LEAD)) return null;
  return { form: 'cells', keys: [LEAD, ...names], delimiter: cut.delimiter, time: cut.time.columns, first };
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
