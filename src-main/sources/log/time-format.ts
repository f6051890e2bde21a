// Time stamps from bytes. A format is compiled once into a list of steps; reading a stamp walks the steps and makes no
// string. Letters as in Unicode TR 35: yyyy yy MM M MMM MMMM dd d HH H hh h mm m ss s S... a EEE EEEE XXX; text in single
// quotes and every other character stands for itself; a blank stands for one or more blanks.
import { AgentError } from '../../model/agent-error.ts';
import { parseDecimal } from './decimal.ts';

/** Reads one way of writing time. */
export interface StampReader {
  readonly format: string;
  /**
   * Read the stamp that fills a range of bytes.
   * **Gives**: true when the whole range is a stamp; then `stampMs` and `hasZone` are set.
   */
  read(bytes: Uint8Array, start: number, end: number): boolean;
  /** With `hasZone` Unix milliseconds, else the wall-clock fields as if they were UTC. */
  stampMs: number;
  hasZone: boolean;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** What follows the first three letters when a month is written out. */
const MONTH_ENDS = ['uary', 'ruary', 'ch', 'il', '', 'e', 'y', 'ust', 'tember', 'ober', 'ember', 'ember'];
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DAY_MS = 86_400_000;

/** Days from 1970-01-01 to a date of the Gregorian calendar. Source: Hinnant, "chrono-compatible low-level date algorithms". */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2 && (year % 4 === 0 ? year % 100 !== 0 || year % 400 === 0 : false)) return 29;
  return DAYS[month - 1] ?? 0;
}

type Field = 'year' | 'year2' | 'month' | 'day' | 'hour' | 'hour12' | 'minute' | 'second';
type Step =
  | { kind: 'number'; field: Field; least: number; most: number }
  | { kind: 'fraction'; mark: number; isOptional: boolean }
  | { kind: 'month-name' | 'weekday' | 'half-day' | 'offset' | 'blank' }
  | { kind: 'text'; byte: number };

const LETTERS: Readonly<Record<string, Field>> = {
  M: 'month',
  d: 'day',
  H: 'hour',
  h: 'hour12',
  m: 'minute',
  s: 'second',
};

function stepOf(run: string, isNextDigit: boolean, format: string): Step {
  const letter = run.charAt(0);
  const fail = () =>
    new AgentError({
      code: 'log.time-format-unknown',
      message: `The time format "${format}" cannot be used: "${run}" means nothing in it.`,
      hint: 'Use unix-seconds, unix-ms, iso8601, or letters such as yyyy-MM-dd HH:mm:ss.SSS; put other words in single quotes.',
      retry: 'after-human',
    });
  if (letter === 'y' && run.length === 4) return { kind: 'number', field: 'year', least: 4, most: 4 };
  if (letter === 'y' && run.length === 2) return { kind: 'number', field: 'year2', least: 2, most: 2 };
  if (letter === 'M' && run.length >= 3) return { kind: 'month-name' };
  if (letter === 'S') return { kind: 'fraction', mark: 0, isOptional: false };
  if (letter === 'a') return { kind: 'half-day' };
  if (letter === 'E') return { kind: 'weekday' };
  if (letter === 'X') return { kind: 'offset' };
  const field = LETTERS[letter];
  if (field === undefined || run.length > 2) throw fail();
  return { kind: 'number', field, least: isNextDigit ? 2 : 1, most: 2 };
}

function compileSteps(format: string): Step[] {
  const steps: Step[] = [];
  let at = 0;
  while (at < format.length) {
    const char = format.charAt(at);
    if (char === "'") {
      const close = format.indexOf("'", at + 1);
      const stop = close === -1 ? format.length : close;
      for (const byte of new TextEncoder().encode(format.slice(at + 1, stop))) steps.push({ kind: 'text', byte });
      at = stop + 1;
    } else if (/[A-Za-z]/.test(char) && char !== 'T') {
      let stop = at;
      while (format.charAt(stop) === char) stop += 1;
      const isNextDigit = /[yMdHhms]/.test(format.charAt(stop)) || (char === 's' && format.charAt(stop) === 'S');
      steps.push(stepOf(format.slice(at, stop), isNextDigit, format));
      at = stop;
    } else if ((char === '.' || char === ',') && format.charAt(at + 1) === 'S') {
      // Programs leave the fraction out when it is zero: mark and digits come together or not at all.
      let stop = at + 1;
      while (format.charAt(stop) === 'S') stop += 1;
      steps.push({ kind: 'fraction', mark: char.charCodeAt(0), isOptional: true });
      at = stop;
    } else if (char === ' ') {
      if (steps.at(-1)?.kind !== 'blank') steps.push({ kind: 'blank' });
      at += 1;
    } else {
      for (const byte of new TextEncoder().encode(char)) steps.push({ kind: 'text', byte });
      at += 1;
    }
  }
  return steps;
}

