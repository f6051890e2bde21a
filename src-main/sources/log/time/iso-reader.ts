// ISO 8601 in the forms that logs use. The common form is read straight, digit by digit.
import { DAY_MS, daysFromCivil, daysInMonth } from './calendar.ts';
import { parseDecimal } from './decimal.ts';
import { PatternReader } from './pattern-reader.ts';
import type { StampReader } from './stamp-reader.ts';
import { offset, readOffset } from './zone-offset.ts';

/** Two digits at a place, or a number above 99 when they are none. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) ^ 48;
  const ones = (bytes[at + 1] as number) ^ 48;
  return tens <= 9 && ones <= 9 ? tens * 10 + ones : 1000;
}

/** ISO 8601 and RFC 3339 in the forms that logs use: date, `T` or blank, time with optional seconds, fraction and zone. */
export class IsoReader implements StampReader {
  readonly format = 'iso8601';
  stampMs = Number.NaN;
  hasZone = false;
  partDigits = 0;
  /** The others; here one digit may stand for an hour: 2025-07-03 0:10:27. */
  readonly #short = [
    "yyyyMMdd'T'HHmmss.SSS",
    "yyyy-MM-dd'T'HH:mm",
    'yyyy-MM-dd HH:mm',
    'yyyy-MM-dd HH:mm:ss.SSS',
    'yyyy-MM-dd',
  ].map((format) => new PatternReader(format));
  /** The date read last, as year, month and day in one number, and its days: lines of a log share their day. */
  #date = -1;
  #days = 0;

  read(bytes: Uint8Array, start: number, end: number): boolean {
    this.hasZone = false;
    this.partDigits = 0;
    const length = end - start;
    if (length < 19 || bytes[start + 4] !== 45 || bytes[start + 16] !== 58) return this.#readShort(bytes, start, end);
    const gap = bytes[start + 10] as number;
    if (bytes[start + 7] !== 45 || bytes[start + 13] !== 58 || (gap !== 32 && (gap | 32) !== 116)) return false;
    const century = twoDigits(bytes, start);
    const decade = twoDigits(bytes, start + 2);
    const year = century * 100 + decade;
    const month = twoDigits(bytes, start + 5);
    const day = twoDigits(bytes, start + 8);
    const hour = twoDigits(bytes, start + 11);
    const minute = twoDigits(bytes, start + 14);
    const second = twoDigits(bytes, start + 17);
    if (century > 99 || decade > 99 || hour > 23 || minute > 59 || second > 60) return false;
    const date = year * 10_000 + month * 100 + day;
    if (date !== this.#date) {
      if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return false;
      this.#date = date;
      this.#days = daysFromCivil(year, month, day);
    }
    let at = start + 19;
    let fractionMs = 0;
    if (at < end && (bytes[at] === 46 || bytes[at] === 44)) {
      at += 1;
      const begin = at;
      while (at < end && ((bytes[at] as number) ^ 48) <= 9) at += 1;
      if (at === begin) return false;
      this.partDigits = at - begin;
      fractionMs = parseDecimal(bytes, begin, at, 46, 3 - this.partDigits);
    }
    if (!this.#readZone(bytes, at, end)) return false;
    const wholeMs = this.#days * DAY_MS + (hour * 3600 + minute * 60 + second) * 1000;
    this.stampMs = wholeMs - (this.hasZone ? offset.minutes * 60_000 : 0) + fractionMs;
    return true;
  }

  /** What follows the seconds: nothing, or a zone, with a blank before it or not. */
  #readZone(bytes: Uint8Array, at: number, end: number): boolean {
    if (at === end) return true;
    this.hasZone = true;
    return readOffset(bytes, bytes[at] === 32 ? at + 1 : at, end) === end;
  }

  #readShort(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start < 8) return false;
    let stop = end;
    for (let at = start + 11; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte !== 43 && byte !== 45 && (byte | 32) !== 122) continue;
      if (!this.#readZone(bytes, at, end)) return false;
      stop = at;
      break;
    }
    const reader = this.#short.find((one) => one.read(bytes, start, stop));
    if (reader === undefined) return false;
    this.stampMs = reader.stampMs - (this.hasZone ? offset.minutes * 60_000 : 0);
    return true;
  }
}
