// Part G, rows 127 to 129: the agent is ended, or pointed elsewhere, while something is on its way or waits; and the queue
// reaches its limit, which is the disk.
import { describe, expect, test } from 'vitest';
import type { Snapshot } from '../../src-main/contract/snapshot.ts';
import { createServiceClient, type ServiceClient } from '../../src-main/delivery/client/client.ts';
import { runHere } from '../support/command.ts';
import { CHUNK_PATH, type Deed, openMiddleman } from '../support/faults/middleman.ts';
import { findMountObstacle, SmallDisk } from '../support/faults/small-disk.ts';
import { freePort } from '../support/free-port.ts';
import { LogAgentHere } from '../support/logs/log-agent.ts';
import { readDelivered } from '../support/rigs/delivered.ts';
import { Engine } from '../support/rigs/engine.ts';
import { openServiceRig } from '../support/rigs/service-rig.ts';
import { tempFolder } from '../support/temp-folder.ts';

const obstacle = findMountObstacle();
if (obstacle) console.error(`row 129 of the fault matrix: ${obstacle}`);
/** Where the service replaces what comes twice, a start need not look up first what it holds. */
const REPEAT = 'resend: repeat';
const pause = (durationMs: number) => new Promise((resolve) => setTimeout(resolve, durationMs));

test('127: stopped again and again with a chunk on its way, which arrives all the same: nothing lost, nothing doubled', async () => {
  const { service, client } = await openServiceRig({ bench: { repeat: 'append' } });
  const middleman = await openMiddleman(service.url);
  const folder = tempFolder('stopped');
  const open = (from: number) => {
    const through = createServiceClient({ baseUrl: middleman.url, apiKey: () => service.apiKey });
    return Engine.open({ client: through, folder, from });
  };
  let engine = await open(0);
  for (let round = 0; round < 4; round++) {
    let stopped: Promise<void> | null = null;
    const running = engine;
    middleman.meet = async ({ path }): Promise<Deed> => {
      if (path !== CHUNK_PATH || stopped) return 'pass';
      stopped = running.close();
      await pause(15 * round);
      return 'pass';
    };
    await running.capture(8);
    await expect.poll(() => stopped, { timeout: 60_000 }).not.toBeNull();
    await stopped;
    engine = await open(running.captured);
  }
  middleman.meet = () => 'pass';
  await engine.deliverAll();
  await engine.expectDelivered();
  expect(await client.listDataEntries({})).toHaveLength(1);
});

test('127: the settings name another service while a chunk is on its way: started streams wait for the previous service, new ones go to the new one', async () => {
  const key = 'a-key-of-both-0123456789';
  const [former, next] = [await openServiceRig({ key }), await openServiceRig({ key })];
  const middleman = await openMiddleman(former.service.url);
  const agent = new LogAgentHere({ url: middleman.url, service: REPEAT, key });
  agent.write(12);
  let chunks = 0;
  middleman.meet = ({ path }) => {
    if (path !== CHUNK_PATH) return 'pass';
    chunks += 1;
    return { do: 'lose-answer', how: 'hang' };
  };
  await agent.start();
  await expect.poll(() => chunks, { timeout: 60_000 }).toBe(1);
  expect(await agent.stop()).toContain(
    'Recording stopped; everything captured is stored. 12 points not sent. They are saved on this PC',
  );
  middleman.meet = () => 'pass';

  agent.configure(next.service.url, REPEAT);
  agent.write(8);
  await agent.start();
  const ofFormer = ({ streams }: Snapshot) => streams.find(({ upload }) => upload === 'blocked');
  const ofNext = ({ streams }: Snapshot) => streams.find(({ upload }) => upload !== 'blocked');
  const seen = await agent.until(
    'one is held, and a chunk of the other is there',
    (snapshot) => ofFormer(snapshot) !== undefined && ofNext(snapshot)?.pointsAcknowledged === 5,
  );
  expect(ofFormer(seen)?.message).toBe(
    `This stream was recorded for ${middleman.url}, and the settings name another service now.`,
  );
  expect(seen.sentence).toMatchObject({
    tone: 'attention',
    hint: expect.stringMatching(/^The settings name another service now\. Choose on the page Now/),
  });
  await agent.stop();
  await agent.drain();
  const valuesAt = async (client: ServiceClient) => (await readDelivered(client)).get('x')?.map(({ value }) => value);
  expect(await valuesAt(next.client)).toEqual(Array.from({ length: 8 }, (_, n) => 12 + n));

  agent.configure(middleman.url, REPEAT);
  expect((await agent.drain()).code).toBe(0);
  expect(await valuesAt(former.client)).toEqual(Array.from({ length: 12 }, (_, n) => n));
});

