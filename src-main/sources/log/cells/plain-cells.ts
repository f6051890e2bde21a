// Numbers straight from the bytes of a line, the separator found and the number made in one pass. This is where the time
// of the agent goes, so the loop stands alone: it makes no object and no string, and calls nothing for a plain number. A
// plain number is a sign, at most sixteen digits with one mark, a short exponent; blanks may stand before it.
//
// The byte at `end` ends the line, so a cell needs no other watch: no digit, mark or sign can be there.
import { EXACT_BELOW, EXACT_DIGITS, POWERS_OF_TEN } from '../time/decimal.ts';

/** Codes of a column of numbers, and of one whose numbers were all whole so far; all other codes are larger. */
export const PLAIN_NUMBER = 0;
export const WHOLE_NUMBER = 1;

/** Numbers that stand for "no value". */
export interface Sentinels {
  /** The smallest of them without its sign: most values are below and need no search. */
  readonly leastSentinel: number;
  isSentinel(value: number): boolean;
}

/** Reads the plain numbers of one line after another. */
export class PlainCells {
  /** Where the next cell begins, and where its value goes. */
  place = 0;
  out = 0;
  /** Points of the line so far. */
  points = 0;
  readonly #separator: number;
  readonly #mark: number;
  readonly #sentinels: Sentinels;

  constructor(separator: number, mark: number, sentinels: Sentinels) {
    this.#separator = separator;
    this.#mark = mark;
    this.#sentinels = sentinels;
  }

  /** Begin a line. */
  begin(place: number, out: number): void {
    this.place = place;
    this.out = out;
    this.points = 0;
  }

  /**
   * Read cells as long as they are plain numbers, or empty, in columns of numbers. Takes the bytes and the place of the
   * line's end, the code of each column, the column that comes next, and where values go: NaN for an empty cell. A number that is
   * not written as a whole one ends it where all were so far.
   *
   * @returns the column of the first cell that is something else; it begins at `place`.
   */
  read(bytes: Uint8Array, end: number, codes: Uint8Array, from: number, values: Float64Array): number {
    const separator = this.#separator;
    const mark = this.#mark;
    const { leastSentinel } = this.#sentinels;
    const powers = POWERS_OF_TEN;
    const width = codes.length;
    let { place, out, points } = this;
    let column = from;
    for (; column < width && place <= end && (codes[column] as number) <= WHOLE_NUMBER; column++) {
      const begin = place;
      let byte = bytes[place] as number;
      while (byte === 32 && place < end) byte = bytes[++place] as number;
      const isNegative = byte === 45;
      if (isNegative || byte === 43) byte = bytes[++place] as number;
      let mantissa = 0;
      let first = place;
      for (let digit = byte ^ 48; digit <= 9; digit = byte ^ 48) {
        mantissa = mantissa * 10 + digit;
        byte = bytes[++place] as number;
      }
      let digits = place - first;
      let exponent = 0;
      if (byte === mark) {
        byte = bytes[++place] as number;
        first = place;
        for (let digit = byte ^ 48; digit <= 9; digit = byte ^ 48) {
          mantissa = mantissa * 10 + digit;
          byte = bytes[++place] as number;
        }
        exponent = first - place;
        digits -= exponent;
      }
      if ((byte | 32) === 101 && digits > 0) {
        byte = bytes[++place] as number;
        const isBelow = byte === 45;
        if (isBelow || byte === 43) byte = bytes[++place] as number;
        first = place;
        let power = 0;
        for (let digit = byte ^ 48; digit <= 9; digit = byte ^ 48) {
          power = power * 10 + digit;
          byte = bytes[++place] as number;
        }
        exponent = place - first < 1 || place - first > 3 ? 99 : exponent + (isBelow ? -power : power);
      }
      const isWhole = place === end || (byte === separator && place < end);
      const isExact = digits <= EXACT_DIGITS && mantissa < EXACT_BELOW && exponent <= 22 && exponent >= -22;
      const isAsBefore = exponent === 0 || codes[column] === PLAIN_NUMBER;
      if (digits > 0 && isWhole && isExact && isAsBefore) {
        // Up to 2^53 and 10^22 both are exact, so one operation rounds as Number() does.
        const size = exponent < 0 ? mantissa / (powers[-exponent] as number) : mantissa * (powers[exponent] as number);
        const value = isNegative ? -size : size;
        if (size >= leastSentinel && this.#sentinels.isSentinel(value)) {
          place = begin;
          break;
        }
        values[out] = value;
        points += 1;
      } else if (isWhole && place === begin) values[out] = Number.NaN;
      else {
        place = begin;
        break;
      }
      out += 1;
      place += 1;
    }
    this.place = place;
    this.out = out;
    this.points = points;
    return column;
  }
}
