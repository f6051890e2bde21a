import { expect, test } from 'vitest';
import { findNearest } from '../../../src-main/settings/nearest.ts';

const keys = ['points_per_chunk', 'rollover', 'close_after_quiet', 'url', 'id'];

test.each([
  ['points_per_chunks', 'points_per_chunk'],
  ['pointsPerChunk', 'points_per_chunk'],
  ['Rollower', 'rollover'],
  ['close-after-quiet', 'close_after_quiet'],
  ['uri', 'url'],
])('takes %s for %s', (word, meant) => {
  expect(findNearest(word, keys)).toBe(meant);
});

test.each(['', 'colour', 'backfill', 'x'.repeat(100_000), 'xy'])(
  'offers nothing for what is like nothing: %.20s',
  (word) => {
    expect(findNearest(word, keys)).toBeUndefined();
  },
);

test('prefers the nearer of two', () => {
  expect(findNearest('paths', ['path', 'paths'])).toBe('paths');
});
