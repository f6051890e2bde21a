// Who can say whether a stamp was read right: the dates in the head and the name of the file, its modification time, and the
// clock of this PC. A count of seconds fits several zeros, a date two orders; read the wrong way it lies months or years
// off, and a person sees that at once where witnesses stand beside it.
//
// A file that was copied has a later modification time than its stamps, and a head tells other dates too (of a calibration, a
// version): that is normal. A stamp that lies behind the last change of its file, or in the future, is not.
import type { Dialect } from '../../../model/dialect.ts';
import { EARLIEST_MS } from '../../../model/plausible-clock.ts';
import { isLikely } from '../columns/count-columns.ts';
import { DAY_MS } from '../time/calendar.ts';
import { isWeekday, monthOf } from '../time/calendar-names.ts';
import type { FoundStart, StartRule } from '../time/found-start.ts';
import { readWith } from '../time/stamp-search.ts';
import type { ZoneClock } from '../time/zone-clock.ts';
import { OFFSET_MAX_MS, OFFSET_STEP_MS } from '../time/zone-offset.ts';
import { daysTold, findAutoStart } from './auto-start.ts';
import type { Cut } from './cut.ts';
import { type Undecided, undecided } from './header-line.ts';

/** How far a stamp may lie from a witness: zones and clocks differ. */
const APART_MS = DAY_MS;
/** The last line of a file and its last change, while nobody has copied it. */
const NEAR_MS = 2 * DAY_MS;
/** Modification times that stand for none: disks and archives without any give 1970 or 1980. */
const NO_CHANGE_MS = Date.UTC(1980, 0, 3);

export interface Witnesses {
  readonly path: string;
  /** The clock of this PC, and the last change of the file, Unix ms; NaN: not known. */
  readonly nowMs: number;
  readonly modifiedMs: number;
  /** Days that the head and the name of the file tell, as if UTC; each list with the text that tells it. */
  readonly dates: readonly { readonly text: string; readonly place: string; readonly daysMs: readonly number[] }[];
}

/** What the rows of a file span by one reading, Unix ms. */
export interface Span {
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Gather the witnesses of a file. Takes the lines before its data, its path, its last change, the clock. */
export function listWitnesses(
  before: readonly string[],
  { path, modifiedMs, nowMs = Number.NaN }: { path: string; modifiedMs: number; nowMs?: number },
): Witnesses {
  const dates = daysTold(before, path);
  // A PC whose battery is dead knows neither the time nor when a file of its own disk was changed.
  if (nowMs < EARLIEST_MS) return { path, nowMs: Number.NaN, modifiedMs: Number.NaN, dates };
  return { path, nowMs, modifiedMs: modifiedMs > NO_CHANGE_MS ? modifiedMs : Number.NaN, dates };
}

/** True where a list of days has one that the span holds. */
function agrees({ daysMs }: Witnesses['dates'][number], { firstMs, lastMs }: Span): boolean {
  return daysMs.some((dayMs) => dayMs >= firstMs - APART_MS - DAY_MS && dayMs <= lastMs + APART_MS);
}

const dayText = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);

/** What contradicts a reading, a sentence each; empty: nothing. */
export function listContradictions(span: Span, { nowMs, modifiedMs, dates }: Witnesses): string[] {
  const said: string[] = [];
  // What was written as the file was last changed needs no other witness.
  if (Math.abs(span.lastMs - modifiedMs) <= APART_MS) return said;
  if (span.lastMs > nowMs + APART_MS) said.push(`the clock of this PC says ${dayText(nowMs)}`);
  if (span.lastMs > modifiedMs + APART_MS) said.push(`the file was last changed on ${dayText(modifiedMs)}`);
  if (dates.length > 0 && !dates.some((date) => agrees(date, span))) {
    for (const { text, place } of dates.slice(0, 3)) said.push(`its ${place} says "${text}"`);
  }
  return said;
}

/** Zeros from which other programs count with the same digits, and how much later a stamp is by them: such times are not read. */
const OTHER_ZEROS: Readonly<Record<string, { readonly counts: string; readonly laterMs: number }>> = {
  'labview-seconds': { counts: 'seconds since 1900', laterMs: Date.UTC(1900, 0, 1) - Date.UTC(1904, 0, 1) },
  'excel-days': { counts: 'days since 1904', laterMs: Date.UTC(1904, 0, 1) - Date.UTC(1899, 11, 30) },
};

