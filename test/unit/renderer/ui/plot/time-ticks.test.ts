import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatClock } from '../../../../../src-renderer/format/time.ts';
import { offsetMs } from '../../../../../src-renderer/format/time-zone.ts';
import { findTicks, TIME_STEPS_MS, tickTexts } from '../../../../../src-renderer/ui/plot/time-ticks.ts';

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
const berlin = 'Europe/Berlin';
const zones = ['UTC', berlin, 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe'];

const clocks = (from: number, hours: number, most: number, zone = berlin) =>
  findTicks({ from, to: from + hours * HOUR_MS }, most, zone).map((tick) => formatClock(tick, zone).slice(0, 5));

test('puts ticks at round times of the zone, rising, inside of the span, and at most one more than there is room for', () => {
  const moment = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2037, 0) });
  fc.assert(
    fc.property(moment, fc.integer({ min: 10, max: 1e10 }), fc.constantFrom(...zones), (from, length, zone) => {
      const ticks = findTicks({ from, to: from + length }, 6, zone);
      // An hour that comes twice is one more hour to put ticks in.
      expect(ticks.length).toBeLessThanOrEqual(8);
      expect(ticks.every((tick) => tick >= from && tick <= from + length)).toBe(true);
      expect(ticks).toEqual([...new Set(ticks)].toSorted((a, b) => a - b));
      const stepMs = TIME_STEPS_MS.find((step) => step >= length / 6) ?? 30 * DAY_MS;
      for (const tick of ticks) expect((tick + offsetMs(tick, zone)) % stepMs).toBe(0);
    }),
    { numRuns: 300 },
  );
});

test('stays at round hours when the clock is put forward', () => {
  const from = Date.UTC(2026, 2, 28, 21);
  expect(clocks(from, 8, 8)).toEqual(['22:00', '23:00', '00:00', '01:00', '03:00', '04:00', '05:00', '06:00', '07:00']);
  expect(clocks(from, 14, 7)).toEqual(['22:00', '00:00', '04:00', '06:00', '08:00', '10:00', '12:00']);
  expect(clocks(from, 72, 3)).toEqual(['00:00', '00:00', '00:00']);
});

test('stays at round hours when it is put back, and has ticks in both of the hours that are called the same', () => {
  const from = Date.UTC(2026, 9, 24, 22);
  expect(clocks(from, 5, 5)).toEqual(['00:00', '01:00', '02:00', '02:00', '03:00', '04:00']);
  expect(clocks(from, 12, 6)).toEqual(['00:00', '02:00', '04:00', '06:00', '08:00', '10:00']);
  expect(clocks(from, 72, 3)).toEqual(['00:00', '00:00', '00:00']);
});

test('begins a day that has no midnight where it begins', () => {
  const from = Date.UTC(2026, 8, 5, 3);
  expect(clocks(from, 72, 3, 'America/Santiago')).toEqual(['00:00', '01:00', '00:00', '00:00']);
});

test('says the day where a span is longer than one', () => {
  const from = Date.UTC(2026, 10, 20);
  expect(tickTexts([from], { from, to: from + HOUR_MS })).toEqual(['00:00:00']);
  expect(tickTexts([from], { from, to: from + 2 * DAY_MS })).toEqual(['20 Nov 00:00']);
});
