// When the recorder's streams open and end, what they are called, and what is counted with which of them.

import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ChannelDeclaration } from '../../../../src-main/model/channel.ts';
import type { Growth } from '../../../../src-main/model/growth.ts';
import type { Commit, RecorderState } from '../../../../src-main/model/queue.ts';
import type { Capture } from '../../../../src-main/model/readings.ts';
import type { RecorderOptions, StreamRule } from '../../../../src-main/queue/recorder/ports.ts';
import { Recorder } from '../../../../src-main/queue/recorder/recorder.ts';
import { openQueue } from '../../../../src-main/queue/store/queue.ts';
import { START_MS, StillClock } from '../../../support/still-clock.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

type Rules = Readonly<Record<string, Partial<StreamRule>>>;

/** Until everything that was asked for has been done, unasked. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A recorder on a real queue, with a rule for each source. */
async function open(rules: Rules = {}, options: Partial<RecorderOptions> = {}) {
  const path = join(tempFolder('recorder'), 'q.db');
  const clock = new StillClock();
  const told: number[][] = [];
  const commits: Commit[] = [];
  let nonce = 0;
  const start = async () => {
    const queue = openQueue(path, { reserveBytes: 0 });
    const recorder = await Recorder.open({
      store: {
        load: async () => queue.load(),
        commit: async (commit) => {
          commits.push(commit);
          queue.commit(commit);
        },
      },
      ...{ clock, timeZone: 'UTC', toolName: 'MBE-1', synthSourceId: 4, makeNonce: () => `n${nonce++}` },
      ruleOf: (id) => ({ pointsPerChunk: 2, rollover: 'growth', closeAfterQuietMs: null, ...rules[id] }),
      ...{ onCommitted: (ids) => told.push([...ids]), onStoreState: () => {} },
      ...options,
    });
    return { queue, recorder };
  };
  let now = await start();
  onTestFinished(() => now.queue.close());
  return {
    ...{ clock, told, commits },
    get queue() {
      return now.queue;
    },
    get recorder() {
      return now.recorder;
    },
    /** What was stored goes on, as after a crash. */
    async restart() {
      now.queue.close();
      now = await start();
    },
    /** Streams by id: whether each is closed. */
    streams: () =>
      now.queue
        .tally(99)
        .streams.toSorted((a, b) => a.id - b.id)
        .map(({ sourceId, isClosed }) => `${sourceId} ${isClosed ? 'closed' : 'open'}`),
    /** Let so much time pass without a reading, then look. */
    async tick(ms: number) {
      clock.monotonic += ms;
      now.recorder.tick();
      await settle();
    },
  };
}

function row(timeMs: number, more: Partial<Capture> = {}, channel = 'a'): Capture {
  const block = { channels: [channel], timesMs: Float64Array.of(timeMs), values: Float64Array.of(1) };
  const none = { positions: [], rowsRead: 1, refusals: [], refusedCount: 0 };
  return { blocks: [block], ...none, origin: 'live', ...more };
}

const channel = (name: string, unit: string, expectedIntervalMs: number | null = null): ChannelDeclaration => ({
  ...{ name, unit, quantity: '', origin: '', expectedIntervalMs },
});

function growth(id: string, fromMs: number, toMs: number | null): Growth {
  const choice = { name: '', sampleId: null, newSampleName: null, projectId: null };
  return {
    ...{ id, startedMs: fromMs, startCause: 'by hand', endedMs: toMs, endCause: '', fileName: null },
    ...{ parts: [{ id, fromMs, toMs, ...choice }], restarts: [] },
  };
}

const DAY_MS = 86_400_000;

