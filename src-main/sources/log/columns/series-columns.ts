// A table that holds several series, one after the other or row by row: read as one, its time goes back or stands still; told
// apart by the right columns of words, each series goes on in time.
import { isStateWord } from '../cells/cell-shape.ts';
import type { ColumnKind, Layout } from '../parse/layout.ts';
import { compileTimeFormat, isRelative } from '../time/time-format.ts';
import { joinTimeCells } from './time-columns.ts';

type Rows = readonly (readonly string[])[];

/** Rows that a series has at least. */
const ROWS_MIN = 2;
/** Part of the rows that have the stamp of the row before. */
const SHARED_MIN = 0.3;
/** Where a series begins, as a part of the span of the one before: later it may go on from there, as at the end of summer time. */
const BEGIN_MAX = 0.25;

/**
 * Find the columns that say of which series a row is.
 *
 * @param data - rows.
 * @returns one column; or those that only together tell the series apart; none where the time goes on by itself.
 */
export function findSeriesColumns(layout: Layout, kinds: readonly ColumnKind[], data: Rows): number[] {
  const isTimeOnly = !/[yd]/.test(layout.timeFormat);
  const reader = compileTimeFormat(layout.timeFormat, { decimal: layout.decimal, isTimeOnly });
  const rows = data.flatMap((row) => {
    const bytes = new TextEncoder().encode(joinTimeCells(row, layout.timeColumns));
    return reader.read(bytes, 0, bytes.length) ? [{ row, atMs: reader.stampMs }] : [];
  });
  const times = rows.map(({ atMs }) => atMs);
  // Times of day go back at midnight, those that count from a start with the next run.
  const mayGoBack = !isTimeOnly && !isRelative(layout.timeFormat);
  if (!standsStill(times) && !(mayGoBack && beginsAgain(times))) return [];
  const isTelling = (column: number) => {
    const names = new Set(rows.map(({ row }) => row[column] ?? ''));
    const areNames = !names.has('') && ![...names].every((name) => isStateWord(name) || !/\p{L}/u.test(name));
    return areNames && names.size > 1 && names.size * ROWS_MIN <= rows.length;
  };
  const telling = kinds.flatMap((kind, column) => (kind === 'text' && isTelling(column) ? [column] : []));
  const goesOn = (columns: readonly number[]) => {
    const lastMs = new Map<string, number>();
    return rows.every(({ row, atMs }) => {
      const name = columns.map((column) => row[column]).join('\n');
      const beforeMs = lastMs.get(name) ?? Number.NEGATIVE_INFINITY;
      lastMs.set(name, atMs);
      return atMs > beforeMs;
    });
  };
  const only = telling.find((column) => goesOn([column]));
  if (only !== undefined) return [only];
  return telling.length > 1 && goesOn(telling) ? telling : [];
}

function standsStill(times: readonly number[]): boolean {
  const shared = times.filter((atMs, index) => index > 0 && atMs === times[index - 1]).length;
  return times.length >= 2 * ROWS_MIN && shared >= (times.length - 1) * SHARED_MIN;
}

/** The time goes back once at least, each time to near the begin of the rows before. */
function beginsAgain(times: readonly number[]): boolean {
  let [beginMs, lastMs, count] = [times[0] ?? 0, times[0] ?? 0, 0];
  for (const atMs of times) {
    if (atMs < lastMs) {
      if (atMs > beginMs + (lastMs - beginMs) * BEGIN_MAX) return false;
      beginMs = atMs;
      count += 1;
    }
    lastMs = atMs;
  }
  return count > 0;
}
