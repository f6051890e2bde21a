// Fault matrix, rows 55 and 56: the tool holds its file, and we never hold it. The disk refuses for real (fault-shim.c),
// and handles are counted in /proc.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { FaultyDisk, findShimObstacle } from '../../support/faults/fault-shim.ts';
import { lines, upTo } from '../../support/logs/log-rig.ts';
import { LogWriter } from '../../support/logs/log-writer.ts';
import { ReaderProcess } from '../../support/processes/reader-process.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const REFUSALS = [
  ['EACCES', 13],
  ['EPERM', 1],
  ['EBUSY', 16],
  ['EIO', 5],
  ['ESTALE', 116],
] as const;

const obstacle = findShimObstacle();
if (obstacle !== null && process.env.CI) throw new Error(obstacle);

let disk: FaultyDisk;
let reader: ReaderProcess;

async function begin(backfill: 'all' | 'from-now' = 'all', match = '*.csv') {
  const folder = tempFolder();
  disk.heal();
  await reader.begin({ path: folder, match, backfill });
  return { folder, writer: new LogWriter(folder) };
}

beforeAll(() => {
  if (obstacle !== null) return;
  const own = mkdtempSync(join(tmpdir(), 'epistream-held-'));
  disk = new FaultyDisk(own, { match: '/held.' });
  reader = new ReaderProcess(disk);
  return async () => {
    await reader.end();
    rmSync(own, { recursive: true });
  };
});

describe.skipIf(obstacle !== null)('row 55', () => {
  test.each(REFUSALS)(
    'a file that the tool holds (%s) waits and says so, the others go on, and reading goes on at the right byte',
    async (_, errno) => {
      const { writer } = await begin();
      await writer.append('held.csv', `time,v\n${lines(1, 3)}`);
      await writer.append('free.csv', `time,w\n${lines(101, 101)}`);
      await reader.look();
      disk.set(`open errno ${errno}`);
      await writer.append('held.csv', lines(4, 6));
      await writer.append('free.csv', lines(102, 102));
      const held = await reader.look();
      expect(held.values).toEqual({ v: upTo(3), w: [101, 102] });
      expect(held.notes['log.file-held']).toEqual({
        level: 'warning',
        message: 'Held by another program or not readable now, waiting: held.csv.',
      });
      expect((await reader.look()).gaps).toEqual([]);
      disk.heal();
      const freed = await reader.look();
      expect(freed.values).toEqual({ v: upTo(6), w: [101, 102] });
      expect(freed.notes['log.file-held']?.message).toBe('Settled.');
      expect(freed.gaps).toEqual([]);
    },
  );

  // What was read before, the lines, and what proves both: of a short log three reads, of a long one five.
  test.each([
    ['short', 3, 2],
    ['long', 10_000, 4],
  ])(
    'a disk that fails in the middle of a block of a %s log loses no line and doubles none',
    async (_, first, most) => {
      const { writer } = await begin();
      await writer.append('held.csv', `time,v\n${lines(1, first)}`);
      await reader.look();
      for (let passed = 1; passed <= most; passed++) {
        const from = first + 4 * (passed - 1) + 1;
        await writer.append('held.csv', lines(from, from + 3));
        disk.set(`read errno 5 after ${passed}`);
        const broken = await reader.look();
        expect(broken.failure).toBe(null);
        expect(broken.notes['log.file-held']?.message).toContain('held.csv');
        disk.heal();
        expect((await reader.look()).values).toEqual({ v: upTo(from + 3) });
      }
    },
  );

  test('a file that is held from its first look on is read from its beginning when it is freed', async () => {
    const { writer } = await begin();
    disk.set('open errno 16');
    await writer.append('held.csv', `time,v\n${lines(1, 3)}`);
    const held = await reader.look();
    expect(held.notes['log.file-held']?.message).toContain('held.csv');
    disk.heal();
    const freed = await reader.look();
    expect(freed.values).toEqual({ v: upTo(3) });
    expect(freed.notes['log.file-held']?.message).toBe('Settled.');
  });

  test('what stood in a file before the first start stays unread, also when it was held then', async () => {
    const { writer } = await begin('from-now');
    await writer.append('held.csv', `time,v\n${lines(1, 3)}1790000004.5,`);
    disk.set('open errno 13');
    await reader.look();
    await writer.append('held.csv', `4\n${lines(5, 6)}`);
    await reader.look();
    await reader.kill();
    await reader.look();
    disk.heal();
    expect((await reader.look()).values).toEqual({ v: [4, 5, 6] });
  });

  test('a copy is not read as new because its original is held', async () => {
    const { writer } = await begin();
    await writer.append('held.csv', `time,v\n${lines(1, 3)}`);
    await reader.look();
    disk.set('open errno 13');
    await writer.does({ do: 'copy', file: 'held.csv', to: 'copy.csv' });
    expect((await reader.look()).values).toEqual({ v: upTo(3) });
    disk.heal();
    await writer.append('held.csv', lines(4, 5));
    const freed = await reader.look();
    expect(freed.values).toEqual({ v: upTo(5) });
    expect(freed.notes['log.same-content']?.message).toContain('copy.csv (as held.csv)');
  });

  test.each(['*.csv', '*.csv*'])(
    'a file that is held when it is renamed away is read to its end before the new one starts, match %s',
    async (match) => {
      const { writer } = await begin('all', match);
      await writer.append('log.csv', `time,v\n${lines(1, 3)}`);
      await reader.look();
      disk.set('open errno 13');
      await writer.append('log.csv', lines(4, 5));
      await writer.does({ do: 'rename', file: 'log.csv', to: 'held.csv.1' });
      await writer.append('log.csv', `time,v\n${lines(6, 7)}`);
      const held = await reader.look();
      expect(held.values).toEqual({ v: upTo(3) });
      expect(held.gaps).toEqual([]);
      await reader.look();
      disk.heal();
      await reader.look();
      const freed = await reader.look();
      expect(freed.values).toEqual({ v: upTo(7) });
      expect(freed.gaps).toEqual([]);
    },
  );
});

describe.skipIf(obstacle !== null)('row 56', () => {
  test('no handle of a log stays open between two looks, whatever has become of the file', async () => {
    const { folder, writer } = await begin('all', '**/*');
    const handles = async () => (await reader.look()).handles.filter((path) => !path.endsWith(folder));
    await writer.append('log.csv', `time,v\n${lines(1, 3000)}`);
    await writer.append('open.txt', 'no log\n');
    expect(await handles()).toEqual([]);
    await writer.append('log.csv', `${lines(3001, 3003)}1790`);
    expect(await handles()).toEqual([]);
    await writer.does({ do: 'copy', file: 'log.csv', to: 'copy.csv' });
    expect(await handles()).toEqual([]);
    await writer.does({ do: 'rename', file: 'log.csv', to: 'log.csv.1' });
    await writer.append('log.csv', `time,v\n${lines(3005, 3006)}`);
    expect(await handles()).toEqual([]);
    await writer.does({ do: 'truncate', file: 'log.csv', bytes: 3 });
    expect(await handles()).toEqual([]);
    await writer.does({ do: 'remove', file: 'log.csv' });
    const last = await reader.look(3000);
    expect(last.handles).toEqual([]);
    expect(last.values.v?.slice(0, 3003)).toEqual(upTo(3003));
  });
});
