// Parts of a second: in a column behind the time whose stamps leave them out (milliseconds, microseconds, a fraction), and
// behind the mark of a stamp, where some programs write 5 for five milliseconds.

/** Digits of a whole number of the unit that a header names. */
const UNITS = [
  { digits: 1, name: /^(?:tenths?|zehntel|ds|1 ?\/ ?10 ?s(?:ec)?)$/iu },
  { digits: 2, name: /^(?:h(?:undredths?|und|sec)|hundertstel|c(?:enti)?s(?:ec)?(?:ond)?s?|1 ?\/ ?100 ?s(?:ec)?)$/iu },
  { digits: 3, name: /^(?:m(?:illi)?s(?:ec)?(?:ond)?s?|millis?|millisekunden|millitm|msek)$/iu },
  { digits: 6, name: /^(?:(?:u|µ|μ|micro)s(?:ec)?(?:ond)?s?|micros|mikrosekunden|[uµμ]sek)$/iu },
  { digits: 9, name: /^(?:n(?:ano)?s(?:ec)?(?:ond)?s?|nanos|nanosekunden|nsek)$/iu },
] as const;
const FRACTION =
  /^(?:frac(?:tion(?:al|s)?)?(?: ?(?:of )?(?:a )?sec(?:ond)?s?)?|sub[ -]?sec(?:ond)?s?|z{2,}|f{2,}|bruchteil)$/iu;
/** Words that may stand beside these: Time (ms), Sec ms. Open (ms) is a channel. */
const BESIDE = /^(?:time|zeit|stamp|of|part|sec|)$/iu;

/** What a header may say of a part of a second. */
export interface SecondPart {
  /** Digits of its unit; 0: a fraction. */
  readonly digits: number;
  /** Us may be a voltage, Cs a metal, and Time (ms) the time since a start: only where the cells could be parts is it asked. */
  readonly isCertain: boolean;
}

/** What the header of a column says of a part of a second; null: nothing. */
export function secondPartOf(header: string): SecondPart | null {
  const [, before = '', unit = ''] = /^(.*?)[\s_]*[[(]\s*([^\])]*?)\s*[\])]$/u.exec(header) ?? [];
  const bare = before === '' || digitsOf(before) !== null ? unit || header : header;
  const word = bare.replace(/^(?:\s*tv_)?[^\p{L}\d]*|[^\p{L}\d]+$/gu, '').replaceAll('_', ' ');
  const digits = digitsOf(word);
  if (digits !== null) return { digits, isCertain: word.length !== 2 || word === word.toLowerCase() };
  const words = header.split(/[\s_()[\]]+/u).filter((one) => !BESIDE.test(one));
  const others = digitsOf(words.join(' '));
  return others === null ? null : { digits: others, isCertain: false };
}

function digitsOf(word: string): number | null {
  return UNITS.find(({ name }) => name.test(word))?.digits ?? (FRACTION.test(word) ? 0 : null);
}

/** Rises within seconds from which they are no chance, and falls that skip a second each. */
const [RISES_MIN, SKIPS_MIN] = [4, 2];

/**
 * Tell whether rows show that a column holds parts of their second: they reach far into it, and either rise as long as the
 * stamp is the same and begin again with another one, or make steps even that skip a second now and then without them.
 *
 * @param instants - of the stamps, which are of whole seconds, ms.
 * @param format - how the part is written, as `secondPartFormat` tells.
 */
export function showsSecondParts(instants: readonly number[], cells: readonly string[], format: string): boolean {
  const digits = format.startsWith('0') ? 0 : format.startsWith('I') ? format.length : (cells[0]?.length ?? 0);
  const parts = cells.map((cell) => Number(cell.replace(',', '.')) / 10 ** digits);
  if (!(Math.max(...parts) >= 0.4)) return false;
  const steps = parts.slice(1).map((part, at) => {
    const seconds = ((instants[at + 1] as number) - (instants[at] as number)) / 1000;
    return { by: part - (parts[at] as number), seconds };
  });
  const within = steps.filter(({ seconds }) => seconds === 0);
  const rises = within.filter(({ by }) => by > 0);
  const isAgain = steps.some(({ by, seconds }) => seconds !== 0 && by < 0);
  if (within.some(({ by }) => by < 0)) return false;
  if (rises.length >= RISES_MIN && isAgain) return true;
  const whole = steps.map(({ by, seconds }) => by + seconds);
  const skips = steps.filter(({ by }) => by < -0.5);
  return skips.length >= SKIPS_MIN && Math.max(...whole) - Math.min(...whole) <= 0.25;
}

