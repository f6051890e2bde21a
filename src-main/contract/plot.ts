// What the plots ask: which channels there are, their points thinned, and the marks beside them.
import { z } from 'zod';
import { call, nothing, text } from './row.ts';

/** A channel of a source as the plot offers it. */
export const PlotChannel = z.object({ sourceId: z.string(), channel: z.string(), unit: z.string() });

/** One thinned line of a plot; `timesMs` and `values` have the same length. */
export const PlotLine = z.object({
  sourceId: z.string(),
  channel: z.string(),
  unit: z.string(),
  timesMs: z.array(z.number()).describe('Unix time, milliseconds, rising'),
  values: z.array(z.number()),
});

/** A line of an event log, for marks on the plot's time axis. */
export const PlotMark = z.object({
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
      channels: z.array(z.object({ sourceId: z.string(), channel: z.string() })).max(20),
      fromMs: z.number(),
      toMs: z.number(),
      maxPoints: z.int().min(10).max(10_000).describe('upper bound a line; thinned keeping minima and maxima'),
    }),
    z.array(PlotLine),
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
