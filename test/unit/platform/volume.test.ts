import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { volumeOf } from '../../../src-main/platform/volume.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MOUNTS = [
  '1 0 8:1 / / rw - ext4 /dev/sda1 rw',
  '2 1 0:9 / /mnt/tool\\040logs rw - cifs //server/logs rw',
  '3 1 0:8 / /mnt/fuse rw - fuse.sshfs host:/logs rw',
  '4 1 8:2 / /mnt/ntfs rw - fuseblk /dev/sda2 rw',
].join('\n');

describe.skipIf(process.platform !== 'linux')('the volume of a path', () => {
  test.each([
    ['/var/log/tool', { name: 'local', isLocal: true }],
    ['/mnt/tool logs/2026', { name: '/mnt/tool logs', isLocal: false }],
    ['/mnt/fuse', { name: '/mnt/fuse', isLocal: false }],
    ['/mnt/fused/x', { name: 'local', isLocal: true }],
    ['/mnt/ntfs/x', { name: 'local', isLocal: true }],
  ])('%s', (path, volume) => {
    expect(volumeOf(path, MOUNTS)).toEqual(volume);
  });

  test('is found behind links that lie on disks of this PC, and is not asked itself', () => {
    const folder = tempFolder();
    // The share need not be there: nothing of it is looked at.
    symlinkSync('/mnt/tool logs/2026', join(folder, 'logs'));
    mkdirSync(join(folder, 'real'));
    symlinkSync('logs', join(folder, 'again'));
    expect(volumeOf(join(folder, 'again', 'below'), MOUNTS).name).toBe('/mnt/tool logs');
    expect(volumeOf(join(folder, 'real'), MOUNTS).isLocal).toBe(true);
    symlinkSync('loop', join(folder, 'loop'));
    expect(volumeOf(join(folder, 'loop'), MOUNTS).isLocal).toBe(true);
  });
});
