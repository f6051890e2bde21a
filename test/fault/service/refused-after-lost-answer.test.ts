// Part E, rows 75 and 86 together, under `resend: repeat`: a chunk arrives, its answer is lost, and when it is sent again the
// service refuses it. It is there all the same, and must not be kept as refused: its count would hold the stream for ever.
import { expect, onTestFinished, test } from 'vitest';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import type { BenchReport, BenchRule } from '../../support/bench/bench-settings.ts';
import { Engine } from '../../support/rigs/engine.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

const refuseB: BenchRule = {
  fault: { kind: 'answer', status: 422, body: '{"detail":"not calibrated"}' },
  endpoint: 'ingestChunk',
  channel: 'b',
};

async function rig() {
  const { service, client } = await openServiceRig({ bench: {} });
  // Longer than it takes to end the engine while an answer hangs.
  const timeouts = { headersMs: 20_000, bodyMs: 20_000, totalMs: 30_000 };
  const impatient = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey, timeouts });
  onTestFinished(() => impatient.close());
  const folder = memoryFolder('refused-later');
  const open = (from = 0) => Engine.open({ client: impatient, folder, from, policy: { resend: 'repeat' } });
  const loseFirst = (how: 'reset' | 'hang', others: readonly BenchRule[] = [refuseB]) =>
    service.setBench({
      rules: [{ fault: { kind: 'lost-after', how }, endpoint: 'ingestChunk', times: 1 }, ...others],
    });
  /** What was refused in truth is sent again, and all of it is there once. */
  const sendRefused = async (engine: Engine) => {
    await service.setBench({});
    await engine.store.sendAgain({ streamId: 1, chunkIds: null, channel: null });
    await engine.uploader.notify([1]);
    await engine.deliverAll();
    await engine.expectDelivered();
  };
  const refused = async (engine: Engine) =>
    (await engine.store.refusedChunks(1)).map(({ channel, index }) => `${channel}${index}`);
  return { service, client, open, loseFirst, refused, sendRefused };
}

test('75 and 86: what arrived before it was refused is acknowledged, and the stream goes on', async () => {
  const { open, loseFirst, refused, sendRefused } = await rig();
  const engine = await open();
  await loseFirst('reset');
  await engine.capture(15);
  await engine.until('all is settled', async () => (await engine.streams())[0]?.chunksWaiting === 0);
  expect(await refused(engine)).toEqual(['b1', 'b2']);
  await sendRefused(engine);
});

test('75 and 86: also when the agent was ended between the two', async () => {
  const { service, open, loseFirst, refused, sendRefused } = await rig();
  const first = await open();
  await loseFirst('hang', []);
  await first.capture(15);
  await expect
    .poll(async () => ((await service.runBench({ kind: 'report' })) as BenchReport).hits[0], { timeout: 60_000 })
    .toBe(1);
  await first.close();
  await service.setBench({ rules: [refuseB] });
  const second = await open(first.captured);
  await second.until('all is settled', async () => (await second.streams())[0]?.chunksWaiting === 0);
  expect(await refused(second)).toEqual(['b1', 'b2']);
  await sendRefused(second);
});
