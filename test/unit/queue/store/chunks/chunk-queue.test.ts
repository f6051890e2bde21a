import { expect, test } from 'vitest';
import type { Queue } from '../../../../../src-main/queue/store/queue.ts';
import {
  askFile,
  chunkOf,
  emptyCommit,
  GA,
  IN,
  openSmallQueue,
  pointValue,
  reopenAltered,
} from '../../../../support/rigs/small-queue.ts';

const both = [GA, IN];
const valuesOf = (id: number, ...numbers: number[]) => Float64Array.from(numbers, (n) => pointValue(id, n));

/** What goes out, in order: index and channels of each chunk, acknowledged one after the other. */
function drain(queue: Queue): string[] {
  const out: string[] = [];
  for (let next = queue.nextChunk(1); next; next = queue.nextChunk(1)) {
    out.push(`${next.index}:${next.channels.map(({ name }) => name).join('+')}`);
    queue.acknowledge(next.id, 1);
  }
  return out;
}

test('gives a chunk back as it was sealed, with names, units and the points acknowledged before it', () => {
  const { queue } = openSmallQueue([chunkOf(0, both), chunkOf(1, both)]);
  const first = queue.nextChunk(1);
  expect(first).toMatchObject({ index: 0, rows: 2, timesMs: Float64Array.of(0, 1000) });
  expect(first?.channels).toEqual([
    { id: 1, name: 'Ga', unit: '°C', acknowledged: 0, values: valuesOf(GA, 0, 1) },
    { id: 2, name: 'In', unit: '', acknowledged: 0, values: valuesOf(IN, 0, 1) },
  ]);
  queue.acknowledge(first?.id ?? 0, 1);
  expect(queue.nextChunk(1)?.channels.map((c) => c.acknowledged)).toEqual([2, 2]);
});

test('counts an acknowledgement once, however often it is reported', () => {
  const { queue } = openSmallQueue([chunkOf(0, both), chunkOf(1, both)]);
  const id = queue.nextChunk(1)?.id ?? 0;
  for (let i = 0; i < 3; i++) queue.acknowledge(id, 1);
  queue.refuse(id, 1, 'late words');
  expect(queue.tally(1)).toMatchObject({
    waitingPoints: 4,
    waitingChunks: 1,
    streams: [{ pointsAcknowledged: 4, pointsRefused: 0 }],
  });
});

test('the parts of a split chunk go out in its place, before all later chunks', () => {
  const { queue } = openSmallQueue([chunkOf(0, both), chunkOf(1, both), chunkOf(2, both)]);
  const first = queue.nextChunk(1);
  queue.split(first?.id ?? 0);
  expect(queue.tally(1)).toMatchObject({ waitingPoints: 12, waitingChunks: 4 });
  expect(drain(queue)).toEqual(['0:Ga', '0:In', '1:Ga+In', '2:Ga+In']);
});

test('keeps a refused channel with the reason of the service, sends the others and later data, and the sums agree', () => {
  const { queue, path } = openSmallQueue([chunkOf(0, both), chunkOf(1, both)], true);
  queue.split(queue.nextChunk(1)?.id ?? 0);
  queue.refuse(queue.nextChunk(1)?.id ?? 0, 7, 'units missing');
  expect(drain(queue)).toEqual(['0:In', '1:Ga+In']);
  const { streams, waitingPoints } = queue.tally(1);
  expect(waitingPoints).toBe(0);
  expect(streams[0]).toMatchObject({ pointsStored: 8, pointsAcknowledged: 6, pointsRefused: 2, isDelivered: true });
  while (queue.dropAcknowledged() > 0);
  queue.close();
  expect(askFile(path, 'SELECT json_group_array(state || refused_words) FROM chunk')).toBe('["refusedunits missing"]');
});

