// Cells that are words whose bits are channels, or numbers with a name or unit around them. A word is read
// whole or refused with its text and the reason; nothing that the dialect does not name becomes a number.

import { decodeText } from '../cells/encoding.ts';
import { holdsDigits, isBelowRange, parseDecimalText } from '../time/decimal.ts';
import { NO_NUMBER, NO_VALUE, TOO_MANY_DIGITS, UNDER_RANGE } from './cell-rules.ts';
import type { Layout } from './layout.ts';

type MaskLayout = Layout['masks'][number];

/** The bits of a word and the columns they give, or why it has none. */
export type WordOutcome =
  | { readonly values: readonly (readonly [column: number, value: number])[]; readonly number?: string }
  | string;

/** What a cell of a word column gives. */
export class WordCells {
  readonly #masks: ReadonlyMap<number, MaskLayout>;
  readonly #affixes: ReadonlyMap<number, Layout['affixes'][number]>;
  readonly #refused: ReadonlySet<string>;
  readonly #absent: ReadonlySet<string>;
  readonly #encoding: string;
  readonly #mark: '.' | ',';

  constructor({ masks, affixes, absent, refused, decimal }: Layout, encoding: string) {
    this.#masks = new Map(masks.map((mask) => [mask.column, mask]));
    this.#affixes = new Map(affixes.map((affix) => [affix.column, affix]));
    this.#refused = new Set(refused);
    this.#absent = new Set(absent);
    this.#encoding = encoding;
    this.#mark = decimal;
  }

  /**
   * Read one cell of a column of bits, or of numbers with a text around each. Takes the bytes of the cell (blanks trimmed, not
   * empty) and its column.
   *
   * @returns values by column (none for a cell that says "no value"), or the reason for which it is refused.
   */
  read(bytes: Uint8Array, begin: number, end: number, column: number): WordOutcome {
    const text = decodeText(bytes.subarray(begin, end), this.#encoding);
    if (this.#absent.has(text)) return { values: [] };
    const affix = this.#affixes.get(column);
    if (affix !== undefined) return this.#readAffixed(text, affix);
    const mask = this.#masks.get(column);
    if (mask === undefined) return 'no word of bits';
    const word = readWord(text, mask.written, this.#mark);
    if (typeof word === 'string') return word;
    const values: [number, number][] = [];
    let rest = word;
    for (const { bit, out } of mask.bits) {
      const value = Math.floor(word / 2 ** bit) % 2;
      rest -= value * 2 ** bit;
      if (out !== null) values.push([out, value]);
    }
    return rest === 0 ? { values } : `has bits that the dialect does not name (${listBits(rest)})`;
  }

  /** The number of a cell without its name and unit; the cell where its column has none. */
  numberOf(text: string, column: number): string {
    const affix = this.#affixes.get(column);
    if (affix === undefined || !text.startsWith(affix.before) || !text.endsWith(affix.after)) return text;
    return text.slice(affix.before.length, text.length - affix.after.length).trim();
  }

  #readAffixed(text: string, { column, before, after }: Layout['affixes'][number]): WordOutcome {
    if (!text.startsWith(before) || !text.endsWith(after) || text.length < before.length + after.length) {
      return `has not "${before}...${after}" around it, as the column has`;
    }
    const core = text.slice(before.length, text.length - after.length).trim();
    if (this.#refused.has(core)) return NO_VALUE;
    const value = parseDecimalText(core, this.#mark);
    if (Number.isNaN(value)) return NO_NUMBER;
    if (!holdsDigits(value, core)) return TOO_MANY_DIGITS;
    if (isBelowRange(value, core)) return UNDER_RANGE;
    return Number.isFinite(value) ? { values: [[column, value]], number: core } : 'over range';
  }
}

const PREFIXED: readonly (readonly [RegExp, number])[] = [
  [/^(?:0x|\$|16#)([0-9a-f]+)$/i, 16],
  [/^([0-9a-f]+)h$/i, 16],
  [/^(?:0b|2#)([01]+)$/i, 2],
];
const PLAIN = { hex: [/^[0-9a-f]+$/i, 16], binary: [/^[01]+$/, 2] } as const;
/** Programs write words as decimals, too: 36.00000. */
const DECIMAL = { '.': /^(\d+)(?:\.0*)?$/, ',': /^(\d+)(?:,0*)?$/ } as const;

/** The word as a number, or why it is none. */
function readWord(text: string, written: MaskLayout['written'], mark: '.' | ','): number | string {
  for (const [pattern, base] of PREFIXED) {
    // 0b11 is a hexadecimal number as well.
    if (written === 'hex' && base === 2) continue;
    const digits = pattern.exec(text)?.[1];
    if (digits !== undefined) return exact(Number.parseInt(digits, base));
  }
  if (written !== 'decimal') {
    const [pattern, base] = PLAIN[written];
    const digits = text.replaceAll(/[ _]/g, '');
    return pattern.test(digits) ? exact(Number.parseInt(digits, base)) : `no ${written} word`;
  }
  const whole = DECIMAL[mark].exec(text)?.[1];
  if (whole === undefined) return 'no word of bits';
  if (/^0\d/.test(whole)) return 'may be binary or hexadecimal: the dialect must say how the word is written';
  return exact(Number(whole));
}

function exact(word: number): number | string {
  return Number.isSafeInteger(word) ? word : 'has more bits than can be read';
}

function listBits(word: number): string {
  const bits: number[] = [];
  for (let bit = 0; bit < 53; bit++) if (Math.floor(word / 2 ** bit) % 2 === 1) bits.push(bit);
  return `bit ${bits.join(', ')}`;
}
