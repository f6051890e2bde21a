// The streams of this queue.
import { z } from 'zod';
import { Receipt } from '../model/receipt-document.ts';
import { RefusedPart, Resent, SendAgain, SendAsNew } from './refused.ts';
import { call, nothing } from './row.ts';

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

/** An entry of the service that bears a name of this tool, but belongs to no stream of this queue. */
const OrphanView = z.object({
  dataId: z.string(),
  name: z.string(),
  sourceId: z.string().nullable(),
  startMs: unixMs.nullable().describe('as its name says'),
  isOpen: z.boolean().describe('the service has not closed it: somebody may still be writing'),
  cause: z
    .enum(['twin', 'elsewhere'])
    .describe('twin: a stream here has the same name and another entry; elsewhere: made from another data folder'),
});

export const stream = {
  /** Streams of any age, newest first. */
  list: call(
    z.object({ before: id.nullable().describe('null: from the newest'), limit: z.int().min(1).max(500) }),
    z.array(StreamRow),
  ),
  /** Everything that can be said for certain of a stream. */
  receipt: call(z.object({ streamId: id }), Receipt),
  /** Look through the catalogue for entries that were begun for this tool and belong to no stream of this queue. */
  findOrphans: call(
    nothing,
    z.object({
      orphans: z.array(OrphanView).describe('newest first, at most 1000'),
      total: count,
      isCut: z.boolean().describe('the catalogue has more entries than were looked through'),
    }),
  ),
  /** What the service refused of a stream, the first 1000 chunks. */
  refused: call(z.object({ streamId: id }), z.array(RefusedPart)),
  /** The points of a refused chunk; null: they cannot be told apart from others of the same time. */
  refusedRows: call(z.object({ streamId: id, chunkId: id }), z.array(RefusedRow).nullable()),
  /** Send refused chunks again as they are: the service was repaired. */
  sendAgain: call(SendAgain, Resent),
  /** Send the points of refused chunks as a corrected stream; the chunks stay refused and name it. */
  sendAsNew: call(SendAsNew, Resent),
} as const;
