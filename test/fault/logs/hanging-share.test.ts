// Fault matrix, row 57: a share whose server does not answer. Calls hang for real (fault-shim.c) in the agent as it ships; the list
// of mounts says that the folder is on another machine.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { FaultyDisk, findShimObstacle } from '../../support/faults/fault-shim.ts';
import { LogAgent } from '../../support/logs/log-agent.ts';
import { readDelivered } from '../../support/rigs/delivered.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const obstacle = findShimObstacle();
if (obstacle !== null && process.env.CI) throw new Error(obstacle);

/** An agent with a log on a disk of this PC, and one on a share that can be made to hang. */
async function begin() {
  const { client, service } = await openServiceRig();
  const folder = tempFolder('hanging-share');
  const share = join(folder, 'the-share');
  mkdirSync(share);
  const mounts = join(folder, 'mounts');
  writeFileSync(mounts, `1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:9 / ${share} rw - cifs //server/logs rw\n`);
  const disk = new FaultyDisk(folder, { match: '/the-share/', mounts });
  const sources = [`{ id: share, kind: log, path: '${share}', match: '*.csv', backfill: all }`];
  const agent = new LogAgent({ url: service.url, key: service.apiKey, folder, sources });
  const log = join(share, 'pressure.csv');
  writeFileSync(log, 'time,p\n');
  let rows = 0;
  /** The tool writes rows to its log on the share. */
  const write = (count: number) => {
    for (let n = 0; n < count; n++, rows++) appendFileSync(log, `${Date.now() / 1000},${rows}\n`);
  };
  const rowsRead = (snapshot: Snapshot, id: string) => snapshot.sources.find((one) => one.id === id)?.rowsRead ?? 0;
  const expectAll = async () => {
    const values = (await readDelivered(client)).get('p')?.map(({ value }) => value);
    expect(values).toEqual(Array.from({ length: rows }, (_, n) => n));
    await agent.expectDelivered(client);
  };
  return { agent, disk, write, rowsRead, expectAll, written: () => rows };
}

describe.skipIf(obstacle !== null)('row 57', () => {
  test('a share that hangs is named and keeps no other log waiting, and is read again when it answers', async () => {
    const { agent, disk, write, rowsRead, expectAll, written } = await begin();
    const running = await agent.start(disk.env);
    write(5);
    agent.write(5);
    await agent.until('both are read', (now) => rowsRead(now, 'share') === 5 && rowsRead(now, 'log') === 5);
    disk.set('open hang 0');
    write(5);
    const stalled = await agent.until('the share is named', ({ sources }) =>
      sources.some(({ id, message }) => id === 'share' && /has not answered since/.test(message)),
    );
    const share = stalled.sources.find(({ id }) => id === 'share');
    expect(share).toMatchObject({ state: 'waiting', health: 'gone' });
    expect(stalled.sentence.tone).not.toBe('ok');
    agent.write(5);
    await agent.until('the other log is read', (now) => rowsRead(now, 'log') === agent.rows);
    disk.heal();
    await agent.until('the share is read', (now) => rowsRead(now, 'share') === written());
    await agent.until('the share is well', ({ sources }) => sources.every(({ state }) => state === 'running'));
    await agent.stop(running);
    await agent.drain();
    await expectAll();
  });

  test('the agent ends while a share hangs, and the next one reads on where it stopped', async () => {
    const { agent, disk, write, rowsRead, expectAll } = await begin();
    const running = await agent.start(disk.env);
    write(5);
    agent.write(5);
    await agent.until('both are read', (now) => rowsRead(now, 'share') === 5 && rowsRead(now, 'log') === 5);
    disk.set('read hang 0');
    write(5);
    await agent.until('a call hangs', ({ sources }) => sources.some(({ state }) => state === 'waiting'));
    running.child.kill('SIGTERM');
    // Threads in a call cannot be ended in any other way.
    expect(await running.ended).toMatchObject({ signal: 'SIGKILL' });
    disk.heal();
    await agent.drain();
    await expectAll();
  });
});
