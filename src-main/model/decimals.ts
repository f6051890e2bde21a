// Numbers as instruments write them are decimals with few digits: whole numbers of some power of ten. For such a column the
// whole numbers say the same as the doubles, bit for bit: m / 10^e with |m| < 2^53 and e <= 22 is correctly rounded, so it
// equals what the text was parsed to. They take less room on disk and are written as text sooner.
const MAX_EXPONENT = 22;
const SAFE = 2 ** 53;
/** Steps below this keep second differences and their zigzag form below 2^53, where doubles count exactly. */
const STEP_MAX = 2 ** 51;

/** 10^e for each e that a column may have. */
export const POWERS_OF_TEN = Float64Array.from({ length: MAX_EXPONENT + 1 }, (_, e) => Number(`1e${e}`));

/**
 * Find the decimals of a column.
 *
 * @param values - finite values.
 * @returns the smallest e <= 22 such that every value is a whole number of 10^-e, bit for bit, the whole numbers below 2^53 and
 *   in steps below 2^51; -1 if there is none, and for -0.
 */
export function decimalExponent(values: Float64Array): number {
  let exponent = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (value === 0 && Object.is(value, -0)) return -1;
    for (;;) {
      const power = POWERS_OF_TEN[exponent] as number;
      const whole = Math.round(value * power);
      if (whole < SAFE && whole > -SAFE && whole / power === value) break;
      exponent += 1;
      if (exponent > MAX_EXPONENT) return -1;
    }
  }
  // A larger exponent found later must hold for the earlier values too: they may have outgrown 2^53.
  const power = POWERS_OF_TEN[exponent] as number;
  let last = Math.round((values[0] ?? 0) * power);
  for (let i = 0; i < values.length; i++) {
    const whole = Math.round((values[i] as number) * power);
    if (!(whole < SAFE && whole > -SAFE && whole / power === values[i])) return -1;
    if (Math.abs(whole - last) >= STEP_MAX) return -1;
    last = whole;
  }
  return exponent;
}
