// What a cell means that is no plain number: the full rules, for the row parser. A cell is a number as a whole or not at
// all; anything else in a column of numbers has a reason for which it is refused.
import { TOKEN } from '../cells/cell-shape.ts';
import { decodeText } from '../cells/encoding.ts';
import { BELOW_RANGE_LENGTH, EXACT_BELOW, holdsDigits, isBelowRange, parseDecimal } from '../time/decimal.ts';
import type { Layout } from './layout.ts';

export const NO_VALUE = 'over range or marked as no value';
/** Instruments write so large a number (9.9E37 of SCPI, the largest float of 32 bits, 1e38) for "no reading": no lab has such a quantity. */
const LEAST_NO_READING = 9e36;
export const NO_NUMBER = 'not a number';
/** Why a line cut at blanks is refused whole. */
export const MAY_BE_SHIFTED =
  'holds words where numbers belong: its cells may be shifted; if such a word stands for no value, name it in `absent`';
export const UNDER_RANGE = 'smaller than a value holds, and not zero';
export const TOO_MANY_DIGITS = 'a whole number of more digits than a value holds';

export class CellRules {
  readonly #mark: number;
  readonly #absent: ReadonlySet<string>;
  readonly #refusedTexts: ReadonlySet<string>;
  readonly #refusedValues: ReadonlySet<number>;
  readonly #states: ReadonlyMap<string, number>;
  readonly #encoding: string;
  /** The smallest sentinel without its sign: most values are below and need no search. */
  readonly leastSentinel: number;
  /** Why the cell read last gave no value; empty: it says "no value" itself. */
  reason = '';

  constructor({ decimal, absent, refused, states }: Layout, encoding: string) {
    this.#mark = decimal.charCodeAt(0);
    this.#absent = new Set(absent);
    this.#refusedTexts = new Set(refused);
    const encoder = new TextEncoder();
    const numberOf = (text: string) => {
      const bytes = encoder.encode(text);
      return parseDecimal(bytes, 0, bytes.length, this.#mark);
    };
    this.#refusedValues = new Set(refused.map(numberOf).filter((value) => !Number.isNaN(value)));
    this.leastSentinel = Math.min(LEAST_NO_READING, ...[...this.#refusedValues].map(Math.abs));
    this.#states = new Map(Object.entries(states));
    this.#encoding = encoding;
  }

  /** True for a number that stands for "no value". */
  isSentinel(value: number): boolean {
    return this.#refusedValues.has(value) || Math.abs(value) >= LEAST_NO_READING;
  }

  /** The value of a cell in a column of numbers; NaN when it has none, then `reason` says why. */
  readNumber(bytes: Uint8Array, begin: number, end: number): number {
    const value = parseDecimal(bytes, begin, end, this.#mark);
    const isMarkedValue = Number.isFinite(value) && this.isSentinel(value);
    // Smaller ones have all their digits; a NaN is none.
    const isExact = Math.abs(value) < EXACT_BELOW && (value !== 0 || end - begin < BELOW_RANGE_LENGTH);
    if (isExact && !isMarkedValue) return value;
    const text = decodeText(bytes.subarray(begin, end), this.#encoding);
    const isBelow = isBelowRange(value, text);
    if (Number.isFinite(value) && !isBelow && holdsDigits(value, text) && !isMarkedValue) return value;
    this.reason = '';
    if (this.#absent.has(text)) return Number.NaN;
    const state = this.#states.get(text);
    if (state !== undefined) return state;
    if (this.#refusedTexts.has(text) || isMarkedValue) this.reason = NO_VALUE;
    else if (Number.isNaN(value)) this.reason = NO_NUMBER;
    else if (isBelow) this.reason = UNDER_RANGE;
    else this.reason = Number.isFinite(value) ? TOO_MANY_DIGITS : 'over range';
    return Number.NaN;
  }

  /**
   * What a cell is that stands in a column of which nothing is streamed. Takes the cell, and whether the column is still
   * open: then any word counts, else only what would be a point.
   */
  tell(
    bytes: Uint8Array,
    begin: number,
    end: number,
    isOpen: boolean,
  ): 'number' | 'state' | 'absent' | 'token' | 'text' {
    if (!Number.isNaN(parseDecimal(bytes, begin, end, this.#mark))) return 'number';
    if (!isOpen && this.#states.size === 0) return 'text';
    const text = decodeText(bytes.subarray(begin, end), this.#encoding);
    if (this.#absent.has(text)) return 'absent';
    if (this.#states.has(text)) return 'state';
    return TOKEN.test(text) ? 'token' : 'text';
  }
}
