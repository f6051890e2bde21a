// Time zones in which a stamp would fit the clock of this PC, for a question with buttons.

/** Zones that are tried, after that of this PC: one or two for each offset that tools are set to. */
const KNOWN = [
  ...['UTC', 'Europe/London', 'Europe/Berlin', 'Europe/Helsinki', 'Asia/Kolkata', 'Asia/Shanghai', 'Asia/Taipei'],
  ...['Asia/Tokyo', 'Asia/Seoul', 'Australia/Sydney', 'America/New_York', 'America/Chicago', 'America/Denver'],
  ...['America/Phoenix', 'America/Los_Angeles', 'America/Sao_Paulo'],
] as const;

/** So far from the clock a stamp may be and fit: a tool writes its lines late, and clocks differ, milliseconds. */
export const FIT_MS = 5 * 60_000;
const ZONES_MAX = 4;

/** Offset of a zone at an instant, milliseconds east of UTC; seconds of old zones are left out. */
function offsetMs(zone: string, atMs: number): number {
  const name = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(atMs)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(name ?? '') ?? [];
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === '-' ? -size : size;
}

/**
 * Find zones by which a stamp was written when it was written.
 *
 * @param stampMs - the stamp as an instant, read in `zone`, Unix ms.
 * @param writtenMs - when it was written, by the clock of this PC, Unix ms.
 * @param own - zones that are tried first, such as that of this PC.
 * @returns IANA names, at most 4, the likeliest first; empty: none fits, so the zone is not what is wrong.
 */
export function fittingZones(stampMs: number, writtenMs: number, zone: string, own: readonly string[]): string[] {
  const local = stampMs + offsetMs(zone, stampMs);
  return [...new Set([...own, ...KNOWN])]
    .filter((other) => Math.abs(local - offsetMs(other, writtenMs) - writtenMs) <= FIT_MS)
    .slice(0, ZONES_MAX);
}
