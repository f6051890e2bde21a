// The memory of a run: for the text and the values of the capture that is being read. A run that ends leaves it to the next
// one: a source whose folder is away begins a run every few seconds, and 2 MiB of fresh memory for each cost more than all else
// that such a run does. Bound: four are kept.

import { LINE_BYTES_MAX } from '../cells/framer.ts';
import { FloatMemory } from '../parse/float-memory.ts';

/** Text of one capture, bytes: room for a block when another one is in it already. */
const TEXT_BYTES = 2 * LINE_BYTES_MAX;
const KEPT_MAX = 4;

export interface RunMemory {
  readonly text: Uint8Array;
  readonly floats: FloatMemory;
}

const free: RunMemory[] = [];

/** Take memory for a run; it is the run's alone until it is given back. */
export function takeMemory(): RunMemory {
  return free.pop() ?? { text: new Uint8Array(TEXT_BYTES), floats: new FloatMemory() };
}

/** Give it back, at the end of the run. */
export function giveBack(memory: RunMemory): void {
  memory.floats.reset();
  if (free.length < KEPT_MAX) free.push(memory);
}
