// Exports to disks that fill, shares that go, and programs that are ended in the middle: what bears the final name is whole.
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandError } from '../../../src-main/commands/shared/refusal.ts';
import { FORMS, killExport } from '../../support/faults/export-kills.ts';
import { FaultyDisk, findShimObstacle } from '../../support/faults/fault-shim.ts';
import { findMountObstacle, SmallDisk } from '../../support/faults/small-disk.ts';
import { startAgent } from '../../support/processes/agent-process.ts';
import { exportHere } from '../../support/rigs/export-here.ts';
import { writeGrowthQueue } from '../../support/rigs/growth-queue.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const EIO = 5;
const ESTALE = 116;
const FILES_PROCESS = join(import.meta.dirname, '../../support/processes/files-process.ts');

const smallGrowth = (seconds = 2000) => writeGrowthQueue({ seconds, channels: 10, gaps: 4 });
const filesOf = (format: string) => [...(format === 'nomad-mbe' ? ['growth.archive.json'] : []), `growth.${format}`];

test.skipIf(findMountObstacle()).each(FORMS)(
  'an export as %s leaves nothing on a disk that fills, and is whole once there is room',
  async (format) => {
    const { data, growth, points } = smallGrowth();
    const disk = new SmallDisk(8);
    disk.fill(16 * 1024);
    const before = readdirSync(disk.folder);
    const job = { data, growth, format, path: join(disk.folder, `growth.${format}`) };
    const fault = await exportHere(job).catch((thrown: unknown) => commandError(thrown));
    expect(fault).toMatchObject({ hint: expect.stringContaining('Free space') });
    expect(readdirSync(disk.folder)).toEqual(before);
    disk.free();
    expect(await exportHere(job)).toMatchObject({ points, damagedPoints: 0 });
    expect(readdirSync(disk.folder)).toEqual(filesOf(format));
  },
);

describe.skipIf(findShimObstacle() !== null)('on a share that goes or a disk that fails', () => {
  let disk: FaultyDisk;
  let ask: (deed: readonly [string, string, string]) => Promise<{ code?: string }>;

  beforeAll(() => {
    const own = mkdtempSync(join(tmpdir(), 'epistream-share-'));
    disk = new FaultyDisk(own, { match: '/growth.' });
    const child = disk.start(FILES_PROCESS, []);
    child.stderr?.pipe(process.stderr);
    const answers = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
    ask = async (deed) => {
      child.stdin?.write(`${JSON.stringify(deed)}\n`);
      return JSON.parse((await answers.next()).value as string);
    };
    return async () => {
      child.stdin?.end();
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(own, { recursive: true });
    };
  });

  test.each(FORMS)('an export as %s leaves no file of its name', async (format) => {
    const { data, growth } = smallGrowth();
    const path = join(tempFolder('share'), `growth.${format}`);
    const job = JSON.stringify({ data, growth, format });
    for (const rule of [`write errno ${ESTALE}`, `write errno ${EIO}`, `fsync errno ${EIO}`] as const) {
      disk.set(rule);
      expect(await ask(['export', path, job]), rule).toEqual({ code: 'file.not-made' });
      expect(existsSync(path)).toBe(false);
    }
  });
});

// Each form at each of its operations: test/long/export.test.ts.
test.skipIf(findShimObstacle()).each([
  ['csv', 2],
  ['nexus', 3],
  ['package', 4],
] as const)(
  'an export as %s that is killed in place of operation %d leaves no file of its name that is not whole',
  (format, killAt) => killExport(format, [killAt]),
);

test.each(FORMS)('an export as %s that is given up leaves nothing', async (format) => {
  // Two windows: it is given up after the first one.
  const { data, growth } = smallGrowth(4000);
  const folder = tempFolder('given-up');
  const stop = new AbortController();
  const job = { data, growth, format, path: join(folder, `growth.${format}`) };
  const givenUp = exportHere({ ...job, signal: stop.signal, onProgress: () => stop.abort() });
  await expect(givenUp).rejects.toMatchObject({ name: 'AbortError' });
  expect(readdirSync(folder)).toEqual([]);
});

test.skipIf(findShimObstacle())('an export that is ended with Ctrl+C says so, and leaves nothing', async () => {
  const { data, growth } = smallGrowth();
  const folder = tempFolder('cancelled');
  const disk = new FaultyDisk(tempFolder('shim'), { match: '/growth.' });
  disk.set('write sleep 100');
  const out = join(folder, 'growth.csv');
  const words = ['export', '--data', data, '--growth', growth, '--format', 'csv', '--out', out];
  const exporting = startAgent(words, disk.env);
  // It has begun when the part is there.
  await expect.poll(() => readdirSync(folder), { interval: 10 }).toHaveLength(1);
  exporting.child.kill('SIGINT');
  const { code, err } = await exporting.ended;
  expect(err).toContain('code: export.cancelled');
  expect(code).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});
