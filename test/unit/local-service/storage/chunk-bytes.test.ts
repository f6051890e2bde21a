import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packChunk, unpackChunk } from '../../../../src-main/local-service/storage/chunk-bytes.ts';

const double = fc.double({ noNaN: true, noDefaultInfinity: true });
const decimal = fc
  .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: -12, max: 6 }))
  .map(([m, e]) => Number(`${m}e${e}`));
const column = (rows: number) => {
  const length = { minLength: rows, maxLength: rows };
  return fc.oneof(fc.array(double, length), fc.array(decimal, length));
};
const chunk = fc.integer({ min: 1, max: 80 }).chain((rows) => fc.tuple(column(rows), column(rows)));

/** The bits of some doubles: -0 is not 0 here. */
const bits = (numbers: ArrayLike<number>) => [...new BigUint64Array(Float64Array.from(numbers).buffer)];

describe('a stored chunk', () => {
  it('gives back every double bit for bit, and is never more than the doubles', () => {
    fc.assert(
      fc.property(chunk, ([times, values]) => {
        const { codec, data, points } = packChunk(times, values);
        const read = unpackChunk(codec, data);
        expect(bits(read.times)).toEqual(bits(times));
        expect(bits(read.values)).toEqual(bits(values));
        expect(points).toBe(times.length);
        expect(data.length).toBeLessThanOrEqual(16 * points);
      }),
      { numRuns: 500 },
    );
  });

  it('of a growth takes at most 3 bytes a point', () => {
    // Ten points a second with a jitter of milliseconds; a cell's temperature to 0.1 K, a pressure of three digits.
    const jitter = (at: number) => ((at * 7919) % 11) - 5;
    const times = Array.from({ length: 1000 }, (_, at) => (1_795_000_000_000 + at * 100 + jitter(at)) / 1000);
    const shapes = [
      (at: number) => Math.round((600 + 40 * Math.sin(at / 200)) * 10 + (jitter(at * 31) % 3)) / 10,
      (at: number) => Number((2.1e-9 * (1 + 0.05 * Math.sin(at / 50)) + jitter(at * 17) * 1e-11).toExponential(2)),
    ];
    for (const shape of shapes) {
      const { data } = packChunk(
        times,
        times.map((_, at) => shape(at)),
      );
      expect(data.length / times.length).toBeLessThanOrEqual(3);
    }
  });

  it('tells what lies in it, also where the sum is beyond all doubles', () => {
    expect(packChunk([2, 1, 3], [5, -1, 2])).toMatchObject({
      ...{ minTime: 1, maxTime: 3, valueMin: -1, valueMax: 5, valueSum: 6 },
    });
    expect(packChunk([1, 2], [1e308, 1.7e308]).valueSum).toBe(Number.MAX_VALUE);
  });

  it('of a codec that a later version brought is refused', () => {
    const { data } = packChunk([1], [1]);
    expect(() => unpackChunk(2, data)).toThrow('unknown codec 2');
  });
});
