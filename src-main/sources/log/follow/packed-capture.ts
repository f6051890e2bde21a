// A capture on its way to the disk, by way of another thread where the source has one. Its numbers and bytes lie in memory that the
// next capture is read into, so they are copied once into one piece of memory, which then goes from thread to thread.
import type { Capture } from '../../../model/readings.ts';

const FLOAT_BYTES = Float64Array.BYTES_PER_ELEMENT;

/**
 * Copy times, values and source bytes of a capture into memory of their own.
 *
 * @returns the capture, all of it on that memory.
 */
export function packCapture(capture: Capture): Capture {
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
  return { ...capture, blocks: packed, sourceBytes: taken };
}

/** The memory of a packed capture, for the list of what a message transfers; null: it holds no number and no byte. */
export function memoryOf({ blocks, sourceBytes = [] }: Capture): ArrayBuffer | null {
  const buffer = (blocks[0]?.timesMs ?? sourceBytes[0]?.bytes)?.buffer;
  return buffer instanceof ArrayBuffer ? buffer : null;
}

/** Free the memory of a packed capture that is on disk. */
export function freeCapture(capture: Capture): void {
  const memory = memoryOf(capture);
  if (memory?.detached === false) memory.transfer(0);
}
