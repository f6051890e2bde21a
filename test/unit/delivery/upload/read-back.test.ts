import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judge, type ReadSeries } from '../../../../src-main/delivery/upload/read-back.ts';
import type { SealedChunk } from '../../../../src-main/model/queue.ts';

function chunkOf(timesMs: number[], values: number[], acknowledged: number): SealedChunk {
  const channel = { id: 1, name: 'Ga', unit: '', acknowledged, besides: 0, values: Float64Array.from(values) };
  return {
    id: 1,
    streamId: 1,
    index: 0,
    isOfBurst: false,
    rows: values.length,
    timesMs: Float64Array.from(timesMs),
    channels: [channel],
  };
}
const read = (stamps: number[], values: number[]): ReadonlyMap<string, ReadSeries> =>
  new Map([['Ga', { unix_timestamp_ms: stamps, values }]]);
const verdict = (chunk: SealedChunk, series: ReadonlyMap<string, ReadSeries> | null) =>
  judge(chunk, series)[0]?.verdict;

test("tells there, absent, short and differs apart by the service's own count", () => {
  const chunk = chunkOf([1000, 2000], [7, 8], 1);
  expect(verdict(chunk, read([0], [6]))).toBe('absent');
  expect(verdict(chunk, read([0, 1000, 2000], [6, 7, 8]))).toBe('there');
  expect(verdict(chunk, null)).toBe('short');
  expect(verdict(chunk, read([0, 1000], [6, 7]))).toBe('differs');
  expect(verdict(chunk, read([0, 1000, 2000], [6, 7, 9]))).toBe('differs');
  expect(verdict(chunk, read([0, 1000, 2002], [6, 7, 8]))).toBe('differs');
  expect(verdict(chunkOf([1], [1], 0), null)).toBe('absent');
});

test('does not take a chunk for stored while a point that was acknowledged before is missing', () => {
  expect(verdict(chunkOf([1000, 2000], [7, 8], 1), read([1000, 2000], [7, 8]))).toBe('differs');
});

test('a stamp may be rounded by a millisecond to either side, and by no more', () => {
  const chunk = chunkOf([1001], [7], 0);
  expect([999, 1000, 1001, 1002, 1003].map((stamp) => verdict(chunk, read([stamp], [7])))).toEqual([
    'differs',
    'there',
    'there',
    'there',
    'differs',
  ]);
});

test('does not take one stored point for two equal ones', () => {
  expect(verdict(chunkOf([1000, 1000], [7, 7], 1), read([0, 5, 1000], [7, 7, 7]))).toBe('differs');
});

const point = fc.tuple(fc.double({ min: 0, max: 50, noNaN: true }), fc.constantFrom(1, 2, 3.5));
test('finds a chunk among the rest however stamps were rounded to whole milliseconds and in whatever order they come', () => {
  fc.assert(
    fc.property(
      fc.array(point, { minLength: 1, maxLength: 20 }),
      fc.array(point, { maxLength: 20 }),
      fc.boolean(),
      (mine, before, up) => {
        const round = up ? Math.ceil : Math.floor;
        const all = [...before, ...mine].sort((a, b) => a[1] - b[1]);
        const series = read(
          all.map(([t]) => round(t)),
          all.map(([, v]) => v),
        );
        const chunk = chunkOf(
          mine.map(([t]) => t),
          mine.map(([, v]) => v),
          before.length,
        );
        expect(verdict(chunk, series)).toBe('there');
      },
    ),
  );
});

test('with others that may be there, those count that can be found: just as many points as are there', () => {
  const own = chunkOf([1000, 2000], [7, 8], 1);
  const [next, last] = [chunkOf([3000, 4000], [9, 10], 1), chunkOf([5000], [11], 1)];
  const of = (stamps: number[], values: number[]) => judge(own, read(stamps, values), [next, last])[0]?.verdict;
  expect(of([0], [6])).toBe('absent');
  expect(of([0, 3000, 4000], [6, 9, 10])).toBe('absent');
  expect(of([0, 3000, 4000, 5000], [6, 9, 10, 11])).toBe('absent');
  expect(of([0, 1000, 2000], [6, 7, 8])).toBe('there');
  expect(of([0, 1000, 2000, 5000], [6, 7, 8, 11])).toBe('there');
  expect(of([0, 1000, 2000, 3000, 4000, 5000], [6, 7, 8, 9, 10, 11])).toBe('there');
  expect(of([0, 1000, 2000, 3000, 4000, 5000, 6000], [6, 7, 8, 9, 10, 11, 12])).toBe('there');
  expect(of([0, 1000], [6, 7])).toBe('differs');
  expect(of([0, 3000], [6, 9])).toBe('differs');
  expect(of([], [])).toBe('short');
});

test('where the points of another chunk could be its own, nothing is said of it', () => {
  const own = chunkOf([1000], [7], 0);
  const same = chunkOf([1001], [7], 0);
  expect(judge(own, read([1001], [7]), [same])[0]?.verdict).toBe('differs');
  expect(judge(own, read([1000, 1001], [7, 7]), [same])[0]?.verdict).toBe('there');
});

test('chunks in which a channel does not occur say nothing of it', () => {
  const own = chunkOf([1000], [7], 0);
  const other = { ...chunkOf([2000], [8], 0), channels: [] };
  expect(judge(own, read([1000], [7]), [other])[0]?.verdict).toBe('there');
});
