// Under `resend: repeat` a chunk goes out before it is full, so that the service's live view keeps up at any size of it.
// It must cost nothing: no shorter form may ever stand in the place of the full one.
import { expect, test } from 'vitest';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import type { BenchSettings } from '../../support/bench/bench-settings.ts';
import { readDelivered } from '../../support/rigs/delivered.ts';
import { Engine } from '../../support/rigs/engine.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

async function rig(bench: BenchSettings = {}) {
  const { service } = await openServiceRig({ bench: {} });
  const client = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey });
  const folder = memoryFolder('ahead');
  const open = (resend: 'repeat' | 'verify', pointsPerChunk: number, from = 0) =>
    Engine.open({ client, folder, from, pointsPerChunk, policy: { resend } });
  await service.setBench(bench);
  const shown = async () => (await readDelivered(client)).get('a')?.length ?? 0;
  return { service, open, shown };
}

test('points of a chunk that is not full yet are seen at the service, and are not called acknowledged', async () => {
  const { open, shown } = await rig();
  const engine = await open('repeat', 1000);
  for (let rows = 0; rows < 30; rows += 10) {
    await engine.capture(10);
    await engine.until('the service shows them', async () => (await shown()) === engine.captured);
  }
  expect((await engine.streams())[0]).toMatchObject({ pointsAcknowledged: 0, chunksSealed: 0 });
  await engine.capture(980);
  await engine.until('the full chunk is there', async () => (await engine.streams())[0]?.pointsAcknowledged === 3000);
  await engine.deliverAll();
  await engine.expectDelivered();
  expect(engine.failures).toEqual([]);
});

test('under verify nothing goes out before it is full', async () => {
  const { open, service } = await rig();
  const engine = await open('verify', 1000);
  await engine.capture(10);
  await engine.clock.sleep(10_000);
  const { requests } = (await service.runBench({ kind: 'report' })) as { requests: Record<string, number> };
  expect(requests.ingestChunk ?? 0).toBe(0);
  await engine.deliverAll();
  await engine.expectDelivered();
});

test('one that arrives late does not cut the full chunk that was sealed meanwhile', async () => {
  // 100 ms at fifty times the speed: 5 s, well within the hold-off of 15 s.
  const late: BenchSettings = {
    rules: [{ fault: { kind: 'late-commit', how: 'reset', delayMs: 100 }, endpoint: 'ingestChunk', times: 1 }],
  };
  const { open } = await rig(late);
  const engine = await open('repeat', 20);
  await engine.capture(7);
  await engine.until('its answer is lost', () => engine.failures.length === 1);
  await engine.capture(40);
  await engine.deliverAll();
  await engine.expectDelivered();
});

test('a stream that was sent ahead is finished by repeating, also when the settings say verify by then', async () => {
  const { open, shown } = await rig();
  const first = await open('repeat', 100);
  await first.capture(7);
  await first.until('the service shows them', async () => (await shown()) === 7);
  await first.close();
  const second = await open('verify', 100, 7);
  await second.capture(150);
  await second.deliverAll();
  await second.expectDelivered();
});

test('a service that refuses the early form gets the full one all the same', async () => {
  const refuse: BenchSettings = {
    rules: [
      {
        fault: { kind: 'answer', status: 422, body: '{"detail":"too short"}', headers: {} },
        endpoint: 'ingestChunk',
        times: 1,
      },
    ],
  };
  const { open } = await rig(refuse);
  const engine = await open('repeat', 20);
  await engine.capture(7);
  await engine.until('it is refused', () => engine.failures.length === 1);
  await engine.capture(40);
  await engine.deliverAll();
  await engine.expectDelivered();
  expect((await engine.streams())[0]).toMatchObject({ pointsRefused: 0 });
});
