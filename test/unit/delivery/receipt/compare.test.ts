import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findPoints, type Points } from '../../../../src-main/delivery/receipt/compare.ts';

const points = (pairs: readonly (readonly [number, number])[]): Points => ({
  timesMs: Float64Array.from(pairs, ([timeMs]) => timeMs),
  values: Float64Array.from(pairs, ([, value]) => value),
});

/** What a service gives back of a stamp: through seconds in a double, rounded one way or another. */
const asRead = (timeMs: number, way: number) =>
  [Math.round, Math.floor, Math.ceil][way]?.((timeMs / 1000) * 1000) as number;

/** Few values and close stamps, so that equal points and near misses are common. */
const pair = fc.tuple(fc.double({ min: 1.7e12, max: 1.7e12 + 20, noNaN: true }), fc.constantFrom(0, -0, 1, 2.5, 1e300));
const list = fc.array(pair, { maxLength: 30 });

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

describe('findPoints', () => {
  test('finds every point again, in whatever order and however the service rounds', () => {
    fc.assert(
      fc.property(list, fc.array(fc.nat({ max: 2 }), { minLength: 30, maxLength: 30 }), fc.nat(), (own, ways, turn) => {
        const back = own.map(([timeMs, value], i) => [asRead(timeMs, ways[i] as number), value] as const);
        const by = back.length === 0 ? 0 : turn % back.length;
        const turned = [...back.slice(by), ...back.slice(0, by)];
        expect(findPoints(points(own), points(turned))).toMatchObject({ matched: own.length, firstMissing: null });
      }),
    );
  });

  test('finds as many as can be found at all, each read point used once', () => {
    fc.assert(
      fc.property(list, list, (own, other) => {
        const [stored, read] = [points(own), points(other)];
        const { matched, firstMissing } = findPoints(stored, read);
        expect(matched).toBe(mostPairs(stored, read));
        expect(firstMissing === null).toBe(matched === own.length);
      }),
      { numRuns: 300 },
    );
  });

  test.each<[string, [number, number][], [number, number][], number]>([
    [
      'a point stored twice and read once',
      [
        [1, 5],
        [1, 5],
      ],
      [[1, 5]],
      1,
    ],
    ['a value that is off by its last digit', [[1, 0.1 + 0.2]], [[1, 0.3]], 0],
    ['a stamp that is off by two milliseconds', [[10, 1]], [[12, 1]], 0],
    [
      'ten points within one millisecond',
      Array.from({ length: 10 }, (_, i) => [1000 + i / 10, i]),
      Array.from({ length: 10 }, (_, i) => [1000 + Math.round(i / 10), i]),
      10,
    ],
    ['a null of the service, which is no point', [[1, 1]], [[1, Number.NaN]], 0],
    ['nothing read', [[1, 1]], [], 0],
  ])('%s', (_, own, other, matched) => {
    expect(findPoints(points(own), points(other)).matched).toBe(matched);
  });

  test('names the first point that is missing', () => {
    expect(
      findPoints(
        points([
          [1, 1],
          [2, 7],
        ]),
        points([[1, 1]]),
      ).firstMissing,
    ).toEqual({ timeMs: 2, value: 7 });
  });
});
