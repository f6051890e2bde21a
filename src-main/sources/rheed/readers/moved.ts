// A recording that somebody put elsewhere, with its folder or by its name. It is told by the file of its last frame, which
// keeps its number on the disk (inode) and its time. Disks give such numbers again: a file that is younger than all of a
// recording is none of its own.

import { type Sequence, WRITING_MS } from '../count/sequence.ts';
import type { Candidate } from '../files/candidate.ts';

/** A frame that may be new, and its own time, Unix milliseconds. */
export type Timed = Candidate & { readonly ownMs: number };

/**
 * @param frames - the frames of a sequence that was never seen.
 * @param known - all that were.
 * @returns the one that it is; null: none.
 */
export function findMoved(frames: readonly Timed[], known: Iterable<Sequence>): Sequence | null {
  const found = new Map(frames.map((one) => [one.facts.inode, one]));
  found.delete('');
  for (const sequence of known) {
    const { isCopy, lastInode, last, newestMs } = sequence;
    const frame = isCopy || lastInode === undefined ? undefined : found.get(lastInode);
    // Its last frame may have been seen while it was written.
    const isYoung = frame !== undefined && frame.facts.modifiedMs > newestMs + WRITING_MS;
    if (frame && !isYoung && (frame.named.number ?? frame.ownMs) === last) return sequence;
  }
  return null;
}
