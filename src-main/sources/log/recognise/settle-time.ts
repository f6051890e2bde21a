// How the time of a file is written and where it begins, once its lines are cut into rows.
import type { Dialect } from '../../../model/dialect.ts';
import { settleDateOrder } from '../columns/date-order.ts';
import { joinTimeCells, keepReading } from '../columns/time-columns.ts';
import { DAY_MS } from '../time/calendar.ts';
import { type FoundStart, START_WORDS } from '../time/found-start.ts';
import { readWith } from '../time/stamp-search.ts';
import { settleStart } from '../time/start-stamp.ts';
import { compileTimeFormat, isCount, isRelative } from '../time/time-format.ts';
import { ZoneClock } from '../time/zone-clock.ts';
import { findAutoStart } from './auto-start.ts';
import type { Cut, Line } from './cut.ts';
import { type Undecided, undecided } from './header-line.ts';
import {
  askTime,
  byLikelihood,
  doubtZero,
  isSeenAsTimeOfDay,
  listContradictions,
  listWitnesses,
  type Span,
  settleByChange,
} from './witnesses.ts';

export interface Head {
  /** First bytes of the file, at least one whole line or the layout waits. */
  readonly bytes: Uint8Array;
  /** Path below the watched folder; a date in it can settle the date order. */
  readonly path: string;
  /** Some lines from further on in the file, as rows for the date order; empty when not read. */
  readonly laterLines: readonly string[];
  /** The lines of `bytes` behind those that are looked at first; absent: none. */
  readonly nextLines?: readonly string[];
  /** Time format that other files of this folder have settled; null: none. */
  readonly settledFormat: string | null;
  /** When the file was last changed, Unix ms; 0: not known. */
  readonly modifiedMs: number;
  /** The clock of this PC, Unix ms; absent: not known. */
  readonly nowMs?: number;
  /** All numbers of a part of the file before these lines were whole: 1.000 may be a thousand here. */
  readonly hasWholeBefore?: boolean;
  /** The dialect was found by its signs: no person has said that its stamps are so. */
  readonly isDialectFound?: boolean;
}

/** Find the start that the dialect speaks of, or that the times ask for; null when there is nothing to ask. */
export function findStart(
  { first, time, decimal }: Cut,
  lines: readonly Line[],
  head: Head,
  dialect: Dialect,
  timeZone: string,
  data: readonly (readonly string[])[],
  format: string,
): FoundStart | Undecided | null {
  const { start, zone } = dialect.time;
  if (start === null && time.needs === undefined) return null;
  const before = lines.slice(0, first).map(({ text }) => text);
  const lastS = isRelative(format) ? spanOf(format, data, time.columns, decimal).lastMs / 1000 : Number.NaN;
  const clock = new ZoneClock(zone ?? timeZone);
  if (start === null) {
    const needs = time.needs ?? 'start';
    const isLive = mayBeLive(before, head);
    const begin = joinTimeCells(data[0] ?? [], time.columns);
    const own = findAutoStart(before, head.path, needs, clock, isLive);
    if ('code' in own && needs === 'day' && FROM_ZERO.test(begin)) return askStartOfZero(begin, head.path, isLive);
    if ('code' in own || needs === 'start') return own;
    const lastMsOf = (one: string, startMs: number) => spanOf(one, data, time.columns, decimal, startMs).lastMs;
    const last = joinTimeCells(data.at(-1) ?? [], time.columns);
    return tellElapsed(own, { first: begin, last }, time.formats[0] ?? '', head, lastMsOf, isLive);
  }
  const found = settleStart(start, before, head.path, clock, { modifiedMs: head.modifiedMs, lastS });
  const daysPassed = () => {
    const stamps = datedStamps({ time, decimal }, format, data, true, 0);
    return head.laterLines.length === 0 ? Math.floor((stamps.at(-1) ?? Number.NaN) / DAY_MS) : Number.NaN;
  };
  const begun = found === null ? null : beginBy(start.marks, found, lastS * 1000, daysPassed(), clock);
  if (begun !== null) return { from: start.from, ...begun };
  return undecided(
    'log.no-start',
    `${head.path} tells no start for its times: none found in ${START_WORDS[start.from]}.`,
    'Say where the start stands. While the tool itself writes the file, its modification time can stand for its last line.',
    false,
    isRelative(format) && mayBeLive(before, head) ? [{ time: { start: { from: 'file' } } }] : [],
  );
}

