import { type FileHandle, open } from 'node:fs/promises';
import { passOver } from './refusing-file.ts';

/**
 * Do something with a file that is open for no longer than that, so that its writer can rename or remove it at any time.
 *
 * @returns what was done; null when the file is not there or refuses.
 * @throws those of `passOver`.
 */
export async function withFile<T>(path: string, work: (handle: FileHandle) => Promise<T>): Promise<T | null> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    passOver(error, path);
    return null;
  }
  try {
    return await work(handle);
  } catch (error) {
    passOver(error, path);
    return null;
  } finally {
    await handle.close().catch(() => undefined); // Nothing was written; what reading failed with is told.
  }
}
