import { describe, expect, test } from 'vitest';
import { checkAnswers } from '../../../../src-main/delivery/upload/chunk-answer.ts';
import type { SealedChunk } from '../../../../src-main/model/queue.ts';

const values = Float64Array.of(1, 2);
const chunk: SealedChunk = {
  id: 1,
  streamId: 1,
  index: 3,
  rows: 2,
  timesMs: Float64Array.of(0, 1),
  channels: [
    { id: 1, name: 'Ga', unit: '', acknowledged: 6, values },
    { id: 2, name: '__proto__', unit: '', acknowledged: 4, values },
  ],
};
const checkAnswer = (dataId: string, one: SealedChunk, answer: Parameters<typeof checkAnswers>[1][number]['answer']) =>
  checkAnswers(dataId, [{ chunk: one, answer }]);
const item = (channel_name: string, total_points: number, more = {}) => ({
  data_id: 'd',
  channel_name,
  chunk_index: 3,
  total_points,
  ...more,
});

test('takes an answer in any order whose totals are the points acknowledged before and this chunk', () => {
  expect(checkAnswer('d', chunk, [item('__proto__', 6), item('Ga', 8)])).toBeNull();
});

const UNFIT = 'upload.answer-unfit';
const DIFFERS = 'upload.count-differs';
test.each([
  ['a lower total', [item('Ga', 7), item('__proto__', 6)], 'expected 8 points, the service says 7', DIFFERS],
  ['a higher total', [item('Ga', 8), item('__proto__', 8)], 'expected 6 points, the service says 8', DIFFERS],
  ['a channel that is not named', [item('Ga', 8)], 'does not name channel "__proto__"', UNFIT],
  ['another chunk', [item('Ga', 8, { chunk_index: 2 }), item('__proto__', 6)], 'chunk 2', UNFIT],
  ['another entry', [item('Ga', 8, { data_id: 'e' }), item('__proto__', 6)], 'entry e', UNFIT],
  ['a channel that was not sent', [item('Ga', 8), item('__proto__', 6), item('In', 1)], 'not sent', UNFIT],
  ['an empty answer', [], 'does not name channel "Ga"', UNFIT],
])('holds the stream at %s, with both numbers', (_, answer, words, code) => {
  const fault = checkAnswer('d', chunk, answer);
  expect(fault?.error).toMatchObject({ code, message: expect.stringContaining(words) });
  expect(fault?.failure).toBe(code === DIFFERS ? 'suspicious' : 'ambiguous');
});

describe('chunks that were under way at a time', () => {
  const [ga] = chunk.channels as [SealedChunk['channels'][number]];
  const behind: SealedChunk = { ...chunk, id: 2, index: 4, channels: [ga] };
  const third: SealedChunk = { ...chunk, id: 3, index: 5, channels: [ga] };
  /** The totals of Ga that the two answers tell, and of the other channel in the first. */
  const check = (first: number, second: number, alone = 6) =>
    checkAnswers('d', [
      { chunk, answer: [item('Ga', first), item('__proto__', alone)] },
      { chunk: behind, answer: [item('Ga', second, { chunk_index: behind.index })] },
    ])?.failure ?? null;

  test('are proven by the largest total of each channel, in whatever order they were counted', () => {
    expect([check(8, 10), check(10, 8), check(10, 10), check(9, 10)]).toEqual([null, null, null, null]);
  });

  test('are not proven where no total counts all of them: each was counted for itself', () => {
    expect([check(8, 8), check(8, 9), check(9, 8)]).toEqual(['unproven', 'unproven', 'unproven']);
  });

  test('differ where one total cannot be: less than its own chunk makes, or more than all of them', () => {
    expect([check(7, 10), check(10, 7), check(8, 11), check(11, 8), check(8, 10, 7), check(8, 10, 5)]).toEqual(
      Array(6).fill('suspicious'),
    );
  });

  test('are each spoken of by their own answer', () => {
    const swapped = checkAnswers('d', [
      { chunk: behind, answer: [item('Ga', 8)] },
      { chunk: third, answer: [item('Ga', 10, { chunk_index: 5 })] },
    ]);
    expect(swapped).toMatchObject({ failure: 'ambiguous', error: { code: UNFIT } });
  });
});
