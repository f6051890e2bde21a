// The ways of writing time that a dialect can name, and the reader of each.
import { parseDecimal } from './decimal.ts';
import { IsoReader } from './iso-reader.ts';
import { PatternReader } from './pattern-reader.ts';
import type { StampReader } from './stamp-reader.ts';

/** Seconds or milliseconds since 1970, as a decimal number. */
class UnixReader implements StampReader {
  readonly format: 'unix-seconds' | 'unix-ms';
  stampMs = Number.NaN;
  readonly hasZone = true;
  #shift: number;
  #mark: number;

  constructor(format: 'unix-seconds' | 'unix-ms', decimal: '.' | ',') {
    this.format = format;
    this.#shift = format === 'unix-seconds' ? 3 : 0;
    this.#mark = decimal.charCodeAt(0);
  }

  read(bytes: Uint8Array, start: number, end: number): boolean {
    this.stampMs = parseDecimal(bytes, start, end, this.#mark, this.#shift);
    // Up to the year 9999, as the other readers; also keeps infinities out.
    return Math.abs(this.stampMs) < 253_402_300_800_000;
  }
}

/** Seconds since a start that is known elsewhere. */
class RelativeReader implements StampReader {
  readonly format = 'relative-seconds';
  stampMs = Number.NaN;
  readonly hasZone = true;
  #startMs: number;
  #mark: number;

  constructor(startMs: number, decimal: '.' | ',') {
    this.#startMs = startMs;
    this.#mark = decimal.charCodeAt(0);
  }

  read(bytes: Uint8Array, start: number, end: number): boolean {
    this.stampMs = this.#startMs + parseDecimal(bytes, start, end, this.#mark, 3);
    return Number.isFinite(this.stampMs);
  }
}

/** Hours, minutes and seconds since a start that is known elsewhere: 0:10:31, 26:00:00.5. */
class ElapsedReader implements StampReader {
  readonly format = 'relative-time';
  stampMs = Number.NaN;
  readonly hasZone = true;
  #startMs: number;

  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  read(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start > 24) return false;
    const text = String.fromCharCode(...bytes.subarray(start, end));
    const [, hours, minutes, seconds, fraction = '0'] =
      /^(\d{1,5}):([0-5]\d):([0-5]\d)(?:[.,](\d{1,9}))?$/.exec(text) ?? [];
    if (hours === undefined) return false;
    const wholeS = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    this.stampMs = this.#startMs + wholeS * 1000 + Number(`0.${fraction}`) * 1000;
    return true;
  }
}

/** True for the formats that count from a start. */
export function isRelative(format: string): boolean {
  return format === 'relative-seconds' || format === 'relative-time';
}

/** What a format needs to know that does not stand in the stamp. */
export interface StampContext {
  readonly decimal?: '.' | ',';
  /** Unix ms of second 0, for relative-seconds. */
  readonly startMs?: number | null;
  /** The format gives only a time of day. */
  readonly isTimeOnly?: boolean;
}

/**
 * Compile a way of writing time.
 *
 * **Takes**: `unix-seconds`, `unix-ms`, `iso8601`, `relative-seconds`, `relative-time` or a pattern; and what else it needs to know.
 * **Gives**: its reader. A reader keeps its last result, so each user makes one of its own.
 * **Errors**: `log.time-format-unknown`, `log.time-format-incomplete`; both wait for a person.
 */
export function compileTimeFormat(format: string, context: StampContext = {}): StampReader {
  const { decimal = '.', startMs = 0, isTimeOnly = false } = context;
  if (format === 'unix-seconds' || format === 'unix-ms') return new UnixReader(format, decimal);
  if (format === 'relative-seconds') return new RelativeReader(startMs ?? 0, decimal);
  if (format === 'relative-time') return new ElapsedReader(startMs ?? 0);
  if (format === 'iso8601') return new IsoReader();
  return new PatternReader(format, isTimeOnly);
}
