// Chunks that go out side by side, as the queue knows them: which, in which order, and what may stand at the service of them.
import { expect, test } from 'vitest';
import type { Queue } from '../../../../../src-main/queue/store/queue.ts';
import {
  askFile,
  chunkOf,
  emptyCommit,
  GA,
  IN,
  openSmallQueue,
  reopenAltered,
} from '../../../../support/rigs/small-queue.ts';

const six = Array.from({ length: 6 }, (_, index) => chunkOf(index, [GA, IN]));
const indices = (queue: Queue, count: number) => queue.nextChunks(1, count).map(({ index }) => index);
const besides = (queue: Queue) => queue.nextChunk(1)?.channels.map((channel) => channel.besides);

test('are the first in the order in which they go out, so many at most', () => {
  const { queue } = openSmallQueue(six);
  expect([indices(queue, 3), indices(queue, 9)]).toEqual([
    [0, 1, 2],
    [0, 1, 2, 3, 4, 5],
  ]);
  expect(queue.nextChunks(9, 3)).toEqual([]);
  // One that is sent again goes out behind the one that waits first, parts of a chunk in its place.
  queue.refuse(1, 1, 'no');
  queue.acknowledge([2, 3], 1);
  queue.sendAgain({ streamId: 1, chunkIds: null, channel: null });
  queue.split(5);
  const order = queue.nextChunks(1, 9).map(({ index, channels }) => `${index} ${channels.map(({ name }) => name)}`);
  expect(order).toEqual(['3 Ga,In', '0 Ga,In', '4 Ga', '4 In', '5 Ga,In']);
});

test('have no more points than memory is good for, but for the first', () => {
  const wide = Array.from({ length: 100 }, (_, at) => at + 1);
  const { queue } = openSmallQueue(six);
  const channels = wide.map((id) => ({ id: id + 10, streamId: 2, name: `c${id}`, unit: '' }));
  const names = { sourceId: 's', period: 'q', nonce: 'm', name: 'T' };
  const stream = { id: 2, ...names, openedMs: 0, pointsPerChunk: 1000, synthSourceId: null };
  const sealed = Array.from({ length: 5 }, (_, index) => ({
    ...chunkOf(index, wide, 1000),
    streamId: 2,
    channelIds: channels.map(({ id }) => id),
  }));
  queue.commit({ ...emptyCommit, sequence: 2, streams: [stream], channels, chunks: sealed });
  expect(queue.nextChunks(2, 8)).toHaveLength(4);
});

test('are noted before they go out; the note goes with the chunk, or where it is taken back', () => {
  const { queue, path } = openSmallQueue(six);
  queue.noteBurst([1, 2, 3, 4]);
  expect(queue.uploadStream(1)?.hasBurst).toBe(true);
  expect(queue.burstChunks(1).map(({ index, isOfBurst }) => [index, isOfBurst])).toEqual(
    [0, 1, 2, 3].map((at) => [at, true]),
  );
  expect(besides(queue)).toEqual([6, 6]);
  queue.forgetBurst([2]);
  queue.acknowledge([1, 3], 1);
  expect([besides(queue), queue.nextChunk(1)?.isOfBurst]).toEqual([[2, 2], false]);
  queue.acknowledge(2, 1);
  // The last one that may be there is exact.
  expect([besides(queue), queue.nextChunk(1)?.isOfBurst]).toEqual([[0, 0], true]);
  queue.refuse(4, 1, 'no');
  queue.sendAgain({ streamId: 1, chunkIds: null, channel: null });
  expect([queue.uploadStream(1)?.hasBurst, queue.burstChunks(1)]).toEqual([false, []]);
  queue.close();
  expect(askFile(path, 'SELECT sum(burst) FROM chunk')).toBe(0);
});

test('count for each channel by the chunks that hold it, and parts of one that was split are not of it', () => {
  const { queue } = openSmallQueue([chunkOf(0, [GA, IN]), chunkOf(1, [GA]), chunkOf(1, [IN]), chunkOf(2, [GA, IN])]);
  queue.noteBurst([2, 4]);
  expect(besides(queue)).toEqual([4, 2]);
  queue.split(4);
  expect(besides(queue)).toEqual([2, 0]);
});

test('one that the disk altered is set aside, and the others are given', () => {
  const own = openSmallQueue(six);
  own.queue.noteBurst([1, 2, 3]);
  const again = reopenAltered(own, 'UPDATE chunk SET chunk_index = 7 WHERE id = 2');
  expect(indices(again, 4)).toEqual([0, 2, 3, 4]);
  expect(again.burstChunks(1).map(({ index }) => index)).toEqual([0, 2]);
});
