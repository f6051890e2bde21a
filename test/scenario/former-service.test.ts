// The settings name another service while something still waits: what comes goes to the new one at once, and what waits goes
// to the former one, to the new one, or stays, as a person says. Nothing is lost on any of these ways, and each has an end.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Agent } from '../../src-main/agent/agent.ts';
import type { ServiceClient } from '../../src-main/delivery/client/client.ts';
import { sessionKeyStore } from '../../src-main/platform/secrets.ts';
import { fastClock } from '../support/fast-clock.ts';
import { freePort } from '../support/free-port.ts';
import { makeAgent } from '../support/rigs/agent-here.ts';
import { readDelivered } from '../support/rigs/delivered.ts';
import { openServiceRig, type ServiceRig } from '../support/rigs/service-rig.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Time of the agents runs so much faster: they wait for 15 s and more before they try again. */
const SPEED = 10;
const START_MS = Date.UTC(2026, 10, 20, 6);

/** A tool whose row n has the value n, and an agent that begins at a service. */
async function openWorld(url: string, key: string | null) {
  const folder = tempFolder('former');
  const logs = join(folder, 'logs');
  const log = join(logs, 'run.csv');
  mkdirSync(logs);
  writeFileSync(log, 'time,x\n');
  writeFileSync(
    join(folder, 'epistream.yaml'),
    [
      'version: 1',
      `service: { url: '${url}', resend: repeat }`,
      'tool: { name: T, time_zone: UTC }',
      'stream_defaults: { points_per_chunk: 5, rollover: growth }',
      `sources: [{ id: log, kind: log, path: ${JSON.stringify(logs)}, match: '*.csv', backfill: all }]`,
      '',
    ].join('\n'),
  );
  const keys = sessionKeyStore(key);
  const clock = fastClock(SPEED);
  const open = async (): Promise<Agent> => {
    const agent = makeAgent(folder, { keys, clock });
    await agent.start();
    return agent;
  };
  let rows = 0;
  const append = (count: number, stampMs: (row: number) => number) => {
    const lines = Array.from({ length: count }, (_, i) => `${new Date(stampMs(rows + i)).toISOString()},${rows + i}\n`);
    appendFileSync(log, lines.join(''));
    rows += count;
  };
  const write = (count: number) => append(count, (row) => START_MS + row * 1000);
  /** Rows of now, as a growth takes them. */
  const writeNow = (count: number) => append(count, (row) => clock.nowMs() + row);
  return { open, write, writeNow };
}

async function nameService(agent: Agent, { service: { url, apiKey } }: ServiceRig): Promise<void> {
  const { service, tool, streamDefaults } = await agent.handlers.settings.read(null);
  await agent.handlers.settings.save({ service: { ...service, url }, apiKey, tool, streamDefaults });
}

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000, interval: 50 });
const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
const valuesAt = async (client: ServiceClient) =>
  ((await readDelivered(client)).get('x') ?? []).map(({ value }) => value).toSorted((a, b) => a - b);
const look = (agent: Agent) => agent.handlers.snapshot.read(null);
const stored = async (agent: Agent) =>
  (await look(agent)).streams.reduce((sum, { pointsStored }) => sum + pointsStored, 0);

/** 15 rows are delivered, the last 10 in a stream that goes on. */
async function beginStream(agent: Agent, write: (rows: number) => void): Promise<void> {
  const delivered = async () => (await look(agent)).streams.reduce((sum, one) => sum + one.pointsAcknowledged, 0);
  write(5);
  await eventually(delivered).toBe(5);
  write(10);
  await eventually(delivered).toBe(15);
}

test('what the built-in service had not yet goes there by itself, and what comes goes to the new one', async () => {
  const world = await openWorld('embedded', null);
  const agent = await world.open();
  await beginStream(agent, world.write);
  await agent.handlers.service.pause(null);
  world.write(13);
  await eventually(() => stored(agent)).toBe(28);
  const next = await openServiceRig();
  await nameService(agent, next);
  world.write(7);

  await eventually(() => valuesAt(next.client)).toEqual(upTo(28, 33));
  await eventually(async () => {
    const { former, troubles, sentence } = await look(agent);
    return { former, troubles, isAsking: sentence.tone === 'attention' };
  }).toEqual({ former: [], troubles: [], isAsking: false });
  const former = agent.pipeline?.former.clientOf('embedded');
  if (!former) throw new Error('the built-in service does not run');
  expect(await valuesAt(former)).toEqual(upTo(0, 28));
});

