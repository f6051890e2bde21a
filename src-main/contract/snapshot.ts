// The one picture of the agent that crosses to the screen: whole, immutable, with a revision, at most four a second.
import { z } from 'zod';
import { RunningGrowth } from './growth.ts';
import { AlarmView } from './limit.ts';
import { UpdatesView } from './updates.ts';

const unixMs = z.number().describe('Unix time, milliseconds');
const count = z.int().nonnegative();

/** One sentence of truth and how urgent it is. `ok` recording and delivered; `busy` safe here, not all delivered. */
export const Sentence = z.object({
  tone: z.enum(['ok', 'busy', 'attention', 'stopped']),
  text: z.string().describe('the whole: standing, headline and detail'),
  standing: z.string().describe('what is recorded; empty where nothing is to be said of it'),
  headline: z.string().describe('what is wrong with what, and since when; or how far delivery has come'),
  detail: z.string().describe('what the system or the service said; empty: nothing'),
  hint: z.string().describe('what to do; empty when nothing needs doing'),
});

/** One thing that is not as it should be. */
export const Trouble = z.object({
  keys: z
    .array(z.string())
    .min(1)
    .describe('stable names of what is wrong, one for each source, limit or stream: `source chamber-log`'),
  text: z.string().describe('what is wrong with what, and since when; no technical words'),
  detail: z.string().describe('what the system or the service said; empty: nothing'),
  hint: z.string().describe('what to do'),
  act: z
    .object({
      label: z.string(),
      place: z.string().describe('path of the page, behind the #'),
      alarm: z
        .object({ sourceId: z.string(), channel: z.string() })
        .nullable()
        .describe('the limit that the button acknowledges'),
    })
    .nullable()
    .describe('where on the screen a person ends it; null: elsewhere, as the hint says'),
});

export const ServiceView = z.object({
  address: z.string(),
  isEmbedded: z.boolean(),
  state: z.enum(['unknown', 'connected', 'offline', 'held']).describe('held: waits for a person (key, target, portal)'),
  pausedSinceMs: unixMs.nullable().describe('a person paused the sending; null: nobody did'),
  needsKey: z.boolean().describe('it refuses the API key, or none is known: a person enters one'),
  message: z.string(),
  hint: z.string(),
  sinceMs: unixMs,
  nextTryMs: unixMs.nullable(),
});

export const SourceView = z.object({
  id: z.string(),
  kind: z.enum(['log', 'serial', 'rheed', 'simulator']),
  place: z.string().describe('folder, port or "simulated growth"'),
  state: z.enum(['starting', 'running', 'waiting', 'failed', 'finished', 'stopped']),
  message: z.string(),
  hint: z.string(),
  newestReadMs: unixMs.nullable().describe('stamp of the newest reading that was read, stored or not'),
  lastReadingMs: unixMs.nullable().describe('stamp of the newest stored reading, as the source tells it'),
  lastCaptureMs: unixMs.nullable().describe('when the agent last stored a reading of this source'),
  health: z
    .enum(['idle', 'giving', 'late', 'silent', 'gone'])
    .describe('by the data that came; idle: nothing is expected of it now; gone: it cannot be read'),
  isRecovering: z.boolean().describe('data come again, and have not yet come for one interval'),
  lateAfterMs: z.number().positive().describe('without data for longer the source is late'),
  lastDataMs: unixMs
    .nullable()
    .describe(
      'when data came last before they were missed; before the first reading, the newest that was stored before',
    ),
  rowsRead: count.describe('lines or polls since the agent started'),
  pointsRead: count.describe('points since the agent started'),
  pointsUnstored: count.describe('points that were read and are not on disk yet'),
  cellsRefused: count.describe('cells and lines that were not numbers, since the agent started'),
  notes: z.array(
    z.object({ level: z.enum(['info', 'warning', 'error']), code: z.string(), message: z.string(), hint: z.string() }),
  ),
});

export const StreamView = z.object({
  id: z.int(),
  sourceId: z.string(),
  name: z.string(),
  dataId: z.string().nullable().describe('UUID the service gave; null until initialized'),
  state: z
    .enum(['open', 'closed', 'delivered'])
    .describe('closed: takes no more readings; delivered: all acknowledged'),
  pointsPerChunk: z.int().positive().nullable().describe('null while it is still being measured'),
  channels: count,
  pointsStored: count.describe('points committed to disk'),
  pointsAcknowledged: count.describe('points the service has confirmed'),
  pointsRefused: count.describe('points the service refused; kept here'),
  pointsResent: count.describe('of the refused, those that were sent again in another stream'),
  chunksWaiting: count.describe('sealed chunks not yet acknowledged'),
  lastStoredMs: unixMs.nullable().describe('stamp of the newest stored reading'),
  deliveredUpToMs: unixMs
    .nullable()
    .describe('every stored point up to this stamp is acknowledged (or refused); null: not one is'),
  upload: z
    .enum(['stopped', 'resuming', 'idle', 'sending', 'waiting', 'blocked', 'kept'])
    .describe('kept: not sent, as a person chose'),
  message: z.string(),
  hint: z.string(),
  nextTryMs: unixMs.nullable(),
});

