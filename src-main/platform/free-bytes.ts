import { statfs } from 'node:fs/promises';

/**
 * Count the bytes that this user can still write into a folder.
 *
 * @returns bytes.
 * @throws those of the system, where there is no such folder or it does not tell.
 */
export async function countFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
