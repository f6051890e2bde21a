import type { Receipt } from '../../src-main/delivery/receipt/receipt.ts';
import { RECEIPT_FORMAT } from '../../src-main/delivery/receipt/receipt.ts';

/** A receipt of a delivered stream with one of everything; every free text is `text`. */
export function receiptWith(text: string): Receipt {
  return {
    format: RECEIPT_FORMAT,
    madeMs: 1_800_000_000_000,
    version: text,
    stream: {
      id: 1,
      name: text,
      nonce: text,
      sourceId: text,
      period: text,
      state: 'delivered',
      openedMs: 0,
      closedMs: 1,
      deliveredMs: 2,
      firstReadingMs: 0,
      lastReadingMs: 9,
      deliveredUpToMs: 9,
      pointsPerChunk: 10,
    },
    service: { address: text, dataId: text, processedDataId: text },
    counts: {
      rowsRead: 1000,
      cellsRefused: 5,
      pointsStored: 2000,
      pointsAcknowledged: 1990,
      pointsRefused: 10,
      pointsResent: 0,
      pointsWaiting: 0,
      pointsHeld: 0,
      pointsReadBack: 1990,
    },
    channels: [{ name: text, unit: text, stored: 2000, acknowledged: 1990, refused: 10, waiting: 0, open: 0 }],
    refusedCells: [{ place: text, line: 7, byte: 99, channel: text, text, reason: text }],
    refusedByService: [{ channel: text, index: 3, points: 10, firstMs: 0, lastMs: 9, words: text, resentIn: null }],
    correctionOf: [7],
    heldIn: [],
    corrections: [{ stream: 8, name: text, points: 10, acknowledged: 4, refused: 6 }],
    source: [{ place: text, fromByte: 0, toByte: 100, sha256: 'ab'.repeat(32) }],
    gaps: [{ fromMs: 0, toMs: 1, cause: text }],
    marks: { count: 3, first: [{ timeMs: 0, text, place: text, line: 7 }] },
    confirmation: { atMs: 3, outcome: 'differs', pointsCompared: 1, pointsExpected: 2, notes: [text] },
    disagreements: [text],
  };
}
