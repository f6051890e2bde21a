import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrowthRate, hoursToFull } from '../../../../../src-main/queue/store/space/forecast.ts';

const HOUR_MS = 3_600_000;

test.each([
  [10e9, 1e9, 10],
  [0, 1e9, 0],
  [0, null, 0],
  [-5, 1e9, 0],
  [10e9, 0, null],
  [10e9, -5, null],
  [10e9, null, null],
  [null, 1e9, null],
])('%s bytes free at %s bytes an hour last %s hours', (free, rate, hours) => {
  expect(hoursToFull(free, rate)).toBe(hours);
});

test('measures a steady growth exactly, however often it gets a size', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 100, max: 60_000 }), (bytesPerHour, stepMs) => {
      const rate = new GrowthRate();
      for (let atMs = 0; atMs <= HOUR_MS; atMs += stepMs) rate.note(atMs, (bytesPerHour * atMs) / HOUR_MS);
      expect(rate.bytesPerHour).toBeCloseTo(bytesPerHour, 3);
    }),
    { numRuns: 50 },
  );
});

test('gives no rate in the first five minutes, and forgets sizes older than six hours', () => {
  const rate = new GrowthRate();
  rate.note(0, 0);
  rate.note(4 * 60_000, 1e6);
  expect(rate.bytesPerHour).toBeNull();
  for (let hour = 1; hour <= 20; hour++) rate.note(hour * HOUR_MS, hour < 10 ? hour * 1e9 : 10e9);
  expect(rate.bytesPerHour).toBe(0);
});

test('restarts when the clock goes back, instead of inventing a rate', () => {
  const rate = new GrowthRate();
  rate.note(10 * HOUR_MS, 5e9);
  rate.note(HOUR_MS, 6e9);
  expect(rate.bytesPerHour).toBeNull();
  rate.note(2 * HOUR_MS, 7e9);
  expect(rate.bytesPerHour).toBe(1e9);
});

test('measures from wherever the clock stands, from the fifth minute to the sixth hour, by one size a minute', () => {
  const beginMs = Date.UTC(2026, 10, 20);
  const rate = new GrowthRate();
  expect(rate.bytesPerHour).toBeNull();
  rate.note(beginMs, 3e9);
  expect(rate.bytesPerHour).toBeNull();
  rate.note(beginMs + 30_000, 8e9);
  rate.note(beginMs + HOUR_MS / 12, 4e9);
  expect(rate.bytesPerHour).toBe(12e9);
  rate.note(beginMs + HOUR_MS / 12 + 59_999, 100e9);
  expect(rate.bytesPerHour).toBe(12e9);
  rate.note(beginMs + HOUR_MS / 10, 4e9);
  expect(rate.bytesPerHour).toBe(10e9);
  rate.note(beginMs + 6 * HOUR_MS, 9e9);
  expect(rate.bytesPerHour).toBe(1e9);
  rate.note(beginMs + 6 * HOUR_MS + 60_000, 9e9);
  expect(rate.bytesPerHour).toBeCloseTo(5e9 / (6 - 4 / 60), 3);
});
