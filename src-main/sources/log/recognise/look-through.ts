// How far can a file be read by a layout that its first lines gave? For `epistream check`: a question that waits at line 202 is
// to be seen before the run. Bound: the first 16 MB of the file, in blocks of 1 MB.
import type { Files } from '../../../platform/files.ts';
import { readRange } from '../../../platform/read-range.ts';
import { decodeText, encodingOf } from '../cells/encoding.ts';
import { frameLines } from '../cells/framer.ts';
import { makeParser } from '../parse/make-parser.ts';
import type { Recognised } from './recognised.ts';

const BLOCK_BYTES = 1 << 20;
const LOOKED_BYTES_MAX = 16 << 20;
const TEXT_MAX = 100;

export interface LookedThrough {
  /** Lines that were looked at, the head included. */
  readonly lines: number;
  /** These are all lines of the file. */
  readonly isWhole: boolean;
  /** The line at which reading stops and waits for a person, counted from 1, and its text; null: at none of these. */
  readonly stop: { readonly line: number; readonly text: string } | null;
  /** Lines that hold data and do not fit. */
  readonly refused: number;
  /** Cells of the others that give no value. */
  readonly cellsRefused: number;
  /** Why, each reason once with the first text that it was said of. */
  readonly why: readonly { readonly reason: string; readonly text: string }[];
}

/** Reasons that are told. */
const REASONS_MAX = 4;

/**
 * Read a file on from its first lines.
 *
 * @param files - the file system.
 * @param file - its path on the disk.
 * @param recognised - what its first lines gave.
 */
export function lookThrough(
  files: Pick<Files, 'open'>,
  file: string,
  { layout, kinds, dataByte, dataLine }: Recognised,
): LookedThrough {
  const encoding = encodingOf(layout.encoding);
  const text = encoding.unitBytes === 2 ? 'utf-8' : layout.encoding;
  const parser = makeParser(layout);
  const handle = files.open(file);
  try {
    let [at, lines, refused, cells, carry, formerMs, own] = [dataByte, dataLine, 0, 0, '', Number.NaN, kinds];
    const reasons = new Map<string, string>();
    const looked = () => {
      const why = [...reasons].slice(0, REASONS_MAX).map(([reason, text]) => ({ reason, text }));
      return { lines, refused, cellsRefused: cells, why };
    };
    while (at < dataByte + LOOKED_BYTES_MAX) {
      const raw = readRange(handle, at, BLOCK_BYTES);
      const { bytes } = frameLines(raw, at, encoding);
      const isLast = raw.length < BLOCK_BYTES;
      if (raw.length === 0) return { ...looked(), isWhole: true, stop: null };
      const block = { bytes, place: file, line: null, sinceMs: Number.NEGATIVE_INFINITY, carry };
      const parsed = parser.parse({ ...block, fileByteOf: (place) => place }, own, formerMs);
      const { stoppedAt } = parsed;
      lines += parsed.lines;
      refused += parsed.linesRefused;
      cells += parsed.refusedCount - parsed.linesRefused;
      for (const one of parsed.refusals) if (!reasons.has(one.reason)) reasons.set(one.reason, one.text);
      if (stoppedAt !== null) {
        const stop = bytes.subarray(stoppedAt, bytes.indexOf(10, stoppedAt));
        const shown = decodeText(stop, text).trim().slice(0, TEXT_MAX);
        return { ...looked(), isWhole: false, stop: { line: lines + 1, text: shown } };
      }
      if (isLast) return { ...looked(), isWhole: true, stop: null };
      [carry, formerMs, own] = [parsed.carry ?? '', parsed.lastMs, parsed.kinds];
      // Of the last line only the beginning may be there: the next block begins with it.
      at += wholeBytes(raw, encoding.unitBytes);
    }
    return { ...looked(), isWhole: false, stop: null };
  } finally {
    handle.close();
  }
}

/** Bytes up to the last line end; all of them when there is none. */
function wholeBytes(raw: Uint8Array, unitBytes: number): number {
  const end = raw.lastIndexOf(10);
  return end === -1 ? raw.length : end + unitBytes - ((end + unitBytes) % unitBytes);
}
