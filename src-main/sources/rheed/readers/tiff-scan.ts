// Pages of a TIFF that is still being written. Each page is a directory that tells where its picture lies and where the next
// directory is; the chain is walked from where the last look ended.
//
// Source: Adobe, "TIFF Revision 6.0", sections 2 and 8; "BigTIFF Design" of the libtiff project for files above 4 GiB.
//
// Bounds: 20,000 pages a look, 64 KiB of a directory or of its list of strips. Invariant: a page counts when its directory and
// the last byte of its picture are there, and once, whatever the looks.
import type { FileHandle } from 'node:fs/promises';
import { readRange } from '../files/read-range.ts';
import type { MovieScan } from './avi-scan.ts';

const PAGES_A_LOOK = 20_000;
const LIST_BYTES_MAX = 64 * 1024;
/** Tags of where strips or tiles lie, and of how many bytes they have. */
const PLACES = [273, 324];
const SIZES = [279, 325];
/** Bytes of a value by its type: SHORT, LONG, LONG8. */
const TYPE_BYTES: Readonly<Record<number, number>> = { 3: 2, 4: 4, 16: 8 };

export function isTiff(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, 4)).toString('latin1');
  return ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'].includes(text);
}

/** The numbers of a TIFF: their order of bytes, and 4 or 8 bytes for a place in it. */
class TiffBytes {
  readonly #handle: FileHandle;
  readonly #isLittle: boolean;
  readonly isBig: boolean;

  constructor(handle: FileHandle, head: Uint8Array) {
    this.#handle = handle;
    this.#isLittle = head[0] === 0x49;
    this.isBig = head[this.#isLittle ? 2 : 3] === 43;
  }

  /** A range of the file; null while it is not whole. */
  async view(at: number, bytes: number): Promise<DataView | null> {
    const range = bytes > LIST_BYTES_MAX ? null : await readRange(this.#handle, at, bytes);
    return range === null || range.length < bytes ? null : new DataView(range.buffer, range.byteOffset, bytes);
  }

  number(view: DataView, at: number, bytes: number): number {
    if (bytes === 2) return view.getUint16(at, this.#isLittle);
    return bytes === 4 ? view.getUint32(at, this.#isLittle) : Number(view.getBigUint64(at, this.#isLittle));
  }

  async numberAt(at: number, bytes: number): Promise<number> {
    const view = await this.view(at, bytes);
    return view === null ? 0 : this.number(view, 0, bytes);
  }
}

/**
 * Go on through a TIFF.
 *
 * @param handle - the open file.
 * @param sizeBytes - its size.
 * @param from - where the last look ended.
 * @returns where this one ended; `at` is where the place of the next directory stands.
 */
export async function scanTiff(handle: FileHandle, sizeBytes: number, from: MovieScan): Promise<MovieScan> {
  const file = new TiffBytes(handle, await readRange(handle, 0, 4));
  const placeBytes = file.isBig ? 8 : 4;
  let { at, frames } = from;
  if (at === 0) at = file.isBig ? 8 : 4;
  let pages = 0;
  for (; pages < PAGES_A_LOOK; pages++) {
    const place = await file.numberAt(at, placeBytes);
    // In a file that grows the next directory lies behind; no place is 0.
    const page = place <= at ? null : await readPage(file, place);
    if (page === null || page.endByte > sizeBytes) break;
    frames += 1;
    at = page.nextAt;
  }
  return { ...from, at, frames, isCut: pages === PAGES_A_LOOK };
}

/** Where the picture of a page ends, and where the place of the next directory stands; null while it is not whole. */
async function readPage(file: TiffBytes, place: number): Promise<{ endByte: number; nextAt: number } | null> {
  const [countBytes, entryBytes, placeBytes] = file.isBig ? [8, 20, 8] : [2, 12, 4];
  const count = await file.numberAt(place, countBytes);
  const directory = await file.view(place + countBytes, count * entryBytes + placeBytes);
  if (count === 0 || directory === null) return null;
  const valuesOf = async (tags: readonly number[]): Promise<number[] | null> => {
    for (let entry = 0; entry < count * entryBytes; entry += entryBytes) {
      if (!tags.includes(file.number(directory, entry, 2))) continue;
      const bytes = TYPE_BYTES[file.number(directory, entry + 2, 2)] ?? 0;
      const length = file.number(directory, entry + 4, placeBytes);
      const valueAt = entry + 4 + placeBytes;
      const isInside = length * bytes <= placeBytes;
      const view = isInside ? directory : await file.view(file.number(directory, valueAt, placeBytes), length * bytes);
      if (bytes === 0 || view === null) return null;
      return Array.from({ length }, (_, at) => file.number(view, (isInside ? valueAt : 0) + at * bytes, bytes));
    }
    return null;
  };
  const [places, sizes] = [await valuesOf(PLACES), await valuesOf(SIZES)];
  if (places === null || sizes === null || places.includes(0)) return null;
  const endByte = Math.max(...places.map((at, strip) => at + (sizes[strip] ?? 0)));
  return { endByte, nextAt: place + countBytes + count * entryBytes };
}
