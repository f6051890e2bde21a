// Which formats could a stamp be written in? Recognition lists them from the shape of one cell; the caller drops those
// that fail on other cells, and where day and month stay interchangeable it says so instead of guessing.
import { isWeekday, monthOf } from './calendar-names.ts';
import { isOffset, OFFSET_LETTERS } from './zone-offset.ts';

const YEAR_FIRST = /^(\d{4})([-/._])(\d{1,2})\2(\d{1,2})(?!\d)/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/;
const MONTH_FIRST = /^(\p{L}{3,12})([-/ ])(\d{1,2})(,? +|[-/])(\d{4})(?!\d)/u;
const MONTH_SECOND = /^(\d{1,2})([-/ .])(\p{L}{3,12})\2(\d{4}|\d{2})(?!\d)/u;
/** 2. Mai 2022, 2 de mayo de 2022. */
const MONTH_LONG = /^\d{1,2}(\.?) (de )?(\p{L}{3,12})(\.?) (de )?\d{4}(?!\d)/u;
const COMPACT = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)/;
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})([.,]\d+|:\d{3}(?!\d))?)?(?:( ?)[AaPp]\.?[Mm]\.?(?![A-Za-z]))?/;
/** Times without colons, which only a date in front tells from other numbers. */
const TIME_ODD = /^(\d{2})([-.])(\d{2})\2(\d{2})(?!\d)/;
const TIME_COMPACT = /^([01]\d|2[0-3])[0-5]\d[0-5]\d([.,]\d+)?(?![\d.])/;
const COMPACT_WHOLE = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d[0-5]\d$/;
/** 2026年11月25日 03時00分00秒, and the like in Chinese and Korean. */
const SIGNED_DATE = /^\d{4}([年년])( ?)\d{1,2}([月월])( ?)\d{1,2}([日일])/;
const SIGNED_TIME = /^\d{1,2}([時时点點시])( ?)\d{1,2}([分분])( ?)\d{1,2}(?:\.\d+)?([秒초])/;
const WEEKDAY = /^(\p{L}{2,12})(\.?,?) +/u;

interface Part {
  readonly formats: readonly string[];
  readonly length: number;
}

function shapeOfDate(text: string): Part | null {
  const quote = (separator: string) => (/[A-Za-z]/.test(separator) ? `'${separator}'` : separator);
  let match = YEAR_FIRST.exec(text);
  if (match) return { formats: [`yyyy${match[2]}MM${match[2]}dd`], length: match[0].length };
  match = YEAR_LAST.exec(text);
  if (match) {
    const separator = match[2] as string;
    const year = match[4]?.length === 4 ? 'yyyy' : 'yy';
    const dayFirst = `dd${separator}MM${separator}${year}`;
    const formats = separator === '.' ? [dayFirst] : [dayFirst, `MM${separator}dd${separator}${year}`];
    if (year === 'yy') formats.push(`yy${separator}MM${separator}dd`);
    return { formats, length: match[0].length };
  }
  match = MONTH_FIRST.exec(text);
  if (match && monthOf(match[1] as string) !== undefined) {
    const gap = (match[4] as string).startsWith(',') ? ', ' : (match[4] as string).charAt(0);
    return { formats: [`MMM${quote(match[2] as string)}dd${gap}yyyy`], length: match[0].length };
  }
  match = MONTH_SECOND.exec(text);
  if (match && monthOf(match[3] as string) !== undefined) {
    const year = match[4]?.length === 4 ? 'yyyy' : 'yy';
    return { formats: [`dd${match[2]}MMM${match[2]}${year}`], length: match[0].length };
  }
  match = MONTH_LONG.exec(text);
  if (match && monthOf(match[3] as string) !== undefined) {
    const [, dot, of, , short, ofYear] = match;
    const format = `dd${dot} ${of ? "'de' " : ''}MMM${short} ${ofYear ? "'de' " : ''}yyyy`;
    return { formats: [format], length: match[0].length };
  }
  match = SIGNED_DATE.exec(text);
  if (match) {
    const [whole, year, gap, month, space, day] = match;
    return { formats: [`yyyy${year}${gap}MM${month}${space}dd${day}`], length: whole.length };
  }
  match = COMPACT.exec(text);
  return match ? { formats: ['yyyyMMdd'], length: 8 } : null;
}

