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

/** Digits of the unit of a column that holds a part of a second; 0: a fraction of one; null: its header names neither. */
export function secondPartOf(header: string): number | null {
  const [, before = '', unit = ''] = /^(.*?)[\s_]*[[(]\s*([^\])]*?)\s*[\])]$/u.exec(header) ?? [];
  const isPart = before === '' || FRACTION.test(before) || UNITS.some(({ name }) => name.test(before));
  const bare = (isPart && unit !== '' ? unit : header).replace(/^(?:\s*tv_)?[^\p{L}\d]*|[^\p{L}\d]+$/gu, '');
  const plain = bare.replaceAll('_', ' ');
  const told = UNITS.find(({ name }) => name.test(plain))?.digits;
  return told ?? (FRACTION.test(plain) ? 0 : null);
}

/**
 * Tell whether the numbers of cells do not fall as long as the stamp is the same.
 *
 * @param isStrict - whether each must be above the one before it.
 */
export function risesInSeconds(stamps: readonly string[], cells: readonly string[], isStrict = false): boolean {
  const numbers = cells.map((cell) => Number(cell.replace(',', '.')));
  const isFall = (step: number) => step < 0 || (isStrict && step === 0);
  return stamps.every(
    (stamp, index) =>
      index === 0 || stamp !== stamps[index - 1] || !isFall((numbers[index] ?? 0) - (numbers[index - 1] ?? 0)),
  );
}

/**
 * How the part of a second is written, as the end of a pattern of time.
 *
 * @param stamps - stamps of whole seconds.
 * @param cells - the cells behind them, which do not fall as long as the stamp is the same.
 * @returns null: it cannot be read for certain.
 */
export function secondPartFormat(
  header: string,
  stamps: readonly string[],
  cells: readonly string[],
  mark: '.' | ',',
): string | null {
  const digits = secondPartOf(header);
  if (digits === null || cells.length === 0) return null;
  // 5 behind 10:15:00 is no half second where the header says milliseconds, even if all others have three digits.
  if (digits >= 3)
    return cells.every((cell) => /^\d+$/.test(cell) && cell.length <= digits) ? 'I'.repeat(digits) : null;
  // Of what else there is a fraction only the order in a second tells.
  if (digits > 0 || new Set(stamps).size === stamps.length || !risesInSeconds(stamps, cells, true)) return null;
  if (cells.every((cell) => /^0(?:[.,]\d+)?$/.test(cell) && (cell === '0' || cell[1] === mark))) return `0${mark}SSS`;
  const length = cells[0]?.length ?? 0;
  return length >= 3 && cells.every((cell) => /^\d+$/.test(cell) && cell.length === length) ? 'SSS' : null;
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
