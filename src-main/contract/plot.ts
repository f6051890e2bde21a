// What the plots ask: which channels there are, their points thinned, and the marks beside them.
import { z } from 'zod';
import { call, nothing, text } from './row.ts';

/** A channel of a source as the plot offers it. */
const PlotChannel = z.object({ sourceId: z.string(), channel: z.string(), unit: z.string() });

/** One thinned line of a plot; `timesMs` and `values` have the same length. */
const PlotLine = z.object({
  sourceId: z.string(),
  channel: z.string(),
  unit: z.string(),
  timesMs: z.array(z.number()).describe('Unix time, milliseconds, rising'),
  values: z.array(z.number()),
  readFromMs: z.number().nullable().describe('points before this were not looked through; null: all were'),
  statistics: z
    .object({
      count: z.int().positive(),
      min: z.number(),
      max: z.number(),
      mean: z.number(),
      deviation: z.number().nonnegative().describe('standard deviation'),
    })
    .nullable()
    .describe('of all points that were looked through; null: there are none, or nobody counted'),
});

/** Something that could not be captured, or was lost here. */
const PlotGap = z.object({
  id: z.int(),
  sourceId: z.string(),
  fromMs: z.number(),
  toMs: z.number(),
  cause: z.string(),
});

/** A cell that was no finite number: over-range and the like. Kept as text, never drawn as a value. */
const RefusedCell = z.object({
  id: z.int(),
  sourceId: z.string(),
  channel: z.string(),
  timeMs: z.number().describe('when it was read, Unix time, milliseconds'),
  text: z.string(),
  reason: z.string(),
});

/** Points of a stream that are kept at the service only. */
const OlderEntry = z.object({
  streamId: z.int(),
  sourceId: text(64),
  dataId: text(200),
  name: z.string(),
  startMs: z.number().describe('oldest stamp of the stream'),
  fromMs: z.number(),
  toMs: z.number(),
});

const SourceSpan = z.object({
  sourceIds: z.array(text(64)).max(20),
  fromMs: z.number(),
  toMs: z.number(),
});

/** A line of an event log, for marks on the plot's time axis. */
const PlotMark = z.object({
  id: z.int(),
  sourceId: z.string(),
  timeMs: z.number().describe('Unix time, milliseconds'),
  text: z.string(),
  place: z.string().describe('file, below the folder of the source'),
  line: z.int().nullable(),
});

const MarkPlace = z.object({ timeMs: z.number(), id: z.int() });

export const plot = {
  listChannels: call(nothing, z.array(PlotChannel)),
  read: call(
    z.object({
      channels: z.array(z.object({ sourceId: text(64), channel: text(1000) })).max(20),
      fromMs: z.number(),
      toMs: z.number(),
      maxPoints: z.int().min(10).max(10_000).describe('upper bound a line; thinned keeping minima and maxima'),
    }),
    z.array(PlotLine),
  ),
  /** Gaps that reach into a span, of the last 1000 that were noted. */
  readGaps: call(SourceSpan, z.array(PlotGap)),
  /** Cells that were no numbers, by the time they were read: the first 1000 of each stream are kept. */
  readRefused: call(SourceSpan, z.array(RefusedCell).describe('the first 500 of the span')),
  /** Streams whose points of a span are not kept here any more, or not all of them; at most 50 of a source. */
  listOlder: call(SourceSpan, z.array(OlderEntry)),
  /** Read such points back from the service. Only what is after `fromMs` is asked for. */
  readOlder: call(
    z.object({
      entry: OlderEntry.pick({ dataId: true, sourceId: true, startMs: true, fromMs: true, toMs: true }),
      channels: z.array(text(1000)).max(20),
      maxPoints: z.int().min(10).max(10_000),
    }),
    z.array(PlotLine).nullable().describe('null: the service has no series for the entry'),
  ),
  readMarks: call(
    z.object({
      sourceId: text(64).nullable().describe('null: of all sources'),
      fromMs: z.number(),
      toMs: z.number(),
      after: MarkPlace.nullable().describe('`next` of the page before; null: the first page'),
      limit: z.int().min(1).max(1000),
    }),
    z.object({ marks: z.array(PlotMark), next: MarkPlace.nullable().describe('null: this is the last page') }),
  ),
} as const;
