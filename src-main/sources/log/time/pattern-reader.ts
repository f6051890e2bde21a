// Stamps written by a pattern. It is compiled once into a list of steps; reading walks them and makes no string. Letters
// as in Unicode TR 35: yyyy yy MM M MMM MMMM dd d DDD (day of the year) HH H hh h mm m ss s S... a aaaaa (a or p alone) EEE EEEE, three X (an offset); III, IIIIII
// and IIIIIIIII, which TR 35 has not, stand for whole milli-, micro- and nanoseconds that are not padded (5 is five of them); text
// in single quotes and every other character stands for itself; a blank stands for one or more blanks.
import { AgentError } from '../../../model/agent-error.ts';
import { DAY_MS, daysFromCivil, daysInMonth } from './calendar.ts';
import { monthOf } from './calendar-names.ts';
import { parseDecimal } from './decimal.ts';
import type { StampReader } from './stamp-reader.ts';
import { offset, readOffset } from './zone-offset.ts';

/** The longest name of a month has twelve letters, of which some are two bytes. */
const MONTH_BYTES_MAX = 24;
type Field = 'year' | 'year2' | 'month' | 'day' | 'yearday' | 'hour' | 'hour12' | 'minute' | 'second';
type Step =
  | { kind: 'number'; field: Field; least: number; most: number }
  | { kind: 'fraction'; mark: number; isOptional: boolean }
  | { kind: 'part'; digits: number }
  | { kind: 'month-name' | 'weekday' | 'half-day' | 'half-letter' | 'offset' | 'blank' }
  | { kind: 'text'; byte: number };

const LETTERS: Readonly<Record<string, Field>> = {
  M: 'month',
  d: 'day',
  H: 'hour',
  h: 'hour12',
  m: 'minute',
  s: 'second',
};

/** Forms with names in other programs that a user may write here. */
const NOT_READ: ReadonlySet<string> = new Set(['dotnet-ticks-local', 'excel-1904-days', 'seconds-since-1900']);

