// Unix seconds in a column beside stamps that carry no zone: each row proves by how much its clock was off UTC.
import { joinTimeCells } from '../columns/time-columns.ts';
import { parseDecimalText } from '../time/decimal.ts';
import { compileTimeFormat } from '../time/time-format.ts';
import { ZoneClock } from '../time/zone-clock.ts';
import { OFFSET_MAX_MS, OFFSET_STEP_MS } from '../time/zone-offset.ts';
import type { Cut } from './cut.ts';

/** Stamp and count of a row are taken at almost the same moment, and one of them may leave out the fraction of a second. */
const APART_MS = 2_000;
const ROWS_MIN = 2;

/**
 * The offset from UTC that a column of Unix seconds, or milliseconds, proves.
 *
 * @param cut - how the rows are cut.
 * @param format - of their stamps.
 * @param timeZone - the zone of the settings.
 * @returns minutes east of UTC; `settings`: each row is of that zone; null: no column proves anything, or rows differ.
 */
export function offsetByUnix(cut: Cut, format: string, timeZone: string): number | 'settings' | null {
  const { rows, first, width, time, decimal } = cut;
  const reader = compileTimeFormat(format, { decimal });
  const own = rows.slice(first).flatMap((row) => {
    const bytes = new TextEncoder().encode(joinTimeCells(row, time.columns));
    const isRead = row.length === width && reader.read(bytes, 0, bytes.length) && !reader.hasZone;
    return isRead ? [{ row, localMs: reader.stampMs }] : [];
  });
  if (own.length < ROWS_MIN) return null;
  const clock = new ZoneClock(timeZone);
  for (let column = 0; column < width; column++) {
    if (time.columns.includes(column)) continue;
    for (const unitMs of [1000, 1]) {
      const pairs = own.map(({ row, localMs }) => ({
        localMs,
        unixMs: parseDecimalText(row[column] ?? '', decimal) * unitMs,
      }));
      const offsets = pairs.map(
        ({ localMs, unixMs }) => Math.round((localMs - unixMs) / OFFSET_STEP_MS) * OFFSET_STEP_MS,
      );
      const isProof = pairs.every(({ localMs, unixMs }, index) => {
        const offsetMs = offsets[index] as number;
        return Math.abs(offsetMs) <= OFFSET_MAX_MS && Math.abs(localMs - unixMs - offsetMs) <= APART_MS;
      });
      if (!isProof) continue;
      if (pairs.every(({ localMs, unixMs }) => Math.abs(clock.toLocal(unixMs) - localMs) <= APART_MS))
        return 'settings';
      const [only = 0] = offsets;
      return offsets.every((offsetMs) => offsetMs === only) ? only / 60_000 : null;
    }
  }
  return null;
}
