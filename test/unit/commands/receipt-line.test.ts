import { expect, test } from 'vitest';
import { receiptLine } from '../../../src-main/commands/drain.ts';
import type { StreamTally } from '../../../src-main/model/queue.ts';

const tally = (pointsAcknowledged: number, isDelivered: boolean) =>
  receiptLine({
    name: 'S',
    rowsRead: 5,
    pointsStored: 10,
    pointsAcknowledged,
    pointsRefused: 2,
    cellsRefused: 0,
    channels: 2,
    dataId: null,
    isDelivered,
  } as StreamTally);

test('a stream that is still open is not called undelivered when nothing of it waits', () => {
  expect(tally(8, true)).toContain('S: delivered;');
  expect(tally(8, false)).toContain('S: nothing waits, still open;');
  expect(tally(7, false)).toContain('S: not delivered;');
});
