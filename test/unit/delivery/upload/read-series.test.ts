// Long streams are read back from a window near their end: the real queue with 100,000 acknowledged points against a
// service that holds whole series.
import { expect, test } from 'vitest';
import type { UploadService } from '../../../../src-main/delivery/upload/ports.ts';
import { readBack } from '../../../../src-main/delivery/upload/read-series.ts';
import { settleWaiting } from '../../../../src-main/delivery/upload/settle.ts';
import { chunkOf, GA, IN, openSmallQueue, promiseQueue } from '../../../support/rigs/small-queue.ts';

const ROWS = 1000;
const ACKNOWLEDGED = 50;
/** The queue lets a window begin half a second before the fourth acknowledged chunk from the end. */
const WINDOW_SECONDS = (ACKNOWLEDGED - 4) * ROWS - 0.5;
const never = new AbortController().signal;
const clock = { nowMs: () => 5000, sleep: async () => {} };

/** The first stamp: a day of 2026. */
const START_MS = Date.UTC(2026, 10, 20);
const at = (index: number) => {
  const chunk = chunkOf(index, [GA, IN], ROWS);
  return { ...chunk, timesMs: chunk.timesMs.map((timeMs) => START_MS + timeMs) };
};
const chunks = Array.from({ length: ACKNOWLEDGED + 2 }, (_, index) => at(index));
type Chunk = (typeof chunks)[number];

/** A queue with these chunks, of which the first 50 are acknowledged. */
function longQueue(all: readonly Chunk[] = chunks) {
  const { queue } = openSmallQueue(all);
  for (let i = 0; i < ACKNOWLEDGED; i++) queue.acknowledge(queue.nextChunk(1)?.id as number, 1);
  return queue;
}

/** A service that holds these chunks; `startMs` is where it counts elapsed seconds from. And what it was asked. */
function serviceWith(all: readonly Chunk[], startMs = START_MS) {
  const asked: (number | undefined)[] = [];
  const readTimeSeries: UploadService['readTimeSeries'] = async ({ elapsed_seconds: elapsed }) => {
    asked.push(elapsed);
    const column = (which: number) =>
      all
        .flatMap(({ timesMs, values, rows }) =>
          [...timesMs].map((timeMs, i) => [timeMs, values[which * rows + i]] as const),
        )
        .filter(([timeMs]) => elapsed === undefined || (timeMs - startMs) / 1000 > elapsed);
    const series = (points: ReturnType<typeof column>) => ({
      unix_timestamp_ms: points.map(([timeMs]) => timeMs),
      relative_time_seconds: points.map(([timeMs]) => (timeMs - startMs) / 1000),
      values: points.map(([, value]) => value as number),
    });
    return { properties: { Ga: series(column(0)), In: series(column(1)) } };
  };
  return { asked, service: { readTimeSeries } as UploadService };
}

const settled = { kind: 'settled' };
const isReplacing = false;

test('settles a chunk of a long stream by a window, counting only what was acknowledged inside it', async () => {
  const queue = longQueue();
  const { asked, service } = serviceWith(chunks.slice(0, ACKNOWLEDGED + 1));
  expect(
    await settleWaiting(1, 'e', { queue: promiseQueue(queue), service, clock, isReplacing, taken: [] }, never),
  ).toEqual(settled);
  expect(queue.nextChunk(1)?.index).toBe(ACKNOWLEDGED + 1);
  expect(asked).toEqual([WINDOW_SECONDS]);
});

test('reads the whole when a chunk lies outside the window', async () => {
  // Its first stamp lies before the window, the others in it.
  const timesMs = at(ACKNOWLEDGED).timesMs.with(0, START_MS + 0.5);
  const all = [...chunks.slice(0, ACKNOWLEDGED), { ...at(ACKNOWLEDGED), timesMs }];
  const queue = longQueue(all);
  const { asked, service } = serviceWith(all);
  expect(
    await settleWaiting(1, 'e', { queue: promiseQueue(queue), service, clock, isReplacing, taken: [] }, never),
  ).toEqual(settled);
  expect(queue.nextChunk(1)).toBeNull();
  expect(asked).toEqual([WINDOW_SECONDS, undefined]);
});

