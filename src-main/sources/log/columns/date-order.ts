// Day first or month first? 12/06/2023 reads both ways and a wrong choice moves months of data, so nothing is guessed:
// either something outside the ambiguous stamps settles it, or the file waits.
import { DAY_MS } from '../time/calendar.ts';
import { compileTimeFormat } from '../time/time-format.ts';
import { joinTimeCells } from './time-columns.ts';

/** A date whose order cannot be mistaken: the year in front. Written apart, or as eight digits (a time may follow). */
const YEAR_FIRST = [
  /(?<!\d)((?:19|20)\d\d)[-_. ](1[0-2]|0?[1-9])[-_. ](3[01]|[12]\d|0?[1-9])(?!\d)/g,
  /(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=\d{4}(?:\d\d)?(?!\d)|\D|$)/g,
];

export interface DateOrder {
  /** The format that holds; null while undecided. */
  readonly format: string | null;
  readonly reason: string;
}

function datesIn(text: string): number[] {
  const dates: number[] = [];
  for (const pattern of YEAR_FIRST) {
    for (const [, year, month, day] of text.matchAll(pattern)) {
      dates.push(Date.UTC(Number(year), Number(month) - 1, Number(day)));
    }
  }
  return dates;
}

/**
 * Choose between formats that all read every row.
 *
 * @param formats - the formats (two or more).
 * @param columns - time columns.
 * @param texts - the texts that may name a date with the year in front (file path, preamble).
 * @param settledByOthers - the format that other files of the same folder have settled (null: none).
 * @returns the one format that fits, with the reason; or null with what is missing.
 */
export function settleDateOrder(
  formats: readonly string[],
  rows: readonly (readonly string[])[],
  columns: readonly number[],
  texts: readonly string[],
  settledByOthers: string | null,
): DateOrder {
  const stampOf = (format: string) => {
    const bytes = new TextEncoder().encode(joinTimeCells(rows[0] ?? [], columns));
    const reader = compileTimeFormat(format);
    return reader.read(bytes, 0, bytes.length) ? reader.stampMs : Number.NaN;
  };
  for (const text of texts) {
    const dates = datesIn(text);
    if (dates.length === 0) continue;
    // A file of that day may begin shortly before its midnight.
    const fitting = formats.filter((format) =>
      dates.some((date) => stampOf(format) >= date - DAY_MS && stampOf(format) < date + 2 * DAY_MS),
    );
    if (fitting.length === 1)
      return { format: fitting[0] as string, reason: `the date in "${text.slice(0, 80)}" fits only it` };
  }
  if (settledByOthers !== null && formats.includes(settledByOthers)) {
    return { format: settledByOthers, reason: 'other files of this folder are written so' };
  }
  return { format: null, reason: 'day and month can be exchanged in every line so far' };
}
