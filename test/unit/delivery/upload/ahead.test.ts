// Chunks that go out before they are full: the real queue knows on disk whether one may still be on its way.
import { expect, test } from 'vitest';
import { Ahead } from '../../../../src-main/delivery/upload/ahead.ts';
import { emptyCommit, GA, IN, openSmallQueue, promiseQueue } from '../../../support/rigs/small-queue.ts';

/** A queue whose stream has a lane for each channel with rows that are not sealed. */
function open() {
  const { queue } = openSmallQueue([]);
  let sequence = 1;
  const add = (laneId: number, rows: number) =>
    queue.commit({
      ...emptyCommit,
      sequence: ++sequence,
      lanes: [{ id: laneId, streamId: 1, channelIds: [laneId === 1 ? GA : IN], nextIndex: 3 }],
      openReadings: [{ laneId, rows, timesMs: new Float64Array(rows), values: new Float64Array(rows).fill(7) }],
    });
  const isUnderWay = () => queue.uploadStream(1)?.isAheadUnderWay;
  return { ahead: new Ahead(1, promiseQueue(queue)), add, isUnderWay, queue };
}

test('takes what has rows that were not sent, and nothing of what stands as it was sent', async () => {
  const { ahead, add } = open();
  add(1, 2);
  add(2, 1);
  const [first, second] = await ahead.take(0);
  expect([first, second].map((chunk) => [chunk?.id, chunk?.index, chunk?.rows])).toEqual([
    [1, 3, 2],
    [2, 3, 1],
  ]);
  if (first) ahead.end(first);
  expect((await ahead.take(0)).map(({ id }) => id)).toEqual([2]);
  add(1, 1);
  expect((await ahead.take(0)).map(({ id, rows }) => [id, rows])).toEqual([
    [1, 3],
    [2, 1],
  ]);
});

test('"may be under way" is on disk before the first one goes out, and is taken back when the last answer is known', async () => {
  const { ahead, add, isUnderWay } = open();
  add(1, 2);
  const [chunk] = await ahead.take(0);
  expect(isUnderWay()).toBe(false);
  await ahead.begin();
  expect(isUnderWay()).toBe(true);
  if (chunk) ahead.end(chunk);
  expect(isUnderWay()).toBe(true);
  await ahead.close();
  expect(isUnderWay()).toBe(false);
});

test('it stays on disk when an answer is missing at the stop, and not when the hold-off is over', async () => {
  const { ahead, add, isUnderWay } = open();
  add(1, 2);
  const [chunk] = await ahead.take(0);
  await ahead.begin();
  if (chunk) ahead.end(chunk);
  await ahead.begin();
  await ahead.close();
  expect(isUnderWay()).toBe(true);
  ahead.heldOff();
  await ahead.close();
  expect(isUnderWay()).toBe(false);
});

test('a stream of which nothing was sent ahead is not written to at the stop', async () => {
  const { ahead, queue } = open();
  await ahead.close();
  expect(queue.uploadStream(1)).toMatchObject({ wasSentAhead: false, isAheadUnderWay: false });
});

test('is due so long after what was sent or settled last; after a refusal not before a sealed chunk was settled', async () => {
  const { ahead } = open();
  const waitMs = (ahead.dueMs(1000) as number) - 1000;
  expect(waitMs).toBeGreaterThan(0);
  expect(ahead.dueMs(9000)).toBe(1000 + waitMs);
  await ahead.take(20_000);
  expect(ahead.dueMs(20_001)).toBe(20_000 + waitMs);
  ahead.refused();
  await ahead.take(30_000);
  expect(ahead.dueMs(30_000)).toBeNull();
  ahead.settled(40_000);
  expect(ahead.dueMs(40_001)).toBe(40_000 + waitMs);
});
