import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { Commit, NewChunk } from '../../../../../src-main/model/queue.ts';
import { openQueue, type Queue } from '../../../../../src-main/queue/store/queue.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const nothing: Commit = {
  sequence: 0,
  streams: [],
  changes: [],
  channels: [],
  lanes: [],
  lanesRemoved: [],
  lanesCleared: [],
  openReadings: [],
  chunks: [],
  positions: [],
  refusals: [],
  gaps: [],
};

function chunk(index: number, channelIds: number[], rows = 2): NewChunk {
  const values = Float64Array.from(
    channelIds.flatMap((id) => Array.from({ length: rows }, (_, i) => id * 100 + index * rows + i)),
  );
  const timesMs = Float64Array.from({ length: rows }, (_, i) => 1000 * (index * rows + i));
  return { streamId: 1, channelIds, index, rows, timesMs, values };
}

/** A queue with one stream of two channels (ids 1 and 2) and some chunks; `close`: the stream takes no more. */
function filled(chunks: NewChunk[], isClosed = false): { queue: Queue; path: string } {
  const path = join(tempFolder(), 'q.db');
  const queue = openQueue(path);
  onTestFinished(() => queue.close());
  const points = chunks.reduce((sum, { rows, channelIds }) => sum + rows * channelIds.length, 0);
  queue.commit({
    ...nothing,
    sequence: 1,
    streams: [
      {
        id: 1,
        sourceId: 's',
        period: 'p',
        nonce: 'n',
        name: 'T s n',
        openedMs: 0,
        pointsPerChunk: 2,
        synthSourceId: null,
      },
    ],
    channels: [
      { id: 1, streamId: 1, name: 'Ga', unit: '°C' },
      { id: 2, streamId: 1, name: 'In', unit: '' },
    ],
    chunks,
    changes: [
      { id: 1, rowsRead: 2, points, refused: 0, lastReadingMs: 5, pointsPerChunk: null, closedMs: isClosed ? 9 : null },
    ],
  });
  return { queue, path };
}

/** Close the queue, and give what some queries find in its file. */
function onDisk(queue: Queue, path: string, ...queries: string[]): unknown[] {
  queue.close();
  Object.assign(queue, { close: () => {} });
  const raw = new SQLite(path);
  const found = queries.map((query) => raw.prepare(query).pluck().get());
  raw.close();
  return found;
}

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
  const { queue } = filled([chunk(0, [1, 2]), chunk(1, [1, 2])]);
  const first = queue.nextChunk(1);
  expect(first).toMatchObject({ index: 0, rows: 2, timesMs: Float64Array.of(0, 1000) });
  expect(first?.channels).toEqual([
    { id: 1, name: 'Ga', unit: '°C', acknowledged: 0, besides: 0, values: Float64Array.of(100, 101) },
    { id: 2, name: 'In', unit: '', acknowledged: 0, besides: 0, values: Float64Array.of(200, 201) },
  ]);
  queue.acknowledge(first?.id ?? 0, 1);
  expect(queue.nextChunk(1)?.channels.map((c) => c.acknowledged)).toEqual([2, 2]);
});

test('counts an acknowledgement once, however often it is reported', () => {
  const { queue } = filled([chunk(0, [1, 2]), chunk(1, [1, 2])]);
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
  const { queue } = filled([chunk(0, [1, 2]), chunk(1, [1, 2]), chunk(2, [1, 2])]);
  const first = queue.nextChunk(1);
  queue.split(first?.id ?? 0);
  expect(queue.tally(1)).toMatchObject({ waitingPoints: 12, waitingChunks: 4 });
  expect(drain(queue)).toEqual(['0:Ga', '0:In', '1:Ga+In', '2:Ga+In']);
});

test('keeps a refused channel with the reason of the service, sends the others and later data, and the sums agree', () => {
  const { queue, path } = filled([chunk(0, [1, 2]), chunk(1, [1, 2])], true);
  queue.split(queue.nextChunk(1)?.id ?? 0);
  queue.refuse(queue.nextChunk(1)?.id ?? 0, 7, 'units missing');
  expect(drain(queue)).toEqual(['0:In', '1:Ga+In']);
  const { streams, waitingPoints } = queue.tally(1);
  expect(waitingPoints).toBe(0);
  expect(streams[0]).toMatchObject({ pointsStored: 8, pointsAcknowledged: 6, pointsRefused: 2, isDelivered: true });
  while (queue.dropAcknowledged() > 0);
  queue.close();
  const raw = new SQLite(path);
  expect(raw.prepare('SELECT state, refused_words FROM chunk').all()).toEqual([
    { state: 'refused', refused_words: 'units missing' },
  ]);
  raw.close();
  Object.assign(queue, { close: () => {} });
});

