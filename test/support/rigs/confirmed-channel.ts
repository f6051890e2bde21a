// A long channel is read back through the real client from the real embedded service, which is a process of its own here, so
// that the memory seen is that of the read-back.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished } from 'vitest';
import { createServiceClient, type ServiceClient } from '../../../src-main/delivery/client/client.ts';
import { confirmStream } from '../../../src-main/delivery/receipt/confirm-stream.ts';
import type { Commit } from '../../../src-main/model/queue.ts';
import { openQueue, type Queue } from '../../../src-main/queue/store/queue.ts';
import { openStore } from '../../../src-main/queue/store/store.ts';
import { startAgent } from '../processes/agent-process.ts';
import { tempFolder } from '../temp-folder.ts';

const START_MS = Date.UTC(2026, 10, 20);
/** Points of a chunk: long ones, so that filling does not take longer than what is measured. */
const ROWS = 50_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** How often it is looked, milliseconds: collecting what is garbage takes its time. */
const LOOK_MS = 100;

/** Most that this thread holds (heap and buffers), and the process takes, over what it did at the beginning, megabytes. */
function watchMemory() {
  const now = () => {
    collectGarbage();
    // Buffers that the first collection found are given back in the second.
    collectGarbage();
    const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
    return { held: (heapUsed + arrayBuffers) / 1e6, rss: rss / 1e6 };
  };
  const began = now();
  const most = { held: 0, rss: 0 };
  const look = () => {
    const { held, rss } = now();
    most.held = Math.max(most.held, held - began.held);
    most.rss = Math.max(most.rss, rss - began.rss);
  };
  return { look, most };
}

async function openService(): Promise<ServiceClient> {
  const key = 'a-key-of-this-test';
  const process = startAgent(['service', '--data', tempFolder('service'), '--port', '0', '--key', key]);
  const [, baseUrl = ''] = await process.waitFor(/Service at (\S+), data/);
  const client = createServiceClient({ baseUrl, apiKey: () => key });
  onTestFinished(() => client.close());
  return client;
}

const nothing: Omit<Commit, 'sequence'> = {
  ...{ streams: [], changes: [], channels: [], chunks: [], lanes: [], lanesRemoved: [], lanesCleared: [] },
  ...{ openReadings: [], positions: [], refusals: [], gaps: [] },
};
const counts = { rowsRead: 0, refused: 0, lastReadingMs: null, pointsPerChunk: null };

/** A service that is busy may close a connection just as a chunk goes out on it; sent again, it takes its own place. */
async function sendSurely(client: ServiceClient, body: Parameters<ServiceClient['ingestChunk']>[0]): Promise<void> {
  for (;;) {
    try {
      await client.ingestChunk(body);
      return;
    } catch (thrown) {
      if ((thrown as { code?: string }).code !== 'service.ambiguous') throw thrown;
    }
  }
}

/**
 * The same points in a queue, as a delivered stream, and in the service. `isTurned`: the service has the first two chunks
 * in each other's place, as if it had put them in another order.
 */
async function deliver(queue: Queue, client: ServiceClient, points: number, isTurned: boolean): Promise<void> {
  const { data_id } = await client.initializeStream({ points_per_chunk: ROWS });
  const names = { sourceId: 's', period: 'p', nonce: 'n', name: 'T s n', openedMs: 0, synthSourceId: null };
  queue.commit({
    ...{ ...nothing, sequence: 1, streams: [{ id: 1, ...names, pointsPerChunk: ROWS }] },
    channels: [{ id: 1, streamId: 1, name: 'a', unit: '' }],
  });
  queue.setInitialized(1, { dataId: data_id, processedDataId: '', service: 'here', isToFinalize: false });
  for (let index = 0; index < points / ROWS; index++) {
    const timesMs = Float64Array.from({ length: ROWS }, (_, i) => START_MS + (index * ROWS + i) * 7.5);
    const values = timesMs.map((timeMs) => Math.sin(timeMs));
    const change = { id: 1, ...counts, points: ROWS, closedMs: (index + 1) * ROWS === points ? 1 : null };
    const chunk = { streamId: 1, channelIds: [1], index, rows: ROWS, timesMs, values };
    queue.commit({ ...nothing, sequence: 2 + index, chunks: [chunk], changes: [change] });
    const timestamps = Array.from(timesMs, (timeMs) => timeMs / 1000);
    const place = isTurned && index < 2 ? 1 - index : index;
    await sendSurely(client, { data_id, chunk_index: place, channels: { a: { timestamps, values: [...values] } } });
    queue.acknowledge(queue.nextChunk(1)?.id ?? 0, 1);
  }
}

/** Confirm a channel of so many points; gives what was noted and the memory that it took. */
async function confirm(points: number, isTurned: boolean) {
  const client = await openService();
  const path = join(tempFolder('large'), 'queue.db');
  const queue = openQueue(path);
  await deliver(queue, client, points, isTurned);
  queue.close();
  const store = await openStore(path);
  const { look, most } = watchMemory();
  const timer = setInterval(look, LOOK_MS);
  const clock = { nowMs: Date.now, sleep: (durationMs: number) => sleep(durationMs) };
  const confirmation = await confirmStream(1, { store, service: client, clock }, new AbortController().signal);
  clearInterval(timer);
  await store.close();
  return { confirmation, most };
}

/** Deliver a channel of so many points, confirm it one by one, and hold the memory that this took under its bound. */
export async function expectConfirmed(points: number, isTurned: boolean): Promise<void> {
  const { confirmation, most } = await confirm(points, isTurned);
  console.log(
    `${points} points, in another order ${isTurned}: ${most.held.toFixed(0)} MB held, RSS +${most.rss.toFixed(0)} MB`,
  );
  expect(confirmation).toMatchObject({ outcome: 'confirmed', pointsCompared: points, pointsExpected: points });
  // As whole columns half a million points would be 8 MB of either side; 2 MB are usual.
  if (!isTurned) expect(most.held).toBeLessThan(10);
}