export const StoreView = z.object({
  state: z.enum(['ok', 'failing', 'away', 'stopped']),
  message: z.string(),
  hint: z.string(),
  path: z.string(),
  waitingPoints: count.describe('stored and not yet acknowledged (refused ones not counted)'),
  keepsUp: z.boolean().describe('only what is being filled or under way waits, as the sentence says'),
  fileBytes: count,
  freeBytes: count.nullable().describe('free on the disk that holds the queue; null when the system does not tell'),
  bytesPerHour: z.number().nullable().describe('growth of the queue over the last hours; null while it is not known'),
  hoursToFull: z
    .number()
    .nonnegative()
    .nullable()
    .describe('until the disk is full at this rate; null when it does not fill or that is not known'),
  fill: z.enum(['unknown', 'steady', 'filling', 'short']).describe('short: fewer than 48 h are left'),
  fillText: z.string().describe('how long the buffer lasts, in a sentence'),
});

/** What waits for a service that the settings no longer name. */
export const FormerView = z.object({
  service: z.string().describe('base address, or `embedded`'),
  streams: count,
  points: count,
  firstMs: unixMs.nullable().describe('stamp of the oldest reading'),
  lastMs: unixMs.nullable(),
  state: z
    .enum(['asks', 'sending', 'kept'])
    .describe('asks: a person says what becomes of it; sending: it goes there; kept: it stays here, as a person chose'),
  message: z.string().describe('why it does not go on now; empty: it does, or only an answer is missing'),
  hint: z.string(),
  hasKey: z.boolean().describe('an API key is known for it'),
});

/** An interval that could not be captured, or was lost here. */
export const GapView = z.object({
  id: z.int(),
  sourceId: z.string(),
  fromMs: unixMs,
  toMs: unixMs,
  cause: z.string(),
});

export const JournalEntry = z.object({
  id: z.int(),
  atMs: unixMs,
  level: z.enum(['info', 'warning', 'error']),
  code: z.string(),
  message: z.string(),
  hint: z.string(),
});

/** One row of the ready-to-grow light. `none`: there is no such thing here, so nothing is missing. */
export const ReadyRow = z.object({
  id: z.enum(['log', 'clock', 'key', 'instrument', 'sample', 'buffer', 'counter', 'awake']),
  state: z.enum(['ok', 'warn', 'missing', 'none']),
  reason: z.string().describe('one sentence'),
});

export const Snapshot = z.object({
  revision: z.int(),
  atMs: unixMs,
  version: z.string(),
  phase: z.enum(['first-run', 'starting', 'running', 'stopping', 'stopped', 'failed']),
  isTrial: z.boolean(),
  toolName: z.string().nullable(),
  timeZone: z.string(),
  sentence: Sentence,
  troubles: z.array(Trouble).describe('all that needs a person, the worst first; the sentence says the first'),
  remarks: z
    .array(Trouble)
    .describe('what is not as it should be and needs nobody now; the sentence says the first when there is no trouble'),
  service: ServiceView.nullable(),
  sources: z.array(SourceView),
  streams: z
    .array(StreamView)
    .describe('open ones first, then those not delivered or with refused points, then the newest; at most 200'),
  streamsTotal: count,
  former: z.array(FormerView).describe('what waits for services that the settings no longer name, the oldest first'),
  alarms: z.array(AlarmView).describe('limits of channels that are not normal'),
  store: StoreView.nullable(),
  growth: RunningGrowth.nullable().describe('the growth that runs; null: none'),
  ready: z
    .array(ReadyRow)
    .describe('is all well for a growth? seven rows, always in this order; empty while nothing runs'),
  gaps: z.array(GapView).describe('noted last first, at most 20'),
  gapsTotal: count.describe('all gaps of this queue'),
  journal: z.array(JournalEntry).describe('newest first, at most 50'),
  updates: UpdatesView,
});

export type Sentence = z.infer<typeof Sentence>;
export type Trouble = z.infer<typeof Trouble>;
export type ServiceView = z.infer<typeof ServiceView>;
export type SourceView = z.infer<typeof SourceView>;
export type StreamView = z.infer<typeof StreamView>;
export type FormerView = z.infer<typeof FormerView>;
export type StoreView = z.infer<typeof StoreView>;
export type GapView = z.infer<typeof GapView>;
export type JournalEntry = z.infer<typeof JournalEntry>;
export type ReadyRow = z.infer<typeof ReadyRow>;
export type Snapshot = z.infer<typeof Snapshot>;
