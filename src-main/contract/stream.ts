// The streams of this queue.
import { z } from 'zod';
import { Receipt } from '../model/receipt-document.ts';
import { RefusedPart, Resent, SendAgain, SendAsNew } from './refused.ts';
import { call } from './row.ts';

const id = z.int().positive();
const count = z.int().nonnegative();
const unixMs = z.number().describe('Unix time, milliseconds');

/** A stream of the list; the newest 200 stand in the snapshot besides, with what their upload does. */
const StreamRow = z.object({
  id,
  sourceId: z.string(),
  name: z.string(),
  dataId: z.string().nullable().describe('UUID the service gave; null until initialized'),
  state: z.enum(['open', 'closed', 'delivered']),
  channels: count,
  pointsStored: count,
  pointsAcknowledged: count,
  pointsRefused: count,
  pointsResent: count,
  lastStoredMs: unixMs.nullable(),
});

/** A refused point as it is kept here. */
const RefusedRow = z.object({ timeMs: unixMs, value: z.number() });

export const stream = {
  /** Streams of any age, newest first. */
  list: call(
    z.object({ before: id.nullable().describe('null: from the newest'), limit: z.int().min(1).max(500) }),
    z.array(StreamRow),
  ),
  /** Everything that can be said for certain of a stream. */
  receipt: call(z.object({ streamId: id }), Receipt),
  /** What the service refused of a stream, the first 1000 chunks. */
  refused: call(z.object({ streamId: id }), z.array(RefusedPart)),
  /** The points of a refused chunk; null: they cannot be told apart from others of the same time. */
  refusedRows: call(z.object({ streamId: id, chunkId: id }), z.array(RefusedRow).nullable()),
  /** Send refused chunks again as they are: the service was repaired. */
  sendAgain: call(SendAgain, Resent),
  /** Send the points of refused chunks as a corrected stream; the chunks stay refused and name it. */
  sendAsNew: call(SendAsNew, Resent),
} as const;
