// What can be said for certain of one stream, as a document: for the screen, for a file, for another program. It is made
// from the queue's own rows as of one moment and adds nothing to them; sums that must agree are checked while it is made.
import { z } from 'zod';
import type { ChannelFacts, StreamFacts } from '../model/receipt.ts';

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
    firstReadingMs: unixMs
      .nullable()
      .describe('oldest stamp of a row; null when there is none, or an earlier version stored it'),
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
      notes: z.array(z.string()),
    })
    .nullable()
    .describe('null: the service has not been read back yet'),
  /** What does not agree in the queue itself; empty in a sound one. */
  disagreements: z.array(z.string()),
});

export type Receipt = z.infer<typeof Receipt>;
export type ReceiptChannel = z.infer<typeof ReceiptChannel>;

/**
 * Make the receipt of a stream.
 *
 * **Takes**: what the queue knows of it, the moment, and the program's version. **Gives**: the receipt. Pure.
 */
export function makeReceipt(facts: StreamFacts, madeMs: number, version: string): Receipt {
  const { tally, confirmation } = facts;
  const channels = facts.channels.map(toChannel);
  return {
    format: RECEIPT_FORMAT,
    madeMs,
    version,
    stream: {
      id: tally.id,
      name: tally.name,
      nonce: facts.nonce,
      sourceId: tally.sourceId,
      period: facts.period,
      state: tally.isDelivered ? 'delivered' : tally.isClosed ? 'closed' : 'open',
      openedMs: facts.openedMs,
      closedMs: facts.closedMs,
      deliveredMs: facts.deliveredMs,
      firstReadingMs: facts.firstReadingMs,
      lastReadingMs: tally.lastStoredMs,
      deliveredUpToMs: tally.deliveredUpToMs,
      pointsPerChunk: tally.pointsPerChunk,
    },
    service: { address: facts.service, dataId: tally.dataId, processedDataId: facts.processedDataId },
    counts: {
      rowsRead: tally.rowsRead,
      cellsRefused: tally.cellsRefused,
      pointsStored: tally.pointsStored,
      pointsAcknowledged: tally.pointsAcknowledged,
      pointsRefused: tally.pointsRefused,
      pointsResent: tally.pointsResent,
      pointsWaiting: Math.max(0, tally.pointsStored - tally.pointsAcknowledged - tally.pointsRefused),
      pointsReadBack: confirmation && confirmation.outcome !== 'differs' ? confirmation.pointsCompared : 0,
    },
    channels,
    refusedCells: [...facts.refusedCells],
    refusedByService: [...facts.refusedChunks],
    source: facts.spans.map(({ place, fromByte, toByte, sha256 }) => ({ place, fromByte, toByte, sha256 })),
    gaps: [...facts.gaps],
    marks: { count: facts.marks.count, first: [...facts.marks.first] },
    confirmation: confirmation && { ...confirmation, notes: [...confirmation.notes] },
    disagreements: findDisagreements(facts, channels),
  };
}

function toChannel({ name, unit, acknowledged, refused, waiting, open }: ChannelFacts): ReceiptChannel {
  return { name, unit, stored: acknowledged + refused + waiting + open, acknowledged, refused, waiting, open };
}

/** The stream's own sums against the sums over its channels, which come from other rows. */
function findDisagreements({ tally }: StreamFacts, channels: readonly ReceiptChannel[]): string[] {
  const sum = (key: 'stored' | 'acknowledged' | 'refused') => channels.reduce((all, channel) => all + channel[key], 0);
  const pairs = [
    ['points stored', tally.pointsStored, sum('stored')],
    ['points acknowledged', tally.pointsAcknowledged, sum('acknowledged')],
    ['points refused by the service', tally.pointsRefused, sum('refused')],
  ] as const;
  return pairs
    .filter(([, ofStream, ofChannels]) => ofStream !== ofChannels)
    .map(([what, ofStream, ofChannels]) => `${what}: the stream counts ${ofStream}, its channels ${ofChannels}`);
}
