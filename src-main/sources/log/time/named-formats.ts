// Stamps that are read where a person names their format, since nothing tells by itself how they are meant: 10:00:00:5, 9:15:00a, days
// of the year, ticks of .NET.
import { listStampFormats } from './stamp-shapes.ts';
import { OFFSET_LETTERS } from './zone-offset.ts';

/** What the formats of `listNamedFormats` mean, for people. */
export const NAMED_FORMATS =
  'III counts milliseconds, SSS is a fraction; aaaaa stands for a or p alone; DDD is the day of the year; dotnet-ticks are of UTC (ticks of the clock on the wall, as DateTime.Now gives them, are not read: let the tool write UtcNow, or a date)';

const COUNTED = /^(.*:\d\d:\d\d):\d{1,3}$/;
const HALF_LETTER = /^(.*\d ?[ap])$/i;
const DAY_OF_YEAR = /^\d{4}([-./ ]?)(?:[0-2]\d\d|3[0-6]\d)([T ]) *\d\d:\d\d(:\d\d)?([.,]\d+)?(Z)?$/;
/** Tenths of microseconds since the year 1, of the years 2000 to 2050. */
const TICKS = /^6(?:3[1-9]|4[0-6])\d{15}$/;

/**
 * List the formats in which a text is read that is not recognised as a stamp.
 *
 * @returns the likeliest first; none where it is no such stamp.
 */
export function listNamedFormats(text: string): string[] {
  if (TICKS.test(text)) return ['dotnet-ticks'];
  const ofYear = DAY_OF_YEAR.exec(text);
  if (ofYear !== null) {
    const [, mark = '', gap, seconds = '', fraction = '', zulu] = ofYear;
    const clock = `HH:mm${seconds && ':ss'}${fraction && `${fraction.charAt(0)}SSS`}`;
    return [`yyyy${mark}DDD${gap === 'T' ? "'T'" : ' '}${clock}${zulu === undefined ? '' : OFFSET_LETTERS}`];
  }
  const counted = COUNTED.exec(text)?.[1];
  if (counted !== undefined) return wholeFormats(counted).flatMap((format) => [`${format}:III`, `${format}:SSS`]);
  const half = HALF_LETTER.exec(text)?.[1];
  if (half === undefined) return [];
  return stampFormats(`${half}m`).flatMap((format) => (/a$/.test(format) ? [format.replace(/a$/, 'aaaaa')] : []));
}

function stampFormats(text: string): readonly string[] {
  const shape = listStampFormats(text);
  return shape?.kind === 'stamp' ? shape.formats : [];
}

/** Formats of a stamp that ends with whole seconds. */
function wholeFormats(text: string): string[] {
  const iso = `yyyy-MM-dd${text.charAt(10) === 'T' ? "'T'" : ' '}HH:mm:ss`;
  return stampFormats(text).map((format) => (format === 'iso8601' ? iso : format.replace(/[.,]SSS$/, '')));
}