function shapeOfTime(text: string): Part | null {
  const signed = SIGNED_TIME.exec(text);
  if (signed) {
    const [whole, hour, gap, minute, space, second] = signed;
    return { formats: [`HH${hour}${gap}mm${minute}${space}ss.SSS${second}`], length: whole.length };
  }
  const match = TIME.exec(text);
  if (!match) return null;
  const isTwelve = /[AaPp]\.?[Mm]\.?$/.test(match[0]);
  let format = isTwelve ? 'hh:mm' : 'HH:mm';
  if (match[3] !== undefined) format += ':ss';
  // The fraction may be missing in this cell and present in the next: the reader takes it as optional.
  if (match[3] !== undefined) format += /^[,:]/.test(match[4] ?? '') ? `${match[4]?.charAt(0)}SSS` : '.SSS';
  if (isTwelve) format += `${match[5]}a`;
  return { formats: [format], length: match[0].length };
}

function shapeOfTimeBehindDate(text: string): Part | null {
  const odd = TIME_ODD.exec(text);
  if (odd) return { formats: [`HH${odd[2]}mm${odd[2]}ss`], length: odd[0].length };
  const compact = TIME_COMPACT.exec(text);
  if (compact === null) return shapeOfTime(text);
  return { formats: [`HHmmss${compact[2]?.startsWith(',') ? ',' : '.'}SSS`], length: compact[0].length };
}

/** What a cell can be: a full stamp, only a date, only a time of day. */
export type StampShape = { readonly kind: 'stamp' | 'date' | 'time'; readonly formats: readonly string[] };

/**
 * List the formats that a text may be written in.
 *
 * @param text - one cell, blanks trimmed.
 * @returns the shape and its possible formats, day first before month first; null when it is neither date nor time. Numbers
 *   alone (Unix seconds) are not told here.
 */
export function listStampFormats(text: string): StampShape | null {
  if (text.length < 5 || text.length > 60) return null;
  const inner = /^\[(.+)\]$/.exec(text)?.[1];
  if (inner !== undefined) return inBrackets(listStampFormats(inner), inner);
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) || /^\d{8}T\d{6}/.test(text))
    return { kind: 'stamp', formats: ['iso8601'] };
  if (COMPACT_WHOLE.test(text)) return { kind: 'stamp', formats: ['yyyyMMddHHmmss'] };
  const word = WEEKDAY.exec(text);
  const weekday = word !== null && isWeekday(word[1] as string) ? word : null;
  const lead = weekday ? `EEE${weekday[2]} ` : '';
  const rest = text.slice(weekday?.[0].length ?? 0);
  // As the C library writes it: the year comes last.
  if (/^[A-Za-z]{3} +\d{1,2} \d{1,2}:\d\d:\d\d \d{4}$/.test(rest)) {
    return { kind: 'stamp', formats: [`${lead}MMM dd HH:mm:ss yyyy`] };
  }
  const date = shapeOfDate(rest);
  if (date) return joinParts(lead, rest, date, shapeOfTimeBehindDate, 'date');
  const time = shapeOfTime(rest);
  return time ? joinParts(lead, rest, time, shapeOfDate, 'time') : null;
}

/** Formats of a stamp that stands in square brackets. */
function inBrackets(shape: StampShape | null, text: string): StampShape | null {
  if (shape === null) return null;
  const gap = text.charAt(10) === 'T' ? "'T'" : ' ';
  const zone = /(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? OFFSET_LETTERS : '';
  const iso = `yyyy-MM-dd${gap}HH:mm:ss${text.includes(',') ? ',' : '.'}SSS${zone}`;
  return { kind: shape.kind, formats: shape.formats.map((format) => `[${format === 'iso8601' ? iso : format}]`) };
}

function joinParts(
  lead: string,
  text: string,
  first: Part,
  readSecond: (text: string) => Part | null,
  alone: 'date' | 'time',
): StampShape | null {
  const after = text.slice(first.length);
  if (after === '') return { kind: alone, formats: first.formats.map((format) => lead + format) };
  // Behind the sign of a day the time may follow at once.
  const gap = /^(?:[T_-]|, ?| +)/.exec(after)?.[0] ?? (/[日일]$/.test(text.slice(0, first.length)) ? '' : undefined);
  if (gap === undefined) return null;
  const second = readSecond(after.slice(gap.length));
  if (second === null) return null;
  const tail = after.slice(gap.length + second.length);
  const isZone = isOffset(tail.replace(/^ /, '')) && (tail.startsWith(' ') || !/^[A-Y]/.test(tail));
  const zone = isZone ? `${tail.startsWith(' ') ? ' ' : ''}${OFFSET_LETTERS}` : '';
  if (tail !== '' && zone === '') return null;
  const mark = gap === 'T' ? "'T'" : gap.startsWith(' ') ? ' ' : gap;
  const formats = first.formats.flatMap((one) => second.formats.map((other) => `${lead}${one}${mark}${other}${zone}`));
  return { kind: 'stamp', formats };
}
