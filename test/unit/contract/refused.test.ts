import { expect, test } from 'vitest';
import { SendAsNew } from '../../../src-main/contract/refused.ts';

const all = { streamId: 1, chunkIds: null, channel: null, pointsPerChunk: null, unit: null, rename: null };
const isFine = (change: object) => SendAsNew.safeParse({ ...all, ...change }).success;

test('another unit or another name is given to one channel, never to all', () => {
  expect(isFine({ pointsPerChunk: 5 })).toBe(true);
  expect(isFine({ channel: 'Ga', unit: 'K', rename: 'Ga cell' })).toBe(true);
  expect(isFine({ unit: 'K' })).toBe(false);
  expect(isFine({ rename: 'Ga cell' })).toBe(false);
});

test('a name or a size that the service can never take is refused before anything is copied', () => {
  expect(isFine({ channel: 'Ga', rename: 'x'.repeat(255) })).toBe(true);
  expect(isFine({ channel: 'Ga', unit: '' })).toBe(true);
  for (const rename of ['', 'x'.repeat(256), 'half \ud800']) expect(isFine({ channel: 'Ga', rename })).toBe(false);
  for (const pointsPerChunk of [0, 1001, 1.5]) expect(isFine({ pointsPerChunk })).toBe(false);
});
