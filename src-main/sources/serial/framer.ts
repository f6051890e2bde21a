// Framers cut what has arrived into frames: by terminator, by length or by count, never by packet or by time. They are
// pure and hold nothing: they look at everything that has arrived and was not taken yet, each time anew. The line owns the
// bytes and bounds them by `maxBytes`, so looking anew costs little.
import { indexOfBytes } from './bytes.ts';

/** What a framer says of the bytes that are there. */
export type Cut =
  /** The frame is not whole yet. */
  | { readonly is: 'more' }
  /** A frame: bytes `from` to `to`; what stood before it is skipped and counted, `to` bytes are taken. */
  | { readonly is: 'frame'; readonly from: number; readonly to: number }
  /** No frame can begin here: `to` bytes are dropped and counted as unreadable. */
  | { readonly is: 'broken'; readonly to: number; readonly reason: string };

export interface Framer {
  /** Bytes that may wait for the end of a frame; beyond it all are dropped and that is told. */
  readonly maxBytes: number;
  cut(bytes: Uint8Array): Cut;
}

/** Bytes that a line of text may have. */
export const LINE_BYTES_MAX = 4096;

const MORE: Cut = { is: 'more' };

/**
 * Frames that end with given bytes.
 * **Takes**: the terminator, the bound, and how many bytes come after it (a check byte that may have any value).
 * **Gives**: frames with their terminator and what comes after it.
 */
export function untilBytes(terminator: Uint8Array, maxBytes = LINE_BYTES_MAX, bytesAfter = 0): Framer {
  return {
    maxBytes,
    cut: (bytes) => {
      const at = indexOfBytes(bytes, terminator);
      const to = at + terminator.length + bytesAfter;
      return at < 0 || to > bytes.length ? MORE : { is: 'frame', from: 0, to };
    },
  };
}

/** Lines that end with CR, LF or CR LF, whichever comes: the frame ends at the first of them. Empty lines are skipped. */
export function anyLine(maxBytes = LINE_BYTES_MAX): Framer {
  const isEnd = (byte: number | undefined) => byte === 0x0d || byte === 0x0a;
  return {
    maxBytes,
    cut: (bytes) => {
      let from = 0;
      while (isEnd(bytes[from])) from += 1;
      for (let at = from; at < bytes.length; at++) if (isEnd(bytes[at])) return { is: 'frame', from, to: at + 1 };
      return MORE;
    },
  };
}

/** Frames of exactly so many bytes. */
export function exactly(count: number): Framer {
  return {
    maxBytes: count,
    cut: (bytes) => (bytes.length < count ? MORE : { is: 'frame', from: 0, to: count }),
  };
}

/**
 * Frames that say how long they are.
 *
 * **Takes**: the bound, and a function of the bytes there are: the length of the whole frame that begins with the first of
 * them; null while it cannot be told yet; `broken` when no frame begins there, then bytes are skipped up to the next place
 * where one can.
 */
export function byLength(maxBytes: number, lengthOf: (bytes: Uint8Array) => number | null | 'broken'): Framer {
  return {
    maxBytes,
    cut: (bytes) => {
      for (let from = 0; from < bytes.length; from++) {
        const length = lengthOf(bytes.subarray(from));
        if (length === 'broken') continue;
        if (length === null || from + length > bytes.length) return MORE;
        return { is: 'frame', from, to: from + length };
      }
      return bytes.length === 0 ? MORE : { is: 'broken', to: bytes.length, reason: 'no frame begins in it' };
    },
  };
}

/** The first of several framers that sees a frame or something broken. */
export function firstOf(...framers: readonly Framer[]): Framer {
  return {
    maxBytes: Math.max(...framers.map(({ maxBytes }) => maxBytes)),
    cut: (bytes) => {
      for (const framer of framers) {
        const cut = framer.cut(bytes);
        if (cut.is !== 'more') return cut;
      }
      return MORE;
    },
  };
}
