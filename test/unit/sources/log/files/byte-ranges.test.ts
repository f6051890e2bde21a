import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ByteRange,
  joinRanges,
  rangeBytes,
  withoutRanges,
} from '../../../../../src-main/sources/log/files/byte-ranges.ts';

const SIZE = 40;
const range = fc.tuple(fc.nat(SIZE), fc.nat(SIZE)).map(([a, b]): ByteRange => [Math.min(a, b), Math.max(a, b)]);
const ranges = fc.array(range, { maxLength: 6 });
const bytesOf = (all: readonly ByteRange[]) =>
  Array.from({ length: SIZE }, (_, byte) => all.some(([from, to]) => byte >= from && byte < to));
const isTidy = (all: readonly ByteRange[]) =>
  all.every(([from, to], i) => from < to && (i === 0 || from > (all[i - 1]?.[1] ?? 0)));

test('what is joined holds the same bytes, in order, without a seam', () => {
  fc.assert(
    fc.property(ranges, (all) => {
      const joined = joinRanges(all);
      expect(bytesOf(joined)).toEqual(bytesOf(all));
      expect(isTidy(joined)).toBe(true);
      expect(rangeBytes(joined)).toBe(bytesOf(all).filter(Boolean).length);
    }),
  );
});

test('what is left is what was there and was not taken, byte for byte', () => {
  fc.assert(
    fc.property(ranges, ranges, (all, taken) => {
      const [whole, gone] = [bytesOf(all), bytesOf(taken)];
      const left = withoutRanges(joinRanges(all), taken);
      expect(bytesOf(left)).toEqual(whole.map((isThere, byte) => isThere && !gone[byte]));
      expect(left.every(([from, to]) => from < to)).toBe(true);
    }),
  );
});
