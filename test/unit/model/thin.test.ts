import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { thin } from '../../../src-main/model/thin.ts';

const line = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.double({ noNaN: true, noDefaultInfinity: true })), {
    maxLength: 400,
  })
  .map((points) => ({
    timesMs: Float64Array.from(points, ([timeMs]) => timeMs),
    values: Float64Array.from(points, ([, value]) => value),
  }));
const most = fc.integer({ min: 4, max: 300 });

describe('thin', () => {
  test('loses no peak, gives rising stamps, and never more points than asked for', () => {
    fc.assert(
      fc.property(line, most, ({ timesMs, values }, maxPoints) => {
        const thinned = thin(timesMs, values, maxPoints);
        expect(thinned.timesMs.length).toBe(thinned.values.length);
        expect(thinned.values.length).toBeLessThanOrEqual(maxPoints);
        expect(thinned.timesMs).toEqual(thinned.timesMs.toSorted((a, b) => a - b));
        if (values.length === 0) return;
        expect(Math.max(...thinned.values)).toBe(Math.max(...values));
        expect(Math.min(...thinned.values)).toBe(Math.min(...values));
        expect([thinned.timesMs.at(0), thinned.timesMs.at(-1)]).toEqual([Math.min(...timesMs), Math.max(...timesMs)]);
      }),
    );
  });

  test('every point it gives is one of the points', () => {
    fc.assert(
      fc.property(line, most, ({ timesMs, values }, maxPoints) => {
        const truth = new Map<string, number>();
        const key = (timeMs: number, value: number) => `${timeMs} ${value}`;
        for (const [i, timeMs] of timesMs.entries()) {
          const own = key(timeMs, values[i] as number);
          truth.set(own, (truth.get(own) ?? 0) + 1);
        }
        const thinned = thin(timesMs, values, maxPoints);
        for (const [i, timeMs] of thinned.timesMs.entries()) {
          const own = key(timeMs, thinned.values[i] as number);
          truth.set(own, (truth.get(own) ?? 0) - 1);
        }
        expect([...truth.values()].filter((left) => left < 0)).toEqual([]);
      }),
    );
  });

  test('keeps one spike among a million flat points', () => {
    const timesMs = Float64Array.from({ length: 1_000_000 }, (_, i) => i);
    const values = new Float64Array(1_000_000).fill(300);
    values[654_321] = 900;
    const thinned = thin(timesMs, values, 1000);
    const at = thinned.values.indexOf(900);
    expect(thinned.timesMs[at]).toBe(654_321);
  });

  test('gives few points as they are, in the order of their stamps', () => {
    expect(thin(Float64Array.of(3, 1, 2), Float64Array.of(30, 10, 20), 4)).toEqual({
      timesMs: [1, 2, 3],
      values: [10, 20, 30],
    });
  });
});
