import { expect, test } from 'vitest';
import { formatBytes, formatCount, formatCounted, formatDuration, formatTime } from '../../../src-main/model/format.ts';

test.each([
  [-5, '0 s'],
  [0, '0 s'],
  [250, '250 ms'],
  [999.6, '1 s'],
  [1500, '1.5 s'],
  [9960, '10 s'],
  [59_400, '59 s'],
  [59_700, '1 min'],
  [90_000, '1 min 30 s'],
  [3_599_900, '1 h'],
  [7_200_000, '2 h'],
  [7_200_400, '2 h'],
  [7_500_000, '2 h 5 min'],
  [273_600_000, '3 d 4 h'],
])('writes %d ms as %s', (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});

test('writes counts with thousands apart, and with their noun', () => {
  expect([formatCount(12_412), formatCount(7)]).toEqual(['12,412', '7']);
  expect([formatCounted(1, 'point'), formatCounted(12_412, 'point')]).toEqual(['1 point', '12,412 points']);
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1.00 kB'],
  [41_200_000, '41.2 MB'],
  [412_000_000, '412 MB'],
  [999_600_000, '1.00 GB'],
  [212_000_000_000, '212 GB'],
  [9e18, '9000 PB'],
])('writes %d bytes as %s', (sizeBytes, text) => {
  expect(formatBytes(sizeBytes)).toBe(text);
});

test('writes a time in UTC, and one of no calendar as its number', () => {
  expect([formatTime(0), formatTime(9e99)]).toEqual(['1970-01-01T00:00:00.000Z', '9e+99 ms']);
});
