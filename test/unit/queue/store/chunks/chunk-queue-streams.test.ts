// What the queue of chunks tells of a stream: how it was read, what of it waits, and what the service may hold of it.
import { expect, test } from 'vitest';
import { askFile, chunkOf, GA, IN, openSmallQueue, reopenAltered } from '../../../../support/rigs/small-queue.ts';

test('tells of a stream whether it was read live, and whether the service may hold some of it or more than is known', () => {
  const facts = (sql: string) => {
    const { isFromLive, mayBeHeld, mayHoldMore } =
      reopenAltered(openSmallQueue([chunkOf(0, [GA])]), sql).uploadStream(1) ?? {};
    return { isFromLive, mayBeHeld, mayHoldMore };
  };
  const none = { isFromLive: false, mayBeHeld: false, mayHoldMore: false };
  expect(facts("UPDATE stream SET period = 'live 1'")).toEqual({ ...none, isFromLive: true });
  expect(facts("UPDATE stream SET period = 'backfill', new_since_ms = 0")).toEqual({ ...none, mayBeHeld: true });
  expect(facts("UPDATE stream SET data_id = 'd', may_hold_more = 1")).toEqual({ ...none, mayHoldMore: true });
});

test('gives the waiting chunks of a stream one after the other, and the points that were acknowledged by channel', () => {
  const { queue } = openSmallQueue([chunkOf(0, [GA, IN]), chunkOf(1, [GA]), chunkOf(2, [GA, IN])]);
  queue.acknowledge(queue.chunkAfter(1, 0)?.id as number, 1);
  const indexes: number[] = [];
  for (let next = queue.chunkAfter(1, 0); next; next = queue.chunkAfter(1, next.id)) indexes.push(next.index);
  expect(indexes).toEqual([GA, IN]);
  expect(queue.chunkAfter(2, 0)).toBeNull();
  queue.acknowledge(queue.nextChunk(1)?.id as number, 1);
  expect(queue.acknowledgedPoints(1)).toEqual(
    new Map([
      ['Ga', 4],
      ['In', 2],
    ]),
  );
});

test('readings of a chunk that is set aside are asked for again, and what the service may hold of them is looked up', () => {
  const position = `INSERT INTO source_position VALUES ('s', 'f.log', '{"byte":9}');
    UPDATE chunk SET data = zeroblob(length(data)) WHERE chunk_index = 0`;
  const own = openSmallQueue([chunkOf(0, [GA, IN]), chunkOf(1, [GA, IN])]);
  const queue = reopenAltered(own, position);
  queue.setAside(99, 5, 'a chunk that is no more');
  expect(queue.uploadStream(1)?.chunksWaiting).toBe(2);
  queue.setAside(queue.nextChunk(1)?.id as number, 5, 'altered');
  expect(queue.uploadStream(1)).toMatchObject({ chunksWaiting: 1, mayBeHeld: true });
  const asked = "SELECT value FROM source_position WHERE source = 's' AND key = '@reread'";
  queue.close();
  expect(JSON.parse(askFile(own.path, asked) as string)).toEqual({ isNoted: false, pieces: [['f.log', 0, 9]] });
});
