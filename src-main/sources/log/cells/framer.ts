// Bytes of a file to whole lines. Bounds: a line is at most LINE_BYTES_MAX; a longer one is skipped, however long it
// is, without being held, and reported once. A line without its end is left for the next look. Invariant: every byte of the
// file is in exactly one line, skipped, or left; pure.
import { Buffer } from 'node:buffer';
import { decodeText, type Encoding } from './encoding.ts';

/** Longest line, bytes of the file. A log of 5,000 columns stays below 128 KiB. */
export const LINE_BYTES_MAX = 1024 * 1024;

const LINE_FEED = 10;

export interface Frame {
  /** Whole lines as text that the parser reads: the file's bytes, or UTF-8 made of UTF-16. */
  readonly bytes: Uint8Array;
  /** Bytes of the file taken, lines and passed-over parts together; the position moves by this. */
  readonly takenBytes: number;
  /** Where `bytes` begins in the file. */
  readonly fileByte: number;
  /** Bytes of an over-long line that were skipped, 0 when none. */
  readonly droppedBytes: number;
  /** True while the rest of an over-long line is still to come. */
  readonly isDropping: boolean;
  /** The byte in the file where a place in `bytes` stands. */
  fileByteOf(at: number): number;
}

/** Index just after the last line end in a range, in bytes; 0 when there is none. */
function endOfLines(raw: Uint8Array, encoding: Encoding): number {
  if (encoding.unitBytes === 1) return raw.lastIndexOf(LINE_FEED) + 1;
  const low = encoding.name.toLowerCase().endsWith('le') ? 0 : 1;
  for (let at = raw.length - (raw.length % 2) - 2; at >= 0; at -= 2) {
    if (raw[at + low] === LINE_FEED && raw[at + 1 - low] === 0) return at + 2;
  }
  return 0;
}

function endOfFirstLine(raw: Uint8Array, encoding: Encoding): number {
  if (encoding.unitBytes === 1) return raw.indexOf(LINE_FEED) + 1;
  const low = encoding.name.toLowerCase().endsWith('le') ? 0 : 1;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (raw[at + low] === LINE_FEED && raw[at + 1 - low] === 0) return at + 2;
  }
  return 0;
}

/**
 * Cut whole lines from bytes just read. Takes bytes that begin at `fileByte` of the file (at a line's beginning, or inside
 * an over-long line when `isDropping`), the encoding, and whether the bytes end with their file and nothing more is
 * expected: then its last line needs no end.
 *
 * @returns the lines and how far the position moves; `takenBytes` 0 means that the line is still being written.
 */
export function frameLines(
  raw: Uint8Array,
  fileByte: number,
  encoding: Encoding,
  isDropping = false,
  isFinished = false,
): Frame {
  let begin = 0;
  let dropped = 0;
  if (isDropping) {
    begin = endOfFirstLine(raw, encoding);
    if (begin === 0) {
      const taken = raw.length - (raw.length % encoding.unitBytes);
      return frame(raw, taken, taken, fileByte, encoding, taken, true);
    }
    dropped = begin;
  }
  const rest = raw.subarray(begin);
  const lines = isFinished ? rest.length : endOfLines(rest, encoding);
  if (lines === 0 && rest.length >= LINE_BYTES_MAX) {
    const taken = rest.length - (rest.length % encoding.unitBytes);
    return frame(raw, begin + taken, begin + taken, fileByte, encoding, dropped + taken, true);
  }
  return frame(raw, begin, begin + lines, fileByte, encoding, dropped, false);
}

function frame(
  raw: Uint8Array,
  begin: number,
  end: number,
  fileByte: number,
  encoding: Encoding,
  droppedBytes: number,
  isDropping: boolean,
): Frame {
  const own = raw.subarray(begin, end);
  const at = fileByte + begin;
  const common = { takenBytes: end, fileByte: at, droppedBytes, isDropping };
  if (encoding.unitBytes === 1) return { ...common, bytes: own, fileByteOf: (place) => at + place };
  const bytes = Buffer.from(decodeText(own, encoding.name), 'utf8');
  // Each UTF-16 unit is two bytes of the file, whatever it became in UTF-8; asked for only when a line is reported.
  const fileByteOf = (place: number) => at + 2 * bytes.subarray(0, place).toString('utf8').length;
  return { ...common, bytes, fileByteOf };
}
