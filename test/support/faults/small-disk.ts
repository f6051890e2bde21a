// A disk of a few megabytes that can be filled to the last byte: a memory file system of its own.
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { tempFolder } from '../temp-folder.ts';

/** What keeps small disks from being made here; null when nothing does. */
export function findMountObstacle(): string | null {
  if (process.platform !== 'linux') return 'needs Linux: a tmpfs of its own';
  return process.getuid?.() === 0 ? null : 'needs root: mount -t tmpfs (run it as root or in a user namespace)';
}

export class SmallDisk {
  readonly folder: string;

  constructor(sizeMegabytes: number) {
    this.folder = tempFolder('small-disk');
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMegabytes}m`, 'tmpfs', this.folder]);
    onTestFinished(() => void execFileSync('umount', ['-l', this.folder]));
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  /** Somebody else's data takes the disk, down to the bytes named. */
  fill(leaveBytes = 0): void {
    const file = openSync(join(this.folder, 'somebody-elses.data'), 'a');
    try {
      for (let left = this.freeBytes - leaveBytes; left > 0; left -= 65_536) {
        writeSync(file, Buffer.alloc(Math.min(65_536, left), 1));
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  /** Somebody else's data goes. */
  free(): void {
    const file = join(this.folder, 'somebody-elses.data');
    if (existsSync(file)) rmSync(file);
  }

  remount(options: string): void {
    execFileSync('mount', ['-o', `remount,${options}`, this.folder]);
  }
}
