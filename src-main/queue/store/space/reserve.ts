// A file of fixed size beside the queue, given back when the disk is full: SQLite needs room even to delete a row or to
// note an acknowledgement. What is freed this way serves to empty the queue, never to fill it further.
//
// Bounds: RESERVE_BYTES (4 MiB); made again once FREE_TIMES that (12 MiB) are free. It stands whole or not at all: what was
// begun and found no room is taken away.

import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { AgentError } from '../../../model/agent-error.ts';
import { formatBytes } from '../../../model/format.ts';

/** Twice what the write-ahead log holds before it is copied into the file. */
const RESERVE_BYTES = 4 * 1024 * 1024;
/** The reserve is made again only when this many times its size is free, so that it does not fill the disk itself. */
const FREE_TIMES = 3;
const BLOCK_BYTES = 256 * 1024;

export interface Reserve {
  readonly sizeBytes: number;
  readonly isKept: boolean;
  /** True when the reserve stands, after making it again where there is room. */
  ensure(): boolean;
  /**
   * Give its room back.
   *
   * @returns false when there was none.
   */
  release(): boolean;
}

/**
 * Count the bytes that this user can still write on the disk of a file.
 *
 * @param path - the file's path; its folder exists.
 * @returns bytes; null when the system does not tell.
 */
export function readFreeBytes(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    // Some file systems do not tell; nothing is refused because of that.
    return null;
  }
}

function fill(file: string, sizeBytes: number): void {
  const descriptor = openSync(file, 'w', 0o600);
  try {
    // Not zeros: a file system that keeps holes for them would have set nothing aside.
    const block = Buffer.alloc(BLOCK_BYTES, 'reserve ');
    for (let at = 0; at < sizeBytes; at += block.length) {
      const bytes = Math.min(block.length, sizeBytes - at);
      if (writeSync(descriptor, block, 0, bytes, at) !== bytes) throw new Error('the disk took less than it was given');
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Manage the reserve of a queue. Takes the queue's path and the size in bytes; 0: no reserve is kept and none is asked for. */
export function openReserve(path: string, sizeBytes = RESERVE_BYTES): Reserve {
  const file = `${path}.reserve`;
  const stands = () => statSync(file, { throwIfNoEntry: false })?.size === sizeBytes;
  let isKept = sizeBytes === 0 || stands();

  return {
    sizeBytes,
    get isKept() {
      return isKept;
    },

    ensure(): boolean {
      if (isKept) return true;
      const freeBytes = readFreeBytes(path);
      if (freeBytes !== null && freeBytes < FREE_TIMES * sizeBytes) return false;
      try {
        fill(file, sizeBytes);
        isKept = true;
      } catch {
        // No room after all, or a disk that fails: the half of it is given back, and the caller hears false.
        rmSync(file, { force: true });
      }
      return isKept;
    },

    release(): boolean {
      if (sizeBytes === 0 || !isKept) return false;
      isKept = false;
      rmSync(file, { force: true });
      return true;
    },
  };
}

/** The error of a capture for which the disk has no room left. */
export function noRoomError(path: string): AgentError {
  const freeBytes = readFreeBytes(path) ?? 0;
  return new AgentError({
    code: 'store.disk-full',
    message: `The disk is full: the queue cannot take more (${path}, ${formatBytes(freeBytes)} free).`,
    hint: 'Free space on this disk. What was stored is safe; storing goes on as soon as there is room.',
    retry: 'later',
    context: { path, freeBytes },
  });
}
