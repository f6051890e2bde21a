// The real queue, and a service that gives back what the test says.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ConfirmService, confirmStream } from '../../../../src-main/delivery/receipt/confirm-stream.ts';
import type { Queue } from '../../../../src-main/queue/store/queue.ts';
import { type SeriesColumns, tellColumns } from '../../../support/rigs/series.ts';
import { emptyCommit, openUntilEnd, reopenAltered } from '../../../support/rigs/small-queue.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const DAY_MS = 86_400_000;
const START_MS = 1_800_000_000_000;

/** The queue with a delivered stream: channel a has six points in three chunks, b four in two. */
function deliveredQueue(path = join(tempFolder(), 'q.db')): Queue {
  const queue = openUntilEnd(path);
  const chunk = (index: number, channelIds: number[]) => ({
    streamId: 1,
    channelIds,
    index,
    rows: 2,
    timesMs: Float64Array.of(START_MS + index * 200, START_MS + index * 200 + 100),
    values: Float64Array.from(channelIds.flatMap((id) => [id * 100 + index * 2, id * 100 + index * 2 + 1])),
  });
  const names = { sourceId: 's', period: 'p', nonce: 'n', name: 'T s n' };
  queue.commit({
    ...{ ...emptyCommit, sequence: 1 },
    streams: [{ id: 1, ...names, openedMs: 0, pointsPerChunk: 2, synthSourceId: null }],
    channels: [
      { id: 1, streamId: 1, name: 'a', unit: '' },
      { id: 2, streamId: 1, name: 'b', unit: '' },
    ],
    changes: [{ id: 1, rowsRead: 6, points: 10, refused: 0, lastReadingMs: 5, pointsPerChunk: null, closedMs: 9 }],
    chunks: [chunk(0, [1, 2]), chunk(1, [1, 2]), chunk(2, [1])],
  });
  queue.setInitialized(1, { dataId: 'entry', processedDataId: '', service: 'here', isToFinalize: false });
  for (let next = queue.nextChunk(1), day = 0; next; next = queue.nextChunk(1), day += 1) {
    queue.acknowledge(next.id, day * DAY_MS);
  }
  return queue;
}

const column = (name: string, points: readonly (readonly [number, number])[]): SeriesColumns => ({
  name,
  timesMs: points.map(([timeMs]) => START_MS + timeMs),
  values: points.map(([, value]) => value),
  units: null,
});
const a = [0, 100, 200, 300, 400, 500].map((timeMs, i) => [timeMs, 100 + i] as const);
const b = [0, 100, 200, 300].map((timeMs, i) => [timeMs, 200 + i] as const);
const whole = [column('a', a), column('b', b)];

/** Confirm against a service that answers one try after the other so; the last answer stays. */
async function confirm(queue: Queue, ...answers: SeriesColumns[][]) {
  return confirmWith(queue, false, ...answers);
}

async function confirmWith(queue: Queue, isTurned: boolean, ...answers: SeriesColumns[][]) {
  const slept: number[] = [];
  const service: ConfirmService = {
    scanTimeSeries: async (_, listener) => {
      tellColumns(answers[Math.min(slept.length, answers.length - 1)] as SeriesColumns[], listener, isTurned);
    },
  };
  const store = {
    streamFacts: async (id: number) => queue.streamFacts(id),
    storedPage: async (...args: Parameters<Queue['storedPage']>) => queue.storedPage(...args),
    putConfirmation: async (...args: Parameters<Queue['putConfirmation']>) => queue.putConfirmation(...args),
  };
  const clock = { nowMs: () => 77, sleep: async (durationMs: number) => void slept.push(durationMs) };
  const outcome = await confirmStream(1, { store, service, clock }, new AbortController().signal);
  expect(queue.streamFacts(1)?.confirmation).toEqual(outcome);
  return { ...outcome, tries: slept.length + 1, sleptMs: slept.reduce((sum, each) => sum + each, 0) };
}

