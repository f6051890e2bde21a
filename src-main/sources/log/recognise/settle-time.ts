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
import { askTime, listContradictions, listWitnesses, NEAR_MS, type Span, settleByWitnesses } from './witnesses.ts';

export interface Head {
  /** First bytes of the file, at least one whole line or the layout waits. */
  readonly bytes: Uint8Array;
  /** Path below the watched folder; a date in it can settle the date order. */
  readonly path: string;
  /** Some lines from further on in the file, as rows for the date order; empty when not read. */
  readonly laterLines: readonly string[];
  /** Time format that other files of this folder have settled; null: none. */
  readonly settledFormat: string | null;
  /** When the file was last changed, Unix ms; 0: not known. */
  readonly modifiedMs: number;
  /** The clock of this PC, Unix ms; absent: not known. */
  readonly nowMs?: number;
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
    const own = findAutoStart(before, head.path, needs, clock, mayBeLive(before, head));
    if ('code' in own || needs === 'start') return own;
    const lastMsOf = (one: string, startMs: number) => spanOf(one, data, time.columns, decimal, startMs).lastMs;
    return tellElapsed(own, joinTimeCells(data[0] ?? [], time.columns), time.formats[0] ?? '', head, lastMsOf);
  }
  const found = settleStart(start, before, head.path, clock, { modifiedMs: head.modifiedMs, lastS });
  if (found !== null) return { from: start.from, ...found };
  return undecided(
    'log.no-start',
    `${head.path} tells no start for its times: none found in ${START_WORDS[start.from]}.`,
    'Say where the start stands. While the tool itself writes the file, its modification time can stand for its last line.',
    false,
    isRelative(format) && mayBeLive(before, head) ? [{ time: { start: { from: 'file' } } }] : [],
  );
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
  first: string,
  format: string,
  { path, modifiedMs }: Head,
  lastMsOf: (format: string, startMs: number) => number,
): FoundStart | Undecided {
  // 00:05 is five minutes after midnight, or five seconds after the start: only the last change of the file tells.
  const isShort = /^\d+:\d\d$/.test(first);
  const dayMs = readWith(format, first, true)?.stampMs ?? Number.NaN;
  const startMs = start.localMs - Math.floor(start.localMs / DAY_MS) * DAY_MS;
  const sinceMs = dayMs - startMs;
  const isNight = dayMs < 600_000;
  if (start.isWhole !== true && !(isNight && (isShort || /^\d:/.test(first)))) return start;
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
    isShort && start.isWhole !== true
      ? 'Say which. A time since the start also needs its time of day: put it into the name of the file, such as 2026-11-20_10-15-00.'
      : 'Say which.',
    false,
    (start.rules ?? []).flatMap((rule) => [
      { time: { format, start: rule } },
      ...(isShort && start.isWhole !== true ? [] : [{ time: { format: 'relative-time', start: rule } }]),
    ]),
  );
}

/** A tool writes its lines to disk within this time. */
const CHANGE_MS = 120_000;
const FAR_MS = 300 * DAY_MS;

/**
 * Is it 26 November 2020 or 20 November 2026? Of readings that lie years apart the one that fits the modification time; a
 * copy has lost that, and fits none. Where day and month alone are exchanged a copy can fit the wrong one, so that stays
 * open. Takes the formats, the last stamp, Unix ms.
 *
 * @returns the format; null when that does not tell.
 */
function settleYearPlace(formats: readonly string[], last: string, modifiedMs: number): string | null {
  const distances = formats.map((format) => Math.abs((readWith(format, last)?.stampMs ?? Number.NaN) - modifiedMs));
  const near = distances.findIndex((distance) => distance < NEAR_MS);
  const isAlone = distances.every((distance, index) => index === near || distance > FAR_MS);
  return near !== -1 && isAlone ? (formats[near] as string) : null;
}

/**
 * Choose the one format in which the stamps are written. Takes the cut, the lines, the head, and rows from the beginning and
 * the end.
 *
 * @returns the format with the reason, or the question that is left.
 */
export function chooseFormat(
  { time, decimal, rows, first }: Cut,
  lines: readonly Line[],
  head: Head,
  data: readonly (readonly string[])[],
): { format: string; reason: string } | Undecided {
  const [only] = time.formats;
  if (time.formats.length === 1 && only !== undefined) return { format: only, reason: 'the only way to read it' };
  const all = keepReading(data, time.columns, time.formats, decimal);
  // Single damaged stamps must not decide: then the formats that read most lines stay.
  const left = all.length > 0 ? all : time.formats;
  const [single] = left;
  if (left.length === 1 && single !== undefined) return { format: single, reason: 'the others fail on some line' };
  if (left.every(isCount)) {
    const readings = left.map((format) => ({ format, span: spanOf(format, data, time.columns, decimal) }));
    const witnesses = listWitnesses(
      lines.slice(0, first).map(({ text }) => text),
      head,
    );
    const shown = joinTimeCells(rows[first] ?? [], time.columns);
    return settleByWitnesses(readings, witnesses) ?? askTime(shown, readings, witnesses);
  }
  const apart = settleYearPlace(left, joinTimeCells(data.at(-1) ?? [], time.columns), head.modifiedMs);
  if (apart !== null) return { format: apart, reason: 'the other way lies years before the last change of the file' };
  const texts = [head.path, ...lines.slice(0, first).map(({ text }) => text)];
  const order = settleDateOrder(left, data, time.columns, texts, head.settledFormat);
  if (order.format !== null) return { format: order.format, reason: order.reason };
  const shown = joinTimeCells(rows[first] ?? [], time.columns);
  return undecided(
    'log.date-order-ambiguous',
    `"${shown}" in ${head.path} can be read as ${left.join(' or ')}; nothing is streamed from it until that is settled.`,
    'It settles itself with a day after the 12th, or with a date such as 2026-11-20 in the name of the file or folder. Or say which it is.',
    false,
    left.map((format) => ({ time: { format } })),
  );
}

/** What the rows span by a format that tells all, Unix ms as if UTC; NaN where none can be read. */
function spanOf(
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

const COUNTED = ['relative-seconds', 'relative-ms', 'relative-minutes', 'relative-hours'] as const;

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
    COUNTED.map((format) => ({ time: { format } })),
  );
}
