// Lines that name their own values: `T=600.2 P=1.3e-8`, an object of JSON, or one row a channel with its name in a cell. They
// have no columns of their own, so they get some: one for each name. The names stand in place of the separator in the
// layout, so that a line is cut the same way for ever; a name that is not among them stops the reading at its line.

import { NOT_GOOD } from './cell-shape.ts';
import { splitLead } from './led-lines.ts';
import { isGoodQuality, type QualityCode } from './quality-words.ts';
import { splitPlain } from './split-plain.ts';

/** How such lines are cut. */
export type Keyed =
  | { readonly form: 'json'; readonly keys: readonly string[] }
  | { readonly form: 'pairs'; readonly keys: readonly string[] }
  | KeyedRows
  | KeyedCells;

/** Name and value in cells side by side: `2026-08-23,14:47:10,T_sub,600.2,p,1.3e-8`. */
interface KeyedCells {
  readonly form: 'cells';
  readonly keys: readonly string[];
  readonly delimiter: string;
  /** Columns (from 0) of the time, and the one of the first name. */
  readonly time: readonly number[];
  readonly first: number;
}

/** One row a channel, with its name in a cell. */
export interface KeyedRows {
  readonly form: 'rows';
  readonly keys: readonly string[];
  /** Units by key; a line with another one is not cut. */
  readonly units: Readonly<Record<string, string>>;
  readonly delimiter: string;
  /** Columns (from 0) of the line: of its time, of the name or its parts, of the value, of the unit (-1: none). */
  readonly time: readonly number[];
  readonly name: number | readonly number[];
  readonly value: number;
  readonly unit: number;
  /** Cells that say how good the value is; absent: none. */
  readonly qualities?: readonly {
    readonly column: number;
    readonly code: QualityCode;
    readonly good?: readonly string[] | undefined;
  }[];
}

/** No separator that a person can write begins so. */
const MARK = '\u0000keyed:';
/** Name of what stands in front of the first pair, and of the time of a row. */
export const LEAD = 'time';
/** Stands behind the cells of a line that holds more than the layout knows. */
const MORE = '?';

const known = new Map<string, Keyed>();

export function isKeyed(delimiter: string): boolean {
  return delimiter.startsWith(MARK);
}

/** What stands for the separator in the layout of such lines. */
export function packKeyed(keyed: Keyed): string {
  return MARK + JSON.stringify(keyed);
}

/** Read what `packKeyed` wrote. */
export function unpackKeyed(delimiter: string): Keyed {
  const found = known.get(delimiter);
  if (found !== undefined) return found;
  if (known.size >= 100) known.clear();
  const keyed = JSON.parse(delimiter.slice(MARK.length)) as Keyed;
  known.set(delimiter, keyed);
  return keyed;
}

/**
 * Cut a line by its names.
 *
 * @returns a cell for each known name, empty where the line does not name it; one cell more where it names something else or
 *   has another unit; none when it is no such line.
 */
export function splitKeyed(line: string, delimiter: string): string[] {
  const keyed = unpackKeyed(delimiter);
  const values = valuesOf(line, keyed);
  if (values === null) return [];
  const cells = keyed.keys.map((key) => values.get(key) ?? '');
  return newKeys(line, delimiter).length > 0 || hasOtherUnit(line, keyed) ? [...cells, MORE] : cells;
}

/** Names of a line that are not known yet; words that are told only now and then, such as a remark, are none. */
export function newKeys(line: string, delimiter: string): string[] {
  const keyed = unpackKeyed(delimiter);
  const names = new Set(keyed.keys);
  const isNumber = (text: string) => /^[+-]?[\d.,]+(?:e[+-]?\d+)?\s*\S{0,6}$/i.test(text);
  return [...(valuesOf(line, keyed) ?? [])].flatMap(([key, value]) =>
    names.has(key) || (keyed.form !== 'rows' && !isNumber(value)) ? [] : [key],
  );
}