/** Rarely a time of day: a program has counted from its own start. */
const FROM_ZERO = /^0?0:00(?::00(?:[.,]0+)?)?$/;

function askStartOfZero(begin: string, path: string, isLive: boolean): Undecided {
  const ofFile = isLive
    ? ' Only where the tool itself writes all files of the folder there, and nobody copies them: the modification time of a file can stand for its last line.'
    : '';
  return undecided(
    'log.no-start',
    `The times of ${path} begin at ${begin}: they count from a start that neither its first lines nor its name tell.`,
    `Put date and time of the start into its name, such as 2026-11-20_10-15-00, or exclude it with a narrower match.${ofFile}`,
    false,
    isLive ? [{ time: { format: 'relative-time', start: { from: 'file' } } }] : [],
  );
}

/** Where the times begin by a stamp that tells of the first line, of the last one, or of the day after; null: that is not known. */
function beginBy(
  marks: NonNullable<Dialect['time']['start']>['marks'],
  found: { readonly localMs: number; readonly instantMs: number },
  lastMs: number,
  daysPassed: number,
  clock: ZoneClock,
): { localMs: number; instantMs: number } | null {
  if (marks === 'begin') return found;
  if (marks === 'end' && Number.isFinite(lastMs)) {
    const instantMs = found.instantMs - lastMs;
    return { instantMs, localMs: clock.toLocal(instantMs) };
  }
  const localMs = found.localMs - (marks === 'end' ? daysPassed : 1) * DAY_MS;
  return Number.isNaN(localMs) ? null : { localMs, instantMs: clock.toInstant(localMs, Number.NaN) };
}

/** The last change of a file may be that of its last line: no date of its head or name says that it was copied later. */
function mayBeLive(before: readonly string[], head: Head): boolean {
  const { modifiedMs, dates } = listWitnesses(before, head);
  const isNear = (dayMs: number) => dayMs <= modifiedMs + DAY_MS && modifiedMs - dayMs < LONGEST_RUN_MS;
  return !Number.isNaN(modifiedMs) && dates.every(({ daysMs }) => daysMs.some(isNear));
}

/** Runs last days, not weeks. */
const LONGEST_RUN_MS = 8 * DAY_MS;

/** Longest time between a start and the first line that is still told from a time that counts from it. */
const FIRST_LINE_MS = 6 * 3_600_000;

/** `0:10:31` can be a time of day, or the time since the start: the start itself tells which. */
function tellElapsed(
  start: FoundStart,
  { first, last }: { readonly first: string; readonly last: string },
  format: string,
  { path, modifiedMs }: Head,
  lastMsOf: (format: string, startMs: number) => number,
  isLive: boolean,
): FoundStart | Undecided {
  // 00:05 is five minutes after midnight, or five seconds after the start: only the last change of the file tells.
  const isShort = /^\d+:\d\d$/.test(first);
  const dayMs = readWith(format, first, true)?.stampMs ?? Number.NaN;
  const startMs = start.localMs - Math.floor(start.localMs / DAY_MS) * DAY_MS;
  const sinceMs = dayMs - startMs;
  const isNight = dayMs < 600_000;
  const isFromZero = /^00:00:00/.test(first) && !isSeenAsTimeOfDay(start, format, last, modifiedMs);
  if (start.isWhole !== true && !isFromZero && !(isNight && (isShort || /^\d:/.test(first)))) return start;
  const isAfter = sinceMs > -600_000 && sinceMs < FIRST_LINE_MS;
  if (start.isWhole === true && isAfter && !(isNight && sinceMs < 0)) return start;
  const isCounted = /^\d{1,5}:[0-5]\d:[0-5]\d/.test(first);
  if (start.isWhole === true && isNight && !isAfter && isCounted) return { ...start, isElapsed: true };
  const elapsedMs = lastMsOf('relative-time', start.instantMs);
  if (isShort && start.isWhole === true && Math.abs(elapsedMs - modifiedMs) < CHANGE_MS)
    return { ...start, isElapsed: true };
  return undecided(
    'log.start-ambiguous',
    `"${first}", the first time of ${path}, may be a time of day or the time since its start.`,
    (isShort || isFromZero) && start.isWhole !== true
      ? 'Say which. A time since the start also needs its time of day: put it into the name of the file, such as 2026-11-20_10-15-00.'
      : 'Say which.',
    false,
    [
      ...(isFromZero && isLive ? [{ time: { format: 'relative-time', start: { from: 'file' as const } } }] : []),
      ...(start.rules ?? []).flatMap((rule) => [
        { time: { format, start: rule } },
        ...(start.isWhole !== true ? [] : [{ time: { format: 'relative-time', start: rule } }]),
      ]),
    ],
  );
}

