// Times as text, in the zone in force (time-zone.ts) unless another one is given that this browser knows. The banner names the zone once: it stands
// behind a time only where the zone itself is in question, as in the preview of a log.
import { isKnownZone, zoneInForce } from './time-zone.ts';

/** Making a format takes longer than using it a hundred times, and a page of events needs hundreds, four times a second. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(options: Intl.DateTimeFormatOptions, wanted?: string): Intl.DateTimeFormat {
  const timeZone = wanted !== undefined && isKnownZone(wanted) ? wanted : zoneInForce();
  const key = `${Object.entries(options).join()} ${timeZone}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  formats.set(key, made);
  return made;
}

const parts = (timeMs: number, options: Intl.DateTimeFormatOptions, timeZone?: string): string =>
  formatOf(options, timeZone).format(timeMs);

/**
 * Write the time of day: `14:02:11`.
 *
 * @param timeMs - Unix time in milliseconds.
 * @param timeZone - an IANA zone; absent: the zone in force.
 */
export function formatClock(timeMs: number, timeZone?: string): string {
  return parts(timeMs, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }, timeZone);
}

/** Write the day of a moment: `21 Nov`. */
export function formatDay(timeMs: number): string {
  return parts(timeMs, { day: 'numeric', month: 'short' });
}

/** Write the short name of the zone at that moment: `CET`, `GMT+9`. */
export function formatZone(timeMs: number, timeZone?: string): string {
  return (
    formatOf({ timeZoneName: 'short' }, timeZone)
      .formatToParts(timeMs)
      .find((part) => part.type === 'timeZoneName')?.value ?? ''
  );
}

/**
 * Write a moment as a person near it would say it.
 *
 * @param timeMs - Unix time in milliseconds.
 * @param nowMs - the present.
 * @param timeZone - an IANA zone; absent: the zone in force.
 * @returns `14:02:11` on the same day, `19 Nov, 23:40:02` in the same year, `12 Jun 2023, 00:00:01` otherwise.
 */
export function formatMoment(timeMs: number, nowMs: number, timeZone?: string): string {
  const day = (ms: number) => parts(ms, { day: 'numeric', month: 'short', year: 'numeric' }, timeZone);
  const clock = formatClock(timeMs, timeZone);
  const [date, today] = [day(timeMs), day(nowMs)];
  if (date === today) return clock;
  const isSameYear = date.slice(-4) === today.slice(-4);
  return `${isSameYear ? date.slice(0, -5) : date}, ${clock}`;
}

/** Write a moment in full, to the millisecond: `20 Nov 2026, 14:02:11.302`. */
export function formatExact(timeMs: number, timeZone?: string): string {
  const date = parts(timeMs, { day: 'numeric', month: 'short', year: 'numeric' }, timeZone);
  const thousandth = String(((Math.floor(timeMs) % 1000) + 1000) % 1000).padStart(3, '0');
  return `${date}, ${formatClock(timeMs, timeZone)}.${thousandth}`;
}

/** An instant in a sentence of the agent. */
const INSTANT = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g;

/** Write the instants in a sentence of the agent in the zone in force: `since 20 Nov 2026, 14:02:11`. */
export const inZone = (text: string): string =>
  text.replaceAll(INSTANT, (one) => formatExact(Date.parse(one)).slice(0, -'.000'.length));

/** Write a moment in full with its zone: `20 Nov 2026, 14:02:11.302 CET`. */
export function formatZoned(timeMs: number, timeZone?: string): string {
  return `${formatExact(timeMs, timeZone)} ${formatZone(timeMs, timeZone)}`;
}
