// What can be said for certain of one stream, as a document: for the screen, for a file, for another program.
import { z } from 'zod';

const unixMs = z.number().describe('Unix time, milliseconds');
const count = z.int().nonnegative();

export const RECEIPT_FORMAT = 'epistream-receipt/1';

export const ReceiptChannel = z.object({
  name: z.string(),
  unit: z.string(),
  stored: count.describe('acknowledged + refused + waiting + open'),
  acknowledged: count,
  refused: count,
  waiting: count.describe('sealed, not yet acknowledged'),
  open: count.describe('in the chunk that is being filled'),
});

export const Receipt = z.object({
  format: z.literal(RECEIPT_FORMAT),
  madeMs: unixMs,
  version: z.string().describe('of the program that made it'),
  stream: z.object({
    id: z.int(),
    name: z.string(),
    nonce: z.string(),
    sourceId: z.string(),
    period: z.string(),
    state: z.enum(['open', 'closed', 'delivered']),
    openedMs: unixMs,
    closedMs: unixMs.nullable(),
    deliveredMs: unixMs.nullable(),
    firstReadingMs: unixMs.nullable().describe('oldest stamp of a row; null when there is none'),
    lastReadingMs: unixMs.nullable().describe('newest stamp of a row'),
    deliveredUpToMs: unixMs
      .nullable()
      .describe('every stored point with a stamp up to this one is acknowledged or refused; null: not one is'),
    pointsPerChunk: z.int().positive().nullable(),
  }),
  service: z.object({
    address: z.string().nullable(),
    dataId: z.string().nullable().describe('entry of the service; null until it was made'),
    processedDataId: z.string().nullable(),
  }),
  counts: z.object({
    rowsRead: count,
    cellsRefused: count.describe('cells and lines that were not finite numbers'),
    pointsStored: count,
    pointsAcknowledged: count,
    pointsRefused: count.describe('refused by the service, kept here'),
    pointsResent: count.describe('of the refused, those that were sent again in another stream'),
    pointsHeld: count
      .default(0)
      .describe('at the service already in other entries, and not sent again; not counted as stored'),
    pointsWaiting: count.describe('stored and neither acknowledged nor refused'),
    pointsReadBack: count.describe('compared one by one with what the service gave back'),
  }),
  channels: z.array(ReceiptChannel),
  refusedCells: z
    .array(
      z.object({
        place: z.string(),
        line: z.int().nullable(),
        byte: z.int().nullable(),
        channel: z.string(),
        text: z.string(),
        reason: z.string(),
      }),
    )
    .describe('the first of them'),
  refusedByService: z
    .array(
      z.object({
        channel: z.string(),
        index: z.int(),
        points: count,
        firstMs: unixMs,
        lastMs: unixMs,
        words: z.string().describe('what the service said'),
        resentIn: z.int().nullable().describe('id of the stream in which these points were sent again; null: in none'),
      }),
    )
    .describe('the first of them'),
  correctionOf: z.array(z.int()).default([]).describe('ids of the streams whose refused points this one sends again'),
  corrections: z
    .array(
      z.object({
        stream: z.int(),
        name: z.string(),
        points: count,
        acknowledged: count,
        refused: count.describe('refused there, too, and not sent again in a further stream'),
      }),
    )
    .default([])
    .describe('the streams in which refused points of this one were sent again'),
  heldIn: z.array(z.string()).default([]).describe('names of the entries that held points already'),
  source: z
    .array(
      z.object({
        place: z.string().describe('file, below the folder of the source'),
        fromByte: z.int(),
        toByte: z.int().describe('the byte after the last'),
        sha256: z.string().describe('over exactly these bytes of the file'),
      }),
    )
    .describe('the bytes whose lines gave this stream its readings'),
  gaps: z.array(z.object({ fromMs: unixMs, toMs: unixMs, cause: z.string() })),
  marks: z
    .object({
      count,
      first: z.array(z.object({ timeMs: unixMs, text: z.string(), place: z.string(), line: z.int().nullable() })),
    })
    .describe('lines of event logs of this source between the oldest and the newest reading; they stay here'),
  confirmation: z
    .object({
      atMs: unixMs,
      outcome: z.enum(['confirmed', 'counted', 'differs']),
      pointsCompared: count,
      pointsExpected: count,
      notes: z
        .array(z.string())
        .describe('the channels that differ, each with how many points are missing and surplus'),
    })
    .nullable()
    .describe('null: the service has not been read back yet'),
  /** What does not agree in the queue itself; empty in a sound one. */
  disagreements: z.array(z.string()),
});

export type Receipt = z.infer<typeof Receipt>;
export type ReceiptChannel = z.infer<typeof ReceiptChannel>;
