import { type FileHandle, open } from 'node:fs/promises';

/**
 * Do something with a file that is open for no longer than that, so that its writer can rename or remove it at any time.
 * **Gives**: what was done; null when the file is not there or is held. **Errors**: any other fault of opening; those of
 * `work`.
 */
export async function withFile<T>(path: string, work: (handle: FileHandle) => Promise<T>): Promise<T | null> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    // Gone, or held by its writer for a moment: the next look tells.
    if (['ENOENT', 'ENOTDIR', 'EBUSY', 'EPERM', 'EACCES'].includes((error as { code?: string }).code ?? ''))
      return null;
    throw error;
  }
  try {
    return await work(handle);
  } finally {
    await handle.close();
  }
}