describe('a stream ends', () => {
  test('by quiet, when it has been quiet so long and not before; a source without such a limit never', async () => {
    const own = await open({ s: { closeAfterQuietMs: 5000 } });
    await own.recorder.capture('s', row(START_MS));
    await own.recorder.capture('t', row(START_MS));
    await own.tick(4999);
    expect(own.streams()).toEqual(['s open', 't open']);
    expect(own.queue.tally(9).waitingChunks).toBe(0);
    await own.tick(1);
    expect(own.streams()).toEqual(['s closed', 't open']);
    // Its short last chunk can go out.
    expect(own.queue.tally(9).waitingChunks).toBe(1);
    await own.tick(30 * DAY_MS);
    await own.recorder.capture('s', row(own.clock.nowMs()));
    expect(own.streams()).toEqual(['s closed', 't open', 's open']);
  });

  test('60 s after its last reading once a later one of its source has begun, not for one of another source', async () => {
    const own = await open({ s: { rollover: 'daily' }, t: { rollover: 'daily' } });
    await own.recorder.capture('s', row(START_MS));
    await own.recorder.capture('t', row(START_MS + DAY_MS));
    await own.tick(3_600_000);
    expect(own.streams()).toEqual(['s open', 't open']);
    await own.recorder.capture('s', row(START_MS + DAY_MS));
    // What is late keeps it open.
    await own.recorder.capture('s', row(START_MS + 1));
    await own.tick(59_999);
    expect(own.streams()).toEqual(['s open', 't open', 's open']);
    await own.tick(1);
    expect(own.streams()).toEqual(['s closed', 't open', 's open']);
    await own.tick(DAY_MS);
    expect(own.streams()).toEqual(['s closed', 't open', 's open']);
  });

  test('10 s after a growth began, when nothing came meanwhile; old data, which may pause, after 60 s', async () => {
    const own = await open();
    await own.recorder.capture('s', row(START_MS));
    await own.recorder.capture('t', row(START_MS, { origin: 'backfill' }));
    own.clock.monotonic += 1000;
    await own.recorder.putGrowths([growth('g', START_MS + 1000, null)]);
    await own.tick(9999);
    expect(own.streams()).toEqual(['s open', 't open']);
    await own.tick(1);
    expect(own.streams()).toEqual(['s closed', 't open']);
    await own.tick(49_999);
    expect(own.streams()).toEqual(['s closed', 't open']);
    await own.tick(1);
    expect(own.streams()).toEqual(['s closed', 't closed']);
  });

  test('not 10 s after the growth began while something late of it still comes', async () => {
    const own = await open();
    await own.recorder.capture('s', row(START_MS));
    await own.recorder.putGrowths([growth('g', START_MS + 1, null)]);
    await own.tick(9000);
    await own.recorder.capture('s', row(START_MS));
    await own.tick(9999);
    expect(own.streams()).toEqual(['s open']);
    await own.tick(1);
    expect(own.streams()).toEqual(['s closed']);
  });

  test('when the unit of a channel that it has changes; not for other channels, other sources, or the same unit', async () => {
    const own = await open();
    own.recorder.declare('s', [channel('a', 'Torr')]);
    own.recorder.declare('s', [channel('b', 'K')]);
    await own.recorder.capture('s', row(START_MS));
    own.recorder.declare('s', [channel('a', 'Torr'), channel('b', '°C')]);
    own.recorder.declare('t', [channel('a', 'mbar')]);
    await settle();
    expect(own.streams()).toEqual(['s open']);
    own.recorder.declare('s', [channel('c', ''), channel('a', 'mbar')]);
    await settle();
    expect(own.streams()).toEqual(['s closed']);
    await own.recorder.capture('s', row(START_MS, {}, 'b'));
    expect(own.queue.streamFacts(2)?.channels).toMatchObject([{ name: 'b', unit: '°C' }]);
  });

  test('when it is asked for, of one source or of all, and its last chunk goes out', async () => {
    const own = await open();
    for (const source of ['s', 't', 'u']) await own.recorder.capture(source, row(START_MS));
    await own.recorder.closeStreams('t');
    expect(own.streams()).toEqual(['s open', 't closed', 'u open']);
    expect(own.queue.tally(9).waitingChunks).toBe(1);
    await own.recorder.closeStreams();
    expect(own.streams()).toEqual(['s closed', 't closed', 'u closed']);
    await own.recorder.capture('t', row(START_MS));
    expect(own.streams()).toEqual(['s closed', 't closed', 'u closed', 't open']);
  });
});

