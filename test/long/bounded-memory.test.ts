// Memory grows neither with what there is to read nor with what waits, also outside of the heap: columns and bytes are seen
// by comparing the peak with that of a short log.
import { expect, test } from 'vitest';
import { drainBounded, HEAP_MB } from '../support/rigs/bounded-drain.ts';
import { amount } from '../support/run/effort.ts';

const SHORT_POINTS = 500_000;
/** Kept as numbers, 8 bytes each, they would take all of the heap; outside of it, more than the difference of the peaks. */
const LONG_POINTS = amount(8_000_000, 8_000_000, 40_000_000);
/** What the peaks may differ by, megabytes: a heap fills up to its limit over time. 10 to 21 were seen. */
const PEAK_MORE_MB = 48;

test(`${LONG_POINTS / 1e6} million points are read, wait and are delivered with ${HEAP_MB} MB for objects and no higher peak than a short log`, async () => {
  const short = await drainBounded(SHORT_POINTS);
  expect(short).toMatchObject({ points: SHORT_POINTS, code: 0 });
  const long = await drainBounded(LONG_POINTS);
  expect(long).toMatchObject({ points: LONG_POINTS, code: 0 });
  expect(long.peakMb).toBeLessThan(short.peakMb + PEAK_MORE_MB);
});
