import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { formatClock, formatExact, formatZone } from '../../../../src-renderer/format/time.ts';
import {
  instantOf,
  isKnownZone,
  offsetMs,
  readTimeField,
  setZoneInForce,
  toTimeField,
} from '../../../../src-renderer/format/time-zone.ts';

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const berlin = 'Europe/Berlin';
const zones = [
  'UTC',
  berlin,
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Asia/Tokyo',
];
const anyZone = fc.constantFrom(...zones);
/** Whole minutes of 2000 to 2037, where zones still change their clocks. */
const anyMinute = fc.integer({ min: Date.UTC(2000, 0) / MINUTE_MS, max: Date.UTC(2037, 0) / MINUTE_MS });

afterEach(() => setZoneInForce('UTC'));

test('writes and reads in the zone in force, not in that of this PC', () => {
  const timeMs = Date.UTC(2026, 10, 20, 13, 2, 11, 302);
  setZoneInForce(berlin);
  expect([formatClock(timeMs), formatZone(timeMs), toTimeField(timeMs)]).toEqual([
    '14:02:11',
    'CET',
    '2026-11-20T14:02',
  ]);
  setZoneInForce('Asia/Tokyo');
  expect(formatExact(timeMs)).toBe('20 Nov 2026, 22:02:11.302');
  expect(readTimeField('2026-11-20T22:02')).toBe(timeMs - 11_302);
  expect(formatClock(timeMs, 'UTC')).toBe('13:02:11');
});

test('reads what is typed as the same instant that it shows again, in every zone and at every change of the clock', () => {
  fc.assert(
    fc.property(anyMinute, anyZone, (minute, zone) => {
      const timeMs = minute * MINUTE_MS;
      const shown = toTimeField(timeMs, zone);
      const readMs = readTimeField(shown, zone);
      expect(readMs).not.toBe(null);
      expect(toTimeField(readMs ?? 0, zone)).toBe(shown);
      // Only an hour that comes twice is read as another instant, and then as the first.
      if (readMs !== timeMs) {
        expect(readMs).toBeLessThan(timeMs);
        expect(offsetMs(readMs ?? 0, zone)).toBeGreaterThan(offsetMs(timeMs, zone));
      }
    }),
    { numRuns: 500 },
  );
});

test('takes an hour that comes twice as the first, and moves one that is left out behind the change', () => {
  expect(readTimeField('2026-10-25T02:30', berlin)).toBe(Date.UTC(2026, 9, 25, 0, 30));
  expect(readTimeField('2026-10-25T03:00', berlin)).toBe(Date.UTC(2026, 9, 25, 2, 0));
  expect(toTimeField(readTimeField('2026-03-29T02:30', berlin) ?? 0, berlin)).toBe('2026-03-29T03:30');
  expect(toTimeField(readTimeField('2026-03-29T03:00', berlin) ?? 0, berlin)).toBe('2026-03-29T03:00');
});

test('knows the offset on both sides of a change, to the millisecond, and before 1970', () => {
  const change = Date.UTC(2026, 2, 29, 1);
  expect([offsetMs(change - 1, berlin), offsetMs(change, berlin)]).toEqual([HOUR_MS, 2 * HOUR_MS]);
  expect(offsetMs(-1, 'Asia/Kolkata')).toBe(5.5 * HOUR_MS);
  expect(instantOf(0, 'America/New_York')).toBe(5 * HOUR_MS);
});

test('finds no moment in a field that is not whole', () => {
  for (const text of ['', '2026-11-20T', 'T14:02', 'yesterday']) expect(readTimeField(text, berlin)).toBe(null);
});

test('writes in the zone in force where a zone is not known here', () => {
  expect([isKnownZone(berlin), isKnownZone('Mars/Gale')]).toEqual([true, false]);
  setZoneInForce(berlin);
  expect(formatClock(0, 'Mars/Gale')).toBe('01:00:00');
});
