// A tar.gz and a Debian package that are the same whenever they are made: entries sorted, one time, owned by root, rights as
// the tree has them. GNU tar and dpkg-deb write them, which every Debian has.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/**
 * Write a folder, under its own name, into a gzipped tar archive.
 *
 * @param epochS the time that every entry gets, seconds since 1970, UTC.
 * @throws Error when tar fails; it has said why.
 */
export async function writeTarGz(folder: string, file: string, epochS: number): Promise<void> {
  const order = ['--sort=name', '--format=ustar', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${epochS}`];
  const args = ['-c', ...order, '-C', dirname(folder), basename(folder)];
  const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, LC_ALL: 'C' } });
  const ended = once(tar, 'close');
  await pipeline(tar.stdout, createGzip({ level: 9 }), createWriteStream(file));
  const [code] = await ended;
  if (code !== 0) throw new Error(`tar failed with code ${code}.`);
}

/**
 * Write a folder, which holds DEBIAN/control, into a Debian package.
 *
 * @param epochS the time that every entry gets: files newer than that get it.
 * @throws Error when dpkg-deb fails; it has said why.
 */
export function writeDeb(folder: string, file: string, epochS: number): void {
  // Higher levels take several times as long for little.
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z2', '--build', folder, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(epochS), LC_ALL: 'C' },
  });
}