test('a delivered stream with refused points is listed before later ones without, so that it is never left out', () => {
  const own = openSmallQueue([chunkOf(0, both)], true);
  own.queue.refuse(own.queue.nextChunk(1)?.id ?? 0, 7, 'units missing');
  const again = reopenAltered(
    own,
    `UPDATE stream SET growth = 'part';
    CREATE TEMP TABLE later AS SELECT * FROM stream;
    UPDATE later SET id = 2, nonce = 'later', name = 'later', points_refused = 0, points_acknowledged = points;
    INSERT INTO stream SELECT * FROM later`,
  );
  expect(again.tally(1)).toMatchObject({ streamsTotal: 2, streams: [{ id: 1, isDelivered: true, pointsRefused: 4 }] });
  expect(again.tally(2).streams.map(({ id }) => id)).toEqual([1, 2]);
  expect(again.growthStreams(['part'])).toMatchObject([
    { id: 1, isDelivered: true, pointsRefused: 4, pointsResent: 0 },
    { id: 2, isDelivered: true, pointsRefused: 0 },
  ]);
});

test('a chunk that the disk altered is never sent: it is kept and named, its span is a gap, and the next ones go on', () => {
  const again = reopenAltered(
    openSmallQueue([chunkOf(0, both), chunkOf(1, both)]),
    'UPDATE chunk SET data = zeroblob(length(data)) WHERE chunk_index = 0',
  );
  expect(drain(again)).toEqual(['1:Ga+In']);
  expect(again.listGaps(10)).toEqual([
    { sourceId: 's', fromMs: 0, toMs: 1000, cause: expect.stringContaining('Chunk 0 of stream 1') },
  ]);
  expect(again.tally(1)).toMatchObject({
    waitingPoints: 0,
    streams: [{ pointsStored: 4, pointsAcknowledged: 4, pointsRefused: 0 }],
  });
});

test.each([1, 3, 'x'])(
  'one of which the disk altered how many rows it has gets its count back, since its bytes tell: %s',
  (rows) => {
    const again = reopenAltered(
      openSmallQueue([chunkOf(0, both), chunkOf(1, both)]),
      'UPDATE chunk SET rows = ? WHERE chunk_index = 0',
      rows,
    );
    expect(again.nextChunk(1)?.channels).toMatchObject([
      { id: 1, values: valuesOf(GA, 0, 1) },
      { id: 2, values: valuesOf(IN, 0, 1) },
    ]);
    expect(drain(again)).toEqual(['0:Ga+In', '1:Ga+In']);
    expect(again.listGaps(10)).toEqual([]);
    expect(again.tally(1)).toMatchObject({ waitingPoints: 0, streams: [{ pointsStored: 8, pointsAcknowledged: 8 }] });
  },
);

test('nor is one whose bytes or checksum the disk made text or a number of', () => {
  for (const change of ['data = CAST(data AS TEXT)', 'data = 5', 'sha256 = CAST(sha256 AS TEXT)', 'sha256 = 0.5']) {
    const again = reopenAltered(
      openSmallQueue([chunkOf(0, both), chunkOf(1, both)]),
      `UPDATE chunk SET ${change} WHERE chunk_index = 0`,
    );
    expect(drain(again)).toEqual(['1:Ga+In']);
    expect(again.listGaps(10)).toMatchObject([{ sourceId: 's', fromMs: 0, toMs: 1000 }]);
  }
});

test.each([5, 'x'])(
  'open readings tell by their own bytes how many they are, whatever stands beside them: %s',
  (rows) => {
    const own = openSmallQueue([]);
    own.queue.commit({
      ...{ ...emptyCommit, sequence: 2, lanes: [{ id: 1, streamId: 1, channelIds: [1], nextIndex: 0 }] },
      openReadings: [{ laneId: 1, rows: 1, timesMs: Float64Array.of(4000), values: valuesOf(GA, 4) }],
      changes: [
        { id: 1, rowsRead: 1, points: 1, refused: 0, lastReadingMs: 4000, pointsPerChunk: null, closedMs: null },
      ],
    });
    const again = reopenAltered(own, 'UPDATE open_readings SET rows = ?', rows);
    const [lane] = again.load().streams[0]?.lanes ?? [];
    expect(lane?.openReadings).toMatchObject([{ rows: 1, values: valuesOf(GA, 4) }]);
    expect(again.streamFacts(1)?.channels[0]).toMatchObject({ open: 1 });
    expect(again.listGaps(9)).toEqual([]);
  },
);

