// Local time, always with its zone somewhere near: logs and the service speak other zones, and nobody should guess.

/** To make a format takes longer than to use it a hundred times, and a page of events needs hundreds, four times a second. */
const formats = new Map<string, Intl.DateTimeFormat>();
/** A format keeps the zone that this PC had when it was made, so it is made again after this, milliseconds. */
const FORMATS_KEPT_MS = 60_000;
let madeMs = Number.NEGATIVE_INFINITY;

function formatOf(options: Intl.DateTimeFormatOptions, timeZone?: string): Intl.DateTimeFormat {
  const nowMs = performance.now();
  if (nowMs - madeMs > FORMATS_KEPT_MS) {
    formats.clear();
    madeMs = nowMs;
  }
  const key = `${Object.entries(options).join()} ${timeZone ?? ''}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', timeZone === undefined ? options : { ...options, timeZone });
  formats.set(key, made);
  return made;
}

const parts = (timeMs: number, options: Intl.DateTimeFormatOptions, timeZone?: string): string =>
  formatOf(options, timeZone).format(timeMs);

/**
 * Write the time of day: `14:02:11`.
 *
 * @param timeMs - Unix time in milliseconds.
 * @param timeZone - an IANA zone, else that of this PC.
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
 * @param timeZone - an IANA zone (else that of this PC).
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

/** Write a moment in full, to the millisecond, with the zone: `20 Nov 2026, 14:02:11.302 CET`. */
export function formatExact(timeMs: number, timeZone?: string): string {
  const date = parts(timeMs, { day: 'numeric', month: 'short', year: 'numeric' }, timeZone);
  const thousandth = String(((Math.floor(timeMs) % 1000) + 1000) % 1000).padStart(3, '0');
  return `${date}, ${formatClock(timeMs, timeZone)}.${thousandth} ${formatZone(timeMs, timeZone)}`;
}
