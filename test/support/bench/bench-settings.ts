// The test bench: every silence of the interface and every fault of a service as a setting. It stands only in a
// service that a test has started with it.
import { z } from 'zod';
import { endpointNames } from '../../../src-main/interface/table.ts';

const ms = z.number().nonnegative();

export const BenchFault = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('lost-before').describe('Nothing is stored and no answer comes'),
    how: z.enum(['reset', 'close', 'hang']),
  }),
  z.object({
    kind: z.literal('lost-after').describe('Stored, then the answer is lost; cut: half of it comes'),
    how: z.enum(['reset', 'close', 'cut', 'hang']),
  }),
  z.object({
    kind: z.literal('late-commit').describe('No answer comes; it is stored all the same, later'),
    how: z.enum(['reset', 'close', 'hang']),
    delayMs: ms,
  }),
  z.object({
    kind: z.literal('partial').describe('Only the first channels of a chunk are stored, then 500'),
    channels: z.int().nonnegative(),
  }),
  z.object({ kind: z.literal('wrong-count').describe('Stored; total_points is off'), by: z.int() }),
  z.object({
    kind: z.literal('answer').describe('This answer instead of the real one'),
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.string().optional(),
    isStored: z.boolean().optional().describe('Stored all the same; default false'),
  }),
  z.object({ kind: z.literal('delay').describe('The real answer, later'), delayMs: ms }),
  z.object({ kind: z.literal('dribble').describe('The real answer, a byte at a time'), everyMs: ms }),
  z.object({ kind: z.literal('endless').describe('Stored; the answer never ends') }),
]);

/** Which requests a fault hits, and how often. */
export const BenchRule = z.object({
  fault: BenchFault,
  endpoint: z
    .enum(endpointNames as [(typeof endpointNames)[number]])
    .optional()
    .describe('Only this row; absent: all'),
  dataId: z.string().optional().describe('Only requests for this data entry'),
  channel: z.string().optional().describe('Only chunks that hold this channel'),
  skip: z.int().nonnegative().optional().describe('Requests that pass first; default 0'),
  times: z.int().nonnegative().optional().describe('Requests that are hit then; absent: all'),
  chance: z.number().min(0).max(1).optional().describe('Part of the requests that is hit, by the seed; absent: all'),
});

export const BenchSettings = z.object({
  repeat: z
    .enum(['replace', 'reject', 'ignore', 'append'])
    .optional()
    .describe('What a chunk index that comes again does; default replace, reject answers 409'),
  readLagMs: ms.optional().describe('Reads show the state of that long ago; default 0'),
  longChunk: z.enum(['refuse', 'accept']).optional().describe('More points than points_per_chunk; default refuse'),
  shortChunk: z.enum(['accept', 'refuse']).optional().describe('Fewer points than points_per_chunk; default accept'),
  bodyMaxBytes: z.int().positive().optional().describe('Larger bodies get 413'),
  clockOffsetMs: z.number().optional().describe("Added to the service's clock; default 0"),
  seed: z.int().optional().describe('For `chance`; default 1'),
  rules: z.array(BenchRule).optional().describe('The first that matches hits'),
});

/** What tests do to the service's data, as nobody else can. */
export const BenchAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('delete-entry'), dataId: z.string() }),
  z.object({
    kind: z.literal('drop-chunks').describe('Forget chunks from an index on, as after a restored backup'),
    dataId: z.string(),
    fromIndex: z.int().nonnegative(),
  }),
  z.object({ kind: z.literal('report') }),
]);

/** Requests served (also those hit) by row, and hits by rule, since the settings were last set. */
export interface BenchReport {
  readonly requests: Readonly<Record<string, number>>;
  readonly hits: readonly number[];
}

export type BenchFault = z.infer<typeof BenchFault>;
export type BenchRule = z.infer<typeof BenchRule>;
export type BenchSettings = z.infer<typeof BenchSettings>;
export type BenchAction = z.infer<typeof BenchAction>;
