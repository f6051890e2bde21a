// Offsets from UTC as stamps carry them.

/** What `readOffset` found last, minutes east of UTC. A field and not an answer, since stamps are read by the million. */
export const offset = { minutes: 0 };

/** Names of offsets that mean one thing everywhere, minutes east of UTC. CST, IST or EST do not. */
const NAMED: ReadonlyMap<string, number> = new Map([
  ['UTC', 0],
  ['GMT', 0],
  ['WET', 0],
  ['CET', 60],
  ['MEZ', 60],
  ['CEST', 120],
  ['MESZ', 120],
  ['PST', -480],
  ['PDT', -420],
]);

/** True for the end of a stamp that names its offset. */
export function isZoneName(text: string): boolean {
  return NAMED.has(text);
}

function readName(bytes: Uint8Array, start: number, end: number): number {
  let stop = start;
  while (stop < end && stop - start < 5 && (bytes[stop] as number) >= 65 && (bytes[stop] as number) <= 90) stop += 1;
  const minutes = NAMED.get(String.fromCharCode(...bytes.subarray(start, stop)));
  if (minutes === undefined) return -1;
  offset.minutes = minutes;
  return stop;
}

/**
 * Read a zone's offset: `Z`, `+hh`, `+hhmm`, `+hh:mm`, or one of the names that mean one thing everywhere (UTC, CET, ...).
 * **Gives**: the byte after it, or -1 when there is none; the minutes are left in `offset`.
 */
export function readOffset(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  if (at >= end) return -1;
  if (((bytes[at] as number) | 32) === 122) {
    offset.minutes = 0;
    return at + 1;
  }
  const sign = bytes[at] === 43 ? 1 : bytes[at] === 45 ? -1 : 0;
  if (sign === 0) return readName(bytes, at, end);
  at += 1;
  const two = () => {
    const tens = (bytes[at] as number) - 48;
    const ones = (bytes[at + 1] as number) - 48;
    if (at + 2 > end || !(tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9)) return -1;
    at += 2;
    return tens * 10 + ones;
  };
  const hours = two();
  if (hours < 0 || hours > 15) return -1;
  if (at < end && bytes[at] === 58) at += 1;
  const minutes = at < end ? two() : 0;
  if (minutes < 0 || minutes > 59) return -1;
  offset.minutes = sign * (hours * 60 + minutes);
  return at;
}