describe('a stream begins', () => {
  test('with a name that tells tool, source, local time of its first reading and nonce', async () => {
    const own = await open();
    await own.recorder.capture('s', row(START_MS + 1500));
    expect(own.queue.uploadStream(1)).toMatchObject({
      ...{ sourceId: 's', name: 'MBE-1 s 2026-11-20 12:00:01 n0', nonce: 'n0', openedMs: START_MS },
      ...{ pointsPerChunk: 2, synthSourceId: 4, growth: null },
    });
    await own.recorder.capture('s', row(START_MS + 1600));
    expect(own.streams()).toHaveLength(1);
  });

  test('where a growth does, of which it tells the part', async () => {
    const own = await open();
    await own.recorder.putGrowths([growth('g', START_MS, START_MS + 10)]);
    for (const source of ['s', 't']) await own.recorder.capture(source, row(START_MS + 1));
    await own.recorder.capture('s', row(START_MS + 10));
    const facts = [1, 2, 3].map((id) => own.queue.uploadStream(id));
    expect(facts.map((stream) => stream?.growth)).toEqual(['g', 'g', null]);
  });

  test('after a restart only where none is open for its time: ids, sizes, growths and open rows go on', async () => {
    const own = await open({ s: { pointsPerChunk: 3 } });
    await own.recorder.putGrowths([growth('g', START_MS, START_MS + 10), growth('h', START_MS + 10, null)]);
    await own.recorder.capture('s', row(START_MS));
    await own.recorder.capture('s', row(START_MS + 20));
    await own.restart();
    await own.recorder.capture('s', row(START_MS + 1));
    await own.recorder.capture('s', row(START_MS + 2));
    await own.recorder.capture('s', row(START_MS + 21, {}, 'b'));
    expect(own.streams()).toEqual(['s open', 's open']);
    expect(own.queue.nextChunk(1)?.timesMs).toEqual(Float64Array.of(0, 1, 2).map((ms) => ms + START_MS));
    expect(own.queue.streamFacts(2)?.channels.map(({ id, name, open: rows }) => [id, name, rows])).toEqual([
      [2, 'a', 1],
      [3, 'b', 1],
    ]);
  });

  test('hands out ids that it never uses itself', async () => {
    const own = await open();
    await own.recorder.capture('s', row(START_MS));
    expect(own.recorder.takeIds(3)).toEqual({ stream: 2, firstChannel: 2, channels: 3 });
    expect(own.recorder.takeIds(1)).toEqual({ stream: 3, firstChannel: 5, channels: 1 });
    await own.recorder.capture('t', row(START_MS));
    expect(own.queue.streamFacts(4)?.channels).toMatchObject([{ id: 6 }]);
  });
});