test('128: ended while nobody was there to deliver to: it says how much stays here, and all of it goes out next time', async () => {
  const away = await openServiceRig({ port: await freePort() });
  const { url, apiKey: key } = away.service;
  await away.service.stop();
  const agent = new LogAgentHere({ url, key, pointsPerChunk: 100 });
  agent.write(2412);
  await agent.start();
  await agent.until('all is stored', ({ store }) => store?.waitingPoints === 2412);
  const words = '2,412 points not sent. They are saved on this PC and will be sent after the next start.';
  expect(await agent.stop()).toContain(`Recording stopped; everything captured is stored. ${words}\n`);
  expect((await runHere(['status', '--data', agent.data])).out).toContain('Stopped. 2412 points not sent');

  const { client } = await openServiceRig({ folder: away.folder, port: Number(new URL(url).port), key });
  const drained = await agent.drain();
  expect(drained.code).toBe(0);
  expect(drained.out).toMatch(/Recording stopped; everything captured is stored\.\n/);
  await agent.expectDelivered(client);
});

describe.skipIf(obstacle !== null)('129: the queue has reached its limit', () => {
  test('it is said, nothing that waits is dropped, delivery goes on, and the log is read on once there is room', async () => {
    const disk = new SmallDisk(24);
    const away = await openServiceRig({ port: await freePort() });
    const { url, apiKey: key } = away.service;
    await away.service.stop();
    const agent = new LogAgentHere({ url, service: REPEAT, key, folder: disk.folder, pointsPerChunk: 100 });
    agent.write(1000);
    await agent.start();
    await agent.until('stored', ({ store }) => store?.waitingPoints === 1000);
    // Somebody else takes what there is, also what the queue had set aside for itself.
    const isRefusing = () => {
      disk.fill();
      agent.write(500);
      return agent.snapshot.store?.state;
    };
    await expect.poll(isRefusing, { timeout: 60_000, interval: 250 }).toBe('failing');
    const full = agent.snapshot;
    expect(full.sentence).toMatchObject({
      tone: 'attention',
      text: expect.stringContaining('New data cannot be stored. The disk is full'),
      hint: expect.stringMatching(/^Free space on this disk/),
    });
    const kept = full.store?.waitingPoints ?? 0;
    expect(kept).toBeGreaterThanOrEqual(1000);

    const { client } = await openServiceRig({ folder: away.folder, port: Number(new URL(url).port), key });
    expect(agent.snapshot.store?.waitingPoints).toBeGreaterThanOrEqual(kept);
    await agent.until('what was stored is delivered on a full disk', ({ streams }) => {
      return streams.reduce((sum, { pointsAcknowledged }) => sum + pointsAcknowledged, 0) >= 1000;
    });
    disk.free();
    await agent.until('the rest is read', ({ streams, store }) => {
      return store?.state === 'ok' && streams.reduce((sum, { pointsStored }) => sum + pointsStored, 0) === agent.rows;
    });
    await agent.stop();
    expect((await agent.drain()).code).toBe(0);
    await agent.expectDelivered(client);
  });
});
