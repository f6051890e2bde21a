// A capture on its way to another thread: its numbers and bytes lie in memory that is read into again, so they are copied
// into one piece of memory, which is handed over and not copied again.
import type { Capture } from '../../../model/readings.ts';

const FLOAT_BYTES = Float64Array.BYTES_PER_ELEMENT;

/**
 * Copy times, values and source bytes of a capture into memory of their own.
 *
 * @returns the capture, and that memory, for the list of what a message transfers.
 */
export function packCapture(capture: Capture): { capture: Capture; memory: ArrayBuffer } {
  const { blocks, sourceBytes = [] } = capture;
  const floats = blocks.reduce((sum, { timesMs, values }) => sum + timesMs.length + values.length, 0);
  const bytes = sourceBytes.reduce((sum, one) => sum + one.bytes.length, 0);
  const memory = new ArrayBuffer(floats * FLOAT_BYTES + bytes);
  let at = 0;
  const keepFloats = (array: Float64Array): Float64Array => {
    const copy = new Float64Array(memory, at, array.length);
    copy.set(array);
    at += copy.byteLength;
    return copy;
  };
  const keepBytes = (array: Uint8Array): Uint8Array => {
    const copy = new Uint8Array(memory, at, array.length);
    copy.set(array);
    at += copy.length;
    return copy;
  };
  const packed = blocks.map(({ channels, timesMs, values }) => ({
    channels,
    timesMs: keepFloats(timesMs),
    values: keepFloats(values),
  }));
  const taken = sourceBytes.map((one) => ({ ...one, bytes: keepBytes(one.bytes) }));
  return { capture: { ...capture, blocks: packed, sourceBytes: taken }, memory };
}

/** Free the memory of a capture that came from another thread and is on disk. */
export function freeCapture({ blocks, sourceBytes = [] }: Capture): void {
  const buffer = (blocks[0]?.timesMs ?? sourceBytes[0]?.bytes)?.buffer;
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
