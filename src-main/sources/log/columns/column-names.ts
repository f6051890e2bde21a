// Header cells to channel names: unit split off, unique, 1 to 255 characters.
import { CHANNEL_NAME_MAX } from '../../../model/channel.ts';
import { isDenominator, isUnit } from '../cells/unit-grammar.ts';
import type { LayoutColumn } from '../parse/layout.ts';

/** What stands between a name and its unit, and what may stand behind it. */
const FORMS = [
  /^(.*\S)\s*\[([^[\]]+)\]$/,
  /^(.*\S)\s*\((.+)\)$/,
  /^(.*\S),\s*(\S.*)$/,
  /^(.*\S)\s+in\s+(\S.*)$/,
] as const;

/** A power or a multiple that the numbers were multiplied by: `P*1e9`, `P x 1000`, `P e-6`, `P 10^-6`. */
const FACTOR = /(?:[*×·]\s*|\sx\s*)\d\S*$|\s(?:\d+(?:[.,]\d+)?e[-+−]?\d+|e[-+−]\d+)$|10\s?\^\s?\(?[-+−]?\d+\)?$/i;

/** `Temp, °C (LGR S/N: 9876)` with the unit last. */
function unitLast(header: string): string {
  const [, name, unit, remark] = /^(.*\S),\s*(\S{1,12})\s+(\(.*\))$/.exec(header) ?? [];
  return unit !== undefined && isUnit(unit) ? `${name} ${remark}, ${unit}` : header;
}

/** A unit is taken from a header only as a whole: what does not parse stays in the name, and so does what has a factor. */
function splitUnit(written: string): { name: string; unit: string } {
  const header = unitLast(written);
  for (const form of FORMS) {
    const [, name, unit] = form.exec(header) ?? [];
    if (name === undefined || unit === undefined || !isUnit(unit)) continue;
    return FACTOR.test(name) ? { name: header, unit: '' } : { name, unit: unit.trim() };
  }
  // `Druck/mbar`, `Rate/A/s`; but `Rate A/s` is one unit, and the name before it ends with none.
  for (let bar = header.indexOf('/', 1); bar !== -1; bar = header.indexOf('/', bar + 1)) {
    const name = header.slice(0, bar).trimEnd();
    const unit = header.slice(bar + 1).trim();
    const isName = !isUnit(name.split(/[\s_]/).at(-1) as string) && name !== '';
    if (isName && isUnit(unit) && !isDenominator(unit) && !FACTOR.test(name)) return { name, unit };
  }
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

/** `Heater (A)` beside `Heater (B)` is no current. */
function splitAll(headers: readonly string[]): { name: string; unit: string }[] {
  // chamber/T beside chamber/P is a path, whatever T is.
  const roots = headers.map((header) => /^([^/\s]+)\/[^/]+$/.exec(header)?.[1] ?? '');
  const parts = headers.map(splitUnit);
  const paths = new Set(roots.filter((root, index) => root !== '' && parts[index]?.unit === ''));
  const split = parts.map((one, index) =>
    paths.has(roots[index] as string) ? { name: headers[index] as string, unit: '' } : one,
  );
  const labelled = new Set(
    headers.flatMap((header, index) =>
      split[index]?.unit === '' ? [/^(.*\S)\s*[[(][^[\]()]{1,3}[\])]$/.exec(header)?.[1] ?? ''] : [],
    ),
  );
  return split.map((one, index) =>
    one.name !== '' && one.unit.length === 1 && labelled.has(one.name)
      ? { name: headers[index] as string, unit: '' }
      : one,
  );
}

/**
 * Name the columns of a file.
 *
 * @param headers - header cells (quotes and blanks trimmed; empty: no name).
 * @returns for each column its header, name and unit. A column without a header is `column 7` (counted from 1); a name that was
 *   there already gets ` (2)`, ` (3)`. Where two columns differ only in their unit, both keep it in the name.
 */
export function nameColumns(headers: readonly string[]): LayoutColumn[] {
  const clean = headers.map((header) => header.replace(/\s+/g, ' ').trim());
  const split = splitAll(clean);
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
