/** Milliseconds of each unit a duration may be written in. */
const UNITS = { ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Text understood, or why not and what to write instead. */
export type Parsed<T> =
  | { readonly isValid: true; readonly value: T }
  | { readonly isValid: false; readonly message: string; readonly hint: string };

/**
 * Parse a duration such as `250ms`, `1s`, `15min`, `2h` or `1.5 h`.
 *
 * @param text - text with its unit; a number alone is refused, since its unit would be a guess.
 * @returns whole milliseconds >= 0, or what is wrong with the text and how to write it.
 */
export function parseDuration(text: string): Parsed<number> {
  const match = /^\s*(\d{1,12}(?:\.\d{1,6})?)\s*([a-zA-Z]*)\s*$/.exec(text);
  const [, number = '', unit = ''] = match ?? [];
  const example = 'Write a number with its unit: ms, s, min, h or d, for example 250ms, 1s or 15min.';
  if (number === '') return { isValid: false, message: `${JSON.stringify(text)} is not a duration`, hint: example };
  if (!Object.hasOwn(UNITS, unit)) {
    const message = unit === '' ? `${number} has no unit` : `${JSON.stringify(unit)} is not a unit of time`;
    return { isValid: false, message, hint: unit === 'm' ? `Minutes are written min: ${number}min.` : example };
  }
  return { isValid: true, value: Math.round(Number(number) * UNITS[unit as keyof typeof UNITS]) };
}
