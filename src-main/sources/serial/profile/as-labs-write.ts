// Text of a reply as people write it: a decimal comma, a degree sign that the pattern leaves out, `nan` in place of a number.
// A pattern that does not fit the text itself is tried on these other spellings of it.
//
// Invariant: a spelling never changes a number. `1,234.5` and `1,2,3` are not one number with a comma, and stay as they are.

/** A number with a decimal comma, and nothing beside it that would make it a part of a longer one. */
const WITH_COMMA = /(?<![\d.,])(\d+),(\d+)(?![\d.]|,\d)/g;
/** What programs in C write for a float that is none. */
const NOT_A_NUMBER = /(?<![a-z])[-+]?(?:nan|inf|ovf)/gi;
/** Stands for one of these while a pattern for numbers is tried; no instrument has so many digits. */
const STAND_IN = '7777777777777777777';

const withPoints = (text: string) => text.replace(WITH_COMMA, '$1.$2');

/** Other spellings of a text, the nearest first; those that are the text itself are left out. */
export function spellingsOf(text: string): string[] {
  const points = withPoints(text);
  const spellings = [points, points.replaceAll('°', '')];
  const all = [...spellings, ...spellings.map((one) => one.replace(NOT_A_NUMBER, STAND_IN))];
  return [...new Set(all)].filter((one) => one !== text);
}

/** A field of such a spelling: `nan` again where something stands for it. */
export const fieldOfSpelling = (field: string) => (field.includes(STAND_IN) ? 'nan' : field);

const NUMBER = /^[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][+-]?\d{1,3})?/;
const plain = (unit: string) => unit.replace(/[°\s]/g, '').toLowerCase();

/**
 * A number without the unit that may stand behind it, and with a decimal point.
 *
 * @returns the text itself when it is anything else, or has another unit.
 */
export function plainNumber(text: string, unit: string): string {
  const [number] = NUMBER.exec(text) ?? [];
  if (number === undefined) return text;
  const behind = plain(text.slice(number.length));
  return behind === '' || behind === plain(unit) ? number.replace(',', '.') : text;
}
