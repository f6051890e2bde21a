// Memory of columns that nobody reads any more. It lies outside of the heap of objects: left to the garbage collector it is
// counted against a bound that, each time it is reached, makes the collector go through the whole heap. At a million points a
// second that took longer than everything that is done with the points.
import type { Commit, SealedChunk } from './queue.ts';

/**
 * Give memory back at once. The arrays are empty afterwards, and so is every other one on the same memory.
 *
 * @param arrays - arrays that nobody reads any more; those on shared memory are left alone.
 */
export function giveBack(arrays: Iterable<Float64Array>): void {
  for (const { buffer } of arrays) {
    if (buffer instanceof ArrayBuffer && !buffer.detached && buffer.byteLength > 0) buffer.transfer(0);
  }
}

/** The columns of a commit. */
export const columnsOfCommit = ({ chunks, openReadings }: Commit): Float64Array[] =>
  [...chunks, ...openReadings].flatMap(({ timesMs, values }) => [timesMs, values]);

/** The columns of a chunk that was read for sending. */
export const columnsOfChunk = ({ timesMs, channels }: SealedChunk): Float64Array[] => [
  timesMs,
  ...channels.map(({ values }) => values),
];