test('accepts a window only if its offsets are relative to the requested start', async () => {
  const queue = promiseQueue(longQueue());
  const read = async (all: readonly Chunk[], startMs: number) => {
    const { asked, service } = serviceWith(all, startMs);
    return { asked, ...(await readBack(1, 'e', { queue, service }, never)) };
  };
  const own = await read(chunks, START_MS + 2);
  expect({ asked: own.asked, fromMs: own.fromMs }).toEqual({
    asked: [WINDOW_SECONDS],
    fromMs: START_MS + 1000 * WINDOW_SECONDS,
  });
  expect(own.series.get('In')?.points).toBe((chunks.length - ACKNOWLEDGED + 4) * ROWS);
  const others = await read(chunks, START_MS + 3);
  expect({ asked: others.asked, fromMs: others.fromMs }).toEqual({ asked: [WINDOW_SECONDS, undefined], fromMs: null });
  expect(others.series.get('Ga')?.points).toBe(chunks.length * ROWS);
  const none = await read(chunks.slice(0, 3), START_MS);
  expect({ asked: none.asked, fromMs: none.fromMs }).toEqual({ asked: [WINDOW_SECONDS, undefined], fromMs: null });
});

test.each([
  ['a stamp', { unix_timestamp_ms: [null], relative_time_seconds: [0], values: [1] }],
  ['a relative time', { unix_timestamp_ms: [START_MS], relative_time_seconds: [null], values: [1] }],
  ['relative times at all', { unix_timestamp_ms: [START_MS], values: [1] }],
])('believes no window that lacks %s', async (_, lacking) => {
  const asked: (number | undefined)[] = [];
  const full = { unix_timestamp_ms: [START_MS], relative_time_seconds: [0], values: [1] };
  const readTimeSeries: UploadService['readTimeSeries'] = async ({ elapsed_seconds: elapsed }) => {
    asked.push(elapsed);
    return { properties: { Ga: full, In: elapsed === undefined ? null : lacking } };
  };
  const service = { readTimeSeries } as UploadService;
  const { fromMs } = await readBack(1, 'e', { queue: promiseQueue(longQueue()), service }, never);
  expect({ fromMs, asked }).toEqual({ fromMs: null, asked: [WINDOW_SECONDS, undefined] });
});

test('a channel without points in the window does not speak against it', async () => {
  const full = { unix_timestamp_ms: [START_MS], relative_time_seconds: [0], values: [1] };
  const service = { readTimeSeries: async () => ({ properties: { Ga: full, In: null } }) } as unknown as UploadService;
  const { fromMs } = await readBack(1, 'e', { queue: promiseQueue(longQueue()), service }, never);
  expect(fromMs).toBe(START_MS + 1000 * WINDOW_SECONDS);
});

test('leaves out places that the service names without a point', async () => {
  const { queue } = openSmallQueue([chunkOf(0, [GA, IN])]);
  const readTimeSeries = async () => ({
    properties: { Ga: { unix_timestamp_ms: [1, null, 3], values: [4, null, 6] }, In: null },
  });
  const service = { readTimeSeries } as unknown as UploadService;
  const { series, fromMs } = await readBack(1, 'e', { queue: promiseQueue(queue), service }, never);
  expect(fromMs).toBeNull();
  expect([...series].map(([name, { points }]) => [name, points])).toEqual([
    ['Ga', 2],
    ['In', 0],
  ]);
});

test('asks for its own entry and takes a missing one for none, in a request that can be called off', async () => {
  const { queue } = openSmallQueue([chunkOf(0, [GA, IN])]);
  const asked: unknown[] = [];
  const readTimeSeries: UploadService['readTimeSeries'] = async (query, { signal }) => {
    asked.push({ ...query, signal });
    return null;
  };
  const service = { readTimeSeries } as UploadService;
  const nothing = { series: new Map(), fromMs: null };
  expect(await readBack(1, 'e', { queue: promiseQueue(queue), service }, never)).toEqual(nothing);
  const whole = { data_id: 'e', return_null_if_missing: true, signal: never };
  expect(asked).toEqual([whole]);
  expect(await readBack(1, 'e', { queue: promiseQueue(longQueue()), service }, never)).toEqual(nothing);
  expect(asked.slice(1)).toEqual([{ ...whole, elapsed_seconds: WINDOW_SECONDS }, whole]);
});
