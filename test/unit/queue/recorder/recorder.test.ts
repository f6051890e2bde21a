import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AgentError } from '../../../../src-main/model/agent-error.ts';
import type { Commit, RecorderState } from '../../../../src-main/model/queue.ts';
import type { Capture, Readings } from '../../../../src-main/model/readings.ts';
import type { RecorderOptions, StreamRule } from '../../../../src-main/queue/recorder/ports.ts';
import { openQueue, type Queue } from '../../../../src-main/queue/store/queue.ts';
import { openRecorder, openUntilEnd } from '../../../support/rigs/small-queue.ts';
import { walks } from '../../../support/run/effort.ts';
import { START_MS, StillClock } from '../../../support/still-clock.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const DAY_MS = 86_400_000;

/** The real queue, called in this thread, as the recorder wants it. */
function asStore(queue: Queue) {
  return {
    load: async (): Promise<RecorderState> => queue.load(),
    commit: async (c: Parameters<Queue['commit']>[0]) => queue.commit(c),
  };
}

const RULE: StreamRule = { pointsPerChunk: 7, rollover: 'daily', closeAfterQuietMs: 900_000 };
const ONE_POINT: StreamRule = { ...RULE, pointsPerChunk: 1 };
const BERLIN = { timeZone: 'Europe/Berlin' };

/** A recorder on a queue of its own. */
async function rig(more: (queue: Queue) => Partial<RecorderOptions> = () => ({}), rule = RULE) {
  const queue = openUntilEnd(join(tempFolder(), 'q.db'));
  const recorder = await openRecorder(queue, new StillClock(), rule, { ...BERLIN, ...more(queue) });
  return { queue, recorder };
}

/** The same reading of one channel at each call. */
const oneReading = () => capture([{ channels: ['a'], timesMs: Float64Array.of(START_MS), values: Float64Array.of(1) }]);

function capture(blocks: Readings[], more: Partial<Capture> = {}): Capture {
  return { blocks, positions: [], rowsRead: 0, refusals: [], refusedCount: 0, origin: 'live', ...more };
}

/** Everything the queue holds of a source, channel by channel and stream by stream, read back in upload order. */
function readBack(queue: Queue): Map<string, { timeMs: number; value: number }[]> {
  const points = new Map<string, { timeMs: number; value: number }[]>();
  const nextIndex = new Map<string, number>();
  for (const stream of queue.uploadStreams()) {
    for (let chunk = queue.nextChunk(stream.id); chunk; chunk = queue.nextChunk(stream.id)) {
      for (const channel of chunk.channels) {
        const key = `${stream.id}/${channel.name}`;
        expect(chunk.index).toBe(nextIndex.get(key) ?? 0);
        nextIndex.set(key, chunk.index + 1);
        const list = points.get(channel.name) ?? [];
        points.set(channel.name, list);
        for (let i = 0; i < chunk.rows; i++) {
          list.push({ timeMs: chunk.timesMs[i] as number, value: channel.values[i] as number });
        }
      }
      queue.acknowledge(chunk.id, START_MS);
    }
  }
  return points;
}

const channelNames = ['Sub', 'Ga', 'In', 'P', '__proto__'];
const blockShape = fc.record({
  columns: fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 5 }),
  rows: fc.integer({ min: 1, max: 25 }),
  pattern: fc.array(fc.boolean(), { minLength: 125, maxLength: 125 }),
  stepMs: fc.constantFrom(1, 1000, DAY_MS / 20),
});
const script = fc.array(
  fc.oneof({ weight: 6, arbitrary: blockShape }, fc.constantFrom('restart' as const, 'tick' as const)),
  {
    maxLength: 25,
  },
);

