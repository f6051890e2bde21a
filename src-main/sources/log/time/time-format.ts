// The ways of writing time that a dialect can name, and the reader of each.
import { DAY_MS } from './calendar.ts';
import { parseDecimal } from './decimal.ts';
import { IsoReader } from './iso-reader.ts';
import { PatternReader } from './pattern-reader.ts';
import type { StampReader } from './stamp-reader.ts';

/** A count of some unit since a zero. */
interface Count {
  /** Powers of ten from the unit to the millisecond, applied before rounding; */
  readonly shift: number;
  /** and what it is multiplied with besides. */
  readonly factor: number;
  /** The zero, Unix ms; null: the start of the file. */
  readonly zeroMs: number | null;
  /** False: it counts days of the wall clock, whatever its zone. */
  readonly hasZone: boolean;
}

const instant = { factor: 1, hasZone: true } as const;
const COUNTS: Readonly<Record<string, Count>> = {
  'unix-seconds': { ...instant, shift: 3, zeroMs: 0 },
  'unix-ms': { ...instant, shift: 0, zeroMs: 0 },
  'unix-us': { ...instant, shift: -3, zeroMs: 0 },
  'unix-ns': { ...instant, shift: -6, zeroMs: 0 },
  // LabVIEW counts seconds since 1904, UTC; Igor does so by the clock on the wall.
  'labview-seconds': { ...instant, shift: 3, zeroMs: Date.UTC(1904, 0, 1) },
  'igor-seconds': { factor: 1, shift: 3, zeroMs: Date.UTC(1904, 0, 1), hasZone: false },
  // Windows counts tenths of microseconds since 1601.
  filetime: { ...instant, shift: -4, zeroMs: Date.UTC(1601, 0, 1) },
  // .NET counts the same since the year 1; by UTC, where a person says so.
  'dotnet-ticks': { ...instant, shift: -4, zeroMs: -719_162 * DAY_MS },
  // Day 0 of spreadsheets is 30 December 1899; of MATLAB the year 0.
  'excel-days': { shift: 0, factor: DAY_MS, zeroMs: Date.UTC(1899, 11, 30), hasZone: false },
  'matlab-days': { shift: 0, factor: DAY_MS, zeroMs: -719_529 * DAY_MS, hasZone: false },
  'relative-seconds': { ...instant, shift: 3, zeroMs: null },
  'relative-ms': { ...instant, shift: 0, zeroMs: null },
  'relative-minutes': { ...instant, shift: 0, factor: 60_000, zeroMs: null },
  'relative-hours': { ...instant, shift: 0, factor: 3_600_000, zeroMs: null },
};

/** A decimal number that counts. */
class CountReader implements StampReader {
  readonly format: string;
  stampMs = Number.NaN;
  readonly hasZone: boolean;
  readonly #count: Count;
  readonly #zeroMs: number;
  readonly #mark: number;

  constructor(format: string, count: Count, startMs: number, decimal: '.' | ',') {
    this.format = format;
    this.hasZone = count.hasZone;
    this.#count = count;
    this.#zeroMs = count.zeroMs ?? startMs;
    this.#mark = decimal.charCodeAt(0);
  }

  read(bytes: Uint8Array, start: number, end: number): boolean {
    const { shift, factor } = this.#count;
    const counted = parseDecimal(bytes, start, end, this.#mark, shift) * factor;
    // A day is no decimal fraction: what stands behind the millisecond is noise of the program that wrote it.
    this.stampMs = this.#zeroMs + (factor === DAY_MS ? Math.round(counted) : counted);
    // Up to the year 9999, as the other readers; also keeps infinities out.
    return Math.abs(this.stampMs) < 253_402_300_800_000;
  }
}

const ELAPSED = /^(?:(\d{1,5}):(?=[0-5]\d:))?(\d{1,5}):([0-5]\d)(?:[.,](\d+))?$/;

/** True for minutes and seconds, or hours, since a start: 00:02.5, 75:10, 126:00:00. */
export function isElapsed(text: string): boolean {
  return ELAPSED.test(text);
}

/** Hours, minutes and seconds since a start that is known elsewhere: 0:10:31, 26:00:00.5; or minutes and seconds: 10:31, 75:00.5. */
class ElapsedReader implements StampReader {
  readonly format = 'relative-time';
  stampMs = Number.NaN;
  readonly hasZone = true;
  #startMs: number;

  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  read(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start > 60) return false;
    const text = String.fromCharCode(...bytes.subarray(start, end));
    const [, hours = '0', minutes, seconds, fraction = '0'] = ELAPSED.exec(text) ?? [];
    if (minutes === undefined) return false;
    const wholeS = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    this.stampMs = this.#startMs + wholeS * 1000 + Number(`0.${fraction}`) * 1000;
    return true;
  }
}

/** True for the formats that count from a zero that everybody knows. */
export function isCount(format: string): boolean {
  return typeof COUNTS[format]?.zeroMs === 'number';
}

/** True for the formats that count from a start. */
export function isRelative(format: string): boolean {
  return format === 'relative-time' || COUNTS[format]?.zeroMs === null;
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
 * @param format - a name of COUNTS, `relative-time`, `iso8601` or a pattern.
 * @param context - what else it needs to know.
 * @returns its reader. A reader keeps its last result, so each user makes one of its own.
 * @throws `log.time-format-unknown`, `log.time-format-incomplete`; both wait for a person.
 */
export function compileTimeFormat(format: string, context: StampContext = {}): StampReader {
  const { decimal = '.', startMs = 0, isTimeOnly = false } = context;
  const count = Object.hasOwn(COUNTS, format) ? COUNTS[format] : undefined;
  if (count !== undefined) return new CountReader(format, count, startMs ?? 0, decimal);
  if (format === 'relative-time') return new ElapsedReader(startMs ?? 0);
  if (format === 'iso8601') return new IsoReader();
  return new PatternReader(format, isTimeOnly);
}
