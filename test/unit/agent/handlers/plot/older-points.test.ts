import { expect, test } from 'vitest';
import { findOrphans } from '../../../../../src-main/agent/handlers/orphans.ts';
import { listOlder, readOlder } from '../../../../../src-main/agent/handlers/plot/older-points.ts';
import type { Pipeline } from '../../../../../src-main/agent/pipeline/pipeline.ts';
import type { RheedSession } from '../../../../../src-main/model/rheed-session.ts';
import { openServiceRig } from '../../../../support/rigs/service-rig.ts';
import { chunkOf, GA, IN, openSmallQueue } from '../../../../support/rigs/small-queue.ts';

/** A queue of which the service acknowledged everything, with the entry that it made for it. */
async function deliveredQueue() {
  const { client } = await openServiceRig();
  const { queue } = openSmallQueue([chunkOf(0, [GA, IN]), chunkOf(1, [GA, IN])], true);
  const { data_id: dataId } = await client.initializeStream({ points_per_chunk: 2, stream_name: 'T s n' });
  queue.setInitialized(1, { dataId, processedDataId: '', service: 'embedded', isToFinalize: false });
  for (let chunk = queue.nextChunk(1); chunk; chunk = queue.nextChunk(1)) {
    const timestamps = Array.from(chunk.timesMs, (timeMs) => timeMs / 1000);
    const channels = chunk.channels.map(({ name, unit, values }) => [
      name,
      { timestamps, values: [...values], units: unit },
    ]);
    await client.ingestChunk({ data_id: dataId, chunk_index: chunk.index, channels: Object.fromEntries(channels) });
    queue.acknowledge(chunk.id, 1);
  }
  const store = {
    rheedEntries: async () => queue.rheedEntries(),
    listStreams: async (...question: Parameters<typeof queue.listStreams>) => queue.listStreams(...question),
    streamFacts: async (id: number) => queue.streamFacts(id),
    storedPage: async (...question: Parameters<typeof queue.storedPage>) => queue.storedPage(...question),
  };
  const parts = { store, link: { mark: 'embedded', client } } as unknown as Pick<Pipeline, 'store' | 'link'>;
  return { queue, client, dataId, parts };
}

const span = { sourceIds: ['s'], fromMs: 0, toMs: 10_000 };

test('names what is kept at the service only, and reads it back from there', async () => {
  const { queue, client, dataId, parts } = await deliveredQueue();
  expect(await listOlder(parts, span)).toEqual([]);
  while (queue.dropAcknowledged() > 0);
  const older = await listOlder(parts, span);
  expect(older).toMatchObject([{ streamId: 1, sourceId: 's', dataId }]);
  const [entry] = older;
  if (!entry) return;
  const lines = await readOlder(client, { entry, channels: ['Ga'], maxPoints: 100 });
  const { values } = chunkOf(0, [GA], 4);
  // The last reading of this queue is noted as of 5 ms: only what lies up to there is asked for.
  expect(lines).toMatchObject([{ sourceId: 's', channel: 'Ga', unit: '°C', values: [values[0]] }]);
  const all = await readOlder(client, { entry: { ...entry, toMs: 10_000 }, channels: ['Ga', 'In'], maxPoints: 100 });
  expect(all?.map(({ channel, timesMs }) => [channel, timesMs])).toEqual([
    ['Ga', [0, 1000, 2000, 3000]],
    ['In', [0, 1000, 2000, 3000]],
  ]);
  expect(all?.[0]?.values).toEqual([...values]);
});

test('finds entries that were begun for this tool and belong to no stream of this queue', async () => {
  const { client, parts } = await deliveredQueue();
  const names = ['T s 2026-11-20 06:00:00 k7f3q', 'T s n', 'somebody else 2026-11-20 06:00:00 k7f3q'];
  for (const name of names) await client.initializeStream({ points_per_chunk: 2, stream_name: name });
  const { orphans, total } = await findOrphans(parts, { toolName: 'T', timeZone: 'UTC', sources: [] });
  expect(total).toBe(1);
  expect(orphans).toMatchObject([
    { name: names[0], sourceId: 's', startMs: Date.UTC(2026, 10, 20, 6), isOpen: true, cause: 'elsewhere' },
  ]);
});

test('an entry of a RHEED session of this queue is no orphan, whether its answer is known yet, and long after its end', async () => {
  const { queue, client, parts } = await deliveredQueue();
  const session = (nonce: string, given: Partial<RheedSession>): RheedSession => ({
    ...{ nonce, sourceId: 'rheed', growth: null, name: `T rheed 2026-11-20 06:00:00 ${nonce}`, startedMs: 0 },
    ...{ endedMs: null, endCause: '', fps: 10, isFpsMeasured: false, rpm: null, projectId: null, sampleId: null },
    ...{ newSampleName: null, framesAtStart: 0, framesAtEnd: null, isStartSent: true, dataId: null, service: null },
    ...{ settings: null, differences: [], metadata: null, finalize: 'none', problem: '', hint: '', isDone: false },
    ...given,
  });
  const startAt = (name: string) => client.startRheedStream({ data_item_name: name, fps_capture_rate: 10 });
  for (const isDone of [false, true]) {
    // So many that only the newest of those that are done are listed with the sessions.
    for (let n = 0; n < 60; n++) {
      const one = session(`${isDone ? 'd' : 'r'}${n}`, { isDone });
      queue.putRheedSession(n === 0 ? { ...one, dataId: await startAt(one.name) } : one);
    }
  }
  await startAt(session('r1', {}).name);
  await startAt('T rheed 2026-11-20 07:00:00 lost');
  const { orphans } = await findOrphans(parts, {
    ...{ toolName: 'T', timeZone: 'UTC' },
    sources: [{ id: 'rheed' }] as Parameters<typeof findOrphans>[1]['sources'],
  });
  expect(orphans.map(({ name }) => name)).toEqual(['T rheed 2026-11-20 07:00:00 lost']);
});