test('a delivered stream with refused points is listed before later ones without, so that it is never left out', () => {
  const { queue, path } = filled([chunk(0, [1, 2])], true);
  queue.refuse(queue.nextChunk(1)?.id ?? 0, 7, 'units missing');
  queue.close();
  const raw = new SQLite(path);
  raw.exec(`UPDATE stream SET growth = 'part';
    CREATE TEMP TABLE later AS SELECT * FROM stream;
    UPDATE later SET id = 2, nonce = 'later', name = 'later', points_refused = 0, points_acknowledged = points;
    INSERT INTO stream SELECT * FROM later`);
  raw.close();
  const again = openQueue(path);
  expect(again.tally(1)).toMatchObject({ streamsTotal: 2, streams: [{ id: 1, isDelivered: true, pointsRefused: 4 }] });
  expect(again.tally(2).streams.map(({ id }) => id)).toEqual([1, 2]);
  expect(again.growthStreams(['part'])).toMatchObject([
    { id: 1, isDelivered: true, pointsRefused: 4, pointsResent: 0 },
    { id: 2, isDelivered: true, pointsRefused: 0 },
  ]);
  again.close();
  Object.assign(queue, { close: () => {} });
});

test('a chunk that the disk altered is never sent: it is kept and named, its span is a gap, and the next ones go on', () => {
  const { queue, path } = filled([chunk(0, [1, 2]), chunk(1, [1, 2])]);
  queue.close();
  const raw = new SQLite(path);
  raw.exec('UPDATE chunk SET data = zeroblob(length(data)) WHERE chunk_index = 0');
  raw.close();
  const again = openQueue(path);
  expect(drain(again)).toEqual(['1:Ga+In']);
  expect(again.listGaps(10)).toEqual([
    { sourceId: 's', fromMs: 0, toMs: 1000, cause: expect.stringContaining('Chunk 0 of stream 1') },
  ]);
  expect(again.tally(1)).toMatchObject({ waitingPoints: 0, streams: [{ pointsAcknowledged: 4, pointsRefused: 4 }] });
  again.close();
  Object.assign(queue, { close: () => {} });
});

test.each([1, 3, 'x'])('nor is one of which the disk altered how many rows it has: %s', (rows) => {
  const { queue, path } = filled([chunk(0, [1, 2]), chunk(1, [1, 2])]);
  onDisk(queue, path);
  const raw = new SQLite(path);
  raw.prepare('UPDATE chunk SET rows = ? WHERE chunk_index = 0').run(rows);
  raw.close();
  const again = openQueue(path);
  expect(drain(again)).toEqual(['1:Ga+In']);
  expect(again.listGaps(10)).toMatchObject([{ sourceId: 's', fromMs: 0, toMs: 1000 }]);
  // Its bytes are sound, so its points are counted as they were, and can be sent again.
  expect(again.tally(1)).toMatchObject({
    waitingPoints: 0,
    streams: [{ pointsStored: 8, pointsAcknowledged: 4, pointsRefused: 4 }],
  });
  expect(again.sendAgain({ streamId: 1, chunkIds: null, channel: null })).toMatchObject({ chunks: 1, points: 4 });
  expect(again.nextChunk(1)?.channels).toMatchObject([
    { id: 1, values: Float64Array.of(100, 101) },
    { id: 2, values: Float64Array.of(200, 201) },
  ]);
  again.close();
});

test('nor is one whose bytes or checksum the disk made text or a number of', () => {
  for (const change of ['data = CAST(data AS TEXT)', 'data = 5', 'sha256 = CAST(sha256 AS TEXT)', 'sha256 = 0.5']) {
    const { queue, path } = filled([chunk(0, [1, 2]), chunk(1, [1, 2])]);
    onDisk(queue, path);
    const raw = new SQLite(path);
    raw.exec(`UPDATE chunk SET ${change} WHERE chunk_index = 0`);
    raw.close();
    const again = openQueue(path);
    expect(drain(again)).toEqual(['1:Ga+In']);
    expect(again.listGaps(10)).toMatchObject([{ sourceId: 's', fromMs: 0, toMs: 1000 }]);
    again.close();
  }
});

