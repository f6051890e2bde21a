import { expect, test } from 'vitest';
import { Wake } from '../../../src-main/model/wake.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';

const HOUR_MS = 3_600_000;

test('a wait ends when it is woken, when its signal is aborted, and at once when that was before', async () => {
  const wake = new Wake();
  const stop = new AbortController();
  const woken = wake.wait(systemClock, HOUR_MS, stop.signal);
  wake.now();
  await woken;
  const aborted = wake.wait(systemClock, HOUR_MS, stop.signal);
  stop.abort();
  await aborted;
  await wake.wait(systemClock, HOUR_MS, stop.signal);
});

test('waking nothing does not end the next wait', async () => {
  const wake = new Wake();
  wake.now();
  const slept: boolean[] = [];
  await wake.wait(
    { sleep: async (_, signal) => void slept.push(signal.aborted) },
    HOUR_MS,
    new AbortController().signal,
  );
  expect(slept).toEqual([false]);
});
