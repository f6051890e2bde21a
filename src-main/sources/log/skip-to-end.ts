// Where reading begins when only what is new is wanted.
import { readRange, takeFingerprint } from './file-identity.ts';
import { withFile } from './file-reader.ts';
import type { WatchedFile } from './watched-file.ts';

/**
 * Take a file up at the end of its last whole line.
 * **Takes**: the file and its absolute path; what is before that line end will not be read.
 */
export async function skipToEnd(file: WatchedFile, path: string): Promise<void> {
  await withFile(path, async (handle) => {
    const { size } = await handle.stat();
    for (let end = size; end > 0; ) {
      const begin = Math.max(0, end - 64 * 1024);
      const bytes = await readRange(handle, begin, end - begin);
      const feed = bytes.lastIndexOf(10);
      if (feed !== -1) {
        // The second byte of a line end in UTF-16 LE follows the line feed.
        const isWide =
          bytes[feed + 1] === 0 || (begin + feed + 1 < size && (await readRange(handle, begin + feed + 1, 1))[0] === 0);
        file.byte = begin + feed + (isWide && (begin + feed) % 2 === 0 ? 2 : 1);
        break;
      }
      end = begin;
    }
    file.line = file.byte === 0 ? 0 : null;
    file.print = await takeFingerprint(handle, file.byte, file.byte);
  });
}
