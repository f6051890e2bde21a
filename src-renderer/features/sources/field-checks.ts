/** Letters that have a plain spelling; other marks above letters fall away. */
const SPELLED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ß: 'ss' };

/**
 * Make the name of a source from what a person types: `RHEED Kamera` becomes `RHEED-Kamera`.
 *
 * @returns letters, digits, dot, hyphen and underscore, at most 64; empty when nothing is left.
 */
export function toSourceId(typed: string): string {
  const trimmed = typed.trim();
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(trimmed)) return trimmed;
  return trimmed
    .replace(/[äöüÄÖÜß]/g, (letter) => SPELLED[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, 64);
}

/** Why a name cannot be one of a source; undefined: it can. */
export function findIdFault(typed: string): string | undefined {
  return toSourceId(typed) === '' ? 'Give the source a name.' : undefined;
}

/** Why a baud rate cannot be one; undefined: it can, or the field is empty. */
export function findBaudFault(baud: string): string | undefined {
  if (/^(|[1-9]\d{1,6})$/.test(baud.trim())) return undefined;
  return 'Give a number such as 9600, or nothing.';
}
