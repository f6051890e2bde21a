// Long streams are read back from a window near their end: the real queue with 100,000 acknowledged points against a
// service that holds whole series.
import { expect, test } from 'vitest';
import type { UploadService } from '../../../src-main/upload/ports.ts';
import { readBack } from '../../../src-main/upload/read-series.ts';
import { settleFirstChunks } from '../../../src-main/upload/settle.ts';
import { asUploadQueue, chunkOf, GA, IN, openSmallQueue } from '../../support/small-queue.ts';

const ROWS = 1000;
const ACKNOWLEDGED = 50;
/** The queue lets a window begin half a second before the fourth acknowledged chunk from the end. */
const WINDOW_SECONDS = (ACKNOWLEDGED - 4) * ROWS - 0.5;
const never = new AbortController().signal;
const clock = { nowMs: () => 5000, sleep: async () => {} };

const chunks = Array.from({ length: ACKNOWLEDGED + 2 }, (_, index) => chunkOf(index, [GA, IN], ROWS));
type Chunk = (typeof chunks)[number];

/** A queue with these chunks, of which the first 50 are acknowledged. */
function longQueue(all: readonly Chunk[] = chunks) {
  const { queue } = openSmallQueue(all);
  for (let i = 0; i < ACKNOWLEDGED; i++) queue.acknowledge(queue.nextChunk(1)?.id as number, 1);
  return queue;
}

/** A service that holds these chunks; `startMs` is where it counts elapsed seconds from. And what it was asked. */
function serviceWith(all: readonly Chunk[], startMs = 0) {
  const asked: (number | undefined)[] = [];
  const readTimeSeries: UploadService['readTimeSeries'] = async ({ elapsed_seconds: elapsed }) => {
    asked.push(elapsed);
    const column = (at: number) =>
      all
        .flatMap(({ timesMs, values, rows }) =>
          [...timesMs].map((timeMs, i) => [timeMs, values[at * rows + i]] as const),
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

test('settles a chunk of a long stream by a window, counting only what was acknowledged inside it', async () => {
  const queue = longQueue();
  const { asked, service } = serviceWith(chunks.slice(0, ACKNOWLEDGED + 1));
  expect(await settleFirstChunks(1, 'e', { queue: asUploadQueue(queue), service, clock }, never)).toBeNull();
  expect(queue.nextChunk(1)?.index).toBe(ACKNOWLEDGED + 1);
  // With the chunk that was found the window moves on; two reads from the same place say that the next is not there.
  expect(asked).toEqual([WINDOW_SECONDS, WINDOW_SECONDS + ROWS, WINDOW_SECONDS + ROWS]);
});

test('reads the whole when a chunk lies outside the window', async () => {
  const early = { ...chunkOf(ACKNOWLEDGED, [GA, IN], ROWS), timesMs: chunkOf(0, [GA, IN], ROWS).timesMs };
  const all = [...chunks.slice(0, ACKNOWLEDGED), early];
  const queue = longQueue(all);
  const { asked, service } = serviceWith(all);
  expect(await settleFirstChunks(1, 'e', { queue: asUploadQueue(queue), service, clock }, never)).toBeNull();
  expect(queue.nextChunk(1)).toBeNull();
  expect(asked).toEqual([WINDOW_SECONDS, undefined]);
});

test('believes a window only when its points reckon from the start that was asked with', async () => {
  const queue = asUploadQueue(longQueue());
  const read = async (all: readonly Chunk[], startMs: number) => {
    const { asked, service } = serviceWith(all, startMs);
    return { asked, ...(await readBack(1, 'e', { queue, service }, never)) };
  };
  const own = await read(chunks, 2);
  expect({ asked: own.asked, fromMs: own.fromMs }).toEqual({ asked: [WINDOW_SECONDS], fromMs: 1000 * WINDOW_SECONDS });
  const points = own.series?.get('In');
  expect(points?.unix_timestamp_ms).toHaveLength((chunks.length - ACKNOWLEDGED + 4) * ROWS);
  const others = await read(chunks, 3);
  expect({ asked: others.asked, fromMs: others.fromMs }).toEqual({ asked: [WINDOW_SECONDS, undefined], fromMs: null });
  expect(others.series?.get('Ga')?.values).toHaveLength(chunks.length * ROWS);
  const none = await read(chunks.slice(0, 3), 0);
  expect({ asked: none.asked, fromMs: none.fromMs }).toEqual({ asked: [WINDOW_SECONDS, undefined], fromMs: null });
});

test('leaves out places that the service names without a point', async () => {
  const { queue } = openSmallQueue([chunkOf(0, [GA, IN])]);
  const readTimeSeries = async () => ({
    properties: { Ga: { unix_timestamp_ms: [1, null, 3], values: [4, null, 6] }, In: null },
  });
  const service = { readTimeSeries } as unknown as UploadService;
  const { series, fromMs } = await readBack(1, 'e', { queue: asUploadQueue(queue), service }, never);
  expect(fromMs).toBeNull();
  expect(series).toEqual(
    new Map([
      ['Ga', { unix_timestamp_ms: [1, 3], values: [4, 6] }],
      ['In', { unix_timestamp_ms: [], values: [] }],
    ]),
  );
});
