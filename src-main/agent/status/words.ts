// Counts and lists in sentences.
import { Temporal } from 'temporal-polyfill';
import { formatCount } from '../../model/format.ts';

/** What to do about a source that gives no data. */
export const SILENT_HINT =
  'Check the tool, its logging, the cable and the share. Ignore this if nothing is being measured.';

/** Number of names listed; the rest are counted. */
const NAMED_MAX = 2;

/** "1 point", "4,960 points". */
export const counted = (count: number, noun: string) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** A moment by the clock of the tool: `10:03:05`, of another day `2026-11-27 10:03:05`. */
export function clockTime(timeMs: number, nowMs: number, timeZone: string): string {
  const [day, time] = localTime(timeMs, timeZone);
  return day === localTime(nowMs, timeZone)[0] ? time : `${day} ${time}`;
}

function localTime(timeMs: number, timeZone: string): [day: string, time: string] {
  const zoned = Temporal.Instant.fromEpochMilliseconds(Math.floor(timeMs)).toZonedDateTimeISO(timeZone);
  return [zoned.toPlainDate().toString(), zoned.toPlainTime().toString({ smallestUnit: 'second' })];
}

/** A service as a person reads it. */
export const serviceName = (service: string): string => (service === 'embedded' ? 'the built-in service' : service);

/** "a, b and 4 more". */
export function listSome(names: readonly string[]): string {
  const named = names.slice(0, NAMED_MAX).join(', ');
  return names.length <= NAMED_MAX ? named : `${named} and ${names.length - NAMED_MAX} more`;
}
