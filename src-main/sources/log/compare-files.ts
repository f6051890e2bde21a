// Two files byte by byte.
import { Buffer } from 'node:buffer';
import { readRange } from '../../platform/read-range.ts';
import type { WatchedFile } from './watched-file.ts';
import { type Folder, withFile } from './with-file.ts';

/** Step of a comparison of whole contents, bytes. Both files are closed after each: the tool must get at them. */
const COMPARE_BYTES = 256 * 1024;

/** True when the first bytes of two files are the same; `held` when one of them cannot be read now. */
export async function beginAlike(
  root: Folder,
  one: WatchedFile,
  other: WatchedFile,
  bytes: number,
): Promise<boolean | 'held'> {
  for (let at = 0; at < bytes; at += COMPARE_BYTES) {
    const length = Math.min(COMPARE_BYTES, bytes - at);
    const [a, b] = await Promise.all(
      [one, other].map((path) => withFile(root, path, (file) => readRange(file, at, length))),
    );
    if (a === 'held' || b === 'held') return 'held';
    if (!(a instanceof Uint8Array) || !(b instanceof Uint8Array)) return false;
    if (a.length !== length || Buffer.compare(a, b) !== 0) return false;
  }
  return true;
}
