import { expect, test } from 'vitest';
import type { Receipt } from '../../../../src-main/delivery/receipt/receipt.ts';
import { standing } from '../../../../src-main/delivery/receipt/receipt-words.ts';
import { receiptWith } from '../../../support/receipts.ts';

/** The receipt of an open stream of which 5 points wait. */
function open(deliveredUpToMs: number | null, pointsRefused: number): Receipt {
  const receipt = receiptWith('x');
  return {
    ...receipt,
    stream: { ...receipt.stream, state: 'open', deliveredUpToMs },
    counts: { ...receipt.counts, pointsWaiting: 5, pointsRefused },
  };
}

test.each([
  [null, 0, '5 points are stored here and not yet delivered. It is still being written.'],
  [
    1000,
    0,
    '5 points are stored here and not yet delivered. Everything up to 1970-01-01T00:00:01.000Z is delivered. It',
  ],
  [
    1000,
    2,
    'Everything up to 1970-01-01T00:00:01.000Z was delivered or refused. It is still being written. 2 points were',
  ],
])('an open stream delivered up to %s of which %s points were refused', (upToMs, refused, words) => {
  expect(standing(open(upToMs, refused))).toContain(words);
});

test('an open stream of which nothing waits is not told as one with points that are not delivered', () => {
  const receipt = open(1000, 0);
  const settled = (pointsRefused: number) =>
    standing({ ...receipt, counts: { ...receipt.counts, pointsWaiting: 0, pointsRefused } });
  expect(settled(0)).toBe('Every point stored so far is delivered. It is still being written.');
  expect(settled(2)).toContain(
    'Every point stored so far was delivered or refused. It is still being written. 2 points',
  );
});