test('open readings that are altered in both are counted as a gap, and the queue is read all the same', () => {
  const own = openSmallQueue([]);
  own.queue.commit({
    ...{ ...emptyCommit, sequence: 2, lanes: [{ id: 1, streamId: 1, channelIds: [1], nextIndex: 0 }] },
    openReadings: [{ laneId: 1, rows: 1, timesMs: Float64Array.of(4000), values: valuesOf(GA, 4) }],
  });
  const again = reopenAltered(own, "UPDATE open_readings SET rows = 'x', data = zeroblob(9)");
  expect(again.load().streams[0]?.lanes).toMatchObject([{ id: 1, openReadings: [] }]);
  expect(again.listGaps(9)).toHaveLength(1);
});

test('the note that an initialize went out is on disk before, and the first id that the service gave stands', () => {
  const { queue } = openSmallQueue([chunkOf(0, both)]);
  const { name } = queue.uploadStream(1) ?? { name: '' };
  const content = { name: `${name} G3-117`, sampleId: 'sample', projectId: null };
  queue.markInitializeSent(1, 'https://a', content);
  expect(queue.uploadStream(1)).toMatchObject({
    isInitializeSent: true,
    dataId: null,
    service: 'https://a',
    ...content,
  });
  queue.unmarkInitializeSent(1, name);
  expect(queue.uploadStream(1)).toMatchObject({ isInitializeSent: false, service: null, name, sampleId: null });
  queue.setInitialized(1, { dataId: 'first', processedDataId: '', service: 'https://a', isToFinalize: false });
  queue.setInitialized(1, { dataId: 'second', processedDataId: '', service: 'https://b', isToFinalize: false });
  expect(queue.uploadStream(1)).toMatchObject({ dataId: 'first', service: 'https://a' });
  // The service did not know the id that it gave, and shows another entry of that name.
  queue.setInitialized(1, { dataId: 'found', processedDataId: '', service: 'https://a', isToFinalize: false });
  expect(queue.uploadStream(1)).toMatchObject({ dataId: 'found', service: 'https://a' });
});

test('the parts of a split chunk hold the points of their channel, and what is of one channel stays as it is', () => {
  const { queue } = openSmallQueue([chunkOf(0, both, 3), chunkOf(1, [IN], 3)]);
  queue.split(queue.nextChunk(1)?.id ?? 0);
  for (const [id, values] of [
    [GA, valuesOf(GA, 0, 1, 2)],
    [IN, valuesOf(IN, 0, 1, 2)],
  ] as const) {
    const next = queue.nextChunk(1);
    expect(next).toMatchObject({ index: 0, rows: 3, timesMs: Float64Array.of(0, 1000, 2000) });
    expect(next?.channels).toMatchObject([{ id, values }]);
    queue.acknowledge(next?.id ?? 0, 1);
  }
  const single = queue.nextChunk(1);
  queue.split(single?.id ?? 0);
  expect(queue.nextChunk(1)).toEqual(single);
  queue.split(999);
  expect(queue.tally(1)).toMatchObject({ waitingPoints: 3, waitingChunks: 1, streams: [{ chunksSealed: 3 }] });
});

test('keeps only the rest of a chunk that the service has in part, and ignores parts of unknown chunks', () => {
  const { queue } = openSmallQueue([chunkOf(0, both), chunkOf(1, both)]);
  queue.acknowledgePart(queue.nextChunk(1)?.id ?? 0, [2, 9], 1);
  expect(queue.tally(1)).toMatchObject({ waitingPoints: 6, waitingChunks: 2, streams: [{ pointsAcknowledged: 2 }] });
  expect(queue.nextChunk(1)?.channels).toMatchObject([{ id: 1, acknowledged: 0, values: valuesOf(GA, 0, 1) }]);
  queue.acknowledgePart(999, [1], 1);
  expect(queue.tally(1)).toMatchObject({ waitingPoints: 6, waitingChunks: 2 });
  expect(drain(queue)).toEqual(['0:Ga', '1:Ga+In']);
});