/** Hardly anybody writes the year first with points and two digits: only what else is known of the file speaks for that. */
const POINTED = 'dd.MM.yy';

/** A tool writes its lines to disk within this time. */
const CHANGE_MS = 120_000;
/**
 * Choose the one format in which the stamps are written. Takes the cut, the lines, the head, the dialect, and rows from the
 * beginning and the end.
 *
 * @returns the format with the reason, or the question that is left.
 */
export function chooseFormat(
  { time, decimal, rows, first }: Cut,
  lines: readonly Line[],
  head: Head,
  dialect: Dialect,
  data: readonly (readonly string[])[],
): { format: string; reason: string } | Undecided {
  const [only] = time.formats;
  if (time.formats.length === 1 && only !== undefined) {
    const chosen = { format: only, reason: 'the only way to read it' };
    if (dialect.time.format !== 'auto' || !isCount(only)) return chosen;
    const before = lines.slice(0, first).map(({ text }) => text);
    const shown = joinTimeCells(rows[first] ?? [], time.columns);
    const span = spanOf(only, data, time.columns, decimal);
    return doubtZero(shown, only, span, listWitnesses(before, head)) ?? chosen;
  }
  const all = keepReading(data, time.columns, time.formats, decimal);
  // Single damaged stamps must not decide: then the formats that read most lines stay.
  const left = all.length > 0 ? all : time.formats;
  const [single] = left;
  if (left.length === 1 && single !== undefined) return { format: single, reason: 'the others fail on some line' };
  const last = joinTimeCells(data.at(-1) ?? [], time.columns);
  const { modifiedMs } = listWitnesses([], head);
  const written = settleByChange(left, last, modifiedMs);
  if (written !== null) return { format: written, reason: 'the last change of the file fits no other' };
  const texts = [head.path, ...lines.slice(0, first).map(({ text }) => text)];
  const order = settleDateOrder(left, data, time.columns, texts, head.settledFormat);
  if (order.format !== null) return { format: order.format, reason: order.reason };
  const german = left.find((format) => format.startsWith(POINTED));
  const isPast = (format: string) => !(spanOf(format, data, time.columns, decimal).lastMs > modifiedMs + DAY_MS);
  if (german !== undefined && left.length === 2 && isPast(german))
    return { format: german, reason: 'with points the day comes first, and the year last' };
  const shown = joinTimeCells(rows[first] ?? [], time.columns);
  return undecided(
    'log.date-order-ambiguous',
    `"${shown}" in ${head.path} can be read as ${left.join(' or ')}; nothing is streamed from it until that is settled.`,
    'It settles itself with a day after the 12th, or with a date such as 2026-11-20 in the name of the file or folder. Or say which it is.',
    false,
    byLikelihood(left, last, modifiedMs).map((format) => ({ time: { format } })),
  );
}

/** What the rows span by a format that tells all, Unix ms as if UTC; NaN where none can be read. */
export function spanOf(
  format: string,
  data: readonly (readonly string[])[],
  columns: readonly number[],
  decimal: '.' | ',',
  startMs = 0,
): Span {
  const reader = compileTimeFormat(format, { decimal, startMs });
  const stamps = data.flatMap((row) => {
    const bytes = new TextEncoder().encode(joinTimeCells(row, columns));
    return reader.read(bytes, 0, bytes.length) ? [reader.stampMs] : [];
  });
  return { firstMs: stamps[0] ?? Number.NaN, lastMs: stamps.at(-1) ?? Number.NaN };
}

/** Stamps that carry no zone, as if UTC, Unix ms, in their order; none where they are of another kind. */
export function datedStamps(
  { time, decimal }: Pick<Cut, 'time' | 'decimal'>,
  format: string,
  data: readonly (readonly string[])[],
  isTimeOnly: boolean,
  dayMs: number,
): number[] {
  if (isRelative(format)) return [];
  const reader = compileTimeFormat(format, { decimal, isTimeOnly });
  let [midnightMs, formerMs] = [dayMs, Number.NEGATIVE_INFINITY];
  return data.flatMap((row) => {
    const bytes = new TextEncoder().encode(joinTimeCells(row, time.columns));
    if (!reader.read(bytes, 0, bytes.length) || reader.hasZone) return [];
    // A time of day that goes back by half a day passed midnight.
    if (isTimeOnly && reader.stampMs < formerMs - DAY_MS / 2) midnightMs += DAY_MS;
    formerMs = reader.stampMs;
    return [midnightMs + formerMs];
  });
}

