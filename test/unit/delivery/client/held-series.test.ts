import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HeldSeries, type Points } from '../../../../src-main/delivery/client/held-series.ts';

const held = (timesMs: number[], values: number[]) =>
  new HeldSeries(Float64Array.from(timesMs), Float64Array.from(values));
const columns = (pairs: readonly (readonly [number, number])[]): Points => ({
  timesMs: Float64Array.from(pairs, ([timeMs]) => timeMs),
  values: Float64Array.from(pairs, ([, value]) => value),
});
const takes = (series: HeldSeries, timesMs: number[], values: number[]) =>
  series.takeAll(Float64Array.from(timesMs), Float64Array.from(values));

test('all of some points are there, or none is taken', () => {
  const series = held([0, 1000, 2000], [6, 7, 8]);
  expect(takes(series, [1000, 2000, 3000], [7, 8, 9])).toBe(false);
  expect(takes(series, [1000, 2000], [7, 8])).toBe(true);
  expect(takes(series, [1000], [7])).toBe(false);
});

test('a stamp may be rounded by a millisecond to either side, and by no more', () => {
  const stamps = [999, 1000, 1001, 1002, 1003];
  expect(stamps.map((stamp) => takes(held([stamp], [7]), [1001], [7]))).toEqual([false, true, true, true, false]);
});

test('one stored point is not taken for two equal ones', () => {
  expect(takes(held([0, 5, 1000], [7, 7, 7]), [1000, 1000], [7, 7])).toBe(false);
});

test('what is no number is no point', () => {
  const series = held([1, 2, Number.NaN], [Number.NaN, 5, Number.NaN]);
  expect([series.points, series.firstMs, series.lastMs]).toEqual([1, 2, 2]);
});

const point = fc.tuple(fc.double({ min: 0, max: 50, noNaN: true }), fc.constantFrom(1, 2, 3.5));
test('finds points however their stamps were rounded to whole milliseconds and in whatever order they come', () => {
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 20 }), fc.boolean(), (points, up) => {
      const round = up ? Math.ceil : Math.floor;
      const all = points.toSorted((a, b) => a[1] - b[1]);
      const series = held(
        all.map(([timeMs]) => round(timeMs)),
        all.map(([, value]) => value),
      );
      const found = takes(
        series,
        points.map(([timeMs]) => timeMs),
        points.map(([, value]) => value),
      );
      expect(found).toBe(true);
    }),
  );
});

/** The largest number of stored points that can have a read point each, found by trying all ways (augmenting paths). */
function mostPairs(stored: Points, read: Points): number {
  const partner = new Map<number, number>();
  const fits = (i: number, j: number) =>
    stored.values[i] === read.values[j] && Math.abs((stored.timesMs[i] as number) - (read.timesMs[j] as number)) <= 1;
  const place = (i: number, tried: Set<number>): boolean => {
    for (let j = 0; j < read.values.length; j++) {
      if (tried.has(j) || !fits(i, j)) continue;
      tried.add(j);
      const other = partner.get(j);
      if (other !== undefined && !place(other, tried)) continue;
      partner.set(j, i);
      return true;
    }
    return false;
  };
  let most = 0;
  for (let i = 0; i < stored.values.length; i++) if (place(i, new Set())) most += 1;
  return most;
}

/** Few values and close stamps, so that equal points and near misses, also in the last digit, are common. */
const near = fc.tuple(
  fc.double({ min: 1.7e12, max: 1.7e12 + 20, noNaN: true }),
  fc.constantFrom(0, -0, 0.3, 0.1 + 0.2, 1e300),
);
const list = fc.array(near, { maxLength: 30 });
test('takes as many points as can be found at all, each read point used once', () => {
  fc.assert(
    fc.property(list, list, (own, other) => {
      const [stored, read] = [columns(own), columns(other)];
      expect(new HeldSeries(read.timesMs, read.values).take(stored)).toBe(mostPairs(stored, read));
    }),
    { numRuns: 300 },
  );
});
