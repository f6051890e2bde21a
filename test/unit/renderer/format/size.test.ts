import { expect, test } from 'vitest';
import { formatBytes } from '../../../../src-renderer/format/size.ts';

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
