// Two files byte by byte.
import { Buffer } from 'node:buffer';
import { readRange } from './file-identity.ts';
import { withFile } from './file-reader.ts';

/** Step of a comparison of whole contents, bytes. */
const COMPARE_BYTES = 256 * 1024;

/** True when the first bytes of two files are the same; `held` when one of them cannot be opened now. */
export async function beginAlike(one: string, other: string, bytes: number): Promise<boolean | 'held'> {
  const result = await withFile(one, (first) =>
    withFile(other, async (second) => {
      for (let at = 0; at < bytes; at += COMPARE_BYTES) {
        const length = Math.min(COMPARE_BYTES, bytes - at);
        const [a, b] = await Promise.all([readRange(first, at, length), readRange(second, at, length)]);
        if (a.length !== length || Buffer.compare(a, b) !== 0) return false;
      }
      return true;
    }),
  );
  return result === 'held' ? 'held' : result === true;
}
