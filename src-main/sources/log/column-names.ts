// Header cells to channel names: unit split off, unique, 1 to 255 characters.
import { CHANNEL_NAME_MAX } from '../../model/channel.ts';
import type { LayoutColumn } from './layout.ts';
import { isUnit } from './unit-names.ts';

/** A range such as `[0,700]` or `[-1E+30, 1E+30]`, or a list of states, is no unit. */
const NO_UNIT = /^$|,|;|\d{2,}|^[\d.eE+-]+$/;

/** `Temp, °C (LGR S/N: 9876)` with the unit last. */
function unitLast(header: string): string {
  const [, name, unit, remark] = /^(.*\S),\s*(\S{1,12})\s+(\(.*\))$/.exec(header) ?? [];
  return unit !== undefined && isUnit(unit) ? `${name} ${remark}, ${unit}` : header;
}

function splitUnit(written: string): { name: string; unit: string } {
  const header = unitLast(written);
  const square = /^(.*\S)\s*\[([^[\]]{0,24})\]$/.exec(header);
  if (square && !NO_UNIT.test((square[2] as string).trim())) {
    return { name: square[1] as string, unit: (square[2] as string).trim() };
  }
  const round = /^(.*\S)\s*\(([^()]{1,12})\)$/.exec(header);
  if (round && isUnit(round[2] as string)) return { name: round[1] as string, unit: (round[2] as string).trim() };
  const slash = /^(.*\S)\s+\/\s*(\S{1,8})$/.exec(header);
  if (slash && isUnit(slash[2] as string)) return { name: slash[1] as string, unit: slash[2] as string };
  // `Druck/mbar`, `Temperature, °C`, `Strom in A`; but `Rate A/s` is one unit, and the name before it ends with none.
  const told = /^(.*[^\s,/])(?:\/|,\s*|\s+in\s+)([^\s,/]\S{0,7})$/.exec(header);
  const isName = told !== null && !isUnit((told[1] as string).split(/[\s_]/).at(-1) as string);
  if (isName && isUnit(told[2] as string)) return { name: told[1] as string, unit: told[2] as string };
  return { name: header, unit: '' };
}

/** A short mark of a text, so that two long names cut at the same place stay two. FNV-1a, 32 bits, 8 hex digits. */
function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** Shorten a name to what the service takes; a cut name ends with a mark of the whole. */
export function fitName(name: string, most = CHANNEL_NAME_MAX): string {
  return name.length <= most ? name : `${name.slice(0, most - 9)}~${markOf(name)}`;
}

/**
 * Name the columns of a file.
 *
 * **Takes**: header cells (quotes and blanks trimmed; empty: no name). **Gives**: for each column its header, name and
 * unit. A column without a header is `column 7` (counted from 1); a name that was there already gets ` (2)`, ` (3)`.
 * Where two columns differ only in their unit, both keep it in the name.
 */
export function nameColumns(headers: readonly string[]): LayoutColumn[] {
  const clean = headers.map((header) => header.replace(/\s+/g, ' ').trim());
  const split = clean.map(splitUnit);
  const count = new Map<string, number>();
  for (const { name } of split) count.set(name, (count.get(name) ?? 0) + 1);
  const taken = new Set<string>();
  return split.map(({ name, unit }, index) => {
    const header = clean[index] as string;
    const isShared = (count.get(name) ?? 0) > 1;
    const wanted = fitName(name === '' ? `column ${index + 1}` : isShared ? header : name, CHANNEL_NAME_MAX - 8);
    let unique = wanted;
    for (let n = 2; taken.has(unique); n++) unique = `${wanted} (${n})`;
    taken.add(unique);
    return { header, unit, name: unique };
  });
}
