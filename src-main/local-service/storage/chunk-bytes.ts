// A chunk as it is stored: its times, then its values, as doubles in the machine's own (little-endian) order.

/** Times and values of a chunk; both have the same length. */
export interface ChunkPoints {
  /** Unix times, seconds. */
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** Whether a Unix time in seconds can be told as a whole number of milliseconds, as a series does. */
export function hasMillisecond(time: number): boolean {
  return Number.isSafeInteger(Math.round(time * 1000));
}

/** Pack a chunk: 16 bytes a point. */
export function packChunk(times: readonly number[], values: readonly number[]): Buffer {
  const doubles = new Float64Array(times.length * 2);
  doubles.set(times, 0);
  doubles.set(values, times.length);
  return Buffer.from(doubles.buffer);
}

/** Unpack a stored chunk. */
export function unpackChunk(data: Buffer): ChunkPoints {
  // SQLite's buffers need not start at a multiple of eight: copy into one that does.
  const doubles = new Float64Array(Uint8Array.prototype.slice.call(data).buffer);
  const points = doubles.length / 2;
  return { times: doubles.subarray(0, points), values: doubles.subarray(points) };
}
