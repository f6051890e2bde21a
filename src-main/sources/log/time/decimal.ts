// Decimal numbers from bytes, bit for bit what Number() gives for the same text, without making a string.
//
// A mantissa below 2^53 times or divided by a power of ten up to 10^22 is one correctly rounded operation (Clinger 1990,
// "How to read floating point numbers accurately"): that is the fast path. Everything else asks Number().

const POINT = 46;

export const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** A mantissa of so many digits fits a double exactly as long as it is below this. */
export const EXACT_DIGITS = 16;
export const EXACT_BELOW = 2 ** 53;

/**
 * Read a decimal number that fills a range of bytes. Takes ASCII bytes, the range (blanks already trimmed), the byte of the
 * decimal mark, and a power of ten to apply (3 turns written seconds into milliseconds without a second rounding).
 *
 * @returns the number; NaN when the range is not, as a whole, `[+-]digits[.digits][e[+-]digits]`, blanks behind the sign
 *   skipped; an infinity when it is too large for a double. There is no hexadecimal, no `Infinity`, no thousands mark, and
 *   empty is NaN.
 */
export function parseDecimal(bytes: Uint8Array, start: number, end: number, mark = POINT, shift = 0): number {
  let at = start;
  let isNegative = false;
  const first = at < end ? (bytes[at] as number) : 0;
  if (first === 45 || first === 43) {
    isNegative = first === 45;
    at += 1;
    // Recorders write the sign in front of a padded number: `+  25.1`.
    while (at < end && bytes[at] === 32) at += 1;
  }
  let mantissa = 0;
  let significant = 0;
  let digits = 0;
  let exponent = shift;
  let isFraction = false;
  for (; at < end; at++) {
    const digit = (bytes[at] as number) - 48;
    if (digit >= 0 && digit <= 9) {
      digits += 1;
      if (significant > 0 || digit > 0) significant += 1;
      if (significant <= EXACT_DIGITS) mantissa = mantissa * 10 + digit;
      if (isFraction) exponent -= 1;
    } else if (bytes[at] === mark && !isFraction) isFraction = true;
    else break;
  }
  if (digits === 0) return Number.NaN;
  if (at < end) {
    if (((bytes[at] as number) | 32) !== 101) return Number.NaN;
    at += 1;
    let isBelow = false;
    if (at < end && (bytes[at] === 45 || bytes[at] === 43)) {
      isBelow = bytes[at] === 45;
      at += 1;
    }
    if (at >= end) return Number.NaN;
    let power = 0;
    for (; at < end; at++) {
      const digit = (bytes[at] as number) - 48;
      if (digit < 0 || digit > 9) return Number.NaN;
      if (power < 100_000) power = power * 10 + digit;
    }
    exponent += isBelow ? -power : power;
  }
  if (significant <= EXACT_DIGITS && mantissa < EXACT_BELOW && exponent >= -22 && exponent <= 22) {
    const value =
      exponent < 0 ? mantissa / (POWERS_OF_TEN[-exponent] as number) : mantissa * (POWERS_OF_TEN[exponent] as number);
    return isNegative ? -value : value;
  }
  return parseSlowly(bytes, start, end, mark, shift);
}

/** No number is longer, bytes. */
const LENGTH_MAX = 2000;

function parseSlowly(bytes: Uint8Array, start: number, end: number, mark: number, shift: number): number {
  if (end - start > LENGTH_MAX) return Number.NaN;
  let text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
  if (bytes[start + 1] === 32) text = text.replace(/^([+-]) +/, '$1');
  if (mark !== POINT) text = text.replace(String.fromCharCode(mark), '.');
  if (shift === 0) return Number(text);
  const [mantissa = '', power = '0'] = text.split(/e/i);
  return Number(`${mantissa}e${Number(power) + shift}`);
}

/**
 * Tell whether a double holds all digits of a whole number. Those that programs write for a double are held, however many
 * they are: 3200000000000000000.
 *
 * @param value - what was made of the text, as a whole a number.
 * @returns false: a count of 64 bits, say, of which the last digits are lost. True for what is no whole number.
 */
export function holdsDigits(value: number, text: string): boolean {
  const size = Math.abs(value);
  const digits = size < EXACT_BELOW || size === Number.POSITIVE_INFINITY ? null : /^[+-]? *0*(\d+)$/.exec(text)?.[1];
  return digits == null || digits === String(size) || BigInt(digits) === BigInt(size);
}

/** No text of fewer characters stands for a number below the range of a double: 1e-324. */
export const BELOW_RANGE_LENGTH = 6;

/** A number that is not zero, and too small for a double: 1e-400. */
export function isBelowRange(value: number, text: string): boolean {
  return value === 0 && /^[^eE]*[1-9]/.test(text);
}

const encoder = new TextEncoder();

/**
 * Read a decimal number that fills a text, blanks around it aside.
 *
 * @param mark - decimal mark.
 * @returns as `parseDecimal`.
 */
export function parseDecimalText(text: string, mark: '.' | ',' = '.'): number {
  const bytes = encoder.encode(text.trim());
  return parseDecimal(bytes, 0, bytes.length, mark.charCodeAt(0));
}
