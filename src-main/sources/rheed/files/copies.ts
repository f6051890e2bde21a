// Folders of images are copied around, and a copy must not count again. It is told by its bytes: the same number has the same
// size and content in another sequence. A dark picture equals every other dark picture, so one that holds nothing tells
// nothing.
import { readRange } from './read-range.ts';
import { withFile } from './with-file.ts';

/** Heads of small files, table of greys included. */
const HEAD_BYTES = 2048;
const COMPARED_BYTES = 64 * 1024;
/** Fewer different byte values than this in what is compared: an empty picture. */
const VALUES_MIN = 16;

/**
 * Compare two files.
 * @returns true when both files hold the same picture, and it is not an empty one or both have the same time.
 */
export async function isCopyOf(file: string, other: string, sizeBytes: number, isSameTime: boolean): Promise<boolean> {
  // The end rather than the beginning: headers are alike.
  const from = Math.max(0, sizeBytes - COMPARED_BYTES);
  const read = (path: string) => withFile(path, (handle) => readRange(handle, from, COMPARED_BYTES));
  const [bytes, otherBytes] = await Promise.all([read(file), read(other)]);
  if (!bytes || !otherBytes || bytes.length === 0 || Buffer.compare(bytes, otherBytes) !== 0) return false;
  // A table of greys in front is no picture.
  return isSameTime || new Set(bytes.subarray(bytes.length > 2 * HEAD_BYTES ? HEAD_BYTES : 0)).size >= VALUES_MIN;
}