/**
 * Tell a count from one that has the same digits and another zero.
 *
 * @param shown - the first time, as it is written.
 * @param format - how it is read.
 * @param span - the rows by that.
 * @returns the question; null where no other count has these digits, or a witness shows that the format is right.
 */
export function doubtZero(shown: string, format: string, span: Span, witnesses: Witnesses): Undecided | null {
  const other = OTHER_ZEROS[format];
  if (other === undefined || !isLikely(span.lastMs + other.laterMs)) return null;
  const byOther = { firstMs: span.firstMs + other.laterMs, lastMs: span.lastMs + other.laterMs };
  const isOpen = (one: Span) => listContradictions(one, witnesses).length === 0;
  const tells = [
    isOpen,
    (one: Span) => witnesses.dates.some((date) => agrees(date, one)),
    (one: Span) => Math.abs(one.lastMs - witnesses.modifiedMs) < NEAR_MS,
  ];
  if (isOpen(span) && tells.find((tell) => tell(span) !== tell(byOther))?.(span) === true) return null;
  // Seconds since 1904 may be of the clock on the wall as well: of the same day.
  const formats = format === 'labview-seconds' ? [format, 'igor-seconds'] : [format];
  const readings = formats.map((one) => ({ format: one, span }));
  const asked = askTime(shown, readings, witnesses);
  return {
    ...asked,
    hint: `${asked.hint} The digits could also be ${other.counts}, which Epistream does not read: in that case let the tool write a date.`,
  };
}

/** Ask about stamps that nobody confirms: what was read, and what each witness says. */
export function askTime(
  shown: string,
  readings: readonly { readonly format: string; readonly span: Span }[],
  witnesses: Witnesses,
  start?: StartRule,
): Undecided {
  const { path } = witnesses;
  const ways = readings.map(({ format, span }) => `${dayText(span.firstMs)} as ${format}`).join(' or ');
  const contradictions = [...new Set(readings.flatMap(({ span }) => listContradictions(span, witnesses)))];
  const why = contradictions.length > 0 ? contradictions.join(', ') : 'no date in its head or name tells that';
  return undecided(
    'log.stamp-doubtful',
    `"${shown}", the first time of ${path}, is read as ${ways}, but ${why}; nothing is streamed from it until that is settled.`,
    'Check the clock of the tool and of this PC. If a reading is right, name it: a time format that the settings name is believed.',
    false,
    readings.map(({ format }) => ({ time: { format, ...(start && { start }) } })),
  );
}

/** Between a start, or the last change of a file, and its row. */
const SAME_MS = 600_000;

/**
 * Seconds since 1904 are of UTC as LabVIEW counts them, and of the clock on the wall as Igor does. Their days are the same, so
 * only what tells the time of day can tell which; or the name of the program.
 *
 * @param before - the lines before the data.
 * @param span - the rows as LabVIEW counts.
 * @param clock - of the zone of the wall.
 * @param stepMs - usual time between rows: the last change is that of the last row only where that is short.
 * @returns the format; or the question.
 */
export function settleZero(
  shown: string,
  span: Span,
  before: readonly string[],
  head: { path: string; modifiedMs: number; nowMs?: number },
  clock: ZoneClock,
  stepMs: number,
): string | Undecided {
  const ofWall = (localMs: number) => clock.toInstant(localMs, Number.NaN);
  const readings = [
    { format: 'labview-seconds', says: /labview/i, ...span },
    { format: 'igor-seconds', says: /\bigor/i, firstMs: ofWall(span.firstMs), lastMs: ofWall(span.lastMs) },
  ];
  const { nowMs, modifiedMs } = listWitnesses(before, head);
  if (readings.every(({ firstMs }) => !(firstMs !== span.firstMs))) return 'labview-seconds';
  const start = findAutoStart(before, head.path, 'start', clock, false);
  const startMs = 'code' in start ? Number.NaN : start.instantMs;
  const texts = [head.path, ...before];
  const tells = [
    ({ says }: (typeof readings)[number]) => texts.some((text) => says.test(text)),
    ({ firstMs }: Span) => Math.abs(firstMs - startMs) < SAME_MS,
    ({ lastMs }: Span) => stepMs < SAME_MS && Math.abs(lastMs - modifiedMs) < SAME_MS,
    ({ lastMs }: Span) => !(lastMs - SAME_MS > Math.min(modifiedMs, nowMs)),
  ];
  for (const tell of tells) {
    const [one, ...others] = readings.filter(tell);
    if (one !== undefined && others.length === 0) return one.format;
  }
  return undecided(
    'log.zero-unclear',
    `"${shown}", the first time of ${head.path}, counts seconds since 1904: of UTC, as LabVIEW does, or of the clock on the wall, as Igor does; nothing tells which.`,
    'Say which program has written it.',
    false,
    readings.map(({ format }) => ({ time: { format } })),
  );
}

