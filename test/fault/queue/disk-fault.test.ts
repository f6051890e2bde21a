// Part A, rows 8 to 10, 19, 22, 28: the disk refuses, is slow, or a file is held by another program.
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FaultyDisk, findShimObstacle, type Rule } from '../../support/faults/fault-shim.ts';
import { findMountObstacle, SmallDisk } from '../../support/faults/small-disk.ts';
import { LogAgent } from '../../support/logs/log-agent.ts';
import { readDelivered } from '../../support/rigs/delivered.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';
import { expectSound, startWriter } from '../../support/rigs/writer-rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const obstacle = findShimObstacle();
if (obstacle) console.error(`rows 8 to 10, 19, 22 and 28 of the fault matrix: ${obstacle}`);
/** The log is cut back to this, bytes. */
const LIMIT_BYTES = 16 * 1024 * 1024;

function begin(seed: number) {
  const folder = tempFolder('disk-fault');
  const path = join(folder, 'queue.db');
  const disk = new FaultyDisk(folder, { match: 'queue.db', skip: '.reserve' });
  return { disk, writer: startWriter({ path, seed }, disk), path };
}

/** While the rules hold nothing is confirmed and the store says why; afterwards it goes on by itself. */
async function refusesWhile(rules: readonly Rule[], code: string, seed: number): Promise<void> {
  const { disk, writer, path } = begin(seed);
  await writer.more(300);
  disk.set(...rules);
  const refusals = (count: number) => writer.until(() => writer.words.filter((word) => word === code).length >= count);
  // What was confirmed before comes by another pipe than the first refusal, and may be heard after it.
  await refusals(3);
  const confirmed = writer.confirmed;
  // Offered again and again, and refused each time.
  await refusals(8);
  expect(writer.confirmed).toBe(confirmed);
  expect(new Set(writer.words)).toEqual(new Set([code]));
  disk.heal();
  await writer.until(() => writer.words.includes('well'));
  await writer.more(300);
  await expectSound(writer, path);
}

describe.skipIf(obstacle !== null)('a disk that refuses', () => {
  test('8: confirms nothing while syncs fail, and stores all of it once they work', async () => {
    await refusesWhile(['fsync errno 5'], 'store.disk-fault', 81);
  });

  test('8: the next start does not count rows of a failed sync as stored', async () => {
    const { disk, writer, path } = begin(82);
    await writer.more(300);
    disk.set('fsync errno 5');
    await writer.until(() => writer.words.filter((word) => word === 'store.disk-fault').length >= 2);
    await writer.kill();
    // The next agent on the same failing disk: it opens and reads, and writes nothing on top.
    const next = startWriter({ path, seed: 83 }, disk, writer);
    await next.until(() => next.words.filter((word) => word === 'store.disk-fault').length >= 3);
    expect(next.confirmed).toBe(writer.confirmed);
    disk.heal();
    await next.more(200);
    await expectSound(next, path);
  });

  test.each<[string, Rule]>([
    ['confirms nothing while writes fail', 'write errno 5'],
    ['confirms nothing while the file system is read only', 'write errno 30'],
    ['confirms nothing while the disk answers that no space is left', 'write errno 28'],
  ])('9: %s, and stores all of it once they work', async (_, rule) => {
    await refusesWhile([rule], rule.endsWith('28') ? 'store.disk-full' : 'store.disk-fault', 91);
  });

  test('10: keeps storing while the file cannot be checkpointed, reports the size of the log, and truncates it later', async () => {
    const { disk, writer, path } = begin(101);
    await writer.more(300);
    disk.set('truncate errno 5');
    await writer.more(1500);
    expect(writer.words).toEqual([]);
    const wal = () => statSync(`${path}-wal`).size;
    await writer.until(() => wal() > LIMIT_BYTES || writer.confirmed > 4000);
    expect(wal()).toBeGreaterThan(4 * 1024 * 1024);
    disk.heal();
    await writer.more(500);
    expect(wal()).toBeLessThanOrEqual(LIMIT_BYTES);
    await expectSound(writer, path);
  });

  test('28: a disk that takes half a second to sync makes commits larger, not more, and loses nothing', async () => {
    const { disk, writer, path } = begin(281);
    await writer.more(50);
    disk.set('fsync sleep 500');
    await writer.more(20);
    expect(writer.words).toEqual([]);
    disk.heal();
    await writer.more(50);
    await expectSound(writer, path);
  });

  test.each<[string, Rule]>([
    ['a virus scanner that holds the files', 'open errno 13'],
    ['a process that is out of handles', 'open errno 24'],
  ])('19 and 22: %s is waited for, and never taken for damage', async (_, rule) => {
    const { disk, writer, path } = begin(191);
    await writer.more(100);
    await writer.kill();
    disk.set(rule);
    const held = startWriter({ path, seed: 192 }, disk);
    await held.ended;
    expect(held.words.join(' ')).toContain('store.cannot-open');
    disk.heal();
    const again = startWriter({ path, seed: 193 }, disk, writer);
    await again.more(100);
    await expectSound(again, path);
  });
});

