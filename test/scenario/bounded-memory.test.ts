// Memory grows neither with what there is to read nor with what waits: the heap could not hold this log as objects or text.
// What lies outside of the heap is seen by longer logs: test/long.
import { expect, test } from 'vitest';
import { drainBounded, HEAP_MB } from '../support/rigs/bounded-drain.ts';

/** As objects or text, 32 bytes each and more, they would fill the heap. */
const POINTS = 2_000_000;

test(`${POINTS / 1e6} million points are read, wait and are delivered with ${HEAP_MB} MB for objects`, async () => {
  expect(await drainBounded(POINTS)).toMatchObject({ points: POINTS, code: 0 });
});
