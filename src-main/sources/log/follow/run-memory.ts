// The memory of a run: for the text and the values of the capture that is being read, and of the one that may be on its way
// to the disk. A run that ends leaves it to the next one: a source whose folder is away begins a run every few seconds, and 4
// MiB of fresh memory for each cost more than all else that such a run does. Bound: four are kept.

import { LINE_BYTES_MAX } from '../cells/framer.ts';
import { FloatMemory } from '../parse/float-memory.ts';

/** Text of one capture, bytes: room for a block when another one is in it already. */
const TEXT_BYTES = 2 * LINE_BYTES_MAX;
const KEPT_MAX = 4;

export interface RunMemory {
  readonly texts: [Uint8Array, Uint8Array];
  readonly floats: [FloatMemory, FloatMemory];
}

const free: RunMemory[] = [];

/** Take memory for a run; it is the run's alone until it is given back. */
export function takeMemory(): RunMemory {
  const fresh = (): RunMemory => ({
    texts: [new Uint8Array(TEXT_BYTES), new Uint8Array(TEXT_BYTES)],
    floats: [new FloatMemory(), new FloatMemory()],
  });
  return free.pop() ?? fresh();
}

/** What was read into is on its way to the disk; the other half is free again. */
export function swap({ texts, floats }: RunMemory): void {
  texts.reverse();
  floats.reverse();
  floats[0].reset();
}

/** Give it back, once nobody reads a capture out of it any more. */
export function giveBack(memory: RunMemory): void {
  for (const floats of memory.floats) floats.reset();
  if (free.length < KEPT_MAX) free.push(memory);
}
