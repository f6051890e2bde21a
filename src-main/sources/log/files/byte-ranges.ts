// Pieces of a file, from a byte to the byte after the last: rising, none empty, none touching another.
export type ByteRange = readonly [from: number, to: number];

/** Take pieces away from pieces. */
export function withoutRanges(ranges: readonly ByteRange[], taken: readonly ByteRange[]): ByteRange[] {
  let left = [...ranges];
  for (const [from, to] of taken) {
    left = left.flatMap(([begin, end]): ByteRange[] => {
      if (to <= begin || from >= end) return [[begin, end]];
      const before: ByteRange = [begin, Math.min(end, from)];
      const behind: ByteRange = [Math.max(begin, to), end];
      return [before, behind].filter(([a, b]) => b > a);
    });
  }
  return left;
}

/** Put pieces into their order, and those that touch or overlap together. */
export function joinRanges(ranges: readonly ByteRange[]): ByteRange[] {
  const joined: [number, number][] = [];
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (to <= from) continue;
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** Bytes of all pieces together. */
export function rangeBytes(ranges: readonly ByteRange[]): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from, 0);
}
