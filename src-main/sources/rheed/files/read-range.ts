// Pieces of a file.

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
