// From lines that a board says to a profile that reads them. Each number of a line is a channel, named by the word before
// it; everything else of the line is text that stays. Names, quantities and units are proposed, and a person corrects them.
//
// Bounds: 5 kinds of lines, 50 numbers of each.
import { Instrument, type InstrumentInput } from '../../../model/instrument.ts';
import { compileProfile, type Driver } from '../profile/compile-profile.ts';

const RULES_MAX = 5;
const NUMBERS_MAX = 50;
/** A number that is no part of a word (`P1`), with a decimal comma where it is no list of numbers. */
const NUMBER = /(?<![\w.+-])[-+]?(?:(?<!,)\d+,\d+(?![\d.]|,\d)|\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|(?<![a-z])nan/g;
const UNIT = /^\s*(°?[A-Za-zµÅΩ%]+(?:\/[a-z]+)?)/;

/** Units as boards write them, with how they are written here and what they measure. */
const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  C: ['°C', 'temperature'],
  '°C': ['°C', 'temperature'],
  K: ['K', 'temperature'],
  mbar: ['mbar', 'pressure'],
  hPa: ['hPa', 'pressure'],
  Pa: ['Pa', 'pressure'],
  Torr: ['Torr', 'pressure'],
  V: ['V', 'voltage'],
  mV: ['mV', 'voltage'],
  A: ['A', 'current'],
  mA: ['mA', 'current'],
  W: ['W', 'power'],
  Hz: ['Hz', 'frequency'],
  sccm: ['sccm', 'flow'],
  '%': ['%', 'ratio'],
};

/** A line as it came, and when. */
export interface SaidLine {
  readonly text: string;
  readonly atMs: number;
}

interface Part {
  /** Text before the number. */
  readonly before: string;
  readonly number: string;
  readonly after: string;
}

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(NUMBER)) {
    const end = match.index + match[0].length;
    parts.push({ before: text.slice(from, match.index), number: match[0], after: text.slice(end) });
    from = end;
  }
  return parts.slice(0, NUMBERS_MAX);
}

/** What of a line is the same in all lines of its kind. */
const shapeOf = (text: string) => text.replace(NUMBER, '#').replace(/\s+/g, ' ');

/** Text as a pattern: blanks may be more or fewer, and a date goes on. */
const escapeText = (text: string) =>
  text
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(/\s+/g, ' *')
    .replace(/([-/])\d+/g, '$1\\d+');

function ruleOf(id: string, lines: readonly SaidLine[], names: Set<string>) {
  const [{ text }] = lines as readonly [SaidLine];
  const parts = partsOf(text);
  const hasComma = lines.some((line) => partsOf(line.text).some(({ number }) => number.includes(',')));
  const group = hasComma ? '[-+0-9.,eE]+' : '[-+0-9.eE]+';
  const pattern = parts.map(({ before }, at) => `${escapeText(before)}(?P<v${at + 1}>${group})`).join('');
  const channels = parts.map(({ before, after }, at) => {
    const word = /([A-Za-z]\w*)\s*[=:]?\s*$/.exec(before)?.[1] ?? '';
    const isUnit = UNITS[word] !== undefined && at > 0;
    const [unit, quantity] = UNITS[UNIT.exec(after)?.[1] ?? ''] ?? ['', ''];
    return {
      name: nameOnce(isUnit || word === '' ? `value ${at + 1}` : word, names),
      field: `v${at + 1}`,
      quantity,
      unit,
    };
  });
  const stepsMs = lines.slice(1).map(({ atMs }, at) => atMs - (lines[at] as SaidLine).atMs);
  const expectedMs = Math.max(10, Math.round(stepsMs.sort((a, b) => a - b)[Math.floor(stepsMs.length / 2)] ?? 1000));
  return { id, expected_ms: expectedMs, reply: { pattern: pattern + escapeText(parts.at(-1)?.after ?? '') }, channels };
}

function nameOnce(wanted: string, names: Set<string>): string {
  let name = wanted;
  for (let count = 2; names.has(name); count++) name = `${wanted} ${count}`;
  names.add(name);
  return name;
}

/**
 * Write the profile of a board from what it says.
 *
 * @param lines - whole lines, in order.
 * @param baud - at which they came; null: no serial port of this PC.
 * @returns the profile, and what runs it; null where no kind of line came twice with a number in it.
 */
export function writeTalkProfile(
  lines: readonly SaidLine[],
  baud: number | null,
): { readonly profile: InstrumentInput; readonly driver: Driver } | null {
  const kinds = new Map<string, SaidLine[]>();
  for (const line of lines) {
    if (partsOf(line.text).length === 0) continue;
    const shape = shapeOf(line.text);
    kinds.set(shape, [...(kinds.get(shape) ?? []), line]);
  }
  const names = new Set<string>();
  const common = [...kinds.values()].filter((kind) => kind.length > 1).slice(0, RULES_MAX);
  if (common.length === 0) return null;
  const profile = {
    ...{ name: 'board', title: 'Board that talks', family: 'line-ascii' },
    protocol: { commands: 'getters', send_end: 'lf', reply_end: 'any', talks: true, neutral: 'none' },
    // Opening the port restarts most boards, which takes some seconds.
    ...(baud === null ? {} : { line: { baud, hang_up: false }, timing: { settle_ms: 2500 }, resets_on_open: true }),
    unsolicited: common.map((kind, at) => ruleOf(at === 0 ? 'line' : `line-${at + 1}`, kind, names)),
  };
  return { profile, driver: compileProfile(Instrument.parse(profile)) };
}