function stepOf(run: string, isNextDigit: boolean, format: string): Step {
  const letter = run.charAt(0);
  const fail = () =>
    new AgentError({
      code: 'log.time-format-unknown',
      message: `The time format "${format}" cannot be used: "${run}" means nothing in it.`,
      hint: NOT_READ.has(format)
        ? 'Epistream does not read times of this form: let the tool write a date, Unix seconds or ticks of UTC.'
        : 'Use unix-seconds, unix-ms, iso8601, or letters such as yyyy-MM-dd HH:mm:ss.SSS; put other words in single quotes.',
      retry: 'after-human',
    });
  if (letter === 'y' && run.length === 4) return { kind: 'number', field: 'year', least: 4, most: 4 };
  if (letter === 'y' && run.length === 2) return { kind: 'number', field: 'year2', least: 2, most: 2 };
  if (letter === 'M' && run.length >= 3) return { kind: 'month-name' };
  if (letter === 'S') return { kind: 'fraction', mark: 0, isOptional: false };
  if (letter === 'I') return { kind: 'part', digits: Math.max(3, run.length) };
  if (letter === 'a') return { kind: run.length === 5 ? 'half-letter' : 'half-day' };
  if (run === 'DDD') return { kind: 'number', field: 'yearday', least: isNextDigit ? 3 : 1, most: 3 };
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

/** Reads stamps by a pattern; `isTimeOnly`: it gives a time of day and no date. */
export class PatternReader implements StampReader {
  readonly format: string;
  stampMs = Number.NaN;
  hasZone = false;
  partDigits = 0;
  #steps: readonly Step[];
  /** The month read last, as it is written. */
  #month = 0;
  #monthBytes = new Uint8Array(0);

  constructor(format: string, isTimeOnly = false) {
    this.format = format;
    this.#steps = compileSteps(format);
    const has = (...fields: Field[]) =>
      this.#steps.some((step) => step.kind === 'number' && fields.includes(step.field));
    const hasTime = has('hour', 'hour12') && has('minute');
    const isComplete = isTimeOnly
      ? hasTime
      : has('year', 'year2') &&
        (has('yearday') || (has('day') && (has('month') || this.#steps.some(({ kind }) => kind === 'month-name'))));
    if (!isComplete) {
      throw new AgentError({
        code: 'log.time-format-incomplete',
        message: `The time format "${format}" gives no full ${isTimeOnly ? 'time' : 'date'}.`,
        hint: 'A format needs year, month and day, for example dd/MM/yyyy HH:mm:ss.SSS; one without a date needs time: start.',
        retry: 'after-human',
      });
    }
  }

  #isSameMonth(bytes: Uint8Array, begin: number, end: number): boolean {
    if (end - begin !== this.#monthBytes.length) return false;
    for (let i = 0; i < this.#monthBytes.length; i++) if (bytes[begin + i] !== this.#monthBytes[i]) return false;
    return true;
  }

  #takeMonth(bytes: Uint8Array, begin: number, end: number): boolean {
    if (begin === end || end - begin > MONTH_BYTES_MAX) return false;
    const month = monthOf(String.fromCharCode(...bytes.subarray(begin, end)));
    if (month === undefined) return false;
    this.#month = month;
    this.#monthBytes = bytes.slice(begin, end);
    return true;
  }

  read(bytes: Uint8Array, start: number, end: number): boolean {
    let at = start;
    let year = 1970;
    let month = 1;
    let day = 1;
    let yearday = 0;
    let hour = 0;
    let isTwelve = false;
    let isAfternoon = false;
    let minute = 0;
    let second = 0;
    let fractionMs = 0;
    let offsetMinutes = 0;
    this.hasZone = false;
    this.partDigits = 0;
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
          else if (step.field === 'yearday') {
            if (value < 1) return false;
            yearday = value;
          } else if (step.field === 'hour') hour = value;
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
          if (at === begin) return false;
          this.partDigits = at - begin;
          fractionMs = parseDecimal(bytes, begin, at, 46, 3 - this.partDigits);
          break;
        }
        case 'part': {
          const begin = at;
          let value = 0;
          while (at < end && (bytes[at] as number) >= 48 && (bytes[at] as number) <= 57) {
            value = value * 10 + (bytes[at] as number) - 48;
            at += 1;
          }
          if (at === begin || at - begin > step.digits) return false;
          fractionMs += value / 10 ** (step.digits - 3);
          break;
        }
        case 'month-name': {
          const begin = at;
          while (at < end && isLetter(bytes[at] as number)) at += 1;
          // As a rule lines of a log share their month.
          if (!this.#isSameMonth(bytes, begin, at) && !this.#takeMonth(bytes, begin, at)) return false;
          month = this.#month;
          break;
        }
        case 'weekday': {
          const begin = at;
          while (at < end && isLetter(bytes[at] as number)) at += 1;
          if (at - begin < 2) return false;
          break;
        }
        case 'half-letter':
        case 'half-day': {
          const half = lower(bytes, at, at + 1, end);
          if (half !== 'a' && half !== 'p') return false;
          isAfternoon = half === 'p';
          at += 1;
          if (step.kind === 'half-letter') break;
          if (bytes[at] === 46) at += 1;
          if (lower(bytes, at, at + 1, end) !== 'm') return false;
          at += 1;
          if (at < end && bytes[at] === 46) at += 1;
          break;
        }
        case 'offset': {
          const stop = readOffset(bytes, at, end);
          if (stop < 0) return false;
          offsetMinutes = offset.minutes;
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
    if (yearday > 365 + daysInMonth(year, 2) - 28) return false;
    const days = yearday > 0 ? daysFromCivil(year, 1, 1) + yearday - 1 : daysFromCivil(year, month, day);
    const wholeMs = days * DAY_MS + (hour * 3600 + minute * 60 + second) * 1000;
    this.stampMs = wholeMs - offsetMinutes * 60_000 + fractionMs;
    return true;
  }
}

/** A letter of ASCII, or a byte of one that is not. */
function isLetter(byte: number): boolean {
  const small = byte | 32;
  return (small >= 97 && small <= 122) || byte >= 128;
}

function lower(bytes: Uint8Array, start: number, stop: number, end: number): string {
  if (stop > end) return '';
  let text = '';
  for (let at = start; at < stop; at++) text += String.fromCharCode((bytes[at] as number) | 32);
  return text;
}
