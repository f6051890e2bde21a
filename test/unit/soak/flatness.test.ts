import { expect, test } from 'vitest';
import { judgeFlatness } from '../../soak/flatness.ts';
import { foldStretch, type Lag, type TimedSample } from '../../soak/timeline.ts';

const sample = (atMs: number, more: Partial<TimedSample> = {}): TimedSample => ({
  ...{ atMs, cpuS: 1, wallS: 10, loopP99Ms: 2, rssMb: 200, heapMb: 40, outsideMb: 15, handles: 36, threads: 12 },
  ...{ queueMb: 1, walMb: 4, waitingPoints: 100, troubles: 1, outages: 2, hits: 3 },
  ...more,
});
const lag = (atMs: number, lagMs: number): Lag => ({ atMs, lagMs });
const stretch = (more: Partial<TimedSample> = {}) => {
  const folded = foldStretch([sample(0, more)], [lag(0, 500)], 0, 1000);
  if (!folded) throw new Error('nothing was seen');
  return folded;
};

test('a stretch tells the usual memory, the least heap, the largest WAL, and the last counts', () => {
  const samples = [
    sample(0, { rssMb: 300, heapMb: 60, walMb: 9, waitingPoints: 500 }),
    sample(500, { rssMb: 200, heapMb: 40, hits: 4 }),
    sample(999, { rssMb: 210, heapMb: 50, hits: 7 }),
    sample(1000, { rssMb: 900, hits: 99 }),
  ];
  const lags = [lag(0, 1000), lag(500, 2000), lag(999, 9000), lag(1000, 99_000)];
  expect(foldStretch(samples, lags, 0, 1000)).toMatchObject({
    ...{ rssMb: 210, heapMb: 40, walMb: 9, waitingPoints: 100, waitingPointsMost: 500, hits: 7 },
    ...{ lagP50S: 2, lagP99S: 9, cpuPercent: 10 },
  });
  expect(foldStretch(samples, lags, 2000, 3000)).toBeNull();
});

test('as large as before is flat, and so is a growth within the limits', () => {
  expect(judgeFlatness(stretch(), stretch()).isFlat).toBe(true);
  expect(judgeFlatness(stretch(), stretch({ rssMb: 219, handles: 38, threads: 13, walMb: 5.9 })).isFlat).toBe(true);
});

test.each([
  ['RSS', { rssMb: 221 }],
  ['least heap', { heapMb: 45 }],
  ['handles', { handles: 39 }],
  ['threads', { threads: 14 }],
  ['largest WAL', { walMb: 6.1 }],
])('growth of %s is named', (name, more) => {
  const { isFlat, words } = judgeFlatness(stretch(), stretch(more));
  expect(isFlat).toBe(false);
  expect(words).toMatch(new RegExp(`^Not flat \\(${name}\\), `));
});
