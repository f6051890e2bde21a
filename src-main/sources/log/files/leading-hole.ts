// A hole at the head of a log. A program that keeps its place in a log writes on there after another one has cut the log; what is
// before that place is a hole, which reads as NULs. Nothing was ever written there, so reading begins behind it. The same where
// the power went before the first bytes of a file were on disk.
//
// Bound: 1 GiB; a longer run of NULs is no text.
import { Buffer } from 'node:buffer';
import type { OpenFile } from '../../../platform/files.ts';
import { readRange } from '../../../platform/read-range.ts';

const HOLE_BYTES_MAX = 1024 * 1024 * 1024;
const STEP_BYTES = 1024 * 1024;

/**
 * Tell how long the hole at the head of a file is.
 *
 * @param handle - the file, opened.
 * @param head - its first bytes; two are enough. In UTF-16 a single NUL is half of a character.
 * @returns bytes up to its first text; 0 where there is no hole, or no text behind it.
 */
export function holeBytes(handle: OpenFile, head: Uint8Array): number {
  if (head[0] !== 0 || head[1] !== 0) return 0;
  const nuls = Buffer.alloc(STEP_BYTES);
  const memory = Buffer.alloc(STEP_BYTES);
  for (let at = 0; at < HOLE_BYTES_MAX; at += STEP_BYTES) {
    const step = readRange(handle, at, STEP_BYTES, memory);
    if (Buffer.compare(step, nuls.subarray(0, step.length)) !== 0) return at + step.findIndex((byte) => byte !== 0);
    if (step.length < STEP_BYTES) break;
  }
  return 0;
}
