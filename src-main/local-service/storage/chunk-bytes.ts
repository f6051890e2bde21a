// A chunk as it is stored: packed like the agent's own queue does it, with differences of its times and decimals, since that is a
// small part of the plain doubles; or as those, where it is not. Both give back every double bit for bit.
import { pack, unpack } from '../../platform/point-block.ts';

/** Times and values of a chunk; both have the same length. */
export interface ChunkPoints {
  /** Unix times, seconds. */
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** What is stored of a chunk, ready made. */
export interface PackedChunk {
  readonly points: number;
  /** Smallest and largest Unix time, seconds. */
  readonly minTime: number;
  readonly maxTime: number;
  readonly valueMin: number;
  readonly valueMax: number;
  /** Sum of the values; the largest double where it is beyond all. */
  readonly valueSum: number;
  /** How the data are packed: `CODEC`. */
  readonly codec: number;
  readonly data: Uint8Array;
}

/** Doubles: times, then values, in the machine's own (little-endian) order, 16 bytes a point; or a block of points. */
const CODEC = { doubles: 0, block: 1 } as const;

/** Julian day 0, in 4714 BC, before which PostgreSQL has no time, and the last instant of JavaScript's Date, Unix seconds. */
const DATES = { from: -210_866_803_200, to: 8_640_000_000_000 } as const;

/** Whether a Unix time in seconds is a date to all who read it: one that is not would break the page Lab, or Grafana, for everybody. */
export function isDate(time: number): boolean {
  return time >= DATES.from && time <= DATES.to;
}

/** Minus zero as a text that other languages, too, read with its sign: in Python `-0` is a whole number, which has none. */
const MINUS_ZERO = '-0.0';

/** A value as what its text is made from: every number by itself, but minus zero, which would lose its sign. */
export function tellValue(value: number): number | string {
  return Object.is(value, -0) ? MINUS_ZERO : value;
}

/** Smallest and largest of some numbers, and their sum. */
function measure(numbers: readonly number[]): { min: number; max: number; sum: number } {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (const number of numbers) {
    if (number < min) min = number;
    if (number > max) max = number;
    sum += number;
  }
  return { min, max, sum: Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, sum)) };
}

/** Pack a chunk of at least one point, all numbers finite. */
export function packChunk(times: readonly number[], values: readonly number[]): PackedChunk {
  const rows = times.length;
  const doubles = new Float64Array(rows * 2);
  doubles.set(times, 0);
  doubles.set(values, rows);
  const block = pack({ rows, timesMs: doubles.subarray(0, rows), values: doubles.subarray(rows) });
  const isSmaller = block.length < doubles.byteLength;
  const { min: minTime, max: maxTime } = measure(times);
  const { min: valueMin, max: valueMax, sum: valueSum } = measure(values);
  return {
    points: rows,
    minTime,
    maxTime,
    valueMin,
    valueMax,
    valueSum,
    codec: isSmaller ? CODEC.block : CODEC.doubles,
    data: isSmaller ? block : new Uint8Array(doubles.buffer),
  };
}

/**
 * Unpack a stored chunk.
 *
 * @throws AgentError `store.chunk-damaged`, Error for a codec of a later version.
 */
export function unpackChunk(codec: number, data: Uint8Array): ChunkPoints {
  if (codec === CODEC.block) {
    const { timesMs, values } = unpack(data);
    return { times: timesMs, values };
  }
  if (codec !== CODEC.doubles) throw new Error(`a stored chunk has the unknown codec ${codec}`);
  // A database's buffers need not start at a multiple of eight: copy into one that does.
  const doubles = new Float64Array(Uint8Array.prototype.slice.call(data).buffer);
  const points = doubles.length / 2;
  return { times: doubles.subarray(0, points), values: doubles.subarray(points) };
}
