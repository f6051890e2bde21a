// Exports to disks that fill, shares that go, and programs that are ended in the middle: what bears the final name is whole.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXPORT_FORMATS } from '../../../src-main/model/export.ts';
import { FaultyDisk, findShimObstacle } from '../../support/faults/fault-shim.ts';
import { findMountObstacle, SmallDisk } from '../../support/faults/small-disk.ts';
import { runAgent, startAgent } from '../../support/processes/agent-process.ts';
import { type GrowthQueue, writeGrowthQueue } from '../../support/rigs/growth-queue.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const EIO = 5;
const ESTALE = 116;

const words = ({ data, growth }: GrowthQueue, format: string, out: string) => [
  ...['export', '--data', data, '--growth', growth, '--format', format, '--out', out],
];
const growthQueue = () => writeGrowthQueue({ seconds: 4000, channels: 10, gaps: 4 });

/** One of the two archives for NOMAD: they are written alike. */
const FORMS = Object.keys(EXPORT_FORMATS).filter((format) => format !== 'nomad-sputter');
const filesOf = (format: string) => [...(format === 'nomad-mbe' ? ['growth.archive.json'] : []), `growth.${format}`];

describe.each(FORMS)('an export as %s', (format) => {
  test.skipIf(findMountObstacle())('leaves nothing on a disk that fills, and is whole once there is room', async () => {
    const queue = growthQueue();
    const disk = new SmallDisk(8);
    disk.fill(64 * 1024);
    const before = readdirSync(disk.folder);
    const out = join(disk.folder, `growth.${format}`);
    const failed = await runAgent(words(queue, format, out));
    expect(failed.code).toBe(1);
    expect(failed.err).toContain('hint:');
    expect(readdirSync(disk.folder)).toEqual(before);
    disk.free();
    expect(await runAgent(words(queue, format, out))).toMatchObject({ code: 0, err: '' });
    expect(readdirSync(disk.folder)).toEqual(filesOf(format));
  });

  test.skipIf(findShimObstacle())('leaves no file of its name on a share that goes or a disk that fails', async () => {
    const queue = growthQueue();
    const folder = tempFolder('share');
    const out = join(folder, `growth.${format}`);
    for (const rule of [`write errno ${ESTALE}`, `write errno ${EIO}`, `fsync errno ${EIO}`] as const) {
      const disk = new FaultyDisk(tempFolder('shim'), { match: `growth.${format}` });
      disk.set(rule);
      const { code, err } = await runAgent(words(queue, format, out), disk.env);
      expect(code).toBe(1);
      expect(err).toContain('hint:');
      expect(existsSync(out)).toBe(false);
    }
  });

  test.skipIf(findShimObstacle())(
    'leaves no file of its name that is not whole when it is killed in the middle',
    async () => {
      const queue = growthQueue();
      const whole = join(tempFolder('whole'), 'whole');
      await runAgent(words(queue, format, whole));
      for (const killAt of [1, 2, 3, 4, 5]) {
        const folder = tempFolder('killed');
        const out = join(folder, `growth.${format}`);
        const disk = new FaultyDisk(tempFolder('shim'), { match: `growth.${format}`, killAt });
        const { signal, code } = await runAgent(words(queue, format, out), disk.env);
        // Killed between its naming and the removal of the part, it is there and whole.
        if (existsSync(out)) expect(statSync(out).size).toBe(statSync(whole).size);
        else expect([signal, code]).toEqual(['SIGKILL', null]);
      }
    },
  );

  test('ends when it is cancelled, and leaves nothing', async () => {
    const queue = writeGrowthQueue({ seconds: 20_000, channels: 40, gaps: 4 });
    const folder = tempFolder('cancelled');
    const exporting = startAgent(words(queue, format, join(folder, `growth.${format}`)));
    // It has begun when the part is there.
    while (readdirSync(folder).length === 0) await new Promise((settle) => setImmediate(settle));
    exporting.child.kill('SIGINT');
    const { code, err } = await exporting.ended;
    expect(err).toContain('code: export.cancelled');
    expect(code).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });
});