test.each([5, 'x'])(
  'open readings tell by their own bytes how many they are, whatever stands beside them: %s',
  (rows) => {
    const { queue, path } = filled([]);
    queue.commit({
      ...{ ...nothing, sequence: 2, lanes: [{ id: 1, streamId: 1, channelIds: [1], nextIndex: 0 }] },
      openReadings: [{ laneId: 1, rows: 1, timesMs: Float64Array.of(4000), values: Float64Array.of(104) }],
      changes: [
        { id: 1, rowsRead: 1, points: 1, refused: 0, lastReadingMs: 4000, pointsPerChunk: null, closedMs: null },
      ],
    });
    onDisk(queue, path);
    const raw = new SQLite(path);
    raw.prepare('UPDATE open_readings SET rows = ?').run(rows);
    raw.close();
    const again = openQueue(path);
    const [lane] = again.load().streams[0]?.lanes ?? [];
    expect(lane?.openReadings).toMatchObject([{ rows: 1, values: Float64Array.of(104) }]);
    expect(again.streamFacts(1)?.channels[0]).toMatchObject({ open: 1 });
    expect(again.listGaps(9)).toEqual([]);
    again.close();
  },
);

test('open readings that are altered in both are counted as a gap, and the queue is read all the same', () => {
  const { queue, path } = filled([]);
  queue.commit({
    ...{ ...nothing, sequence: 2, lanes: [{ id: 1, streamId: 1, channelIds: [1], nextIndex: 0 }] },
    openReadings: [{ laneId: 1, rows: 1, timesMs: Float64Array.of(4000), values: Float64Array.of(104) }],
  });
  onDisk(queue, path);
  const raw = new SQLite(path);
  raw.exec("UPDATE open_readings SET rows = 'x', data = zeroblob(9)");
  raw.close();
  const again = openQueue(path);
  expect(again.load().streams[0]?.lanes).toMatchObject([{ id: 1, openReadings: [] }]);
  expect(again.listGaps(9)).toHaveLength(1);
  again.close();
});

test('the note that an initialize went out is on disk before, and the first id that the service gave stands', () => {
  const { queue } = filled([chunk(0, [1, 2])]);
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
  const { queue } = filled([chunk(0, [1, 2], 3), chunk(1, [2], 3)]);
  queue.split(queue.nextChunk(1)?.id ?? 0);
  for (const [id, values] of [
    [1, [100, 101, 102]],
    [2, [200, 201, 202]],
  ] as const) {
    const next = queue.nextChunk(1);
    expect(next).toMatchObject({ index: 0, rows: 3, timesMs: Float64Array.of(0, 1000, 2000) });
    expect(next?.channels).toMatchObject([{ id, values: Float64Array.from(values) }]);
    queue.acknowledge(next?.id ?? 0, 1);
  }
  const single = queue.nextChunk(1);
  queue.split(single?.id ?? 0);
  expect(queue.nextChunk(1)).toEqual(single);
  queue.split(999);
  expect(queue.tally(1)).toMatchObject({ waitingPoints: 3, waitingChunks: 1, streams: [{ chunksSealed: 3 }] });
});

test('keeps only the rest of a chunk that the service has in part, and ignores parts of unknown chunks', () => {
  const { queue } = filled([chunk(0, [1, 2]), chunk(1, [1, 2])]);
  queue.acknowledgePart(queue.nextChunk(1)?.id ?? 0, [2, 9], 1);
  expect(queue.tally(1)).toMatchObject({ waitingPoints: 6, waitingChunks: 2, streams: [{ pointsAcknowledged: 2 }] });
  expect(queue.nextChunk(1)?.channels).toMatchObject([{ id: 1, acknowledged: 0, values: Float64Array.of(100, 101) }]);
  queue.acknowledgePart(999, [1], 1);
  expect(queue.tally(1)).toMatchObject({ waitingPoints: 6, waitingChunks: 2 });
  expect(drain(queue)).toEqual(['0:Ga', '1:Ga+In']);
});

test('counts the bytes of each acknowledged chunk once, when it is acknowledged', () => {
  const { queue, path } = filled([chunk(0, [1, 2]), chunk(1, [1, 2], 9), chunk(2, [1])]);
  for (let i = 0; i < 2; i++) {
    const id = queue.nextChunk(1)?.id ?? 0;
    queue.acknowledge(id, 1);
    queue.acknowledge(id, 1);
  }
  queue.refuse(queue.nextChunk(1)?.id ?? 0, 1, 'no');
  const kept = "SELECT sum(length(data)) FROM chunk WHERE state = 'acknowledged'";
  const [counted, there] = onDisk(queue, path, "SELECT value FROM meta WHERE key = 'acknowledged_bytes'", kept);
  expect(counted).toBe(there);
});

