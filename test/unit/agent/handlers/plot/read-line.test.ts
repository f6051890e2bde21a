import { expect, test } from 'vitest';
import { readLine } from '../../../../../src-main/agent/handlers/plot/read-line.ts';
import { chunkOf, emptyCommit, GA, openSmallQueue, pointValue } from '../../../../support/rigs/small-queue.ts';

/** The queue as the thread gives it: the same calls as promises. */
const storeOf = ({ queue }: ReturnType<typeof openSmallQueue>) => ({
  readPoints: async (...question: Parameters<typeof queue.readPoints>) => queue.readPoints(...question),
});
const CHUNKS = 1000;
const whole = { sourceId: 's', channel: 'Ga', fromMs: 0, toMs: 2 * CHUNKS * 1000 };

test('reads all of a span that holds more chunks than the store unpacks at once', async () => {
  const opened = openSmallQueue(Array.from({ length: CHUNKS }, (_, index) => chunkOf(index, [GA])));
  opened.queue.commit({
    ...emptyCommit,
    sequence: 2,
    changes: [
      { id: 1, rowsRead: 0, points: 0, refused: 0, lastReadingMs: whole.toMs, pointsPerChunk: null, closedMs: null },
    ],
  });
  const line = await readLine(storeOf(opened), { ...whole, maxPoints: 10_000 });
  expect(line.timesMs).toEqual(Array.from({ length: 2 * CHUNKS }, (_, n) => 1000 * n));
  expect(line.values[0]).toBe(pointValue(GA, 0));
  expect(line.values.at(-1)).toBe(pointValue(GA, 2 * CHUNKS - 1));
  expect(line.readFromMs).toBeNull();

  const thinned = await readLine(storeOf(opened), { ...whole, maxPoints: 100 });
  expect(thinned.timesMs.length).toBeLessThanOrEqual(100);
  expect(Math.max(...thinned.values)).toBe(pointValue(GA, 2 * CHUNKS - 1));
  expect(Math.min(...thinned.values)).toBe(pointValue(GA, 0));
  expect(thinned.timesMs).toEqual(thinned.timesMs.toSorted((a, b) => a - b));
});

test('says from when on a line is whole where there is more than is looked through', async () => {
  const endless = {
    readPoints: async (_source: string, _channel: string, _fromMs: number, toMs: number) => ({
      unit: '',
      timesMs: Float64Array.from({ length: 400 }, (_, n) => toMs - 399 + n),
      values: new Float64Array(400),
    }),
  };
  const line = await readLine(endless, { ...whole, maxPoints: 1000 });
  expect(line.readFromMs).toBe(line.timesMs[0]);
  expect(line.readFromMs).toBeGreaterThan(0);
});
