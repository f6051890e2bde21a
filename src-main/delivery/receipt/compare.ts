// Points of one channel as they are stored here, compared with what the service gives back. The service takes stamps as
// seconds in a double and gives them back as whole milliseconds, and it promises no order: so both sides are compared as
// sets in which a point may stand more than once, by count and by (millisecond +-1, value).

/** Points of one channel. */
export interface Points {
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
}

export interface Comparison {
  /** Stored points that were found, each with a point of its own. */
  readonly matched: number;
  /** The first stored point that was not found; null when all were. */
  readonly firstMissing: { readonly timeMs: number; readonly value: number } | null;
  /** Tell whether a read point, by its index, was paired with a stored one. */
  readonly isUsed: (at: number) => boolean;
}

/** The service rounds to the millisecond; half of one on either side, and what a double of seconds cannot hold. */
export const TOLERANCE_MS = 1;

/**
 * Find each stored point among those read back.
 *
 * @param stored - both sides, in any order.
 * @param read - a value that is NaN on the read side is no point.
 * @returns how many were found, each read point used once. All are found and nothing else is there when `matched` equals the
 *   count of both sides.
 */
export function findPoints(stored: Points, read: Points): Comparison {
  return isAligned(stored, read)
    ? { matched: stored.values.length, firstMissing: null, isUsed: () => true }
    : pairSorted(stored, inOrder(stored), read, inOrder(read));
}

/** The common case, without sorting: the service gives the points in the order in which they went out. */
function isAligned(stored: Points, read: Points): boolean {
  if (stored.values.length !== read.values.length) return false;
  for (let i = 0; i < stored.values.length; i++) if (!isSame(stored, i, read, i)) return false;
  return true;
}

function isSame(stored: Points, i: number, read: Points, j: number): boolean {
  const distanceMs = Math.abs((stored.timesMs[i] as number) - (read.timesMs[j] as number));
  // -0 and 0 are one number to JSON and to the service.
  return (stored.values[i] as number) === (read.values[j] as number) && distanceMs <= TOLERANCE_MS;
}

/** Indices of the points by value, then by stamp; without those that are no points. */
function inOrder({ timesMs, values }: Points): Uint32Array {
  const order = Uint32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));
  return order.sort((a, b) => {
    const byValue = (values[a] as number) - (values[b] as number);
    return byValue === 0 ? (timesMs[a] as number) - (timesMs[b] as number) : byValue;
  });
}

/**
 * Points of equal value pair off by rising stamps: all windows are equally wide, so taking the earliest that fits never
 * costs a later one its partner.
 */
function pairSorted(stored: Points, storedOrder: Uint32Array, read: Points, readOrder: Uint32Array): Comparison {
  const used = new Uint8Array(read.values.length);
  let matched = 0;
  let firstMissing: Comparison['firstMissing'] = null;
  let j = 0;
  for (const i of storedOrder) {
    const value = stored.values[i] as number;
    const timeMs = stored.timesMs[i] as number;
    while (j < readOrder.length && comesBefore(read, readOrder[j] as number, value, timeMs)) j += 1;
    if (j < readOrder.length && isSame(stored, i, read, readOrder[j] as number)) {
      matched += 1;
      used[readOrder[j] as number] = 1;
      j += 1;
    } else firstMissing ??= { timeMs, value };
  }
  return { matched, firstMissing, isUsed: (at) => used[at] === 1 };
}

function comesBefore(read: Points, j: number, value: number, timeMs: number): boolean {
  const other = read.values[j] as number;
  return other === value ? (read.timesMs[j] as number) < timeMs - TOLERANCE_MS : other < value;
}
