import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HeldSeries } from '../../../../src-main/delivery/client/held-series.ts';

const held = (timesMs: number[], values: number[]) =>
  new HeldSeries(Float64Array.from(timesMs), Float64Array.from(values));
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
