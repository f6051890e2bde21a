import { expect, test } from 'vitest';
import { checkAnswer } from '../../../../src-main/delivery/upload/chunk-answer.ts';
import type { SealedChunk } from '../../../../src-main/model/queue.ts';

const values = Float64Array.of(1, 2);
const chunk: SealedChunk = {
  id: 1,
  streamId: 1,
  index: 3,
  rows: 2,
  timesMs: Float64Array.of(0, 1),
  channels: [
    { id: 1, name: 'Ga', unit: '', acknowledged: 6, refusedAhead: 0, values },
    { id: 2, name: '__proto__', unit: '', acknowledged: 4, refusedAhead: 0, values },
  ],
};
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

test('of a refused chunk that was sent before it was full, up to so many points may stand there besides', () => {
  const [ga, other] = chunk.channels as [SealedChunk['channels'][number], SealedChunk['channels'][number]];
  const after: SealedChunk = { ...chunk, channels: [{ ...ga, refusedAhead: 3 }, other] };
  const faults = [7, 8, 9, 11, 12].map((total) => checkAnswer('d', after, [item('Ga', total), item('__proto__', 6)]));
  expect(faults.map((fault) => fault?.failure ?? null)).toEqual(['suspicious', null, null, null, 'suspicious']);
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
