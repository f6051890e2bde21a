// Does a line hold data, whatever separator and decimal mark it is written with? What looks so and is not among the rows of a
// file must not be skipped in silence.
import { shapeOfCell } from '../cells/cell-shape.ts';
import { splitCells } from '../cells/cells.ts';
import { isWeekday, monthOf } from '../time/calendar-names.ts';

const SEPARATORS = ['\t', ';', ',', '|', 'whitespace', 'wide'] as const;
const REMARK = /^\s*(?:#|%|\/\/)/;
/** Characters looked at: enough for a stamp and two numbers. */
const LINE_MAX = 2000;

/**
 * Tell whether a line may be a row of values.
 *
 * @param line - its text.
 * @returns true where it begins with a stamp, a date, a time or a number, and numbers follow: one behind a stamp, one more
 *   behind a number. Remarks, sentences and `key: value` are none.
 */
export function isDataLine(line: string): boolean {
  const text = line.slice(0, LINE_MAX).replaceAll('\0', '');
  if (!/\d.*[\s,;|].*\d/.test(text) || REMARK.test(text)) return false;
  if (isYearless(text)) return true;
  // A comma between commas is a decimal mark only where quotes stand around.
  const isQuoted = text.includes('"');
  return SEPARATORS.some((separator) => isRow(splitCells(text, separator), separator, separator !== ',' || isQuoted));
}

const CLOCK = /(?<![\d:])\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?!\d)/;
const NUMBER_BEHIND = /^"?(?:.*[\s,;|"])?[+-]?\d[\d.,]*(?:e[+-]?\d+)?(?=$|[\s,;|"])/i;

/** A day without a year, a time of day and a number: Nov 20 10:15:00, Fri 10:15:00. */
function isYearless(text: string): boolean {
  const clock = CLOCK.exec(text);
  if (clock === null) return false;
  const lead = text
    .slice(0, clock.index)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const isWord = (word: string) => monthOf(word) !== undefined || isWeekday(word);
  const isDay = lead.some(isWord) && lead.every((word) => /^\d{1,6}$/.test(word) || isWord(word));
  // Where a comma separates the day from it, the one behind it is no decimal mark.
  const clockText = text.slice(0, clock.index).includes(',') ? clock[0].replace(/,.*$/, '') : clock[0];
  return isDay && NUMBER_BEHIND.test(text.slice(clock.index + clockText.length));
}

function isRow(cells: readonly string[], separator: string, mayHaveComma: boolean): boolean {
  const said = cells.filter((cell) => cell !== '');
  const [first = ''] = said;
  if (said.length < 2 || !/\d/.test(first)) return false;
  const isNumber = (cell: string) =>
    shapeOfCell(cell, '.') === 'number' || (mayHaveComma && shapeOfCell(cell, ',') === 'number');
  const shape = isNumber(first) ? 'number' : shapeOfCell(first, '.');
  if (shape === 'text' || shape === 'token') return false;
  const numbers = said.slice(1).filter(isNumber).length;
  const words = said.slice(1).filter((cell) => !isNumber(cell) && shapeOfCell(cell, '.') === 'text').length;
  // Between blanks a sentence that begins with a number looks like a row.
  return separator === 'whitespace' ? numbers > words : numbers > 0;
}
