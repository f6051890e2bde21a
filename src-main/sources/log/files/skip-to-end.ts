// Where reading begins when only what is new is wanted.
import { readRange } from '../../../platform/read-range.ts';
import { beginAt } from './file-changes.ts';
import { isSameFile, takeFingerprint } from './file-identity.ts';
import type { WatchedFile } from './watched-file.ts';
import { type Folder, withFile } from './with-file.ts';

const STEP_BYTES = 64 * 1024;

/**
 * Take a file up at the end of the last whole line of its first bytes. Takes the file, its folder, and how many bytes were
 * there; what is before that line end will not be read.
 *
 * @returns `done`; `held` or `gone` when the file could not be opened: it is as it was then.
 */
export function skipToEnd(file: WatchedFile, folder: Folder, bytes: number): 'done' | 'held' | 'gone' {
  return withFile(folder, file, (handle) => {
    const { sizeBytes: size } = handle.facts();
    let byte = 0;
    for (let end = Math.min(size, bytes); end > 0; ) {
      const begin = Math.max(0, end - STEP_BYTES);
      const read = readRange(handle, begin, end - begin);
      const feed = read.lastIndexOf(10);
      if (feed !== -1) {
        // The second byte of a line end in UTF-16 LE follows the line feed.
        const isWide =
          read[feed + 1] === 0 || (begin + feed + 1 < size && readRange(handle, begin + feed + 1, 1)[0] === 0);
        byte = begin + feed + (isWide && (begin + feed) % 2 === 0 ? 2 : 1);
        break;
      }
      end = begin;
    }
    const print = takeFingerprint(handle, byte, byte);
    // Cut off in between: another look tells.
    if (print === null || !isSameFile(handle, byte, print)) return 'held' as const;
    beginAt(file, byte, print);
    return 'done' as const;
  });
}