/** 13 points wait for a service that is away, and the settings name another one. */
async function openWaiting() {
  const former = await openServiceRig({ port: await freePort(), key: 'key-of-the-former-0123456789' });
  const { url, apiKey } = former.service;
  const world = await openWorld(url, apiKey);
  const agent = await world.open();
  await beginStream(agent, world.write);
  await former.service.stop();
  world.write(13);
  await eventually(() => stored(agent)).toBe(28);
  const next = await openServiceRig({ key: 'key-of-the-next-0123456789' });
  await nameService(agent, next);
  const back = () => openServiceRig({ folder: former.folder, port: Number(new URL(url).port), key: apiKey });
  const choose = (way: 'send' | 'move' | 'keep', key = '') =>
    agent.handlers.service.chooseFormer({ service: url, way, apiKey: key });
  await eventually(async () => (await look(agent)).former).toMatchObject([{ service: url, state: 'asks', points: 13 }]);
  return { world, agent, next, url, apiKey, back, choose };
}

test('for a service at an address a person is asked, and "send there" delivers it with the key that it was given', async () => {
  const { agent, next, url, back, choose } = await openWaiting();
  expect((await look(agent)).sentence).toMatchObject({
    tone: 'attention',
    text: expect.stringContaining(`13 points recorded for another service wait here. They were recorded for ${url}.`),
  });
  const former = await back();
  await choose('send');
  await eventually(async () => (await look(agent)).former).toEqual([]);
  expect(await valuesAt(former.client)).toEqual(upTo(0, 28));
  expect(await valuesAt(next.client)).toEqual([]);
  await eventually(async () => (await look(agent)).troubles).toEqual([]);
});

test('"send to the new one" makes new streams of what the former one never acknowledged', async () => {
  const { agent, next, back, choose } = await openWaiting();
  await choose('move');
  await eventually(async () => (await look(agent)).former).toEqual([]);
  await eventually(() => valuesAt(next.client)).toEqual(upTo(15, 28));
  const former = await back();
  expect(await valuesAt(former.client)).toEqual(upTo(0, 15));
  const unfinished = async () =>
    (await look(agent)).streams.filter((one) => one.state !== 'open' && one.pointsStored !== one.pointsAcknowledged);
  await eventually(unfinished).toEqual([]);
  await eventually(async () => (await look(agent)).troubles).toEqual([]);
});

test('"keep here" is no trouble, stands after a restart, and can still be changed', async () => {
  const { world, agent, next, url, choose } = await openWaiting();
  await choose('keep');
  await eventually(() => look(agent)).toMatchObject({
    troubles: [],
    streams: expect.arrayContaining([expect.objectContaining({ upload: 'kept' })]),
  });
  await agent.stop();
  const again = await world.open();
  // The source is opened after what waits is known.
  await eventually(() => look(again)).toMatchObject({
    former: [{ service: url, state: 'kept', points: 13, hasKey: false }],
    sentence: { text: 'Recording 1 source. All delivered.' },
  });
  await expect(again.handlers.service.chooseFormer({ service: url, way: 'send', apiKey: '' })).rejects.toMatchObject({
    code: 'former.key',
  });
  await again.handlers.service.chooseFormer({ service: url, way: 'move', apiKey: '' });
  await eventually(() => valuesAt(next.client)).toEqual(upTo(15, 28));
});

test('a growth tells which of its streams have their entries at another service', async () => {
  const world = await openWorld('embedded', null);
  const agent = await world.open();
  const { id } = await agent.handlers.growth.start({ name: 'G1' });
  const streams = async () =>
    (await agent.handlers.growth.read({ growthId: id }))?.parts.flatMap((part) =>
      part.streams.map(({ dataId, isElsewhere, isDelivered }) => ({
        isSent: dataId !== null,
        isElsewhere,
        isDelivered,
      })),
    );
  world.writeNow(5);
  await eventually(streams).toMatchObject([{ isSent: true, isElsewhere: false }]);
  await nameService(agent, await openServiceRig());
  world.writeNow(5);
  await eventually(streams).toMatchObject([
    { isSent: true, isElsewhere: true },
    { isSent: true, isElsewhere: false },
  ]);
});