describe.skipIf(findMountObstacle() !== null)('a file system', () => {
  test('9: that is remounted read only refuses, and takes data again when it is writable', async () => {
    const disk = new SmallDisk(32);
    const path = join(disk.folder, 'queue.db');
    const writer = startWriter({ path, seed: 95, captures: 40 });
    expect(await writer.ended).toMatchObject({ code: 0 });
    disk.remount('ro');
    const refused = startWriter({ path, seed: 96 });
    await refused.ended;
    expect(refused.words.join(' ')).toMatch(/store\.(cannot-open|disk-fault)/);
    disk.remount('rw');
    const again = startWriter({ path, seed: 97 }, undefined, writer);
    await again.more(100);
    await expectSound(again, path);
  });
});

describe.skipIf(obstacle !== null)('the start of an agent', () => {
  async function onDeadFolder() {
    const folder = tempFolder('disk-fault');
    const agent = new LogAgent({ url: 'http://127.0.0.1:9', key: 'a-key-0123456789', folder });
    const disk = new FaultyDisk(folder, { match: '/data/instances' });
    disk.set('open errno 5');
    const running = agent.launch(disk.env);
    await running.waitFor(/recording has not started: The data folder .* cannot be used: EIO/);
    return { agent, disk, running };
  }

  test('a data folder that does not answer at the start is waited for, and then recorded into', async () => {
    const { agent, disk, running } = await onDeadFolder();
    disk.heal();
    await running.waitFor(/Recording of T started/);
    await agent.stop(running);
  });

  test('reports a log that is unreadable (EIO) at the start, records the others, and records it later, too', async () => {
    const { service, client } = await openServiceRig();
    const agent = new LogAgent({ url: service.url, key: service.apiKey, pointsPerChunk: 1 });
    agent.write(5);
    writeFileSync(join(agent.logs, 'held.csv'), `time,y\n${1_790_000_001},1\n${1_790_000_002},2\n`);
    const disk = new FaultyDisk(tempFolder('disk-fault'), { match: '/held.csv' });
    disk.set('open errno 5');
    const running = agent.launch(disk.env);
    await running.waitFor(/Held by another program or not readable now, waiting: held\.csv/);
    agent.write(5);
    const acknowledged = (wanted: number) =>
      agent.until(`${wanted} points are delivered`, ({ streams }) => {
        return streams.reduce((sum, { pointsAcknowledged }) => sum + pointsAcknowledged, 0) === wanted;
      });
    await acknowledged(10);
    disk.heal();
    await acknowledged(12);
    await agent.stop(running);
    await agent.expectDelivered(client);
    expect((await readDelivered(client)).get('y')?.map(({ value }) => value)).toEqual([1, 2]);
  });

  test('who does not wait any longer ends it', async () => {
    const { running } = await onDeadFolder();
    running.child.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 1, err: expect.stringContaining('code: data.unusable') });
  });
});
