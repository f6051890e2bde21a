// An answer's body to a file: through a temporary name, flushed, then under its own; never over a file that is there.
//
// Bounds: 16 GiB a file unless less is asked for, one piece of it in memory; 1,000 names beside each other. Whole or not at
// all: after a fault neither name is left. Progress is reported at most once in 256 KiB, and at the end.
import { open, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { renameWhenFree } from '../../platform/rename-when-free.ts';
import { safeFileName } from './safe-file-name.ts';

/** Names tried beside each other: `a.csv`, `a (2).csv`, ... */
const NAMES_MAX = 1_000;

export interface SaveOptions {
  /** Folder that exists. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
  /** Told now and then; `totalBytes` is null when the service does not say. */
  readonly onProgress?: ((progress: { receivedBytes: number; totalBytes: number | null }) => void) | undefined;
  /** Most that is taken, bytes; default 16 GiB. */
  readonly maxBytes?: number | undefined;
}

export interface SavedFile {
  readonly path: string;
  /** The name as the service gave it; show it where it differs from the file's. */
  readonly originalName: string;
  readonly sizeBytes: number;
}

/** The body is larger than what may be taken. */
export class BodyTooLarge extends Error {}

/** The disk refuses; the fault of the system is the cause. */
export class DiskFault extends Error {}

/** Do something with the disk, and tell its faults from those of the network. */
async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new DiskFault('the disk refuses', { cause });
  }
}

const SIZE_MAX_BYTES = 16 * 1024 ** 3;
const PROGRESS_EVERY_BYTES = 256 * 1024;

/**
 * Take a name of its own in the folder.
 *
 * @returns the path, where an empty file now stands.
 */
async function reserveName(folder: string, name: string): Promise<string> {
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let n = 1; ; n++) {
    const path = join(folder, n === 1 ? name : `${stem} (${n})${extension}`);
    try {
      await (await open(path, 'wx')).close();
      return path;
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== 'EEXIST' || n >= NAMES_MAX) throw fault;
    }
  }
}

/**
 * Save a body.
 *
 * @param body - the body as it comes in.
 * @param totalBytes - its length if known.
 * @param originalName - the name as the service gave it.
 * @param options - where to put it.
 * @returns the file, complete.
 * @throws those of the body, DiskFault, BodyTooLarge; nothing is left behind then.
 */
export async function saveBody(
  body: AsyncIterable<Buffer>,
  totalBytes: number | null,
  originalName: string,
  { folder, onProgress, maxBytes = SIZE_MAX_BYTES }: SaveOptions,
): Promise<SavedFile> {
  if (totalBytes !== null && totalBytes > maxBytes) throw new BodyTooLarge(`${totalBytes} bytes`);
  const path = await onDisk(reserveName(folder, safeFileName(originalName)));
  const partPath = `${path}.part`;
  let receivedBytes = 0;
  let toldBytes = 0;
  try {
    const file = await onDisk(open(partPath, 'wx'));
    try {
      for await (const part of body) {
        receivedBytes += part.length;
        if (receivedBytes > maxBytes) throw new BodyTooLarge(`more than ${maxBytes} bytes`);
        await onDisk(file.writeFile(part));
        if (receivedBytes - toldBytes < PROGRESS_EVERY_BYTES) continue;
        toldBytes = receivedBytes;
        onProgress?.({ receivedBytes, totalBytes });
      }
      await onDisk(file.sync());
    } finally {
      await file.close();
    }
    await onDisk(renameWhenFree(partPath, path));
  } catch (fault) {
    await rm(partPath, { force: true });
    await rm(path, { force: true });
    throw fault;
  }
  onProgress?.({ receivedBytes, totalBytes });
  return { path, originalName, sizeBytes: receivedBytes };
}
