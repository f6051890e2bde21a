// Where relative seconds begin: a stamp before the data or in the name of the file.
import type { Dialect } from '../../../model/dialect.ts';
import { compileTimeFormat } from './time-format.ts';
import type { ZoneClock } from './zone-clock.ts';

type Start = NonNullable<Dialect['time']['start']>;

const STAMP_MAX = 60;
/** Digits that a fraction of a second has at least in the name of a file. */
const NAMED_FRACTION = 3;

/**
 * Find a stamp inside a text. Takes the text, and the rule: only behind `after` where that is given, blanks and marks
 * skipped.
 *
 * @returns the stamp, as if it were UTC unless it carries a zone; null when there is none. The longest stamp at the first place
 *   wins.
 */
function findStamp(text: string, { from: place, after, format }: Start): { stampMs: number; hasZone: boolean } | null {
  const from = after === '' ? 0 : text.indexOf(after);
  if (from === -1) return null;
  const bytes = new TextEncoder().encode(text.slice(from + after.length));
  // A fraction that the format does not speak of belongs to the seconds all the same.
  const whole = format.endsWith('ss') ? [`${format}.SSS`, `${format},SSS`] : [format];
  const readers = whole.map((one) => compileTimeFormat(one));
  const isFree = (at: number) => at === 0 || !isDigit(bytes[at - 1]) || !isDigit(bytes[at]);
  for (let begin = 0; begin < bytes.length; begin++) {
    if (!isFree(begin)) continue;
    for (let end = Math.min(bytes.length, begin + STAMP_MAX); end > begin + 4; end--) {
      if (end < bytes.length && isDigit(bytes[end]) && isDigit(bytes[end - 1])) continue;
      const reader = readers.find((one) => one.read(bytes, begin, end));
      // The .1 behind a name is that of a rotated file.
      const fraction = /[.,](\d+)$/.exec(new TextDecoder().decode(bytes.subarray(begin, end)))?.[1];
      if (place === 'name' && fraction !== undefined && fraction.length < NAMED_FRACTION && whole.length > 1) continue;
      if (reader !== undefined) return { stampMs: reader.stampMs, hasZone: reader.hasZone };
    }
  }
  return null;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}

/**
 * Settle the start of a file.
 *
 * @param start - the rule.
 * @param lines - the lines before the data.
 * @param file - for `file` its modification time and the seconds of its last line.
 * @returns the start as wall clock (as if UTC) and as instant; null when it is not to be found.
 */
export function settleStart(
  start: Start,
  lines: readonly string[],
  path: string,
  zone: ZoneClock,
  file: { modifiedMs: number; lastS: number },
): { localMs: number; instantMs: number } | null {
  if (start.from === 'file') {
    const instantMs = file.modifiedMs - file.lastS * 1000;
    return Number.isFinite(instantMs) ? { instantMs, localMs: zone.toLocal(instantMs) } : null;
  }
  const texts = start.from === 'name' ? path.split('/').reverse() : lines;
  for (const text of texts) {
    const found = findStamp(text, start);
    if (found === null) continue;
    const instantMs = found.hasZone ? found.stampMs : zone.toInstant(found.stampMs, Number.NaN);
    return { instantMs, localMs: found.hasZone ? zone.toLocal(found.stampMs) : found.stampMs };
  }
  return null;
}
