// Offsets from UTC as stamps carry them.

/** The letters of a pattern that stand for an offset such as +01:00 or Z, as in Unicode TR 35. */
export const OFFSET_LETTERS = 'X'.repeat(3);

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

/** True for the end of a stamp that tells its offset: Z, +02:00, CET, UTC+2, GMT-07:00. */
export function isOffset(text: string): boolean {
  return NAMED.has(text) || /^(?:Z|[+-]\d\d:?\d\d|(?:UTC|GMT)[+-]\d{1,2}(?::?\d\d)?)$/.test(text);
}

function readName(bytes: Uint8Array, start: number, end: number): number {
  let stop = start;
  while (stop < end && stop - start < 5 && (bytes[stop] as number) >= 65 && (bytes[stop] as number) <= 90) stop += 1;
  const minutes = NAMED.get(String.fromCharCode(...bytes.subarray(start, stop)));
  if (minutes === undefined) return -1;
  offset.minutes = minutes;
  const isUniversal = minutes === 0 && stop - start === 3 && (bytes[start] === 85 || bytes[start] === 71);
  return isUniversal && (bytes[stop] === 43 || bytes[stop] === 45) && stop < end
    ? readHours(bytes, stop, end, 1)
    : stop;
}

/**
 * Hours and minutes behind a sign. Takes the digits that the hours have at least.
 *
 * @returns as `readOffset`.
 */
function readHours(bytes: Uint8Array, start: number, end: number, least: 1 | 2): number {
  const sign = bytes[start] === 43 ? 1 : -1;
  const digit = (at: number) => (at < end ? (bytes[at] as number) - 48 : -1);
  const isDigit = (at: number) => digit(at) >= 0 && digit(at) <= 9;
  let at = start + 1;
  if (!isDigit(at)) return -1;
  let hours = digit(at++);
  if (isDigit(at)) hours = hours * 10 + digit(at++);
  else if (least === 2) return -1;
  if (hours > 15) return -1;
  const mark = at < end && bytes[at] === 58 ? 1 : 0;
  let minutes = 0;
  if (isDigit(at + mark) && isDigit(at + mark + 1)) {
    minutes = digit(at + mark) * 10 + digit(at + mark + 1);
    at += mark + 2;
  } else if (mark === 1 || isDigit(at)) return -1;
  if (minutes > 59) return -1;
  offset.minutes = sign * (hours * 60 + minutes);
  return at;
}

/**
 * Read a zone's offset: `Z`, `+hh`, `+hhmm`, `+hh:mm`, one of the names that mean one thing everywhere (UTC, CET, ...), or
 * `UTC` and `GMT` with hours behind them.
 *
 * @returns the byte after it, or -1 when there is none; the minutes are left in `offset`.
 */
export function readOffset(bytes: Uint8Array, start: number, end: number): number {
  const at = start;
  if (at >= end) return -1;
  if (((bytes[at] as number) | 32) === 122) {
    offset.minutes = 0;
    return at + 1;
  }
  return bytes[at] === 43 || bytes[at] === 45 ? readHours(bytes, at, end, 2) : readName(bytes, at, end);
}

/** Universal time, with hours or without, at the end of a label or behind a stamp: `Start (UTC+2): ...`, `... (GMT)`. */
const BEFORE = /(?<![A-Za-z])((?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d\d)?)?)[^\p{L}\d]*$/u;
const BEHIND = /^\s*[([]\s*((?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d\d)?)?)\s*[)\]]/;

/**
 * Read the offset that stands beside a stamp and not in it. Takes the text before and behind the stamp.
 *
 * @returns minutes east of UTC; null: none is told.
 */
export function offsetBeside(before: string, behind: string): number | null {
  const text = BEHIND.exec(behind)?.[1] ?? BEFORE.exec(before)?.[1];
  if (text === undefined) return null;
  const bytes = new TextEncoder().encode(text);
  return readOffset(bytes, 0, bytes.length) === bytes.length ? offset.minutes : null;
}

/** Offsets from UTC are whole quarters of an hour, and none is larger. */
export const OFFSET_STEP_MS = 900_000;
export const OFFSET_MAX_MS = 14 * 3_600_000;

/** Write minutes east of UTC: -07:00. */
export function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