class PatternReader implements StampReader {
  readonly format: string;
  stampMs = Number.NaN;
  hasZone = false;
  #steps: readonly Step[];

  constructor(format: string, isTimeOnly = false) {
    this.format = format;
    this.#steps = compileSteps(format);
    const has = (...fields: Field[]) =>
      this.#steps.some((step) => step.kind === 'number' && fields.includes(step.field));
    const hasTime = has('hour', 'hour12') && has('minute');
    const isComplete = isTimeOnly
      ? hasTime
      : has('year', 'year2') && has('day') && (has('month') || this.#steps.some(({ kind }) => kind === 'month-name'));
    if (!isComplete) {
      throw new AgentError({
        code: 'log.time-format-incomplete',
        message: `The time format "${format}" gives no full ${isTimeOnly ? 'time' : 'date'}.`,
        hint: 'A format needs year, month and day, for example dd/MM/yyyy HH:mm:ss.SSS; one without a date needs time: start.',
        retry: 'after-human',
      });
    }
  }

  read(bytes: Uint8Array, start: number, end: number): boolean {
    let at = start;
    let year = 1970;
    let month = 1;
    let day = 1;
    let hour = 0;
    let isTwelve = false;
    let isAfternoon = false;
    let minute = 0;
    let second = 0;
    let fractionMs = 0;
    let offsetMinutes = 0;
    this.hasZone = false;
    for (const step of this.#steps) {
      switch (step.kind) {
        case 'text':
          if (bytes[at] !== step.byte || at >= end) return false;
          at += 1;
          break;
        case 'blank':
          if (at >= end || bytes[at] !== 32) return false;
          while (at < end && bytes[at] === 32) at += 1;
          break;
        case 'number': {
          let value = 0;
          let digits = 0;
          while (digits < step.most && at < end) {
            const digit = (bytes[at] as number) - 48;
            if (digit < 0 || digit > 9) break;
            value = value * 10 + digit;
            digits += 1;
            at += 1;
          }
          if (digits < step.least) return false;
          if (step.field === 'year') year = value;
          else if (step.field === 'year2') year = value < 70 ? 2000 + value : 1900 + value;
          else if (step.field === 'month') month = value;
          else if (step.field === 'day') day = value;
          else if (step.field === 'hour') hour = value;
          else if (step.field === 'hour12') {
            hour = value;
            isTwelve = true;
          } else if (step.field === 'minute') minute = value;
          else second = value;
          break;
        }
        case 'fraction': {
          if (step.isOptional) {
            if (at >= end || bytes[at] !== step.mark) break;
            at += 1;
          }
          const begin = at;
          while (at < end && (bytes[at] as number) >= 48 && (bytes[at] as number) <= 57) at += 1;
          if (at === begin || at - begin > 9) return false;
          fractionMs = parseDecimal(bytes, begin, at, 46, 3 - (at - begin));
          break;
        }
        case 'month-name': {
          const index = MONTHS.indexOf(lower(bytes, at, at + 3, end));
          if (index === -1) return false;
          at += 3;
          const rest = MONTH_ENDS[index] as string;
          if (rest !== '' && lower(bytes, at, at + rest.length, end) === rest) at += rest.length;
          month = index + 1;
          break;
        }
        case 'weekday': {
          const begin = at;
          while (at < end && isLetter(bytes[at] as number)) at += 1;
          if (at - begin < 2) return false;
          break;
        }
        case 'half-day': {
          const half = lower(bytes, at, at + 1, end);
          if (half !== 'a' && half !== 'p') return false;
          isAfternoon = half === 'p';
          at += 1;
          if (bytes[at] === 46) at += 1;
          if (lower(bytes, at, at + 1, end) !== 'm') return false;
          at += 1;
          if (at < end && bytes[at] === 46) at += 1;
          break;
        }
        case 'offset': {
          const stop = readOffset(bytes, at, end);
          if (stop < 0) return false;
          offsetMinutes = offsetRead;
          this.hasZone = true;
          at = stop;
          break;
        }
      }
    }
    if (at !== end) return false;
    if (isTwelve) {
      if (hour < 1 || hour > 12) return false;
      hour = (hour % 12) + (isAfternoon ? 12 : 0);
    }
    if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return false;
    if (hour > 23 || minute > 59 || second > 60) return false;
    const wholeMs = daysFromCivil(year, month, day) * DAY_MS + (hour * 3600 + minute * 60 + second) * 1000;
    this.stampMs = wholeMs - offsetMinutes * 60_000 + fractionMs;
    return true;
  }
}

function isLetter(byte: number): boolean {
  const small = byte | 32;
  return small >= 97 && small <= 122;
}

function lower(bytes: Uint8Array, start: number, stop: number, end: number): string {
  if (stop > end) return '';
  let text = '';
  for (let at = start; at < stop; at++) text += String.fromCharCode((bytes[at] as number) | 32);
  return text;
}

let offsetRead = 0;

/** Reads `Z`, `+hh`, `+hhmm` or `+hh:mm`; gives the byte after it, or -1. The minutes are left in `offsetRead`. */
function readOffset(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  if (at >= end) return -1;
  if (((bytes[at] as number) | 32) === 122) {
    offsetRead = 0;
    return at + 1;
  }
  const sign = bytes[at] === 43 ? 1 : bytes[at] === 45 ? -1 : 0;
  if (sign === 0) return -1;
  at += 1;
  const two = () => {
    const tens = (bytes[at] as number) - 48;
    const ones = (bytes[at + 1] as number) - 48;
    if (at + 2 > end || !(tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9)) return -1;
    at += 2;
    return tens * 10 + ones;
  };
  const hours = two();
  if (hours < 0 || hours > 15) return -1;
  if (at < end && bytes[at] === 58) at += 1;
  const minutes = at < end ? two() : 0;
  if (minutes < 0 || minutes > 59) return -1;
  offsetRead = sign * (hours * 60 + minutes);
  return at;
}

/** Two digits at a place, or a number above 99 when they are none. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) ^ 48;
  const ones = (bytes[at + 1] as number) ^ 48;
  return tens <= 9 && ones <= 9 ? tens * 10 + ones : 1000;
}

/** ISO 8601 and RFC 3339 in the forms that logs use: date, `T` or blank, time with optional seconds, fraction and zone. */
class IsoReader implements StampReader {
  readonly format = 'iso8601';
  stampMs = Number.NaN;
  hasZone = false;
  readonly #short = ["yyyyMMdd'T'HHmmss.SSS", "yyyy-MM-dd'T'HH:mm", 'yyyy-MM-dd HH:mm', 'yyyy-MM-dd'].map(
    (format) => new PatternReader(format),
  );
  /** The date read last, as year, month and day in one number, and its days: lines of a log share their day. */
  #date = -1;
  #days = 0;

  read(bytes: Uint8Array, start: number, end: number): boolean {
    this.hasZone = false;
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
      if (at === begin || at - begin > 9) return false;
      fractionMs = parseDecimal(bytes, begin, at, 46, 3 - (at - begin));
    }
    if (!this.#readZone(bytes, at, end)) return false;
    const wholeMs = this.#days * DAY_MS + (hour * 3600 + minute * 60 + second) * 1000;
    this.stampMs = wholeMs - (this.hasZone ? offsetRead * 60_000 : 0) + fractionMs;
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
    this.stampMs = reader.stampMs - (this.hasZone ? offsetRead * 60_000 : 0);
    return true;
  }
}

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
