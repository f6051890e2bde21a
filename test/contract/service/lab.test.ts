// What the service tells of every tool that has sent, on each engine, from what came in by the interface alone.
import { expect, onTestFinished, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import { addKey, addOrganization, addUser } from '../../../src-main/local-service/admin.ts';
import type { LabLook } from '../../../src-main/local-service/storage/lab.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';

test('tools are told with newest point, lag, gaps of the last hour and what sent them; others see nothing of it', async () => {
  const { place, service, client } = await openServiceRig();
  const look = async (key = service.apiKey) => {
    const answer = await fetch(`${service.url}/lab/tools`, { headers: { 'X-API-KEY': key } });
    return { status: answer.status, body: (await answer.json()) as LabLook };
  };
  expect((await look()).body.tools).toEqual([]);
  const nowS = Math.floor(Date.now() / 1000);
  const send = async (stream_name: string, chunks: readonly (readonly number[])[]) => {
    const { data_id } = await client.initializeStream({ points_per_chunk: 10, stream_name });
    for (const [chunk_index, timestamps] of chunks.entries()) {
      const channel = { timestamps, values: timestamps.map(() => 1) };
      await client.ingestChunk({ data_id, chunk_index, channels: { a: channel, b: channel } });
    }
  };
  const ten = (fromS: number) => Array.from({ length: 10 }, (_, n) => fromS + n);
  // An older stream of the same source, two hours behind: the newer one counts.
  await send('MBE 2 chamber 2026-11-20 06:00:00 k7f3q', [ten(nowS - 9000)]);
  // A pause of 291 s within the hour; one before it is not looked at.
  await send('MBE 2 chamber 2026-11-20 12:00:00 G3 117 x2m4p', [
    ten(nowS - 5000),
    ten(nowS - 900),
    ten(nowS - 890),
    ten(nowS - 590),
    ten(nowS - 580),
  ]);
  await send('MBE 2 cells 2026-11-20 12:00:00 a2m4p', [ten(nowS - 20), ten(nowS - 10)]);
  await send('by hand', [ten(nowS - 10)]);
  const { body } = await look();
  expect(body.tools.map(({ tool }) => tool).toSorted()).toEqual(['MBE 2', 'by hand']);
  const [mbe] = body.tools.filter(({ tool }) => tool === 'MBE 2');
  expect(mbe).toMatchObject({
    ...{ agent: `epistream/${manifest.version}`, sources: 2, running: 2, lastPointMs: (nowS - 1) * 1000 },
    ...{ points: 140, gaps: 1, longestGapS: 291 },
  });
  expect(mbe?.behindS).toBeGreaterThanOrEqual(571);
  expect(mbe?.lastChunkMs).toBeGreaterThanOrEqual(nowS * 1000);
  expect(body.nowMs).toBeGreaterThanOrEqual(mbe?.lastChunkMs ?? Infinity);

  expect(body.tools.map(({ aheadS }) => aheadS)).toEqual([0, 0]);
  // Stamps of tomorrow: the clock of that tool is ahead, and it is not behind.
  await send('MBE 3 chamber 2026-11-20 12:00:00 b2m4p', [ten(nowS + 86_400)]);
  const [ahead] = (await look()).body.tools.filter(({ tool }) => tool === 'MBE 3');
  expect(ahead).toMatchObject({ behindS: 0, lastPointMs: (nowS + 86_409) * 1000 });
  expect(ahead?.aheadS).toBeGreaterThan(80_000);
  expect(ahead?.aheadS).toBeLessThanOrEqual(86_410);

  await addOrganization(place, 'lab B');
  await addUser(place, 'ada', 'lab B');
  const foreign = await addKey(place, { organization: 'lab B', user: 'ada', role: 'read' });
  expect((await look(foreign)).body.tools).toEqual([]);
  const refused = [await look('no-such-key'), await look(await addKey(place, { role: 'ingest' }))];
  expect(refused.map(({ status }) => status)).toEqual([401, 403]);
  const other = createServiceClient({ baseUrl: service.url, apiKey: () => foreign });
  onTestFinished(() => other.close());
  expect(await other.listDataEntries({})).toEqual([]);
});
