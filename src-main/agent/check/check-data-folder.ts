import { randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { access, open, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { formatBytes } from '../../model/format.ts';
import { findInstance, otherFolder } from '../../platform/data-folder.ts';
import { fileFaultOf } from '../../platform/file-fault.ts';
import { countFreeBytes } from '../../platform/free-bytes.ts';
import { findNotLocal } from '../../platform/local-disk.ts';
import type { Finding } from './finding.ts';

/** A hundred channels at a point a second take some 70 MB a day: two weeks without network should fit, bytes. */
const FREE_ENOUGH_BYTES = 1024 ** 3;
/** Below this capture is about to stop, bytes. */
const FREE_LEAST_BYTES = 64 * 1024 ** 2;

const SUBJECT = 'data folder';

function refuse(path: string, message: string): Finding[] {
  const hint = `Name ${otherFolder(path)}.`;
  return [{ level: 'error', subject: SUBJECT, message, hint }];
}

/** The folder itself or the nearest one above it that exists. */
function existing(path: string): string {
  let folder = resolve(path);
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

/** Why nothing can be written in a folder; null when it can. */
async function findWriteBarrier(path: string, folder: string): Promise<string | null> {
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is not a folder`;
    // A folder that is there is tried, since rights alone do not tell (full, read-only, quota); one that is not, is not made.
    if (folder !== path) {
      await access(folder, constants.W_OK | constants.X_OK);
      return null;
    }
    const probe = join(folder, `.check-${randomBytes(6).toString('hex')}`);
    try {
      const handle = await open(probe, 'wx', 0o600);
      await handle.writeFile('x').finally(() => handle.close());
    } finally {
      await rm(probe, { force: true });
    }
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (fileFaultOf(error) === 'full') return 'the disk is full: make room on it';
    return `nothing can be written in ${folder} (${code})`;
  }
}

/**
 * Say how much room a disk has left.
 *
 * @returns an error when capture would stop soon, a warning below 1 GB.
 */
export function judgeFreeBytes(freeBytes: number, folder: string): Finding {
  const shown = `${formatBytes(freeBytes)} are free for ${folder}`;
  const hint = 'Make room on this disk: what cannot be written there cannot be kept.';
  if (freeBytes < FREE_LEAST_BYTES) return { level: 'error', subject: SUBJECT, message: `Only ${shown}.`, hint };
  if (freeBytes < FREE_ENOUGH_BYTES) return { level: 'warning', subject: SUBJECT, message: `Only ${shown}.`, hint };
  return { level: 'ok', subject: SUBJECT, message: `${shown}.`, hint: '' };
}

/**
 * Check a data folder without opening it: on a disk of this PC, writable, room left, and who runs there.
 *
 * @param path - its path, which need not exist.
 * @returns one or two findings; nothing stays behind.
 */
export async function checkDataFolder(path: string): Promise<Finding[]> {
  const whole = resolve(path);
  const folder = existing(whole);
  const notLocal = await findNotLocal(path).catch((error: Error) => error.message);
  if (notLocal !== null) return refuse(whole, `The data folder must be on a disk of this PC: ${notLocal}.`);
  const barrier = await findWriteBarrier(whole, folder);
  if (barrier !== null) return refuse(whole, `The data folder ${whole} cannot be used: ${barrier}.`);
  const findings = [judgeFreeBytes(await countFreeBytes(folder), whole)];
  const instance = await findInstance(whole).catch(() => null); // Not ours to read: no agent of ours.
  if (instance) {
    const message = `An agent runs there: process ${instance.pid}, since ${new Date(instance.sinceMs).toISOString()}.`;
    findings.push({ level: 'ok', subject: SUBJECT, message, hint: '' });
  }
  return findings;
}
