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
 * **Takes**: `unix-seconds`, `unix-ms`, `iso8601`, `relative-seconds` or a pattern; and what else it needs to know.
 * **Gives**: its reader. A reader keeps its last result, so each user makes one of its own.
 * **Errors**: `log.time-format-unknown`, `log.time-format-incomplete`; both wait for a person.
 */
export function compileTimeFormat(format: string, context: StampContext = {}): StampReader {
  const { decimal = '.', startMs = 0, isTimeOnly = false } = context;
  if (format === 'unix-seconds' || format === 'unix-ms') return new UnixReader(format, decimal);
  if (format === 'relative-seconds') return new RelativeReader(startMs ?? 0, decimal);
  if (format === 'iso8601') return new IsoReader();
  return new PatternReader(format, isTimeOnly);
}
