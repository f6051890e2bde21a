// Points that the service holds leave a stream that waits; the rest is renumbered and keeps its values.
import { describe, expect, test } from 'vitest';
import type { Queue } from '../../../../../src-main/queue/store/queue.ts';
import { chunkOf, emptyCommit, GA, IN, openSmallQueue, pointValue } from '../../../../support/rigs/small-queue.ts';

const both = [GA, IN];
const chunks = [0, 1, 2].map((index) => chunkOf(index, both));

/** What waits of a stream: index, channels and values of each chunk. */
function waiting(queue: Queue, streamId: number) {
  const found: { index: number; channels: Record<string, number[]> }[] = [];
  for (let after = 0; ; ) {
    const chunk = queue.chunkAfter(streamId, after);
    if (chunk === null) return found;
    after = chunk.id;
    found.push({
      index: chunk.index,
      channels: Object.fromEntries(chunk.channels.map(({ name, values }) => [name, [...values]])),
    });
  }
}

const values = (id: number, ...numbers: number[]) => numbers.map((n) => pointValue(id, n));
const idOf = (queue: Queue, at: number) => {
  let id = 0;
  for (let i = 0; i <= at; i++) id = queue.chunkAfter(1, id)?.id ?? 0;
  return id;
};

test('rows that are held leave; the others close up, two to a chunk', () => {
  const { queue } = openSmallQueue(chunks, true);
  // Rows 0, 1 and 2 of both channels.
  const held = new Map([
    [idOf(queue, 0), Uint8Array.of(1, 1, 1, 1)],
    [idOf(queue, 1), Uint8Array.of(1, 0, 1, 0)],
  ]);
  expect(queue.recut(1, held, ['other entry'], null, 7)).toEqual({ kept: 6, held: 6 });
  expect(waiting(queue, 1)).toEqual([
    { index: 0, channels: { Ga: values(GA, 3, 4), In: values(IN, 3, 4) } },
    { index: 1, channels: { Ga: values(GA, 5), In: values(IN, 5) } },
  ]);
  expect(queue.tally(1).streams[0]).toMatchObject({ pointsStored: 6, chunksWaiting: 2, chunksSealed: 2 });
  expect(queue.streamFacts(1)).toMatchObject({ pointsHeld: 6, heldIn: ['other entry'] });
});

test('where channels are held differently each is cut on its own', () => {
  const { queue } = openSmallQueue(chunks, true);
  queue.recut(1, new Map([[idOf(queue, 1), Uint8Array.of(1, 0, 0, 0)]]), ['e'], null, 7);
  expect(waiting(queue, 1)).toEqual([
    { index: 0, channels: { Ga: values(GA, 0, 1) } },
    { index: 1, channels: { Ga: values(GA, 3, 4) } },
    { index: 2, channels: { Ga: values(GA, 5) } },
    { index: 0, channels: { In: values(IN, 0, 1) } },
    { index: 1, channels: { In: values(IN, 2, 3) } },
    { index: 2, channels: { In: values(IN, 4, 5) } },
  ]);
});

test('a stream whose points the service already has is delivered, and has no entry', () => {
  const { queue } = openSmallQueue(chunks.slice(0, 1), true);
  queue.recut(1, new Map([[idOf(queue, 0), Uint8Array.of(1, 1, 1, 1)]]), ['e'], null, 7);
  expect(queue.tally(1).streams[0]).toMatchObject({ isDelivered: true, pointsStored: 0, dataId: null });
});

test('queued points of a stream that has an entry go into a new stream', () => {
  const { queue } = openSmallQueue(chunks, true);
  queue.setInitialized(1, { dataId: 'd', processedDataId: '', service: 'here', isToFinalize: false });
  queue.acknowledge(idOf(queue, 0), 5);
  queue.noteHoldsMore(1, true);
  const rest = { ids: { stream: 2, firstChannel: 10, channels: 2 }, nonce: 'nn' };
  expect(queue.recut(1, new Map([[idOf(queue, 0), Uint8Array.of(1, 0, 1, 0)]]), ['e'], rest, 7)).toEqual({
    kept: 6,
    held: 2,
  });
  expect(waiting(queue, 1)).toEqual([]);
  expect(waiting(queue, 2)).toEqual([
    { index: 0, channels: { Ga: values(GA, 3, 4), In: values(IN, 3, 4) } },
    { index: 1, channels: { Ga: values(GA, 5), In: values(IN, 5) } },
  ]);
  const [first, second] = [queue.streamFacts(1), queue.streamFacts(2)];
  expect(first?.tally).toMatchObject({ isDelivered: true, pointsStored: 4, pointsAcknowledged: 4 });
  expect(second?.tally).toMatchObject({ name: 'T s n, rest nn', pointsStored: 6, isClosed: true, dataId: null });
  expect(queue.uploadStream(2)).toMatchObject({ mayBeHeld: false });
  expect(queue.knownEntries(2)).toMatchObject({ doubtful: [{ streamId: 1, dataId: 'd' }], isInDoubt: true });
});

describe('rows of a stream', () => {
  const NEW_MS = 1_000_000;
  const open = (period: string, firstReadingMs: number, newSinceMs?: number) => {
    const { queue } = openSmallQueue([]);
    const stream = {
      id: 2,
      sourceId: 's',
      period,
      nonce: 'm',
      name: 'T s m',
      openedMs: NEW_MS + 500,
      synthSourceId: null,
    };
    const since = newSinceMs === undefined ? {} : { newSinceMs };
    const counts = { rowsRead: 1, points: 0, refused: 0, pointsPerChunk: null, closedMs: null };
    queue.commit({
      ...{ ...emptyCommit, sequence: 2, streams: [{ ...stream, pointsPerChunk: 2, ...since }] },
      changes: [{ id: 2, ...counts, firstReadingMs, lastReadingMs: firstReadingMs + 1 }],
    });
    return queue;
  };

  test.each([
    ['were written while this run looked', 'live 2026-09-01', NEW_MS + 1, false],
    ['were there before', 'live 2026-09-01', NEW_MS - 1, true],
    ['are stamped by a clock that tells nothing', 'live 2026-09-01', NEW_MS + 3_600_000, true],
    ['were filled in', 'backfill 2026-09-01', NEW_MS + 1, true],
  ])('that %s may be held: %s, %i: %s', (_, period, firstMs, mayBeHeld) => {
    const queue = open(period, firstMs, NEW_MS);
    expect(queue.uploadStream(2)).toMatchObject({ mayBeHeld });
    queue.settleHeld(2);
    expect(queue.uploadStream(2)).toMatchObject({ mayBeHeld: false });
  });

  test('that are all new are not asked about', () => {
    expect(open('live', 1).uploadStream(2)).toMatchObject({ mayBeHeld: false });
  });
});