/**
 * Hear the witnesses of the stamps that were read. Takes the cut, the format and the start that were settled, the lines, the
 * head, the dialect, some rows.
 *
 * @returns the question that is open; null when nobody contradicts, or a person has said that the stamps are so.
 */
export function doubtTime(
  { time, decimal, rows, first }: Cut,
  format: string,
  start: FoundStart | null,
  lines: readonly Line[],
  head: Head,
  dialect: Dialect,
  data: readonly (readonly string[])[],
): Undecided | null {
  const isSaid = dialect.time.format !== 'auto' || dialect.time.start !== null;
  if ((isSaid && head.isDialectFound !== true) || dialect.time.start?.from === 'file') return null;
  const before = lines.slice(0, first).map(({ text }) => text);
  const witnesses = listWitnesses(before, head);
  const span =
    start === null || isRelative(format)
      ? spanOf(format, data, time.columns, decimal, start?.instantMs)
      : { firstMs: start.localMs, lastMs: start.localMs };
  if (Number.isNaN(span.firstMs) || listContradictions(span, witnesses).length === 0) return null;
  const shown = joinTimeCells(rows[first] ?? [], time.columns);
  return askTime(shown, [{ format, span }], witnesses, start?.rules?.[0]);
}

/** A program has just written a row that is so old. */
const JUST_NOW_MS = 600_000;

/**
 * Rows that a start puts behind the last change of their file: what was found may be the end, or the day after. A copy that
 * lost its modification time has a later one, and contradicts nothing.
 *
 * @param start - as it was found.
 * @param zone - of the stamps.
 * @param data - rows, in their order, the last one among them.
 * @returns the question; null where no row is too late, or a person has said the start.
 */
export function doubtEnd(
  cut: Cut,
  format: string,
  start: FoundStart,
  lines: readonly Line[],
  head: Head,
  dialect: Dialect,
  zone: string,
  data: readonly (readonly string[])[],
): Undecided | null {
  if (dialect.time.start !== null) return null;
  const { modifiedMs, nowMs } = listWitnesses([], head);
  const clock = new ZoneClock(zone);
  const isSince = isRelative(format) || start.isElapsed === true;
  const elapsed = start.isElapsed === true ? 'relative-time' : format;
  const sinceMs = isSince ? spanOf(elapsed, data, cut.time.columns, cut.decimal).lastMs : Number.NaN;
  const midnightMs = Math.floor(start.localMs / DAY_MS) * DAY_MS;
  const endMs = (isSince ? [] : datedStamps(cut, format, data, true, midnightMs)).at(-1) ?? Number.NaN;
  const lastMs = isSince ? start.instantMs + sinceMs : clock.toInstant(endMs, Number.NaN);
  if (!(lastMs > modifiedMs + CHANGE_MS)) return null;
  // While a program holds its file open, Windows may tell when it was opened.
  if (lastMs <= nowMs + CHANGE_MS && lastMs > nowMs - JUST_NOW_MS) return null;
  const isPast = (localMs: number) => clock.toInstant(localMs, Number.NaN) <= modifiedMs + CHANGE_MS;
  const isNight = head.laterLines.length === 0 && endMs - midnightMs >= DAY_MS;
  const endsOn = endMs - Math.floor((endMs - midnightMs) / DAY_MS) * DAY_MS;
  const marks = isSince
    ? (['begin', 'end'] as const)
    : ([
        ...(isPast(endMs - DAY_MS) ? (['next-day'] as const) : []),
        ...(isNight && isPast(endsOn) ? (['end'] as const) : []),
        'begin',
      ] as const);
  const written = isSince ? (start.isElapsed === true ? elapsed : null) : format;
  const ways = (start.rules ?? []).flatMap((rule) =>
    marks.map((one) => ({
      time: { ...(written !== null && { format: written }), start: one === 'begin' ? rule : { ...rule, marks: one } },
    })),
  );
  const isOfChange =
    isSince &&
    ways.length === 0 &&
    mayBeLive(
      lines.slice(0, cut.first).map(({ text }) => text),
      head,
    );
  const shown = (atMs: number) => new Date(clock.toLocal(atMs)).toISOString().slice(0, 19).replace('T', ' ');
  return undecided(
    'log.start-ambiguous',
    `By the start that ${START_WORDS[start.from]} tells, the last line of ${head.path} is of ${shown(lastMs)}, but the file was last changed at ${shown(modifiedMs)}: what is found there may be ${isSince ? 'its end' : 'the day on which it ended, or the day after'}.`,
    `Say what it marks: its begin, its end${isSince ? '' : ', or the next day'}. If the clock or the zone of the tool is wrong, or a copy has taken a wrong time along, it may be the begin all the same.`,
    false,
    isOfChange ? [{ time: { start: { from: 'file' } } }] : ways,
  );
}

