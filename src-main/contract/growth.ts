// Growths: a time that the operator names, with the streams and RHEED sessions that begin and end with it.
import { z } from 'zod';
import { call, nothing, text } from './row.ts';

const unixMs = z.number().describe('Unix time, milliseconds');
const count = z.int().nonnegative();

/** What is chosen for a growth. Of the sample either the id or a name, never both. */
const chosen = {
  name: z.string().describe('empty: not named yet'),
  sampleId: z.string().nullable().describe('UUID of the sample; null: none is chosen, or the new one has no id yet'),
  newSampleName: z.string().nullable().describe('name of a sample that is made with the start of a RHEED session'),
  projectId: z.string().nullable(),
};

/** What a running growth waits for before its streams can be sent, as text; capture never waits. */
const Waits = z.object({ message: z.string(), hint: z.string().describe('empty: it comes by itself') });

/**
 * What a change of name, sample or project would do now: `same-streams` nothing was sent yet, so it is carried by what is
 * open; `new-streams` streams and RHEED session end and new ones carry it; `nothing` it ended and is known to the service.
 */
const ChangeBecomes = z.enum(['same-streams', 'new-streams', 'nothing']);

const common = {
  id: z.string(),
  ...chosen,
  startedMs: unixMs,
  startCause: z.string().describe('by hand, or the file that started it'),
  endedMs: unixMs.nullable().describe('null: it runs'),
  endCause: z.string(),
};

/** The growth in the snapshot: the one that runs. */
export const RunningGrowth = z.object({
  ...common,
  state: z.enum(['running', 'asks']).describe('asks: the agent was restarted meanwhile; answer `continue` or `new`'),
  askedMs: unixMs.nullable().describe('when the agent was restarted; null: nothing is asked'),
  changeBecomes: ChangeBecomes,
  waits: z.array(Waits).describe('what streams of it wait for before they can be sent; empty: nothing'),
  problems: z.array(Waits).describe('what could not be begun with it, such as a RHEED session'),
});
export type RunningGrowth = z.infer<typeof RunningGrowth>;

const GrowthStreamView = z.object({
  id: z.int().describe('number of the stream, as in the snapshot and in receipts'),
  sourceId: z.string(),
  name: z.string(),
  dataId: z.string().nullable().describe('UUID of its entry; null: not known to the service yet'),
  isElsewhere: z.boolean().describe('its entry is at another service than that of the settings'),
  isSent: z.boolean().describe('its entry can be changed no more'),
  isClosed: z.boolean(),
  isDelivered: z.boolean().describe('nothing of it waits any more; points may have been refused'),
  points: count,
  pointsAcknowledged: count,
  pointsRefused: count.describe('points the service refused; kept here'),
  pointsResent: count.describe('of the refused, those that were sent again in another stream'),
  firstReadingMs: unixMs.nullable(),
  lastReadingMs: unixMs.nullable(),
});

const GrowthSessionView = z.object({
  nonce: z.string().describe('names the session, as in rheed.listSessions'),
  sourceId: z.string(),
  name: z.string(),
  startedMs: unixMs,
  endedMs: unixMs.nullable(),
  dataId: z.string().nullable(),
  isElsewhere: z.boolean().describe('its entry is at another service than that of the settings'),
  isStartSent: z.boolean(),
  problem: z.string(),
  hint: z.string(),
});

/** A part of a growth: what was chosen for it does not change once it was sent. */
const GrowthPartView = z.object({
  id: z.string(),
  fromMs: unixMs,
  toMs: unixMs.nullable().describe('null: it runs'),
  ...chosen,
  streams: z.array(GrowthStreamView).describe('one for each source and day that gave readings'),
  rheed: z.array(GrowthSessionView),
});

export const GrowthView = z.object({
  ...common,
  state: z.enum(['running', 'asks', 'ended']),
  askedMs: unixMs.nullable(),
  changeBecomes: ChangeBecomes,
  waits: z.array(Waits),
  problems: z.array(Waits),
  restarts: z.array(
    z.object({ atMs: unixMs, answer: z.enum(['continue', 'new']).nullable(), answeredMs: unixMs.nullable() }),
  ),
  parts: z.array(GrowthPartView).describe('oldest first, at least one'),
  notes: z.array(z.object({ timeMs: unixMs, text: z.string() })).describe('oldest first, at most 1000'),
});
export type GrowthView = z.infer<typeof GrowthView>;

const choice = {
  name: text(200).optional().describe('absent: as it is; empty: none'),
  sampleId: text(64).nullable().optional(),
  newSampleName: text(200).nullable().optional().describe('only with a source of kind rheed; never beside sampleId'),
  projectId: text(64).nullable().optional(),
};

const GrowthStart = z.object({
  ...choice,
  note: text(2000).optional().describe('a first note'),
});

const GrowthChange = z.object({
  growthId: text(64).nullable().optional().describe('absent: the one that runs; one that ended too, until it was sent'),
  ...choice,
  mayOpenNew: z
    .boolean()
    .describe('false: refuse with `growth.needs-new-streams` rather than end what is open and begin new streams'),
});

const GrowthAnswer = z.discriminatedUnion('answer', [
  z.object({ answer: z.literal('continue') }),
  z.object({ answer: z.literal('new'), start: GrowthStart }),
]);

const GrowthNote = z.object({ text: text(2000).min(1) });

export const growth = {
  /** The growth of this id, or the one that runs (null); null when there is none. */
  read: call(z.object({ growthId: text(64).nullable() }), GrowthView.nullable()),
  start: call(GrowthStart, GrowthView),
  /** Choose name, sample or project late; the value says by which streams it is carried. */
  change: call(GrowthChange, z.object({ carriedBy: z.enum(['same-streams', 'new-streams']), growth: GrowthView })),
  end: call(nothing, GrowthView),
  /** A remark at this moment; plot.readMarks shows it, with source `(notes)`. Also without a growth. */
  note: call(GrowthNote, z.object({ timeMs: unixMs })),
  /** What becomes of the growth during which the agent was restarted. */
  answer: call(GrowthAnswer, GrowthView),
  /** Growths, newest first. */
  list: call(
    z.object({
      before: z.int().nullable().describe('`next` of the page before; null: the first page'),
      limit: z.int().min(1).max(50),
    }),
    z.object({ growths: z.array(GrowthView), next: z.int().nullable() }),
  ),
} as const;