describe('is counted', () => {
  /** Rows read, cells refused and points stored of each stream. */
  const rowsOf = (own: Awaited<ReturnType<typeof open>>) =>
    own.queue
      .tally(9)
      .streams.toSorted((a, b) => a.id - b.id)
      .map(({ rowsRead, cellsRefused, pointsStored }) => `${rowsRead} ${cellsRefused} ${pointsStored}`);

  test('each row with its stream; lines without a reading and refused cells with the one written last', async () => {
    const own = await open({ s: { rollover: 'daily' } });
    const timesMs = Float64Array.of(START_MS, START_MS + 1, START_MS + DAY_MS);
    const block = { channels: ['a'], timesMs, values: Float64Array.of(1, 2, 3) };
    await own.recorder.capture('s', row(0, { blocks: [block], rowsRead: 7, refusedCount: 2 }));
    expect(rowsOf(own)).toEqual(['2 0 2', '5 2 1']);
    // No reading at all: with the newest stream of the source that is open.
    await own.recorder.capture('t', row(START_MS));
    await own.recorder.capture('s', row(0, { blocks: [], rowsRead: 4, refusedCount: 1 }));
    expect(rowsOf(own)).toEqual(['2 0 2', '9 3 1', '1 0 1']);
    // More rows than lines cannot be: each line counts once.
    await own.recorder.capture('s', row(0, { blocks: [block], rowsRead: 1 }));
    expect(rowsOf(own)).toEqual(['3 0 4', '9 3 2', '1 0 1']);
    await own.recorder.capture('u', row(0, { blocks: [], rowsRead: 4, refusedCount: 1 }));
    expect(own.streams()).toHaveLength(3);
  });

  test('a refused cell with its place, its time and the stream that counts it', async () => {
    const own = await open();
    const refusal = { place: 'f.csv', line: 3, byte: 17, channel: 'a', text: '#N/A', reason: 'no number' };
    await own.recorder.capture('u', row(0, { blocks: [], refusals: [refusal], refusedCount: 1 }));
    own.clock.monotonic += 5;
    await own.recorder.capture('s', row(START_MS, { refusals: [refusal], refusedCount: 1 }));
    const refusals = own.commits.flatMap((commit) => commit.refusals);
    expect(refusals).toEqual([
      { sourceId: 'u', atMs: START_MS, ...refusal },
      { sourceId: 's', streamId: 1, atMs: START_MS + 5, ...refusal },
    ]);
  });

  test('stores a gap and a mark that no source reported, then notifies the uploader of the changed streams', async () => {
    const own = await open();
    own.recorder.gap('s', 1, 2, 'unplugged');
    await settle();
    const mark = { sourceId: 's', timeMs: START_MS, text: 'shutter', place: 'p', line: null, byte: null };
    await own.recorder.mark(mark);
    expect(own.queue.listGaps(9)).toEqual([{ sourceId: 's', fromMs: 1, toMs: 2, cause: 'unplugged' }]);
    const all = { sourceId: 's', fromMs: 0, toMs: Number.MAX_VALUE, after: null, limit: 10 };
    expect(own.queue.listMarks(all).marks).toMatchObject([{ text: 'shutter' }]);
    await Promise.all([own.recorder.capture('s', row(START_MS)), own.recorder.capture('t', row(START_MS))]);
    expect(own.told).toEqual([[], [], [1, 2]]);
    // Nothing happened: nothing is written.
    await own.tick(1000);
    await own.recorder.flush();
    expect(own.commits.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });

  test('a growth with the position that becomes true with it, in one commit', async () => {
    const own = await open();
    const one = growth('g', START_MS, null);
    await own.recorder.putGrowths([one], [{ sourceId: 'watch', key: 'k', value: '9' }]);
    expect(own.commits).toHaveLength(1);
    expect(own.queue.growth('g')).toEqual(one);
    expect(own.queue.positions('watch')).toEqual(new Map([['k', '9']]));
  });
});

test('bytes of a file belong to the streams that their rows went to; those without a reading to the one written last', async () => {
  const own = await open({ s: { rollover: 'daily' } });
  const timesMs = Float64Array.of(START_MS, START_MS + DAY_MS);
  const both = { channels: ['a'], timesMs, values: Float64Array.of(1, 2) };
  const later = { ...both, timesMs: Float64Array.of(START_MS + DAY_MS, START_MS + DAY_MS + 1) };
  const piece = (fromByte: number, size: number, block: number | null) => {
    return { file: 'f', place: 'f.csv', fromByte, bytes: new Uint8Array(size), block };
  };
  const sourceBytes = [piece(0, 10, 0), piece(10, 5, 1), piece(15, 2, null)];
  await own.recorder.capture('s', row(0, { blocks: [both, later], sourceBytes }));
  const spans = (at: number) =>
    own.commits[at]?.sourceSpans?.map(({ streamId, fromByte, toByte }) => [streamId, fromByte, toByte]);
  expect(spans(0)).toEqual([
    [1, 0, 10],
    [2, 0, 17],
  ]);
  // A stream that ended takes no more bytes.
  await own.recorder.closeStreams();
  await own.recorder.capture('s', row(0, { blocks: [], sourceBytes: [piece(17, 3, null)] }));
  expect(spans(2)).toEqual([]);
});

describe('at the end, while the disk refuses', () => {
  /**
   * @returns how long a commit was offered after the end began, when the disk refuses from `refusesMs` on.
   */
  async function offeredMs(refusesMs: number, endMs: number): Promise<number> {
    const clock = new StillClock();
    clock.monotonic = 1_000_000;
    const startMs = clock.monotonic;
    let recorder: Recorder | undefined;
    const store = {
      load: async () => ({ lastSequence: 0, lastStreamId: 0, lastChannelId: 0, lastLaneId: 0, streams: [] }),
      commit: () => Promise.reject(Object.assign(new Error('full'), { code: 'store.disk-full' })),
    };
    const sleep = async (ms: number) => {
      clock.monotonic += ms;
      if (clock.monotonic === startMs + endMs) recorder?.beginEnd(3000);
      await settle();
    };
    const own = await open({}, { store, clock: { nowMs: clock.nowMs, monotonicMs: clock.monotonicMs, sleep } });
    recorder = own.recorder;
    if (endMs === 0) recorder.beginEnd(3000);
    clock.monotonic += refusesMs;
    await recorder.capture('s', row(START_MS)).catch(() => {});
    return clock.monotonic - startMs - endMs;
  }

  test('it is asked for the time given since the end began, however long it refused before', async () => {
    expect(await offeredMs(0, 60_000)).toBe(3000);
  });

  test('a refusal that comes later has that time of its own', async () => {
    expect(await offeredMs(10_000, 0)).toBe(13_000);
  });
});

test('a tool whose clock is behind makes one more stream of the time before a growth, not one for each row', async () => {
  const own = await open({ s: { rollover: 'daily', closeAfterQuietMs: 900_000 } });
  const late = () => own.recorder.capture('s', row(own.clock.nowMs() - 3_600_000));
  await late();
  own.clock.monotonic += 1000;
  await own.recorder.putGrowths([growth('g', own.clock.nowMs(), null)]);
  for (let second = 0; second < 1200; second++) {
    if (second % 30 === 29) await late();
    own.clock.monotonic += 1000;
    own.recorder.tick();
  }
  await own.recorder.flush();
  expect(own.streams()).toEqual(['s closed', 's open']);
});

test('reports nothing about a disk that accepts all writes', async () => {
  const told: unknown[] = [];
  const own = await open({}, { onStoreState: (error) => told.push(error) });
  await own.recorder.capture('s', row(START_MS));
  await own.recorder.flush();
  expect([told, await own.recorder.end()]).toEqual([[], null]);
});

describe('the size of chunks that is measured', () => {
  const auto = { pointsPerChunk: 'auto' } as const;

  test('is of the shortest interval that is declared for the source', async () => {
    const own = await open({ s: auto });
    own.recorder.declare('s', [channel('a', '', 500), channel('b', ''), channel('c', '', 100), channel('d', '', 200)]);
    await own.recorder.capture('s', row(START_MS));
    expect(own.queue.uploadStream(1)?.pointsPerChunk).toBe(100);
  });

  test('is of what came in ten seconds, looked at by the clock, and not before', async () => {
    const own = await open({ s: auto });
    for (let i = 0; i < 3; i++) await own.recorder.capture('s', row(START_MS + i));
    await own.tick(9999);
    expect(own.queue.uploadStream(1)).toBeNull();
    await own.tick(1);
    expect(own.queue.uploadStream(1)?.pointsPerChunk).toBe(3);
  });

  test('is a thousand for old data, which come as fast as they are read', async () => {
    const own = await open({ s: auto });
    await own.recorder.capture('s', row(START_MS, { origin: 'backfill' }));
    expect(own.queue.uploadStream(1)?.pointsPerChunk).toBe(1000);
  });
});

describe('while the disk does not answer', () => {
  test('captures are taken until 64 MiB are held, then refused whole; they are taken again when it does', async () => {
    const answer = Promise.withResolvers<void>();
    const offered: Commit[] = [];
    const commit = (each: Commit) => {
      offered.push(each);
      return answer.promise;
    };
    const state: RecorderState = { lastSequence: 0, lastStreamId: 0, lastChannelId: 0, lastLaneId: 0, streams: [] };
    const own = await open({ s: { pointsPerChunk: 1000 } }, { store: { load: async () => state, commit } });
    const rows = 1 << 21;
    const timesMs = new Float64Array(rows).fill(START_MS);
    const large = row(0, { blocks: [{ channels: ['a'], timesMs, values: new Float64Array(rows) }] });
    const taken = [own.recorder.capture('s', large)];
    await Promise.resolve();
    // Somewhat less than the bound is held by it: the capture that goes beyond is taken.
    taken.push(own.recorder.capture('s', row(START_MS)), own.recorder.capture('s', large));
    const full = { code: 'recorder.full', retry: 'later' };
    await expect(own.recorder.capture('s', row(START_MS))).rejects.toMatchObject(full);
    answer.resolve();
    await Promise.all(taken);
    await own.recorder.capture('s', row(START_MS));
    const points = offered.flatMap(({ changes }) => changes.map((change) => change.points));
    expect(points).toEqual([rows, rows + 1, 1]);
  });
});
