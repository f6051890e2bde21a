// Frames of an AVI that is still being written. Its header says how many only when it is closed, so the chunks themselves are
// walked through, from where the last look ended: eight bytes for each, whatever the size of the picture. When the index
// has come, it says how many frames there are; it is compared.
//
// Source: Microsoft, "AVI RIFF File Reference"; "OpenDML AVI File Format Extensions" for RIFF AVIX. A video chunk without
// bytes is a frame that was dropped: the former picture stays.
//
// Bounds: 20,000 chunks a look, 4 KiB of them in memory at once, 64 MiB of an index. Invariant: a scan only goes on; a
// frame is counted when its last byte is there, and once, whatever the looks.
import type { FileHandle } from 'node:fs/promises';
import { readRange } from '../files/read-range.ts';

/** Chunks of one look at most, so that a long movie is gone through in steps. */
const CHUNKS_A_LOOK = 20_000;
/** Sizes of lists that are still open stand as 0 or are too large; what follows is looked at all the same. */
const HEAD_BYTES = 12;
/** Read at once: small chunks then need no call of their own. */
const BLOCK_BYTES = 4096;

/** How far the frames of a movie were counted. */
export interface MovieScan {
  /** Where the next chunk begins. */
  readonly at: number;
  /** Frames with a picture, and frames that were dropped. */
  readonly frames: number;
  readonly dropped: number;
  /** Frames that the index lists; null while there is none. */
  readonly indexed: number | null;
  /** A look counts so many at most; the next one goes on. */
  readonly isCut?: boolean;
}

export const NO_SCAN: MovieScan = { at: 0, frames: 0, dropped: 0, indexed: null };

export function isAvi(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head.subarray(0, 12));
  return text.startsWith('RIFF') && text.slice(8) === 'AVI ';
}

const isVideo = (id: string) => /^\d\d(dc|db)$/.test(id);
const isChunk = (id: string) => /^[\w ]{4}$/.test(id);

/** Bytes of a file, a block at a time. */
class Blocks {
  readonly #handle: FileHandle;
  #from = 0;
  #bytes: Uint8Array = new Uint8Array(0);

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async get(at: number, bytes: number): Promise<Uint8Array> {
    if (at < this.#from || at + bytes > this.#from + this.#bytes.length) {
      this.#from = at;
      this.#bytes = await readRange(this.#handle, at, Math.max(bytes, BLOCK_BYTES));
    }
    return this.#bytes.subarray(at - this.#from, at - this.#from + bytes);
  }
}

/**
 * Go on through an AVI.
 *
 * @param handle - the open file.
 * @param sizeBytes - its size.
 * @param from - where the last look ended.
 * @returns where this one ended. A frame counts when all of its bytes are there.
 */
export async function scanAvi(handle: FileHandle, sizeBytes: number, from: MovieScan): Promise<MovieScan> {
  const blocks = new Blocks(handle);
  let { at, frames, dropped, indexed } = from;
  let chunks = 0;
  for (; chunks < CHUNKS_A_LOOK && at + 8 <= sizeBytes; chunks++) {
    const head = await blocks.get(at, HEAD_BYTES);
    if (head.length < 8) break;
    const id = String.fromCharCode(...head.subarray(0, 4));
    const bytes = new DataView(head.buffer, head.byteOffset).getUint32(4, true);
    const end = at + 8 + bytes + (bytes % 2);
    if (id === 'RIFF' || id === 'LIST') {
      if (head.length < HEAD_BYTES) break;
      const kind = String.fromCharCode(...head.subarray(8, 12));
      // Headers of the streams hold no frames and are written at once; lists of frames are entered.
      const isEntered = id === 'RIFF' || kind === 'movi' || kind === 'rec ';
      if (isEntered) at += 12;
      else if (end <= sizeBytes) at = end;
      else break;
      continue;
    }
    if (!isChunk(id)) break;
    if (isVideo(id) && bytes === 0) {
      // At the end of the file the size may only not be filled in yet; a chunk behind it says that it is done.
      const next = await blocks.get(at + 8, 4);
      if (next.length < 4 || !isChunk(String.fromCharCode(...next))) break;
      dropped += 1;
      at += 8;
      continue;
    }
    // The last byte that makes the size even may be missing in a file that was just written.
    if (at + 8 + bytes > sizeBytes) break;
    if (isVideo(id)) frames += 1;
    if (id === 'idx1') indexed = await countIndex(handle, at + 8, bytes);
    at = end;
  }
  return { at, frames, dropped, indexed, isCut: chunks === CHUNKS_A_LOOK };
}

/** Video frames in the index: entries of 16 bytes that begin with the id of the chunk. */
async function countIndex(handle: FileHandle, at: number, bytes: number): Promise<number> {
  const entries = await readRange(handle, at, Math.min(bytes, 64 * 1024 * 1024));
  let frames = 0;
  for (let entry = 0; entry + 16 <= entries.length; entry += 16) {
    if (isVideo(String.fromCharCode(...entries.subarray(entry, entry + 4)))) frames += 1;
  }
  return frames;
}
