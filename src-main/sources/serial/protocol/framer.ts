// Framers cut what has arrived into frames: by terminator, by length or by count, never by packet or by time. They are
// pure and hold nothing: they look at everything that has arrived and was not taken yet, each time again. The line owns the
// bytes and bounds them by `maxBytes` (4,096 unless a family says otherwise), so looking again costs little.
//
// Invariants: a frame lies within the bytes that were given, from its own first byte on; what stands before it is skipped and
// counted. The same bytes give the same frames, in whatever pieces they come.
import { indexOfBytes } from './bytes.ts';

/** What a framer says of the bytes that are there. */
type Cut =
  /** The frame is not whole yet. */
  | { readonly kind: 'more' }
  /** A frame: bytes `from` to `to`; what stood before it is skipped and counted, `to` bytes are taken. */
  | {
      readonly kind: 'frame';
      readonly from: number;
      readonly to: number;
      /** It is one only if nothing follows for a moment: its end could stand within it, too. */
      readonly isOpen?: boolean;
    }
  /** No frame can begin here: `to` bytes are dropped and counted as unreadable. */
  | { readonly kind: 'broken'; readonly to: number; readonly reason: string };

export interface Framer {
  /** Bytes that may wait for the end of a frame; beyond it all are dropped and that is told. */
  readonly maxBytes: number;
  cut(bytes: Uint8Array): Cut;
}

/** Bytes that a line of text may have. */
const LINE_BYTES_MAX = 4096;

const MORE: Cut = { kind: 'more' };

/**
 * Frames that end with given bytes.
 *
 * @param maxBytes - the bound.
 * @param bytesAfter - how many bytes come after it (a check byte that may have any value).
 * @returns frames with their terminator and what comes after it.
 */
export function untilBytes(terminator: Uint8Array, maxBytes = LINE_BYTES_MAX, bytesAfter = 0): Framer {
  return {
    maxBytes,
    cut: (bytes) => {
      const at = indexOfBytes(bytes, terminator);
      const to = at + terminator.length + bytesAfter;
      return at < 0 || to > bytes.length ? MORE : { kind: 'frame', from: 0, to };
    },
  };
}

/** Lines that end with CR, LF or CR LF, whichever comes: the frame ends at the first of them. Empty lines are skipped. */
export function anyLine(maxBytes = LINE_BYTES_MAX): Framer {
  return {
    maxBytes,
    cut: (bytes) => {
      let from = 0;
      while (isLineEnd(bytes[from])) from += 1;
      for (let at = from; at < bytes.length; at++) if (isLineEnd(bytes[at])) return { kind: 'frame', from, to: at + 1 };
      return MORE;
    },
  };
}

/**
 * One line, whatever it ends with: CR LF, LF CR, or CR or LF alone with nothing behind it for a moment. A CR or LF that more
 * follows is noise within the line, and the line is broken, so that nobody takes the half of it for the whole. Takes the
 * bound, and whether line ends before it, the rest of the line before, are skipped.
 */
export function loneLine(maxBytes = LINE_BYTES_MAX, skipsEnds = true): Framer {
  return {
    maxBytes,
    cut: (bytes) => {
      const from = skipsEnds ? bytes.findIndex((byte) => !isLineEnd(byte)) : 0;
      if (from < 0) return MORE;
      let isBroken = false;
      for (let at = from; at < bytes.length; at++) {
        const end = lineEndAt(bytes, at);
        if (end === null) isBroken ||= isLineEnd(bytes[at]);
        else if (isBroken) return { kind: 'broken', to: end.to, reason: 'a line end within a line' };
        else return { kind: 'frame', from, ...end };
      }
      return MORE;
    },
  };
}

const isLineEnd = (byte: number | undefined) => byte === 0x0d || byte === 0x0a;

/** The line's end that begins at `at`: where it is over, and whether more may still follow; null when there is none. */
export function lineEndAt(bytes: Uint8Array, at: number): { readonly to: number; readonly isOpen: boolean } | null {
  if (!isLineEnd(bytes[at])) return null;
  // LF CR LF: the end is CR LF, and what stood before it has become an LF.
  if (bytes[at] === 0x0a && bytes[at + 1] === 0x0d && bytes[at + 2] === 0x0a) return null;
  if (isLineEnd(bytes[at + 1]) && bytes[at + 1] !== bytes[at]) return { to: at + 2, isOpen: false };
  return at + 1 === bytes.length ? { to: at + 1, isOpen: true } : null;
}

/** Frames of exactly so many bytes. */
export function exactly(count: number): Framer {
  return {
    maxBytes: count,
    cut: (bytes) => (bytes.length < count ? MORE : { kind: 'frame', from: 0, to: count }),
  };
}

/**
 * Frames that say how long they are. Takes the bound, and a function of the bytes there are: the length of the whole frame
 * that begins with the first of them; null while it cannot be told yet; `broken` when no frame begins there, then bytes are
 * skipped up to the next place where one can.
 */
export function byLength(maxBytes: number, lengthOf: (bytes: Uint8Array) => number | null | 'broken'): Framer {
  return {
    maxBytes,
    cut: (bytes) => {
      for (let from = 0; from < bytes.length; from++) {
        const length = lengthOf(bytes.subarray(from));
        if (length === 'broken') continue;
        if (length === null || from + length > bytes.length) return MORE;
        return { kind: 'frame', from, to: from + length };
      }
      return bytes.length === 0 ? MORE : { kind: 'broken', to: bytes.length, reason: 'no frame begins in it' };
    },
  };
}

/**
 * Frames of text behind the noise that the turn of a line's direction leaves: what is no text before the first character is
 * skipped, so that a reply's time is not that of the noise.
 *
 * @param framer - a framer whose frames begin with a printable character.
 */
export function skipNoise(framer: Framer): Framer {
  return {
    maxBytes: framer.maxBytes,
    cut: (bytes) => {
      const cut = framer.cut(bytes);
      if (cut.kind !== 'frame') return cut;
      const first = bytes.findIndex((byte) => byte >= 0x20 && byte <= 0x7e);
      return first > cut.from && first < cut.to ? { ...cut, from: first } : cut;
    },
  };
}
