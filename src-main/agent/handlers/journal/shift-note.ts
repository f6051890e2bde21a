// The note for the next shift: what was recorded in the last hours, what is missing, what needs somebody. Plain text, since
// it goes into log books and mails.

import { Temporal } from 'temporal-polyfill';
import { formatCount, formatCounted } from '../../../model/format.ts';
import { lastPart, NOTES_SOURCE } from '../../../model/growth.ts';
import type { GapRow, StreamTally } from '../../../model/queue.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';

const HOUR_MS = 3_600_000;
/** Lines of one kind; the rest is counted. */
const LINES_MAX = 30;
/** Events that are looked at. */
const EVENTS_MAX = 500;
/** Growths that are looked at. */
const GROWTHS_MAX = 20;
/** Gaps that are looked at. */
const GAPS_MAX = 2000;

export interface ShiftFacts {
  readonly toolName: string;
  readonly timeZone: string;
  readonly nowMs: number;
  readonly hours: number;
  readonly streams: readonly StreamTally[];
  readonly waitingPoints: number;
  readonly gaps: readonly Omit<GapRow, 'id'>[];
  /** Newest first. */
  readonly growths: readonly { name: string; startedMs: number; endedMs: number | null }[];
  readonly notes: readonly { timeMs: number; text: string }[];
  /** Newest first. */
  readonly events: readonly { atMs: number; level: string; message: string; hint: string }[];
}

/**
 * Gather the facts of the last hours and write them down.
 *
 * @throws those of the store.
 */
export async function writeShiftNote(pipeline: Pipeline, nowMs: number, hours: number): Promise<string> {
  const fromMs = nowMs - hours * HOUR_MS;
  const levels = ['warning', 'error'] as const;
  const question = { levels, about: null, text: '', fromMs, toMs: null, beforeId: null, limit: EVENTS_MAX };
  const notesOf = { sourceId: NOTES_SOURCE, fromMs, toMs: Number.MAX_SAFE_INTEGER, after: null, limit: LINES_MAX };
  const [tally, gaps, events, { growths }, { marks: notes }] = await Promise.all([
    pipeline.tally(),
    pipeline.store.listGaps(GAPS_MAX),
    pipeline.store.findEvents(question),
    pipeline.store.growths(null, GROWTHS_MAX),
    pipeline.store.listMarks(notesOf),
  ]);
  const { name: toolName, timeZone } = pipeline.settings.tool;
  const named = growths.map((growth) => ({ ...growth, name: lastPart(growth).name }));
  return formatShiftNote({ toolName, timeZone, nowMs, hours, ...tally, gaps, events, growths: named, notes });
}

/**
 * Write the note.
 *
 * @returns lines of text, local times with the zone named once.
 */
export function formatShiftNote(facts: ShiftFacts): string {
  const { toolName, timeZone, nowMs, hours, waitingPoints } = facts;
  const fromMs = nowMs - hours * HOUR_MS;
  const time = (ms: number) => localTime(ms, timeZone);
  const streams = facts.streams.filter(({ lastStoredMs }) => lastStoredMs !== null && lastStoredMs >= fromMs);
  const growths = facts.growths.filter(({ endedMs }) => endedMs === null || endedMs >= fromMs);
  const gaps = facts.gaps.filter(({ toMs }) => toMs >= fromMs);
  const refused = streams.reduce((sum, { pointsRefused, pointsResent }) => sum + pointsRefused - pointsResent, 0);
  return [
    `${toolName}: the last ${hours} h, ${time(fromMs)} to ${time(nowMs)} (${timeZone})`,
    '',
    waitingPoints === 0
      ? 'Everything that was stored is delivered.'
      : `${formatCounted(waitingPoints, 'point')} wait on this PC and are sent automatically.`,
    ...(refused > 0
      ? [`${formatCounted(refused, 'point')} refused by the service: they are kept here and need somebody.`]
      : []),
    '',
    `Growths: ${growths.length === 0 ? 'none' : growths.length}`,
    ...cut(
      growths.map(
        ({ name, startedMs, endedMs }) =>
          `${name === '' ? 'not named' : name}: ${time(startedMs)} to ${endedMs === null ? 'now' : time(endedMs)}`,
      ),
    ),
    ...(facts.notes.length === 0
      ? []
      : ['', 'Notes:', ...cut(facts.notes.map((note) => `${time(note.timeMs)} ${note.text}`))]),
    '',
    `Recorded: ${streams.length === 0 ? 'nothing' : formatCounted(streams.length, 'stream')}`,
    ...cut(
      streams.map(
        ({ name, pointsStored, pointsAcknowledged }) =>
          `${name}: ${formatCounted(pointsStored, 'point')} stored, ${formatCount(pointsAcknowledged)} acknowledged`,
      ),
    ),
    '',
    `Not captured: ${gaps.length === 0 ? 'nothing is known to be missing' : formatCounted(gaps.length, 'gap')}`,
    ...cut(gaps.map((gap) => `${gap.sourceId}: ${time(gap.fromMs)} to ${time(gap.toMs)}: ${gap.cause}`)),
    '',
    `Warnings and errors: ${facts.events.length === 0 ? 'none' : facts.events.length === EVENTS_MAX ? `the last ${EVENTS_MAX}` : facts.events.length}`,
    ...cut(
      alike(facts.events).map(({ count: times, firstMs, last: { atMs, message, hint } }) => {
        const when = times === 1 ? time(atMs) : `${times} times from ${time(firstMs)} to ${time(atMs)}, last:`;
        return `${when} ${message}${hint === '' ? '' : ` ${hint}`}`;
      }),
    ),
    '',
  ].join('\n');
}

/** Events that differ in their numbers alone are one line: what repeats itself does not hide the others. */
function alike(events: ShiftFacts['events']): { count: number; firstMs: number; last: ShiftFacts['events'][number] }[] {
  return [...Map.groupBy(events, ({ level, message }) => `${level} ${message.replaceAll(/\d+/g, '#')}`).values()].map(
    (own) => {
      const last = own[0] as ShiftFacts['events'][number];
      return { count: own.length, firstMs: own.at(-1)?.atMs ?? last.atMs, last };
    },
  );
}

function cut(lines: readonly string[]): string[] {
  const shown = lines.slice(0, LINES_MAX).map((line) => `  - ${line.replaceAll(/\s+/g, ' ')}`);
  return lines.length > LINES_MAX ? [...shown, `  - and ${lines.length - LINES_MAX} more`] : shown;
}

function localTime(timeMs: number, timeZone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(Math.floor(timeMs)).toZonedDateTimeISO(timeZone);
  return `${local.toPlainDate().toString()} ${local.toPlainTime().toString({ smallestUnit: 'second' })}`;
}
