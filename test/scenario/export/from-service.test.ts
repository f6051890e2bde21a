// What was delivered and is no longer kept here comes from the service, by 4.3, and stands in its place.
import { existsSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Agent } from '../../../src-main/agent/agent.ts';
import type { Argument } from '../../../src-main/contract/table.ts';
import { useDownloadFolder } from '../../support/download-folder.ts';
import { GrowthRig, until } from '../../support/rigs/growth-rig.ts';

const ROWS = 23;
const VALUES = Array.from({ length: ROWS }, (_, n) => n / 3);
/** Time of the agent runs so much faster: a stream is closed a minute after its growth. */
const SPEED = 20;
/** Later than anything is kept, milliseconds. */
const LONG_MS = 400 * 86_400_000;

async function deliveredGrowth() {
  const folder = useDownloadFolder();
  const rig = await GrowthRig.open({ hasCamera: false, hasSimulator: false, speed: SPEED });
  const agent = await rig.start();
  const { id } = await agent.handlers.growth.start({ name: 'G-7' });
  const startMs = Math.round(rig.clock.nowMs());
  for (const [n, value] of VALUES.entries()) rig.writeRow(startMs + n, value);
  const streams = async () => {
    const growth = await agent.handlers.growth.read({ growthId: id });
    return growth?.parts.flatMap(({ streams }) => streams) ?? [];
  };
  await until('the readings are in', async () => (await streams()).some(({ points }) => points === ROWS));
  await agent.handlers.growth.end(null);
  await until('all is delivered', async () => (await streams()).every(({ isDelivered }) => isDelivered));
  return { rig, agent, folder, id, stream: (await streams())[0], startMs };
}

async function exportAs(agent: Agent, given: Pick<Argument<'exports', 'start'>, 'of' | 'asksService'>) {
  const csv = { separator: ',', decimal: '.', resample: null } as const;
  const { id } = await agent.handlers.exports.start({ ...given, csv, channels: [], format: 'csv', name: 'out' });
  const view = await until('the export has ended', async () => {
    const { exports } = await agent.handlers.exports.list(null);
    return exports.find((one) => one.id === id && one.state !== 'running');
  });
  const lines = view.state === 'done' ? readFileSync(view.path, 'utf8').trim().split('\r\n') : [];
  const rows = lines.filter((line) => /^\d/.test(line)).map((line) => line.split(','));
  return { view, head: lines.filter((line) => line.startsWith('#')), rows };
}

test('a growth whose points are gone here is whole again from the service, each point once', async () => {
  const { agent, folder, id, startMs } = await deliveredGrowth();
  const store = agent.pipeline?.store ?? expect.fail('nothing runs');
  const before = await exportAs(agent, { of: { growth: id }, asksService: false });
  expect(before.view).toMatchObject({ state: 'done', points: ROWS, pointsGone: 0 });

  while ((await store.sweep(Date.now() + LONG_MS)) > 0);
  const here = await exportAs(agent, { of: { growth: id }, asksService: false });
  expect(here.view).toMatchObject({ state: 'done', points: 0, pointsGone: ROWS });
  const whole = await exportAs(agent, { of: { growth: id }, asksService: true });
  expect(whole.view).toMatchObject({ state: 'done', points: ROWS, pointsGone: 0 });
  expect(whole.rows).toEqual(before.rows);
  expect(whole.rows.map(([ms, , , value]) => [Number(ms), Number(value)])).toEqual(
    VALUES.map((value, n) => [startMs + n, value]),
  );
  expect(whole.view.path).toBe(join(folder, 'out (3).csv'));
});

test('an entry that others made is exported, and what the service cannot give ends the export', async () => {
  const { rig, agent, folder, id } = await deliveredGrowth();
  const { data_id } = await rig.client.initializeStream({ points_per_chunk: 3, stream_name: 'T other 1' });
  const channels = { Ga: { timestamps: [3, 1, 2], values: [1.5, 0.5, 1], units: 'V' } };
  await rig.client.ingestChunk({ data_id, chunk_index: 0, channels });
  const foreign = await exportAs(agent, { of: { entry: data_id }, asksService: true });
  expect(foreign.head).toContain('# title: T other 1');
  expect(foreign.rows.map(([ms, , , value]) => [Number(ms), Number(value)])).toEqual([
    [1000, 0.5],
    [2000, 1],
    [3000, 1.5],
  ]);

  const store = agent.pipeline?.store ?? expect.fail('nothing runs');
  while ((await store.sweep(Date.now() + LONG_MS)) > 0);
  await rig.service.stop();
  const away = await exportAs(agent, { of: { growth: id }, asksService: true });
  expect(away.view).toMatchObject({ state: 'failed', path: join(folder, 'out (2).csv') });
  expect(away.view.hint).not.toBe('');
});

test('a look at the exports makes no folder; the first export makes one where the user has no download folder', async () => {
  const { rig, agent, folder, id } = await deliveredGrowth();
  rmdirSync(folder);
  const { folder: own } = await agent.handlers.exports.list(null);
  expect(own).toBe(join(rig.data, 'downloads'));
  expect(existsSync(own)).toBe(false);
  const { view } = await exportAs(agent, { of: { growth: id }, asksService: false });
  expect(view).toMatchObject({ state: 'done', path: join(own, 'out.csv') });
});
