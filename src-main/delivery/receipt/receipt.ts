// What can be said for certain of one stream, as a document: for the screen, for a file, for another program. It is made
// from the queue's own rows as of one moment and adds nothing to them; sums that must agree are checked while it is made.
import type { ChannelFacts, StreamFacts } from '../../model/receipt.ts';
import { RECEIPT_FORMAT, type Receipt, type ReceiptChannel } from '../../model/receipt-document.ts';

export { RECEIPT_FORMAT, Receipt } from '../../model/receipt-document.ts';

/**
 * Make the receipt of a stream.
 *
 * @param facts - what the queue knows of it.
 * @param madeMs - the moment.
 * @param version - the program's version.
 * @returns the receipt. Pure.
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
      pointsHeld: facts.pointsHeld,
      pointsReadBack: confirmation && confirmation.outcome !== 'differs' ? confirmation.pointsCompared : 0,
    },
    channels,
    refusedCells: [...facts.refusedCells],
    refusedByService: [...facts.refusedChunks],
    correctionOf: [...facts.correctionOf],
    corrections: [...facts.corrections],
    heldIn: [...facts.heldIn],
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
