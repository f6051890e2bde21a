// What the service refused of a stream, and how a person has it sent again: as it is, or as a corrected stream.
import { z } from 'zod';
import { CHANNEL_NAME_MAX } from '../model/channel.ts';
import { POINTS_PER_CHUNK_MAX } from '../model/queue.ts';

const id = z.int().positive();
const count = z.int().nonnegative();
const unixMs = z.number().describe('Unix time, milliseconds');
/** Half of a surrogate pair cannot be stored as UTF-8 without becoming another name. */
const wellFormed = (text: string) => text.isWellFormed();

export const RefusedPart = z.object({
  id: id.describe('of the chunk'),
  channel: z.string(),
  index: count,
  firstMs: unixMs,
  lastMs: unixMs,
  rows: count,
  words: z.string().describe('what the service said'),
  resentIn: id.nullable().describe('stream that took a copy; null: none yet'),
});

const selection = {
  streamId: id,
  chunkIds: z.array(id).min(1).max(1000).nullable().describe('null: any'),
  channel: z.string().min(1).max(CHANNEL_NAME_MAX).nullable().describe('null: any'),
};

export const SendAgain = z.object(selection);

export const SendAsNew = z
  .object({
    ...selection,
    pointsPerChunk: z.int().min(1).max(POINTS_PER_CHUNK_MAX).nullable().describe('null: as it was'),
    unit: z.string().max(100).refine(wellFormed).nullable().describe('null: as it was; only with a channel'),
    rename: z
      .string()
      .min(1)
      .max(CHANNEL_NAME_MAX)
      .refine(wellFormed)
      .nullable()
      .describe('null: as it was; only with a channel'),
  })
  .refine(({ channel, unit, rename }) => channel !== null || (unit === null && rename === null), {
    path: ['channel'],
    message: 'another unit or name is given to one channel: name it',
  });

export const Resent = z.object({
  chunks: count,
  points: count,
  stream: z.object({ id, name: z.string() }).nullable().describe('the corrected stream; null: none was made'),
  left: count.describe('chunks that are meant too: call again'),
  damaged: count.describe('chunks that the disk altered: they stay here'),
  settled: count.describe('named chunks that are not refused any more'),
  resentIn: z.array(id).readonly().describe('streams that took copies of others that were meant'),
});

export type SendAgain = z.infer<typeof SendAgain>;
export type SendAsNew = z.infer<typeof SendAsNew>;