/**
 * How parts of a second would be written in a column, as the end of a pattern of time.
 *
 * @param header - of the column; empty: it has none.
 * @param cells - those behind stamps of whole seconds.
 * @returns null: they cannot be read for certain.
 */
export function secondPartFormat(header: string, cells: readonly string[], mark: '.' | ','): string | null {
  const said = header === '' ? { digits: 0 } : secondPartOf(header);
  if (said === null || cells.length === 0) return null;
  const { digits } = said;
  // 5 behind 10:15:00 is no half second where the header says milliseconds, even if all others have three digits.
  if (digits >= 3)
    return cells.every((cell) => /^\d+$/.test(cell) && cell.length <= digits) ? 'I'.repeat(digits) : null;
  if (digits > 0) return null;
  const isFraction = (cell: string) => /^0(?:[.,]\d+)?$/.test(cell) && (cell === '0' || cell[1] === mark);
  if (header !== '' && cells.every(isFraction)) return `0${mark}SSS`;
  const length = cells[0]?.length ?? 0;
  const isFitting = header === '' ? length === 3 : length >= 3;
  return isFitting && cells.every((cell) => /^\d+$/.test(cell) && cell.length === length) ? 'SSS' : null;
}

/**
 * Tell whether stamps seem to count milliseconds, or smaller parts, behind their mark, and write no zeros before them:
 * 10:15:00.5 is five milliseconds then, and no half second.
 *
 * @param stamps - whole seconds of each stamp, milliseconds, and the digits behind its mark.
 * @returns how many digits the largest count has; null: they write a fraction, as most programs do.
 */
export function unpaddedDigits(stamps: readonly { readonly wholeMs: number; readonly part: string }[]): number | null {
  const parts = stamps.map(({ part }) => part).filter((part) => part !== '');
  const lengths = new Set(parts.map((part) => part.length));
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  const digits = Math.ceil(most / 3) * 3;
  // Zeros in front are no count's; and where they come in groups of three they are padded, or cut at their end.
  const isCounted = !parts.some((part) => /^0\d/.test(part)) && [...lengths].some((length) => length % 3 > 0);
  if (lengths.size < 2 || digits > 9 || !isCounted) return null;
  // Programs that leave zeros out at the end leave out all.
  if (parts.some((part) => part.length > least && part.endsWith('0'))) return digits;
  const rises = (msOf: (part: string) => number) =>
    stamps.every(({ wholeMs, part }, index) => {
      const before = stamps[index - 1];
      return before === undefined || wholeMs + msOf(part) >= before.wholeMs + msOf(before.part);
    });
  const isBack = !rises((part) => Number(`0.${part}0`) * 1000);
  return isBack && rises((part) => Number(part) / 10 ** (digits - 3)) ? digits : null;
}

/**
 * The digits of a part of a second, where all stamps have the same number of them and none begins with 0: whether they are
 * padded is not seen yet.
 */
export function partDigits(stamps: readonly string[]): { readonly partDigits?: number } {
  const parts = stamps.flatMap((text) => /:\d\d[.,](\d+)/.exec(text)?.[1] ?? []);
  const [first = ''] = parts;
  const isOpen = first.length > 1 && parts.every((part) => part.length === first.length && !part.startsWith('0'));
  return isOpen ? { partDigits: first.length } : {};
}

/** Places at which a stamp is that of the row before, where all are of whole minutes; milliseconds, NaN where there is none. */
export function sameMinutes(stamps: readonly number[]): number[] {
  const isWhole = stamps.every((ms) => Number.isNaN(ms) || ms % 60_000 === 0);
  return isWhole ? stamps.flatMap((ms, at) => (at > 0 && ms === stamps[at - 1] ? [at] : [])) : [];
}