test('keeps every point once, in order, in chunks of exactly P, whatever is missing where and whenever it is restarted', async () => {
  const folder = tempFolder('recorder');
  let file = 0;
  await fc.assert(
    fc.asyncProperty(script, fc.constantFrom(1, 3, 7, 1000, 'auto' as const), async (steps, pointsPerChunk) => {
      const path = join(folder, `${file++}.db`);
      const clock = new StillClock();
      let queue = openQueue(path);
      let recorder = await openRecorder(queue, clock, { ...RULE, pointsPerChunk }, BERLIN);
      const truth = new Map<string, { timeMs: number; value: number }[]>();
      let timeMs = START_MS;
      let value = 0.5;
      for (const step of steps) {
        clock.monotonic += 3000;
        if (step === 'tick') recorder.tick();
        else if (step === 'restart') {
          await recorder.flush();
          queue.close();
          queue = openQueue(path);
          recorder = await openRecorder(queue, clock, { ...RULE, pointsPerChunk }, BERLIN);
        } else {
          const channels = step.columns.map((c) => channelNames[c] as string);
          const timesMs = new Float64Array(step.rows);
          const values = new Float64Array(step.rows * channels.length);
          for (let row = 0; row < step.rows; row++) {
            timeMs += step.stepMs;
            timesMs[row] = timeMs;
            for (const [c, name] of channels.entries()) {
              value += 0.25;
              const isPresent = step.pattern[row * channels.length + c] === true;
              values[row * channels.length + c] = isPresent ? value : Number.NaN;
              if (isPresent) truth.set(name, [...(truth.get(name) ?? []), { timeMs, value }]);
            }
          }
          await recorder.capture('log', capture([{ channels, timesMs, values }]));
        }
      }
      await recorder.closeStreams();
      const tally = queue.tally(1000);
      const stored = tally.streams.reduce((sum, stream) => sum + stream.pointsStored, 0);
      const captured = [...truth.values()].reduce((sum, list) => sum + list.length, 0);
      expect(stored).toBe(captured);
      expect(tally.waitingPoints).toBe(captured);
      const back = readBack(queue);
      expect(back).toEqual(truth);
      const after = queue.tally(1000);
      expect(after.waitingPoints).toBe(0);
      expect(after.streams.every((stream) => stream.isDelivered)).toBe(true);
      queue.close();
    }),
    walks(30),
  );
});

test('puts a position and the readings it yielded into one commit', async () => {
  const { queue, recorder } = await rig();
  await recorder.capture('log', { ...oneReading(), positions: [{ key: 'f', value: '17' }] });
  const later = Object.entries({ f: '18', g: '1' }).map(([key, value]) => ({ key, value }));
  await recorder.capture('log', capture([], { positions: later }));
  expect([...queue.positions('log')]).toEqual([
    ['f', '18'],
    ['g', '1'],
  ]);
  expect(queue.positions('other').size).toBe(0);
});

test('offers a commit again, the same, until the disk takes it', async () => {
  let refusals = 3;
  const states: (string | null)[] = [];
  const { queue, recorder } = await rig((own) => {
    const commit = async (each: Commit) => {
      if (refusals-- > 0) throw Object.assign(new Error('full'), { code: 'store.disk-full' });
      own.commit(each);
    };
    return { store: { ...asStore(own), commit }, onStoreState: (error) => states.push(error?.code ?? null) };
  }, ONE_POINT);
  await Promise.all([recorder.capture('s', oneReading()), recorder.capture('s', oneReading())]);
  await recorder.flush();
  expect(states).toEqual(['store.disk-full', 'store.disk-full', 'store.disk-full', null]);
  expect(queue.tally(10).streams.map((stream) => stream.pointsStored)).toEqual([2]);
});

test('passes over a commit that was applied before its answer was lost', async () => {
  let isFirst = true;
  const { queue, recorder } = await rig((own) => {
    const commit = async (each: Commit) => {
      own.commit(each);
      if (!isFirst) return;
      isFirst = false;
      throw Object.assign(new Error('thread died'), { code: 'store.stopped' });
    };
    return { store: { ...asStore(own), commit } };
  }, ONE_POINT);
  await recorder.capture('s', oneReading());
  expect(queue.tally(10).waitingPoints).toBe(1);
});

test('ends a stream when a unit changes: one stream never carries two units of a channel', async () => {
  const { queue, recorder } = await rig();
  const declare = (unit: string) =>
    recorder.declare('s', [{ name: 'p', quantity: 'pressure', unit, origin: '', expectedIntervalMs: null }]);
  const block = { channels: ['p'], timesMs: Float64Array.of(START_MS), values: Float64Array.of(1) };
  declare('Torr');
  await recorder.capture('s', capture([block]));
  declare('mbar');
  await recorder.capture('s', capture([block]));
  await recorder.closeStreams();
  const units = queue.uploadStreams().map(({ id }) => queue.nextChunk(id)?.channels.map((c) => c.unit));
  expect(units).toEqual([['Torr'], ['mbar']]);
});

test('keeps names apart that the service would cut to the same 255 characters', async () => {
  const { queue, recorder } = await rig();
  const channels = [`${'x'.repeat(300)}1`, `${'x'.repeat(300)}2`, ''];
  await recorder.capture(
    's',
    capture([{ channels, timesMs: Float64Array.of(START_MS), values: Float64Array.of(1, 2, 3) }]),
  );
  await recorder.closeStreams();
  const names = queue.nextChunk(1)?.channels.map((c) => c.name) ?? [];
  expect(new Set(names).size).toBe(3);
  expect(names.every((name) => name.length >= 1 && name.length <= 255)).toBe(true);
});

