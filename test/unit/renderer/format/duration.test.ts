import { expect, test } from 'vitest';
import { formatAge } from '../../../../src-renderer/format/duration.ts';

test('calls the last second and a half now', () => {
  expect(formatAge(1_400)).toBe('now');
  expect(formatAge(12_300)).toBe('12 s ago');
});
