// Small questions about bytes, for the row parser.
import { Buffer } from 'node:buffer';

/** Place of a byte in a range, or its end. */
export function findByte(bytes: Uint8Array, from: number, end: number, wanted: number): number {
  let at = from;
  while (at < end && bytes[at] !== wanted) at += 1;
  return at;
}

/** True when what is left of a line is more than empty cells. */
export function hasText(bytes: Uint8Array, from: number, end: number, separator: number): boolean {
  for (let at = from; at < end; at++) if (bytes[at] !== separator && bytes[at] !== 32) return true;
  return false;
}

/** A view of bytes that searches as fast as memory is read; a plain array is searched element by element. */
export function searchable(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Place of a byte from a place on; beyond the end when there is none. */
export function indexOrEnd(view: Buffer, wanted: number, from: number): number {
  const at = view.indexOf(wanted, from);
  return at === -1 ? view.length + 1 : at;
}

/** Ends of the lines of a block: the place of each line feed, and the end of the block when a last line has none. */
export function lineEndsOf(bytes: Uint8Array): Uint32Array {
  const view = searchable(bytes);
  let ends = new Uint32Array(Math.max(16, bytes.length >> 6));
  let lines = 0;
  for (let at = view.indexOf(10); at !== -1; at = view.indexOf(10, at + 1)) {
    if (lines + 1 >= ends.length) {
      const more = new Uint32Array(2 * ends.length);
      more.set(ends);
      ends = more;
    }
    ends[lines++] = at;
  }
  if (bytes.length > 0 && bytes[bytes.length - 1] !== 10) ends[lines++] = bytes.length;
  return ends.subarray(0, lines);
}

/** True for a line that is blank, or begins with the mark of comments (empty: there is none). */
export function isNoData(bytes: Uint8Array, start: number, end: number, comment: Uint8Array): boolean {
  let at = start;
  while (at < end && (bytes[at] === 32 || bytes[at] === 9)) at += 1;
  if (at === end) return true;
  if (comment.length === 0 || end - start < comment.length) return false;
  for (let i = 0; i < comment.length; i++) if (bytes[start + i] !== comment[i]) return false;
  return true;
}

/** Printers are told so to begin a page. */
const FORM_FEED = 12;

/**
 * Pass over what stands before a line and is none of it: byte-order marks, which a file made of several files holds in the
 * middle, and NULs, which a power cut leaves before the tool goes on writing. Takes the bytes, where the line begins and
 * ends.
 *
 * @returns where it begins without them.
 */
export function skipMarks(bytes: Uint8Array, begin: number, end: number): number {
  let start = begin;
  while (bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf && start + 3 <= end)
    start += 3;
  while ((bytes[start] === 0 || bytes[start] === FORM_FEED) && start < end) start += 1;
  return start;
}
