// The zone in which this page writes and reads times, and the arithmetic between wall time and instants.
//
// The zone is one value of the module, not an argument of every component: each time on the page is in the same zone, and the
// banner names it once. `state/time-zone.ts` says which, and has the page drawn again when it changes.
// A wall time is a number as well: the milliseconds that `Date.UTC` gives for what the clock on the wall shows.

const DAY_MS = 86_400_000;

let current = 'UTC';
const clocks = new Map<string, Intl.DateTimeFormat>();

/** Tell the zone in which times are written and read now, an IANA name. */
export const zoneInForce = (): string => current;

/**
 * Change the zone in force; what is drawn already stays as it is.
 *
 * @param zone - an IANA name; UTC takes the place of one that this browser does not know, and is named so.
 */
export function setZoneInForce(zone: string): void {
  current = isKnownZone(zone) ? zone : 'UTC';
}

/** Whether this browser knows a zone: the agent's list of zones may be newer. */
export function isKnownZone(zone: string): boolean {
  try {
    clockOf(zone);
    return true;
  } catch {
    // Intl refuses a zone that it does not know by throwing; there is nothing else to find out.
    return false;
  }
}

/** Making a format takes longer than using it a hundred times. */
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  clocks.set(zone, made);
  return made;
}

/**
 * Tell how far a zone is ahead of UTC at an instant.
 *
 * @param timeMs - Unix time in milliseconds, from the year 1 on.
 * @param zone - an IANA name.
 * @returns milliseconds; negative west of Greenwich.
 */
export function offsetMs(timeMs: number, zone = current): number {
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of clockOf(zone).formatToParts(timeMs)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(timeMs / 1000) * 1000;
}

/**
 * Find the instant at which a zone shows a wall time.
 *
 * @param wallMs - the wall time, as `Date.UTC` counts it.
 * @param zone - an IANA name.
 * @returns Unix milliseconds. An hour that comes twice: the first. One that the clock change leaves out: as far behind the
 *   change as it was asked for, so 02:30 becomes 03:30.
 */
export function instantOf(wallMs: number, zone = current): number {
  // No zone changes twice in two days, so the offset is one of these.
  const [before, after] = [offsetMs(wallMs - DAY_MS, zone), offsetMs(wallMs + DAY_MS, zone)];
  const fitting = [wallMs - before, wallMs - after].filter((timeMs) => timeMs + offsetMs(timeMs, zone) === wallMs);
  return fitting.length === 0 ? wallMs - before : Math.min(...fitting);
}

/** Write an instant as a field of the type `datetime-local` wants it, to the minute: `2026-11-20T14:02`. */
export function toTimeField(timeMs: number, zone = current): string {
  return new Date(timeMs + offsetMs(timeMs, zone)).toISOString().slice(0, 16);
}

/**
 * Read what a person typed into a field of the type `datetime-local`.
 *
 * @param text - `2026-11-20T14:02`, with seconds or without; empty while it is not whole.
 * @param zone - an IANA name.
 * @returns Unix milliseconds, as `instantOf`; null: no whole moment.
 */
export function readTimeField(text: string, zone = current): number | null {
  const wallMs = Date.parse(`${text}Z`);
  return Number.isFinite(wallMs) ? instantOf(wallMs, zone) : null;
}
