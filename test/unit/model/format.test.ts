import { expect, test } from 'vitest';
import { formatCount, formatDuration, formatSize, formatTime } from '../../../src-main/model/format.ts';

test.each([
  [0, '0 ms'],
  [250, '250 ms'],
  [999.6, '1 s'],
  [1500, '1.5 s'],
  [9960, '10 s'],
  [59_700, '1 min'],
  [90_000, '1 min 30 s'],
  [7_200_000, '2 h'],
  [7_200_400, '2 h'],
  [7_500_000, '2 h 5 min'],
  [273_600_000, '3 d 4 h'],
])('writes %d ms as %s', (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});

test('writes counts with thousands apart, and sizes as disks are sold', () => {
  expect([formatCount(12_412), formatCount(7)]).toEqual(['12,412', '7']);
  expect([formatSize(350e6), formatSize(12e9)]).toEqual(['0.35 GB', '12.0 GB']);
});

test('writes a time in UTC, and one of no calendar as its number', () => {
  expect([formatTime(0), formatTime(9e99)]).toEqual(['1970-01-01T00:00:00.000Z', '9e+99 ms']);
});
