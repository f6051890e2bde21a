// Pieces of a file. Each read is a trip to another thread, which costs more than the bytes of a short stretch.
import type { OpenFile } from './files.ts';

/** What bytes can be read from: an open file. */
interface Readable {
  read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
}

/**
 * Read a range of an open file. Takes where to read, how much, and memory to read into when the caller keeps some.
 *
 * @returns the bytes that are there, fewer than asked for at the file's end.
 */
export async function readRange(handle: Readable, at: number, bytes: number, into?: Uint8Array): Promise<Uint8Array> {
  const buffer = into ?? new Uint8Array(Math.max(0, bytes));
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await handle.read(buffer, filled, bytes - filled, at + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/**
 * Read a stretch of a file now, where it is short enough (`atOnceBytes`).
 *
 * @param from - its first byte.
 * @param to - the byte behind its last.
 * @returns the file, whose reads within the stretch give what stood there now (a share may need several reads for that); else
 *   the file as it was given.
 */
export async function readAtOnce(file: OpenFile, from: number, to: number): Promise<OpenFile> {
  if (to - from > file.atOnceBytes) return file;
  const bytes = await readRange(file, from, to - from);
  return {
    facts: () => file.facts(),
    close: () => file.close(),
    // Nothing is left to save.
    atOnceBytes: 0,
    read: async (into, offset, length, position) => {
      if (position < from || position + length > to) return file.read(into, offset, length, position);
      const part = bytes.subarray(position - from, position - from + length);
      into.set(part, offset);
      return { bytesRead: part.length };
    },
  };
}
