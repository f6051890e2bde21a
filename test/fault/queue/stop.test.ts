// Part A, row 5: the agent is stopped while the disk refuses.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openQueue, type Queue } from '../../../src-main/queue/store/queue.ts';
import { findMountObstacle, SmallDisk } from '../../support/faults/small-disk.ts';
import { type AgentProcess, readStatus, startAgent } from '../../support/processes/agent-process.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const obstacle = findMountObstacle();
if (obstacle) console.error(`row 5 (stop) ${obstacle}`);
const INTERVAL_MS = 100;
const KEY = { EPISTREAM_API_KEY: 'some-key' };

/** A tool with a log and a simulated instrument; nobody is at the service's address. */
function rig() {
  const disk = new SmallDisk(24);
  const folder = tempFolder('stop');
  const [logs, data, config] = [join(folder, 'logs'), join(disk.folder, 'data'), join(folder, 'epistream.yaml')];
  mkdirSync(logs);
  const log = join(logs, 'a.csv');
  writeFileSync(log, 'time,x\n1700000000,0\n1700000001,1\n');
  const sources = [
    `{ id: log, kind: log, path: '${logs}', match: '*.csv', backfill: all }`,
    `{ id: growth, kind: simulator, interval: ${INTERVAL_MS}ms }`,
  ];
  writeFileSync(
    config,
    `version: 1\nservice: { url: 'https://127.0.0.1:9' }\ntool: { name: T, time_zone: UTC }\nsources: [${sources.join(', ')}]\n`,
  );
  const start = () => startAgent(['run', '--config', config, '--data', data], KEY);
  return { disk, log, data, path: join(data, 'queue.db'), start };
}

/** Values of the log's channel as the queue holds them. */
const logValues = (queue: Queue) => [...queue.readPoints('log', 'x', 0, Number.MAX_VALUE).values];

/** Readings of the simulated instrument in the queue, and how many it has given since the growth began. */
function growth(queue: Queue) {
  const rows = queue.listStreams(Number.MAX_SAFE_INTEGER, 100).filter(({ sourceId }) => sourceId === 'growth');
  const { next, originMs } = JSON.parse(queue.positions('growth').get('growth') ?? '{}') as Record<string, number>;
  return {
    stored: rows.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    channels: rows[0]?.channels ?? 0,
    given: next as number,
    lastMs: (originMs as number) + ((next as number) - 1) * INTERVAL_MS,
  };
}

async function untilStored(agent: AgentProcess, data: string, rows: number): Promise<void> {
  await agent.waitFor(/Recording of T started/);
  const stored = async () => {
    const { streams } = await readStatus(data);
    const points = (id: string) =>
      streams.reduce((sum, stream) => sum + (stream.sourceId === id ? stream.pointsStored : 0), 0);
    return points('log') >= rows && points('growth') > 0;
  };
  await expect.poll(stored, { timeout: 60_000, interval: 200 }).toBe(true);
}

/**
 * The last room that was kept is used up: the queue says how little is free, and refuses one look after the other. While the disk
 * itself refuses, what empties the queue may still make room.
 */
async function untilRefused(data: string): Promise<void> {
  let looks = 0;
  const refused = async () => {
    const { store } = await readStatus(data);
    looks = store?.state === 'failing' && / MB free\)/.test(store.message ?? '') ? looks + 1 : 0;
    return looks;
  };
  await expect.poll(refused, { timeout: 60_000, interval: 500 }).toBeGreaterThan(5);
}

describe.skipIf(obstacle !== null)('a stop while the disk is full', () => {
  test('5: ends, counts what could not be stored, names its time as a gap, and reads the log again later', async () => {
    const { disk, log, data, path, start } = rig();
    const agent = start();
    await untilStored(agent, data, 2);
    disk.fill();
    await untilRefused(data);
    appendFileSync(log, '1700000002,2\n1700000003,3\n');
    agent.child.kill('SIGTERM');
    const ended = await agent.ended;
    expect(ended.code).toBe(1);
    expect(ended.out + ended.err).not.toContain('everything captured is stored');
    const [, told] =
      ended.err.match(/Recording stopped; ([\d,]+) points? could not be stored\. The disk is full/) ?? [];
    expect(ended.err).toContain('their time is listed as a gap');

    // Noted at once, with the room that is kept for this, not only when there is room again.
    const queue = openQueue(path);
    const { stored, channels, given, lastMs } = growth(queue);
    expect(given).toBeGreaterThan(stored);
    const [gap] = queue.listGaps(1);
    expect(gap).toMatchObject({
      sourceId: 'growth',
      toMs: lastMs,
      cause: expect.stringContaining('could not be stored'),
    });
    expect(gap?.fromMs).toBe(lastMs - (given - stored - 1) * INTERVAL_MS);
    const inFiles = Number(told) - (given - stored) * channels;
    expect([0, 1, 2]).toContain(inFiles);
    expect(logValues(queue)).toEqual([0, 1]);
    queue.close();

    disk.free();
    const again = start();
    await untilStored(again, data, 4);
    again.child.kill('SIGTERM');
    expect(await again.ended).toMatchObject({ code: 0, out: expect.stringContaining('everything captured is stored') });
    const later = openQueue(path);
    expect(logValues(later)).toEqual([0, 1, 2, 3]);
    // What was lost is told once: the next gap begins where the first one ends.
    expect(later.listGaps(10)).toMatchObject([
      { sourceId: 'growth', fromMs: lastMs, cause: 'the agent was not running' },
      { sourceId: 'growth', toMs: lastMs },
    ]);
    later.close();
  });
});
