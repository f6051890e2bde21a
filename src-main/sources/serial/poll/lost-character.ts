// A character lost or gained on the line can leave a plausible number: "-12.5" becomes "12.5". Where no checksum tells, the
// text does: numbers of one instrument keep their shape, so a text that is one character shorter or longer than the last
// one is compared with it. A reading that one such slip would explain is looked at twice before it counts.
import { parseNumber } from '../profile/read-cell.ts';

export interface ReadText {
  readonly text: string;
  readonly value: number;
}

/** How much nearer the repaired number must be than the number that was read. */
const NEARER = 10;
const CHARACTERS = [...'0123456789.+-E'];

/** Digits as 9, so that texts of one format are alike. */
const shapeOf = (text: string) => text.replace(/\d/g, '9');

/**
 * Say whether one lost or gained character would explain what was read.
 *
 * @param read - what was read.
 * @param believed - a reading that is believed.
 * @returns true when a text of the believed one's shape, one character longer or shorter than what was read, holds a number ten
 *   times nearer to the believed one.
 */
export function isOneSlipFrom(read: ReadText, believed: ReadText): boolean {
  const difference = read.text.length - believed.text.length;
  if (Math.abs(difference) !== 1) return false;
  const shape = shapeOf(believed.text);
  const limit = Math.abs(read.value - believed.value) / NEARER;
  const repairs = difference < 0 ? insertions(read.text) : deletions(read.text);
  return repairs.some((text) => shapeOf(text) === shape && Math.abs(parseNumber(text) - believed.value) <= limit);
}

function insertions(text: string): string[] {
  return Array.from({ length: text.length + 1 }, (_, at) => at).flatMap((at) =>
    CHARACTERS.map((character) => text.slice(0, at) + character + text.slice(at)),
  );
}

function deletions(text: string): string[] {
  return Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1));
}