/** The values of a line by name; null when it is no such line. */
export function valuesOf(line: string, keyed: Keyed): ReadonlyMap<string, string> | null {
  if (keyed.form === 'json') return readObject(line);
  if (keyed.form === 'pairs') return readPairs(line);
  if (keyed.form === 'cells') return readCells(line, keyed);
  const cells = splitPlain(line, keyed.delimiter);
  const key = keyOf(cells, keyed);
  if (key === '' || cells.length <= Math.max(keyed.value, ...keyed.time)) return null;
  return new Map([
    [LEAD, keyed.time.map((column) => cells[column] ?? '').join(' ')],
    [key === LEAD ? `${key} ` : key, judgedValue(cells, keyed)],
  ]);
}

/** A name that stands twice in a line, or without a value, makes it no such line. */
function readCells(line: string, { delimiter, time, first }: KeyedCells): ReadonlyMap<string, string> | null {
  const cells = splitPlain(line, delimiter);
  if (cells.length < first + 2 || (cells.length - first) % 2 !== 0) return null;
  const values = new Map([[LEAD, time.map((column) => cells[column] ?? '').join(' ')]]);
  for (let at = first; at < cells.length; at += 2) {
    const name = cells[at] ?? '';
    if (name === '' || values.has(name)) return null;
    values.set(name, cells[at + 1] ?? '');
  }
  return values;
}

/** The name of the channel of a row; empty where a part of it is. */
export function keyOf(cells: readonly string[], { name }: Pick<KeyedRows, 'name'>): string {
  const parts = (typeof name === 'number' ? [name] : name).map((column) => cells[column] ?? '');
  return parts.includes('') ? '' : parts.join(' ');
}

/** The value of a row; one that the row itself calls bad becomes a word that is no number. */
function judgedValue(cells: readonly string[], { value, qualities = [] }: KeyedRows): string {
  const text = cells[value] ?? '';
  const bad = qualities.flatMap(({ column, code, good }) => {
    const said = cells[column] ?? '';
    return said === '' || (good?.includes(said) ?? isGoodQuality(said, code)) ? [] : [said];
  });
  return bad.length === 0 || text === '' ? text : `${text} ${NOT_GOOD}${bad.join(', ')})`;
}

/** The units that lines state for some names, the first of each. */
export function unitsOfKeys(
  keyed: KeyedRows,
  lines: readonly string[],
  names: readonly string[],
): Record<string, string> {
  const units: Record<string, string> = {};
  for (const line of keyed.unit === -1 ? [] : lines) {
    const cells = splitPlain(line, keyed.delimiter);
    const key = keyOf(cells, keyed);
    if (names.includes(key)) units[key] ??= cells[keyed.unit] ?? '';
  }
  return units;
}

function hasOtherUnit(line: string, keyed: Keyed): boolean {
  if (keyed.form !== 'rows' || keyed.unit === -1) return false;
  const cells = splitPlain(line, keyed.delimiter);
  const key = keyOf(cells, keyed);
  return Object.hasOwn(keyed.units, key) && keyed.units[key] !== (cells[keyed.unit] ?? '');
}

