import fc from 'fast-check';
import { expect, test } from 'vitest';
import { breakAtGaps } from '../../../../src-renderer/format/line-gaps.ts';

const every = (stepMs: number, count: number, fromMs = 0) =>
  Array.from({ length: count }, (_, i) => fromMs + i * stepMs);

test('breaks a line where its source was silent, and nowhere else', () => {
  const timesMs = [...every(250, 20), ...every(250, 20, 12_000)];
  const broken = breakAtGaps(timesMs, timesMs);
  expect(broken.values.filter((value) => value === null)).toHaveLength(1);
  expect(broken.timesMs[20]).toBe((4_750 + 12_000) / 2);
  expect(broken.values[20]).toBeNull();
});

test('takes a slow beat for a beat, not for gaps', () => {
  expect(breakAtGaps(every(60_000, 10), every(1, 10)).values).not.toContain(null);
});

test('takes a hiccup under two and a half seconds for no gap', () => {
  expect(breakAtGaps([0, 10, 20, 30, 2_030, 2_040], [1, 1, 1, 1, 1, 1]).values).not.toContain(null);
});

test('keeps every point, its value and the order, whatever the times', () => {
  const rising = fc.array(fc.integer({ min: 0, max: 1e12 })).map((times) => times.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(rising, (timesMs) => {
      const values = timesMs.map((_, index) => index);
      const broken = breakAtGaps(timesMs, values);
      expect(broken.values.filter((value) => value !== null)).toEqual(values);
      expect(broken.timesMs.filter((_, index) => broken.values[index] !== null)).toEqual(timesMs);
      expect(broken.timesMs).toEqual(broken.timesMs.toSorted((a, b) => a - b));
    }),
  );
});

test('breaks at a known gap however short, once, and never where a point lies in it', () => {
  const timesMs = every(100, 10);
  const nulls = (known: { fromMs: number; toMs: number }[]) =>
    breakAtGaps(timesMs, timesMs, known).values.filter((value) => value === null).length;
  expect(nulls([{ fromMs: 300, toMs: 400 }])).toBe(1);
  expect(nulls([{ fromMs: 310, toMs: 390 }])).toBe(1);
  expect(nulls([{ fromMs: 250, toMs: 450 }])).toBe(0);
  expect(nulls([{ fromMs: 5_000, toMs: 6_000 }])).toBe(0);
});
