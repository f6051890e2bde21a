// Numbers of a JSON text from its bytes, bit for bit what JSON.parse gives. A mantissa below 2^53 times or divided by a power
// of ten up to 10^22 is one correctly rounded operation (Clinger 1990); what is longer asks the language.
//
// Answers are numbers for the most part, so the loop stands alone: it makes no object and no text, and calls nothing. The
// byte at `limit` is none that a number has, so a number needs no other watch.
import type { Buffer } from 'node:buffer';
import { POWERS_OF_TEN } from '../../../model/decimals.ts';

const EXACT_BELOW = 2 ** 53;
const EXPONENT_MAX = 22;
/** Digits of an exponent beyond which every number is 0 or an infinity. */
const HUGE = 100_000;
const COMMA = 0x2c;

/** Takes the numbers of an array. */
export interface NumberSink {
  /** Where they go. */
  readonly held: Float64Array;
  /** How many stand there; below the length of `held`. */
  count: number;
  /** All of `held` is full: empty it. */
  flush(): void;
}

/**
 * Read numbers `-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?` that follow one another with nothing but a comma between them.
 *
 * @param bytes - the text, and at `limit` a byte that no number has.
 * @param from - where the first begins.
 * @param hasOne - a single one is read, whatever stands behind it; otherwise only those with a comma behind them.
 * @returns the place behind the last one read, its comma included; `from` where none begins.
 */
export function readNumbers(bytes: Buffer, from: number, limit: number, sink: NumberSink, hasOne = false): number {
  const { held } = sink;
  const powers = POWERS_OF_TEN;
  let { count } = sink;
  let place = from;
  while (place < limit) {
    let at = place;
    let byte = bytes[at] as number;
    const isNegative = byte === 0x2d;
    if (isNegative) byte = bytes[++at] as number;
    const first = at;
    let mantissa = 0;
    for (let digit = byte ^ 48; digit <= 9; digit = byte ^ 48) {
      mantissa = mantissa * 10 + digit;
      byte = bytes[++at] as number;
    }
    if (at === first || (bytes[first] === 48 && at > first + 1)) break;
    let exponent = 0;
    if (byte === 0x2e) {
      const point = at + 1;
      byte = bytes[++at] as number;
      for (let digit = byte ^ 48; digit <= 9; digit = byte ^ 48) {
        mantissa = mantissa * 10 + digit;
        byte = bytes[++at] as number;
      }
      exponent = point - at;
      if (exponent === 0) break;
    }
    if ((byte | 32) === 0x65) {
      byte = bytes[++at] as number;
      const isBelow = byte === 0x2d;
      if (isBelow || byte === 0x2b) byte = bytes[++at] as number;
      const begin = at;
      let power = 0;
      for (let digit = byte ^ 48; digit <= 9; digit = byte ^ 48) {
        if (power < HUGE) power = power * 10 + digit;
        byte = bytes[++at] as number;
      }
      if (at === begin) break;
      exponent += isBelow ? -power : power;
    }
    if (!hasOne && (byte !== COMMA || at >= limit)) break;
    // Digits beyond the 16th may have been rounded away, but then the mantissa is not below 2^53 either.
    if (mantissa < EXACT_BELOW && exponent >= -EXPONENT_MAX && exponent <= EXPONENT_MAX) {
      const size = exponent < 0 ? mantissa / (powers[-exponent] as number) : mantissa * (powers[exponent] as number);
      held[count] = isNegative ? -size : size;
    } else held[count] = Number(bytes.toString('latin1', place, at));
    count += 1;
    if (hasOne) {
      place = at;
      break;
    }
    place = at + 1;
    if (count === held.length) {
      sink.count = count;
      sink.flush();
      count = sink.count;
    }
  }
  sink.count = count;
  return place;
}
