import { describe, expect, test } from 'vitest';
import type { Receipt } from '../../../../src-main/delivery/receipt/receipt.ts';
import { receiptText } from '../../../../src-main/delivery/receipt/receipt-words.ts';
import { receiptWith } from '../../../support/receipts.ts';

/** The line that says how the delivery stands. */
const standingOf = (receipt: Receipt) => receiptText(receipt).split('\n')[1] ?? '';

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
  expect(standingOf(open(upToMs, refused))).toContain(words);
});

test('an open stream of which nothing waits is not told as one with points that are not delivered', () => {
  const receipt = open(1000, 0);
  const settled = (pointsRefused: number) =>
    standingOf({ ...receipt, counts: { ...receipt.counts, pointsWaiting: 0, pointsRefused } });
  expect(settled(0)).toBe('Every point stored so far is delivered. It is still being written.');
  expect(settled(2)).toContain(
    'Every point stored so far was delivered or refused. It is still being written. 2 points',
  );
});

test('has every number of the receipt under its name, the hashes and how to prove them', () => {
  const text = receiptText(receiptWith('plain'));
  for (const line of [
    /Rows read +1,000$/m,
    /Cells that are not numbers +5 \(the first 1 are listed\)$/m,
    /Points stored +2,000$/m,
    /Points acknowledged +1,990$/m,
    /Points refused by the service +10$/m,
    /Points waiting +0$/m,
    /Points read back +1,990$/m,
    new RegExp(`sha256 ${'ab'.repeat(32)} .*\n.*sha256sum$`, 'm'),
  ]) {
    expect(text).toMatch(line);
  }
});

test('the terminal gets no control character of a log', () => {
  const text = receiptText(receiptWith('a\u001b[2Jb\rc\u009bd'));
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  expect(text).toContain('a\\u{1b}[2Jb\\u{d}c\\u{9b}d');
});

describe('how the delivery stands', () => {
  const receipt = receiptWith('plain');
  const told = (outcome: 'confirmed' | 'counted' | 'differs' | null, more: object = {}) =>
    standingOf({
      ...receipt,
      ...more,
      confirmation: outcome && { atMs: 1, outcome, pointsCompared: 90, pointsExpected: 100, notes: ['note'] },
    });

  test('says "confirmed point by point" only when every point was compared', () => {
    expect(told('confirmed')).toContain('Confirmed point by point');
    for (const other of ['counted', 'differs', null] as const) expect(told(other)).not.toMatch(/confirmed point/i);
    expect(told('counted')).toContain('90 of 100');
    expect(told(null)).toContain('Not read back yet');
  });

  test('calls a stream delivered only when it is, whatever an earlier read-back found', () => {
    for (const state of ['open', 'closed'] as const) {
      const stream = { ...receipt.stream, state };
      const text = told('confirmed', { stream, counts: { ...receipt.counts, pointsWaiting: 5 } });
      expect(text).toContain('not yet delivered');
      expect(text).not.toMatch(/confirmed/i);
      // With nothing waiting at this moment: so far, and no more than that.
      const soFar = told('confirmed', { stream, counts: { ...receipt.counts, pointsWaiting: 0 } });
      expect(soFar).toContain('stored so far');
      expect(soFar).not.toMatch(/confirmed/i);
    }
  });

  test('never leaves out that points were refused', () => {
    for (const outcome of ['confirmed', 'counted', 'differs', null] as const) {
      expect(told(outcome)).toContain('10 points were refused by the service');
    }
  });
});
