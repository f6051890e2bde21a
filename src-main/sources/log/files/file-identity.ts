// Who is this file? A path or an inode says nothing: files are renamed, rewritten and made again under the same inode
// (ext4 gives it again at once), and a truncated file can grow past the old position between two looks. So a file is
// its first bytes together with the bytes just before our position: if both are still there, everything read stands as
// it was read, whatever happened around it.
//
// The first bytes are hashed at several lengths, so that a file found shorter than before can still be compared: does it
// begin as it did (it may be about to be rewritten whole), or is it another one?
//
// Bounds: 8 KiB of the first bytes, 1 KiB before the position, 1 KiB of names and first data; hashes of 64 bits.
import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { z } from 'zod';
import type { OpenFile } from '../../../platform/files.ts';
import { readRange } from '../../../platform/read-range.ts';

/** First bytes in the fingerprint, at most: enough for a wide header and its first lines. */
export const HEAD_BYTES_MAX = 8 * 1024;
/** Bytes before the position in the fingerprint, at most. */
const TAIL_BYTES_MAX = 1024;
/** First bytes kept as they are: a file found with fewer than these left can still be told apart. */
const START_BYTES = 256;
/** Lengths at which first bytes are hashed. */
export const HEAD_LENGTHS: readonly number[] = [8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, HEAD_BYTES_MAX];
/** Bytes of names and first data in the fingerprint, at most. */
const BODY_BYTES_MAX = 1024;
/** Bytes of the first data line that count with the header, for headers that are long and always the same. */
const FIRST_LINE_BYTES = 128;

export const Fingerprint = z.object({
  /** Length in bytes and hash of the file's first bytes, rising; the last is the longest. */
  heads: z.array(z.tuple([z.int(), z.string()])),
  /** The first bytes themselves, base64. */
  start: z.string(),
  tailBytes: z.int(),
  tail: z.string(),
  /**
   * The names of the columns and the first data, and the data before the position: of files whose lines tell their whole
   * time. Some programs count in their header, and write that in place; null: not known.
   */
  body: z
    .object({ at: z.int(), bytes: z.int(), hash: z.string(), tailBytes: z.int(), tail: z.string() })
    .nullable()
    .default(null),
});
export type Fingerprint = z.infer<typeof Fingerprint>;

export const NO_FINGERPRINT: Fingerprint = { heads: [], start: '', tailBytes: 0, tail: '', body: null };

/** Short hash of bytes, 16 hex digits. */
export function hashBytes(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex').slice(0, 16);
}

/**
 * Take the fingerprint of a file for a position. Takes an open file that holds at least `position` bytes, the byte at which
 * its data begin, and the fingerprint before (its head is kept once it is complete), and whether its lines tell their whole
 * time.
 *
 * @returns null when it was cut off meanwhile.
 */
export function takeFingerprint(
  handle: OpenFile,
  position: number,
  dataByte: number,
  former: Fingerprint = NO_FINGERPRINT,
  isDated = false,
): Fingerprint | null {
  const tailBytes = Math.min(position, TAIL_BYTES_MAX);
  const end = readRange(handle, position - tailBytes, tailBytes);
  if (end.length < tailBytes) return null;
  const tail = hashBytes(end);
  const body = isDated ? takeBody(handle, position, dataByte, end, former.body) : null;
  if (former.heads.at(-1)?.[0] === HEAD_BYTES_MAX) return { ...former, tailBytes, tail, body };
  const headBytes = Math.min(position, HEAD_BYTES_MAX);
  const head = readRange(handle, 0, headBytes);
  if (head.length < headBytes) return null;
  const lengths = new Set([...HEAD_LENGTHS, Math.min(dataByte + FIRST_LINE_BYTES, HEAD_BYTES_MAX), head.length]);
  const usable = [...lengths].filter((length) => length <= head.length).sort((a, b) => a - b);
  const heads = usable.map((length): [number, string] => [length, hashBytes(head.subarray(0, length))]);
  return { heads, start: Buffer.from(head.subarray(0, START_BYTES)).toString('base64'), tailBytes, tail, body };
}

/** The part of the fingerprint that leaves out what stands above the names of the columns. */
function takeBody(
  handle: OpenFile,
  position: number,
  dataByte: number,
  end: Uint8Array,
  former: Fingerprint['body'],
): Fingerprint['body'] {
  const ownBytes = Math.min(end.length, position - dataByte);
  if (ownBytes <= 0) return null;
  const own = { tailBytes: ownBytes, tail: hashBytes(end.subarray(end.length - ownBytes)) };
  if (former !== null && former.bytes === BODY_BYTES_MAX) return { ...former, ...own };
  const above = readRange(handle, Math.max(0, dataByte - HEAD_BYTES_MAX), Math.min(dataByte, HEAD_BYTES_MAX));
  const at = dataByte - above.length + above.subarray(0, -1).lastIndexOf(10) + 1;
  if (at === 0 || above.length === 0) return null;
  const bytes = Math.min(position - at, BODY_BYTES_MAX);
  return { at, bytes, hash: hashBytes(readRange(handle, at, bytes)), ...own };
}

/** True when names and data are those that were read, whatever stands above them. */
function hasSameBody(handle: OpenFile, position: number, { body }: Fingerprint): boolean {
  if (body === null) return false;
  const first = readRange(handle, body.at, body.bytes);
  if (first.length !== body.bytes || hashBytes(first) !== body.hash) return false;
  const last = readRange(handle, position - body.tailBytes, body.tailBytes);
  return last.length === body.tailBytes && hashBytes(last) === body.tail;
}

/**
 * Tell whether an open file still holds, up to a position, what was read.
 *
 * @returns true when the first bytes and those before the position are unchanged, or only what stands above the names of the
 *   columns is not; at position 0 always.
 */
export function isSameFile(handle: OpenFile, position: number, known: Fingerprint): boolean {
  if (position === 0) return true;
  return isUnchanged(handle, position, known) || hasSameBody(handle, position, known);
}

function isUnchanged(handle: OpenFile, position: number, known: Fingerprint): boolean {
  const tail = readRange(handle, position - known.tailBytes, known.tailBytes);
  if (tail.length !== known.tailBytes || hashBytes(tail) !== known.tail) return false;
  const longest = known.heads.at(-1);
  if (longest === undefined) return false;
  const head = readRange(handle, 0, longest[0]);
  return head.length === longest[0] && hashBytes(head) === longest[1];
}

/** True when the first few bytes of a file, as far as both are known, are those of a known one. */
export function startsAlike(head: Uint8Array, known: Fingerprint): boolean {
  const start = Buffer.from(known.start, 'base64');
  const length = Math.min(start.length, head.length);
  return Buffer.compare(start.subarray(0, length), head.subarray(0, length)) === 0;
}

/**
 * Tell whether a file found shorter than before begins as it did.
 *
 * @param head - its first bytes.
 * @returns false when they differ for certain; true also when that cannot be told.
 */
export function beginsAlike(head: Uint8Array, known: Fingerprint): boolean {
  if (!startsAlike(head, known)) return false;
  const usable = known.heads.findLast(([bytes]) => bytes <= head.length);
  return usable === undefined || hashBytes(head.subarray(0, usable[0])) === usable[1];
}

/** How many first bytes of a shorter file `beginsAlike` has compared. */
export function toldBytes(head: Uint8Array, known: Fingerprint): number {
  const hashed = known.heads.findLast(([bytes]) => bytes <= head.length)?.[0] ?? 0;
  return Math.max(hashed, Math.min(START_BYTES, head.length));
}