describe('confirmStream', () => {
  test('confirms point by point what comes back whole, in whatever order', async () => {
    const turned = [column('b', b.toReversed()), column('a', [...a.slice(3), ...a.slice(0, 3)])];
    expect(await confirm(deliveredQueue(), turned)).toMatchObject({
      outcome: 'confirmed',
      pointsCompared: 10,
      pointsExpected: 10,
      notes: [],
      atMs: 77,
      tries: 1,
    });
  });

  test.each<[string, SeriesColumns[], RegExp]>([
    [
      'a point twice',
      [column('a', [...a, [500, 105]]), column('b', b)],
      /"a": 6 .* gives 7 back; missing there: 0, surplus: 1$/,
    ],
    [
      'another value',
      [column('a', [...a.slice(0, 5), [500, 1]]), column('b', b)],
      /back; missing there: 1, surplus: 1$/,
    ],
    [
      'another stamp',
      [column('a', [...a.slice(0, 5), [900, 105]]), column('b', b)],
      /back; missing there: 1, surplus: 1$/,
    ],
    ['a channel that was never sent', [...whole, column('c', [[0, 1]])], /"c": the service has 1 points that were not/],
  ])('%s differs, is told with its channel, and only after two equal tries', async (_, answer, note) => {
    const { outcome, notes, tries } = await confirm(deliveredQueue(), answer);
    expect({ outcome, tries }).toEqual({ outcome: 'differs', tries: 2 });
    expect(notes?.join()).toMatch(note);
  });

  test('takes the values before their times, too', async () => {
    const turned = [column('b', b.toReversed()), column('a', [...a.slice(3), ...a.slice(0, 3)])];
    const { outcome, pointsCompared } = await confirmWith(deliveredQueue(), true, turned);
    expect({ outcome, pointsCompared }).toEqual({ outcome: 'confirmed', pointsCompared: 10 });
    const altered = [column('b', b.toReversed()), column('a', [...a.slice(0, 5), [500, 1]])];
    expect(await confirmWith(deliveredQueue(), true, altered)).toMatchObject({ outcome: 'differs', tries: 2 });
  });

  test('a read that lags is void, and the next one counts', async () => {
    const { outcome, tries } = await confirm(
      deliveredQueue(),
      [],
      [column('a', a.slice(0, 4))],
      [column('a', a)],
      whole,
    );
    expect({ outcome, tries }).toEqual({ outcome: 'confirmed', tries: 4 });
  });

  test('points that stay away are a difference after a minute, not after two reads', async () => {
    const { outcome, notes, sleptMs } = await confirm(deliveredQueue(), [column('a', a)]);
    expect(outcome).toBe('differs');
    expect(notes?.join()).toContain('"b": 4 points were acknowledged, the service gives 0 back');
    expect(sleptMs).toBeGreaterThan(60_000);
  });

  test('a difference seen once only is none', async () => {
    const once = [column('a', [...a, [500, 105]]), column('b', b)];
    expect(await confirm(deliveredQueue(), once, whole)).toMatchObject({ outcome: 'confirmed', tries: 2 });
  });

  test('what is no longer kept here is confirmed by count, and that is said', async () => {
    const path = join(tempFolder(), 'q.db');
    const queue = reopenAltered({ queue: deliveredQueue(path), path }, 'DELETE FROM chunk WHERE chunk_index = 0');
    expect(await confirm(queue, whole)).toMatchObject({ outcome: 'counted', pointsCompared: 6, pointsExpected: 10 });
    const { notes } = await confirm(queue, [column('a', [...a.slice(1, 5), [500, 1]]), column('b', b)]);
    expect(notes?.join()).toMatch(/gives 5 back; missing there: 1, surplus: 0; compared one by one: 4$/);
    const rest = [column('a', a.slice(2)), column('b', b.slice(2))];
    expect(await confirm(queue, rest)).toMatchObject({ outcome: 'differs', pointsCompared: 6 });
  });

  test('lists the streams that were not read back yet, and each no longer afterwards', async () => {
    const queue = deliveredQueue();
    expect(queue.unconfirmedStreams(10)).toEqual([1]);
    await confirm(queue, whole);
    expect(queue.unconfirmedStreams(10)).toEqual([]);
  });

  test('a read that fails notes nothing', async () => {
    const queue = deliveredQueue();
    const store = {
      streamFacts: async (id: number) => queue.streamFacts(id),
      storedPage: async (...args: Parameters<Queue['storedPage']>) => queue.storedPage(...args),
      putConfirmation: async () => expect.unreachable(),
    };
    const service = { scanTimeSeries: async () => Promise.reject(new Error('no network')) };
    const clock = { nowMs: () => 0, sleep: async () => {} };
    const { signal } = new AbortController();
    await expect(confirmStream(1, { store, service, clock }, signal)).rejects.toThrow('no network');
    await expect(confirmStream(2, { store, service, clock }, signal)).rejects.toMatchObject({
      code: 'receipt.not-delivered',
    });
  });
});
