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

/** Smallest and largest of some numbers. */
function spanOf(numbers: readonly number[]): [number, number] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const number of numbers) {
    if (number < min) min = number;
    if (number > max) max = number;
  }
  return [min, max];
}

/** What is stored of a chunk, ready made. */
export interface PackedChunk {
  readonly points: number;
  /** Smallest and largest Unix time, seconds. */
  readonly minTime: number;
  readonly maxTime: number;
  readonly data: Uint8Array;
}

/** Pack a chunk: 16 bytes a point. */
export function packChunk(times: readonly number[], values: readonly number[]): PackedChunk {
  const doubles = new Float64Array(times.length * 2);
  doubles.set(times, 0);
  doubles.set(values, times.length);
  const [minTime, maxTime] = spanOf(times);
  return { points: times.length, minTime, maxTime, data: Buffer.from(doubles.buffer) };
}

/** Unpack a stored chunk. */
export function unpackChunk(data: Uint8Array): ChunkPoints {
  // A database's buffers need not start at a multiple of eight: copy into one that does.
  const doubles = new Float64Array(Uint8Array.prototype.slice.call(data).buffer);
  const points = doubles.length / 2;
  return { times: doubles.subarray(0, points), values: doubles.subarray(points) };
}