describe('at the end, while the disk refuses', () => {
  /** A recorder on a store that refuses all but the first commit, until told otherwise. */
  async function refusing() {
    const queue = openUntilEnd(join(tempFolder(), 'q.db'));
    const clock = new StillClock();
    let offers = 0;
    const disk = { refuses: true };
    const store = {
      ...asStore(queue),
      commit: async (commit: Commit) => {
        offers += 1;
        if (disk.refuses && commit.sequence > 1) {
          throw new AgentError({ code: 'store.disk-full', message: 'The disk is full.', hint: '', retry: 'later' });
        }
        queue.commit(commit);
      },
    };
    const sleep = async (durationMs: number) => {
      clock.monotonic += durationMs;
      await new Promise((resolve) => setImmediate(resolve));
    };
    const fast = { nowMs: clock.nowMs, monotonicMs: clock.monotonicMs, sleep };
    const rule = { pointsPerChunk: 1, rollover: 'growth', closeAfterQuietMs: null } as const;
    const recorder = await openRecorder(queue, fast, rule, { store });
    const row = (at: number, position: string) => ({
      ...capture([{ channels: ['a', 'b'], timesMs: Float64Array.of(START_MS + at), values: Float64Array.of(at, NaN) }]),
      positions: [{ key: 'k', value: position }],
    });
    const fromFile = (at: number) => ({ ...row(at, 'byte 9'), sourceBytes: [] });
    await recorder.capture('gauge', row(0, 'first'));
    return { queue, recorder, row, fromFile, disk, offers: () => offers };
  }

  test('what is held is offered for the time given, then given up: counted, its time a gap, its waiters told', async () => {
    const { queue, recorder, row, fromFile, offers } = await refusing();
    const mark = { timeMs: START_MS + 100, text: 'frame lost', place: 'camera', line: null, byte: null };
    const held = [{ ...row(100, 'second'), marks: [mark] }, fromFile(150)].map((each, i) =>
      recorder.capture(i === 0 ? 'gauge' : 'log', each),
    );
    const refused = Promise.allSettled(held);
    recorder.beginEnd(5000);
    // Comes while the first of them is being offered: it would be in the commit after it.
    const later = Promise.resolve().then(() => recorder.capture('gauge', row(200, 'third')));
    const [, isLate] = await Promise.allSettled([refused, later]);
    expect(isLate).toMatchObject({ status: 'rejected', reason: { code: 'store.disk-full' } });
    expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(offers()).toBe(1 + 6);
    const ended = await recorder.end();
    expect(ended?.error.code).toBe('store.disk-full');
    expect(ended?.givenUp.map(({ points, pointsInFiles }) => [points, pointsInFiles])).toEqual([
      [2, 1],
      [1, 0],
    ]);
    expect(ended?.givenUp.flatMap(({ gaps }) => gaps)).toMatchObject([
      { sourceId: 'gauge', fromMs: START_MS + 100, toMs: START_MS + 100 },
      { sourceId: 'gauge', fromMs: START_MS + 200, toMs: START_MS + 200 },
    ]);
    await expect(recorder.capture('gauge', row(300, 'fourth'))).rejects.toMatchObject({ code: 'store.disk-full' });

    expect(queue.noteGivenUp(ended?.givenUp ?? [])).toEqual([2, 3]);
    expect(queue.listGaps(10)).toHaveLength(2);
    const all = { sourceId: 'gauge', fromMs: 0, toMs: Number.MAX_VALUE, after: null, limit: 10 };
    expect(queue.listMarks(all).marks).toMatchObject([mark]);
    expect([queue.positions('gauge'), queue.positions('log')]).toEqual([new Map([['k', 'third']]), new Map()]);
    expect(queue.load().lastSequence).toBe(3);
  });

  test('a disk that takes again in time gets all of it, and nothing is given up', async () => {
    const { queue, recorder, row, disk, offers } = await refusing();
    const held = recorder.capture('gauge', row(100, 'second'));
    recorder.beginEnd(5000);
    while (offers() < 4) await new Promise((resolve) => setImmediate(resolve));
    disk.refuses = false;
    await held;
    expect(await recorder.end()).toBeNull();
    expect(queue.tally(9).streams[0]).toMatchObject({ pointsStored: 2 });
  });

  test('a commit whose answer was lost stays as it is when it had been applied', async () => {
    const { queue, recorder, row } = await refusing();
    const held = recorder.capture('gauge', row(100, 'second'));
    recorder.beginEnd(0);
    await expect(held).rejects.toThrow('full');
    const givenUp = (await recorder.end())?.givenUp ?? [];
    expect(queue.noteGivenUp(givenUp.map((commit) => ({ ...commit, sequence: commit.sequence - 1 })))).toEqual([2]);
    expect(queue.listGaps(10)).toEqual([]);
  });
});