const FAR_MS = 300 * DAY_MS;
/** A tool writes its lines to disk within this time. */
const WRITTEN_MS = 120_000;

/**
 * Is it 26 November 2020 or 20 November 2026, 2 March or 3 February? The reading by which the last line was written as the file
 * was last changed; a copy has lost that, and fits none. Of readings that lie years apart the one that fits to two days.
 *
 * @param last - the last stamp of the file.
 * @returns the format; null when that does not tell.
 */
export function settleByChange(formats: readonly string[], last: string, modifiedMs: number): string | null {
  const apart = formats.map((format) => Math.abs((readWith(format, last)?.stampMs ?? Number.NaN) - modifiedMs));
  const isWritten = (ms: number) =>
    ms <= OFFSET_MAX_MS + WRITTEN_MS && Math.abs(ms - Math.round(ms / OFFSET_STEP_MS) * OFFSET_STEP_MS) <= WRITTEN_MS;
  for (const [isNear, farMs] of [
    [isWritten, 2 * DAY_MS],
    [(ms: number) => ms < NEAR_MS, FAR_MS],
  ] as const) {
    const near = apart.findIndex(isNear);
    if (near !== -1 && apart.every((ms, index) => index === near || ms > farMs)) return formats[near] as string;
  }
  return null;
}

/** The ways to read a stamp, those first by which the file was changed soonest behind its last line. */
export function byLikelihood(formats: readonly string[], last: string, modifiedMs: number): string[] {
  const behindMs = (format: string) => {
    const ms = modifiedMs + OFFSET_MAX_MS - (readWith(format, last)?.stampMs ?? Number.NaN);
    return ms >= 0 ? ms : Number.MAX_VALUE;
  };
  return formats.toSorted((a, b) => behindMs(a) - behindMs(b));
}

/** Headers of a day that is no date. */
const DAY_HEADER = /^(?:day|tag|jour|día|dia|weekday|wochentag)$/i;

/**
 * Times of day beside a month, a day of the week or of the month: they tell more than the file says of its days, and a log
 * that rests for a day or two is read a day early.
 *
 * @param headers - those of the columns.
 * @returns the question; null where no cell tells a day, or a person has said when the first one was.
 */
export function doubtDay(
  { time }: Cut,
  headers: readonly string[],
  start: FoundStart,
  { path }: { readonly path: string },
  dialect: Dialect,
  data: readonly (readonly string[])[],
): Undecided | null {
  if (time.needs === undefined || dialect.time.start !== null) return null;
  const tellsDay = (cell: string) => monthOf(cell) !== undefined || isWeekday(cell.replace(/[.,]$/, ''));
  const width = data.at(-1)?.length ?? 0;
  const column = Array.from({ length: width }, (_, index) => index).find((index) => {
    const cells = data.map((row) => row[index] ?? '');
    return !time.columns.includes(index) && (cells.every(tellsDay) || DAY_HEADER.test(headers[index] ?? ''));
  });
  if (column === undefined) return null;
  const isMonth = monthOf(data[0]?.[column] ?? '') !== undefined;
  return undecided(
    'log.day-unclear',
    `"${data[0]?.[column]}" in ${path} tells the day of a line and no year: as a time of day alone its lines could be read a day off.`,
    'Let the tool write a whole date. Where no day is left out between the lines, say when the first one was.',
    false,
    // The number beside a month would become a channel.
    isMonth ? [] : (start.rules ?? []).map((rule) => ({ time: { format: time.formats[0] ?? '', start: rule } })),
  );
}

/** What begins at 00:00:00 is a time of day where its last one is that of the last change of the file. */
export function isSeenAsTimeOfDay(start: FoundStart, format: string, last: string, modifiedMs: number): boolean {
  const lastMs = readWith(format, last, true)?.stampMs ?? Number.NaN;
  const midnightMs = start.instantMs - (start.localMs - Math.floor(start.localMs / DAY_MS) * DAY_MS);
  return Math.abs(midnightMs + lastMs - modifiedMs) < WRITTEN_MS;
}
