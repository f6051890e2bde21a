import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { findNotLocal, isNetworkPath, parseMounts } from '../../../src-main/platform/local-disk.ts';
import { posixTest } from '../../support/posix.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const line = (point: string, type: string, source = 'srv:/x') =>
  `36 35 98:0 / ${point} rw,noatime master:1 - ${type} ${source} rw,errors=continue`;
const mounts = (...lines: string[]) => [line('/', 'ext4', '/dev/sda1'), ...lines].join('\n');
const folder = () => realpathSync(tempFolder());

test('a folder of this disk is local, also before it exists', async () => {
  expect(await findNotLocal(join(folder(), 'a', 'b', 'c'))).toBeNull();
});

test.each(['nfs', 'nfs4', 'cifs', 'smb3', 'fuse.sshfs', 'fuse.rclone', 'ceph', 'davfs'])(
  '%s is another machine',
  async (type) => {
    const path = folder();
    expect(await findNotLocal(join(path, 'new'), mounts(line(path, type)))).toContain(
      `${path} is on another machine (${type}`,
    );
  },
);

test.each(['ext4', 'xfs', 'btrfs', 'overlay', 'tmpfs', 'zfs', 'fuseblk', 'fuse.ntfs-3g', 'ecryptfs'])(
  '%s is local',
  async (type) => {
    const path = folder();
    expect(await findNotLocal(path, mounts(line(path, type)))).toBeNull();
  },
);

test('the mount that counts is the innermost, and of several at one place the last', async () => {
  const path = folder();
  mkdirSync(join(path, 'in'));
  expect(await findNotLocal(join(path, 'in'), mounts(line(path, 'nfs'), line(join(path, 'in'), 'ext4')))).toBeNull();
  expect(await findNotLocal(path, mounts(line(path, 'ext4'), line(path, 'nfs')))).not.toBeNull();
  expect(await findNotLocal(`${path}`, mounts(line(path.slice(0, -1), 'nfs')))).toBeNull(); // A neighbour's name, not above.
});

posixTest('a link is followed to where the data would lie', async () => {
  const [share, home] = [folder(), folder()];
  symlinkSync(share, join(home, 'data'));
  expect(await findNotLocal(join(home, 'data', 'new'), mounts(line(share, 'nfs')))).not.toBeNull();
});

test('reads mount points with blanks in their names', () => {
  expect(parseMounts(`${line('/mnt/my\\040share', 'cifs', '//s/a\\040b')}\nnonsense\n`)).toEqual([
    { point: '/mnt/my share', type: 'cifs', source: '//s/a b' },
  ]);
});

test('knows network paths of Windows from local ones', () => {
  expect(['\\\\server\\share', '\\\\?\\UNC\\server\\share', '\\\\wsl.localhost\\x'].every(isNetworkPath)).toBe(true);
  expect(['C:\\x', '\\\\?\\C:\\x', '\\\\.\\pipe\\x', '/x', 'x'].some(isNetworkPath)).toBe(false);
});

test('a network path of Windows is refused on any system', async () => {
  expect(await findNotLocal('\\\\server\\share\\data')).toContain('another machine');
});

test.each(['OneDrive', 'OneDrive - Uni Lab', 'Dropbox', 'Nextcloud', 'Google Drive', 'iCloudDrive'])(
  'a folder below %s is synchronized',
  async (name) => {
    const path = join(folder(), name, 'Epistream');
    mkdirSync(path, { recursive: true });
    expect(await findNotLocal(join(path, 'data'))).toContain('synchronized');
  },
);

test.each(['.dropbox', '.849C9593-D756-4E56-8D6E-42412F2A707B', '.sync_0123456789ab.db', '.stfolder'])(
  'a folder marked by %s is synchronized, whatever it is called',
  async (mark) => {
    const path = folder();
    mkdirSync(join(path, 'deep', 'er'), { recursive: true });
    writeFileSync(join(path, mark), '');
    expect(await findNotLocal(join(path, 'deep', 'er'))).toContain(mark);
  },
);

test('the folder that OneDrive names in the environment is synchronized', async () => {
  const path = folder();
  vi.stubEnv('OneDriveCommercial', path);
  expect(await findNotLocal(join(path, 'data'))).toContain('OneDrive');
  vi.unstubAllEnvs();
});

test.each(['onedrive-notes', 'my dropbox', 'Dropboxes'])('a folder merely called %s is local', async (name) => {
  expect(await findNotLocal(join(folder(), name))).toBeNull();
});