test('reports whether a stream is closed, and whether points left before a chunk was full', () => {
  const facts = (queue: Queue) => {
    const { isClosed, wasSentAhead, isAheadUnderWay } = queue.uploadStream(1) ?? {};
    expect(queue.uploadStreams()).toMatchObject([{ id: 1, isClosed, wasSentAhead, isAheadUnderWay }]);
    return [isClosed, wasSentAhead, isAheadUnderWay];
  };
  const { queue } = filled([chunk(0, [1])]);
  expect(facts(queue)).toEqual([false, false, false]);
  queue.setAhead(1, 'under-way');
  expect(facts(queue)).toEqual([false, true, true]);
  queue.setAhead(1, 'settled');
  expect(facts(queue)).toEqual([false, true, false]);
  expect(facts(filled([chunk(0, [1])], true).queue)).toEqual([true, false, false]);
  expect(queue.uploadStream(9)).toBeNull();
});

test('a stream is delivered when it is closed and nothing waits, not before', () => {
  const isDelivered = (queue: Queue) => queue.tally(1).streams[0]?.isDelivered;
  const waiting = filled([chunk(0, [1])], true).queue;
  waiting.finish(1, 1);
  expect(isDelivered(waiting)).toBe(false);
  const open = filled([]).queue;
  open.finish(1, 1);
  expect(isDelivered(open)).toBe(false);
  const { queue, path } = filled([], true);
  expect([isDelivered(queue), queue.uploadStreams()]).toEqual([true, []]);
  onDisk(queue, path);
  const raw = new SQLite(path);
  raw.exec('UPDATE stream SET delivered_ms = NULL');
  raw.close();
  const again = openQueue(path);
  expect([isDelivered(again), again.uploadStreams()]).toMatchObject([false, [{ id: 1 }]]);
  again.finish(1, 1);
  expect([isDelivered(again), again.uploadStreams()]).toEqual([true, []]);
  again.close();
});

test('the end of a stream is told once it is delivered whole where it is to be told; what came of that is kept', () => {
  const entry = { dataId: 'entry', processedDataId: '', service: 'https://a' };
  for (const [words, kept] of [
    [null, 'done'],
    ['No such path.', 'refused: No such path.'],
  ] as const) {
    const { queue, path } = filled([chunk(0, [1])], true);
    const due = () => [queue.streamToFinalize(1), queue.streamsToFinalize()];
    queue.setInitialized(1, { ...entry, isToFinalize: true });
    expect(due()).toEqual([null, []]);
    expect(drain(queue)).toHaveLength(1);
    expect(due()).toEqual([{ dataId: 'entry', service: 'https://a' }, [1]]);
    queue.setFinalized(1, words);
    queue.setFinalized(1, 'told too late');
    expect(due()).toEqual([null, []]);
    expect(onDisk(queue, path, 'SELECT finalize FROM stream')).toEqual([kept]);
  }
  const { queue } = filled([chunk(0, [1])], true);
  queue.setInitialized(1, { ...entry, isToFinalize: false });
  expect(drain(queue)).toHaveLength(1);
  expect([queue.streamToFinalize(1), queue.streamsToFinalize()]).toEqual([null, []]);
});

test('gives points for a plot, sealed and not yet sealed, acknowledged or not', () => {
  const { queue } = filled([chunk(0, [1, 2]), chunk(1, [1])]);
  queue.commit({
    ...nothing,
    sequence: 2,
    lanes: [{ id: 1, streamId: 1, channelIds: [1], nextIndex: 2 }],
    openReadings: [{ laneId: 1, rows: 1, timesMs: Float64Array.of(4000), values: Float64Array.of(104) }],
    changes: [{ id: 1, rowsRead: 1, points: 1, refused: 0, lastReadingMs: 4000, pointsPerChunk: null, closedMs: null }],
  });
  queue.acknowledge(queue.nextChunk(1)?.id ?? 0, 1);
  expect(queue.readPoints('s', 'Ga', 1000, 9000)).toEqual({
    unit: '°C',
    timesMs: Float64Array.of(1000, 2000, 3000, 4000),
    values: Float64Array.of(101, 102, 103, 104),
  });
});
