// What the names in a header say: which of them are of the time, and which line names nothing.
import { namedColumns } from '../columns/part-columns.ts';
import { isCountHeader } from '../columns/relative-columns.ts';
import { secondPartOf } from '../columns/second-parts.ts';
import { TIME_HEADER } from '../columns/time-candidate.ts';

/** A header cell without the quote or comment mark that some programs put in front. */
export function cleanHeader(cell: string): string {
  const clean = cell.replace(/^['#;/\s]+/, '').trim();
  // A name of nothing else, such as # over row numbers, is one.
  return clean === '' ? cell.trim() : clean;
}

/** True for the name of a time, whether it tells an instant or counts. */
export function isTimeName(cell: string): boolean {
  return TIME_HEADER.test(cell) || isCountHeader(cell);
}

/** True for names of which the first is of the time, or some are of the parts of a stamp; # counts the rows. */
export function beginsWithTime(cells: readonly string[]): boolean {
  const first = (cells[0] === '#' ? cells[1] : cells[0]) ?? '';
  return isTimeName(cleanHeader(first)) || namedColumns(cells) !== null;
}

/**
 * Names of the parts of a stamp, such as `Date Time`, stand over a cell each, also from the place on that would be the value's:
 * the cell too many is of a text with a blank in it.
 */
export function nameParts(cells: readonly string[], at: number): boolean {
  const [last = '', next = ''] = cells.slice(at - 1);
  const isWhole = /stamp|date.?time/i.test(last);
  return namedColumns(cells) !== null || (!isWhole && (TIME_HEADER.test(next) || secondPartOf(next) !== null));
}

/** `gain = 1.25` says one thing of the file. */
export function isStatement(row: readonly string[]): boolean {
  const marked = row.filter((cell) => /[:=]$/.test(cell));
  return marked.length === 1 || marked.some((cell) => cell.length === 1);
}
