// Numbers of a JSON text from its bytes, bit for bit what JSON.parse gives. A mantissa below 2^53 times or divided by a power
// of ten up to 10^22 is one correctly rounded operation (Clinger 1990); what is longer asks the language.
import type { Buffer } from 'node:buffer';
import { POWERS_OF_TEN } from '../../model/decimals.ts';

const EXACT_BELOW = 2 ** 53;
const EXPONENT_MAX = 22;
/** Digits of an exponent beyond which every number is 0 or an infinity. */
const HUGE = 100_000;
const COMMA = 0x2c;

/** Takes the numbers of an array. */
export interface NumberSink {
  /** Where they go. */
  readonly held: Float64Array;
  /** How many stand there. */
  count: number;
  /** All of `held` is full: empty it, so that `count` is below its length. */
  flush(): void;
}

export class JsonNumbers {
  /** Where the number read last ends; where it began when it is none. */
  end = 0;

  /**
   * Read one number: `-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?`.
   *
   * @param bytes - the text; at `limit` it is taken to end.
   * @returns the number; `end` says where it ends, and is `from` where none begins.
   */
  read(bytes: Buffer, from: number, limit: number): number {
    this.end = from;
    let at = from;
    const isNegative = bytes[at] === 0x2d;
    if (isNegative) at += 1;
    const first = at;
    let mantissa = 0;
    for (let digit = byteAt(bytes, at, limit) ^ 48; digit <= 9; digit = byteAt(bytes, at, limit) ^ 48) {
      mantissa = mantissa * 10 + digit;
      at += 1;
    }
    if (at === first || (bytes[first] === 48 && at > first + 1)) return Number.NaN;
    let exponent = 0;
    if (byteAt(bytes, at, limit) === 0x2e) {
      const point = ++at;
      for (let digit = byteAt(bytes, at, limit) ^ 48; digit <= 9; digit = byteAt(bytes, at, limit) ^ 48) {
        mantissa = mantissa * 10 + digit;
        at += 1;
      }
      exponent = point - at;
      if (exponent === 0) return Number.NaN;
    }
    if ((byteAt(bytes, at, limit) | 32) === 0x65) {
      at += 1;
      const sign = byteAt(bytes, at, limit);
      if (sign === 0x2d || sign === 0x2b) at += 1;
      const begin = at;
      let power = 0;
      for (let digit = byteAt(bytes, at, limit) ^ 48; digit <= 9; digit = byteAt(bytes, at, limit) ^ 48) {
        if (power < HUGE) power = power * 10 + digit;
        at += 1;
      }
      if (at === begin) return Number.NaN;
      exponent += sign === 0x2d ? -power : power;
    }
    this.end = at;
    // Digits beyond the 16th may have been rounded away, but then the mantissa is not below 2^53 either.
    if (mantissa < EXACT_BELOW && exponent >= -EXPONENT_MAX && exponent <= EXPONENT_MAX) {
      const size =
        exponent < 0 ? mantissa / (POWERS_OF_TEN[-exponent] as number) : mantissa * (POWERS_OF_TEN[exponent] as number);
      return isNegative ? -size : size;
    }
    return Number(bytes.toString('latin1', from, at));
  }

  /**
   * Read numbers that follow one another, a comma behind each.
   *
   * @param from - where a number may begin.
   * @returns the place behind the last comma read; `from` when there is no such number. What is no number, has no comma
   *   behind it, or ends at `limit` is left for others.
   */
  readRun(bytes: Buffer, from: number, limit: number, sink: NumberSink): number {
    let place = from;
    const { held } = sink;
    while (place < limit) {
      const value = this.read(bytes, place, limit);
      const { end } = this;
      if (end === place || end >= limit || bytes[end] !== COMMA) break;
      held[sink.count++] = value;
      if (sink.count === held.length) sink.flush();
      place = end + 1;
    }
    return place;
  }
}

/** A byte, or one that no number has, at the end. */
function byteAt(bytes: Buffer, at: number, limit: number): number {
  return at < limit ? (bytes[at] as number) : 0;
}
