// A short stretch of a file as of one moment. Each read of a file is a trip to another thread, which costs more than the
// bytes; and what several reads find may be of several moments.
import type { OpenFile } from './files.ts';
import { readRange } from './read-range.ts';

/**
 * Read a stretch of a file now, where it is short enough (`atOnceBytes`).
 *
 * @param from - its first byte.
 * @param to - the byte behind its last.
 * @returns the file, whose reads within the stretch give what stood there now; else the file as it was given.
 */
export async function readAtOnce(file: OpenFile, from: number, to: number): Promise<OpenFile> {
  if (to - from > file.atOnceBytes) return file;
  const bytes = await readRange(file, from, to - from);
  return {
    facts: () => file.facts(),
    close: () => file.close(),
    // It is read.
    atOnceBytes: 0,
    read: async (into, offset, length, position) => {
      if (position < from || position + length > to) return file.read(into, offset, length, position);
      const part = bytes.subarray(position - from, position - from + length);
      into.set(part, offset);
      return { bytesRead: part.length };
    },
  };
}