const PAIR = /(?<=^|[\s,;|{[(\]])([\p{L}_][\p{L}\p{N}_.:/%-]*)[ \t]*=[ \t]*/gu;

/** `time=... T=600.2`: a value reaches to the next name. What stands in front of the first is the time, and who speaks. */
function readPairs(line: string): ReadonlyMap<string, string> | null {
  const found = [...line.matchAll(PAIR)];
  const [first] = found;
  if (first === undefined) return null;
  const clean = (text: string) => text.replace(/^[\s,;|]+|[\s,;|]+$/g, '').replace(/^"(.*)"$/, '$1');
  const values = new Map<string, string>();
  const lead = clean(line.slice(0, first.index));
  const led = lead === '' ? null : splitLead(lead);
  if (lead !== '') values.set(LEAD, led?.stamp ?? lead);
  // Who speaks belongs to the name: two devices may each tell a temp.
  const source = led === null || led.source === '' ? '' : `${led.source} `;
  for (const [index, match] of found.entries()) {
    const value = line.slice(match.index + match[0].length, found[index + 1]?.index ?? line.length);
    const name = source + (match[1] as string);
    const before = values.get(name);
    const own = clean(value);
    if (before === undefined) values.set(name, own);
    else if (before !== own && name !== LEAD) values.set(name, `${before} ${NOT_GOOD}named again with ${own})`);
  }
  return values;
}

/** An object of JSON; what is nested is named by its path: `chamber.p`, `temps.0`, and `temps.T1` where the list says so. */
function readObject(line: string): ReadonlyMap<string, string> | null {
  const text = line.trim().replace(/,$/, '');
  if (!text.startsWith('{')) return null;
  try {
    const values = new Map<string, string>();
    const names = addObject(JSON.parse(keepDigits(text)) as object, '', values);
    if ((text.match(/"\s*:/g)?.length ?? 0) > names) for (const path of namedTwice(text)) markTwice(path, values);
    return values;
  } catch {
    // No whole object: the line is refused with its text.
    return null;
  }
}

/** Numbers that JSON does not hold, for their digits or their size, and words for none become texts, which are judged as they stand. */
function keepDigits(text: string): string {
  if (!/\d{16}|[eE][+-]?\d{3}|NaN|Infinity/.test(text)) return text;
  return text.replace(
    /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?(?:\d{16,}(?![\d.eE])|\d+(?:\.\d+)?[eE][+-]?\d{3,}|NaN\b|Infinity\b)/g,
    (part) => (part.startsWith('"') ? part : `"${part}"`),
  );
}

/** Paths of the names that an object, or one within it, holds more than once. */
function namedTwice(text: string): ReadonlySet<string> {
  const twice = new Set<string>();
  const open: { path: string; key: string; at: number; names: Set<string> }[] = [];
  for (const [token, key] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\],]/g)) {
    const own = open.at(-1);
    if (token === '{' || token === '[') {
      const path = own === undefined ? '' : `${own.path}${own.key}.`;
      open.push({ path, key: token === '[' ? '0' : '', at: token === '[' ? 0 : -1, names: new Set() });
    } else if (token === '}' || token === ']') open.pop();
    else if (own === undefined) continue;
    else if (token === ',') {
      if (own.at !== -1) own.key = String(++own.at);
    } else if (key !== undefined) {
      own.key = JSON.parse(token.slice(0, -key.length)) as string;
      if (own.names.has(own.key)) twice.add(own.path + own.key);
      own.names.add(own.key);
    }
  }
  return twice;
}

/** No value counts that a line names twice, nor what is in an object of that name, nor the list in which it stands. */
function markTwice(path: string, values: Map<string, string>): void {
  const [whole = path] = path.split(/\.\d+(?:\.|$)/);
  for (const [name, value] of values)
    if (name === whole || name.startsWith(`${whole}.`)) values.set(name, `${value} ${NOT_GOOD}named twice)`);
}

/** Values that a list may have; one of more is a curve, and no channels. */
const LIST_MAX = 64;

/** What names a member of a list, the first of these that it has. */
const MEMBER_NAMES = ['id', 'name', 'channel', 'tag', 'sensor', 'signal', 'label', 'key'];

/** The names of the members of a list, where each has one and no two the same: their order may change from line to line. */
function membersOf(list: readonly unknown[]): readonly string[] | null {
  const names = list.map((member) => {
    if (member === null || typeof member !== 'object' || Array.isArray(member)) return '';
    const own = new Map(Object.entries(member).map(([key, value]) => [key.toLowerCase(), value as unknown]));
    const key = MEMBER_NAMES.find((one) => typeof own.get(one) === 'string');
    return key === undefined ? '' : (own.get(key) as string).trim();
  });
  return names.includes('') || new Set(names).size < names.length ? null : names;
}

/** Add what an object or a list holds; returns how many names are written in it. */
function addObject(object: object, path: string, values: Map<string, string>): number {
  const members = Array.isArray(object) ? membersOf(object) : null;
  const entries = Object.entries(object);
  let names = Array.isArray(object) ? 0 : entries.length;
  for (const [at, [key, value]] of entries.entries()) {
    const name = path + (members?.[at] ?? key);
    if (values.has(name)) markTwice(name, values);
    else if (Array.isArray(value) && value.length > LIST_MAX) values.set(name, '(a long list)');
    else if (value !== null && typeof value === 'object') names += addObject(value as object, `${name}.`, values);
    else values.set(name, value === null ? '' : String(value).replace(/\s+/g, ' ').trim());
  }
  return names;
}
