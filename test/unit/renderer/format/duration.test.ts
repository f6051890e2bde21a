import { expect, test } from 'vitest';
import { formatAge, formatDuration } from '../../../../src-renderer/format/duration.ts';

test.each([
  [-5, '0 s'],
  [400, '0.4 s'],
  [3_000, '3 s'],
  [9_960, '10 s'],
  [59_400, '59 s'],
  [59_700, '1 min'],
  [192_000, '3 min 12 s'],
  [3_599_900, '1 h'],
  [7_500_000, '2 h 5 min'],
  [273_600_000, '3 d 4 h'],
])('writes %d ms as %s', (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});

test('calls the last second and a half now', () => {
  expect(formatAge(1_400)).toBe('now');
  expect(formatAge(12_300)).toBe('12 s ago');
});