test('counts the bytes of each acknowledged chunk once, when it is acknowledged', () => {
  const { queue, path } = openSmallQueue([chunkOf(0, both), chunkOf(1, both, 9), chunkOf(2, [GA])]);
  for (let i = 0; i < 2; i++) {
    const id = queue.nextChunk(1)?.id ?? 0;
    queue.acknowledge(id, 1);
    queue.acknowledge(id, 1);
  }
  queue.refuse(queue.nextChunk(1)?.id ?? 0, 1, 'no');
  const kept = "SELECT sum(length(data)) FROM chunk WHERE state = 'acknowledged'";
  queue.close();
  expect(askFile(path, "SELECT value FROM meta WHERE key = 'acknowledged_bytes'")).toBe(askFile(path, kept));
});

test('reports whether a stream is closed', () => {
  const isClosed = (queue: Queue) => queue.uploadStream(1)?.isClosed;
  const { queue } = openSmallQueue([chunkOf(0, [GA])]);
  expect(isClosed(queue)).toBe(false);
  expect(isClosed(openSmallQueue([chunkOf(0, [GA])], true).queue)).toBe(true);
  expect(queue.uploadStream(9)).toBeNull();
});

test('a stream is delivered when it is closed and nothing waits, not before', () => {
  const isDelivered = (queue: Queue) => queue.tally(1).streams[0]?.isDelivered;
  const waiting = openSmallQueue([chunkOf(0, [GA])], true).queue;
  waiting.finish(1, 1);
  expect(isDelivered(waiting)).toBe(false);
  const open = openSmallQueue([]).queue;
  open.finish(1, 1);
  expect(isDelivered(open)).toBe(false);
  const own = openSmallQueue([], true);
  expect([isDelivered(own.queue), own.queue.uploadStreams()]).toEqual([true, []]);
  const again = reopenAltered(own, 'UPDATE stream SET delivered_ms = NULL');
  expect([isDelivered(again), again.uploadStreams()]).toMatchObject([false, [{ id: 1 }]]);
  again.finish(1, 1);
  expect([isDelivered(again), again.uploadStreams()]).toEqual([true, []]);
});

test('the end of a stream is told once it is delivered whole where it is to be told; what came of that is kept', () => {
  const entry = { dataId: 'entry', processedDataId: '', service: 'https://a' };
  for (const [words, kept] of [
    [null, 'done'],
    ['No such path.', 'refused: No such path.'],
  ] as const) {
    const { queue, path } = openSmallQueue([chunkOf(0, [GA])], true);
    const due = () => [queue.streamToFinalize(1), queue.streamsToFinalize()];
    queue.setInitialized(1, { ...entry, isToFinalize: true });
    expect(due()).toEqual([null, []]);
    expect(drain(queue)).toHaveLength(1);
    expect(due()).toEqual([{ dataId: 'entry', service: 'https://a' }, [1]]);
    queue.setFinalized(1, words);
    queue.setFinalized(1, 'told too late');
    expect(due()).toEqual([null, []]);
    queue.close();
    expect(askFile(path, 'SELECT finalize FROM stream')).toBe(kept);
  }
  const { queue } = openSmallQueue([chunkOf(0, [GA])], true);
  queue.setInitialized(1, { ...entry, isToFinalize: false });
  expect(drain(queue)).toHaveLength(1);
  expect([queue.streamToFinalize(1), queue.streamsToFinalize()]).toEqual([null, []]);
});

test('gives points for a plot, sealed and not yet sealed, acknowledged or not', () => {
  const { queue } = openSmallQueue([chunkOf(0, both), chunkOf(1, [GA])]);
  queue.commit({
    ...emptyCommit,
    sequence: 2,
    lanes: [{ id: 1, streamId: 1, channelIds: [1], nextIndex: 2 }],
    openReadings: [{ laneId: 1, rows: 1, timesMs: Float64Array.of(4000), values: valuesOf(GA, 4) }],
    changes: [{ id: 1, rowsRead: 1, points: 1, refused: 0, lastReadingMs: 4000, pointsPerChunk: null, closedMs: null }],
  });
  queue.acknowledge(queue.nextChunk(1)?.id ?? 0, 1);
  expect(queue.readPoints('s', 'Ga', 1000, 9000)).toEqual({
    unit: '°C',
    timesMs: Float64Array.of(1000, 2000, 3000, 4000),
    values: valuesOf(GA, 1, 2, 3, 4),
  });
});