const COUNTED = ['relative-seconds', 'relative-ms', 'relative-minutes', 'relative-hours'] as const;

/** Time from a start to the first row that is no sign of another start. */
const FIRST_COUNT_MS = 600_000;

/**
 * Rows that count from a start, the first of them long after it: does the count begin there, or did it run before? 101500 may
 * be 10:15:00, or the seconds since a PLC was switched on.
 *
 * @returns the question; null where the first row is near the start, or the last change of the file agrees with the last row.
 */
export function doubtCount(
  { time, decimal }: Cut,
  format: string,
  start: FoundStart,
  { path, modifiedMs }: Head,
  dialect: Dialect,
  data: readonly (readonly string[])[],
): Undecided | null {
  if (dialect.time.start !== null || !isRelative(format)) return null;
  const [first, second] = [
    spanOf(format, data, time.columns, decimal),
    spanOf(format, data.slice(1), time.columns, decimal),
  ];
  const afterMs = Math.max(FIRST_COUNT_MS, 2 * (second.firstMs - first.firstMs));
  const ofDayMs = start.localMs - Math.floor(start.localMs / DAY_MS) * DAY_MS;
  // 75:10 counts, unless it is the time of day of the start.
  if (format === 'relative-time' && Math.abs(first.firstMs - ofDayMs) > FIRST_COUNT_MS) return null;
  if (!(first.firstMs > afterMs)) return null;
  // 115103 behind a start at 11:51:03 is that time of day, whatever its last one agrees with.
  const number = Math.floor(first.firstMs / 1000);
  const clockMs = (Math.floor(number / 10_000) * 3600 + (Math.floor(number / 100) % 100) * 60 + (number % 100)) * 1000;
  const isClock = Math.abs(clockMs - ofDayMs) < FIRST_COUNT_MS;
  if (!isClock && Math.abs(start.instantMs + first.lastMs - modifiedMs) < CHANGE_MS) return null;
  const shown = joinTimeCells(data[0] ?? [], time.columns);
  return undecided(
    'log.count-doubtful',
    `"${shown}", the first time of ${path}, is long after the start that ${start.from === 'name' ? 'its name tells' : 'its first lines tell'}: it may count from another one, or be a time of day.`,
    'If it counts from that start, say so. Else let the tool write date and time into each line.',
    false,
    (start.rules ?? []).map((rule) => ({ time: { format, start: rule } })),
  );
}

/**
 * A time that counts in a unit which nobody names: are they seconds? Takes the cut, the start, the head, some rows.
 *
 * @returns null where the last change of the file confirms seconds and no other unit; else the question.
 */
export function doubtUnit(
  { time, decimal }: Cut,
  start: FoundStart,
  { path, modifiedMs }: Head,
  data: readonly (readonly string[])[],
): Undecided | null {
  const spans = COUNTED.map((format) => spanOf(format, data, time.columns, decimal, start.instantMs));
  const apart = spans.map(({ lastMs }) => Math.abs(modifiedMs - lastMs));
  const [seconds = Number.NaN] = apart;
  const passedMs = (spans[0]?.lastMs ?? Number.NaN) - start.instantMs;
  if (seconds === Math.min(...apart) && seconds <= Math.max(CHANGE_MS, passedMs * 0.1)) return null;
  return undecided(
    'log.time-unit-unclear',
    `The time of ${path} counts from a start, and neither its header nor the last change of the file tells in which unit.`,
    'Say in which unit it counts, or let the tool write it into the header, such as Time [s].',
    false,
    // The likeliest first: by it the last row is nearest to the last change.
    COUNTED.map((format, index) => ({ format, apartMs: apart[index] ?? Number.NaN }))
      .sort((a, c) => a.apartMs - c.apartMs || 0)
      .map(({ format }) => ({ time: { format } })),
  );
}
