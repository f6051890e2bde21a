// What a drill counts, over a way to the service that is played: the cut itself takes a moment, in which things go on.
import { expect, test } from 'vitest';
import { Drill, type DrillView } from '../../../../../src-main/agent/handlers/support/drill.ts';
import { type Clock, systemClock } from '../../../../../src-main/platform/clock.ts';

/** What a drill over this way to the service says at its end; `points`: what is stored and acknowledged by now. */
async function drilled(
  points: () => { pointsStored: number; pointsAcknowledged: number },
  outage: { begin(): Promise<void>; end(): Promise<void> },
  clock = systemClock,
  seconds = 0,
): Promise<DrillView> {
  const tally = async () => ({ streams: [{ id: 1, name: 'one', ...points(), pointsRefused: 0 }] });
  const way = { link: { outage }, tally, uploader: { release: () => undefined } };
  const { promise, resolve } = Promise.withResolvers<DrillView>();
  await Drill.begin(way as unknown as Parameters<typeof Drill.begin>[0], clock, seconds, resolve);
  return promise;
}

test('counts as stored without the service only what was stored once it was away', async () => {
  let [pointsStored, pointsAcknowledged] = [100, 90];
  const outage = {
    // While it is being cut the tool goes on, and the service takes a last chunk.
    begin: async () => {
      pointsStored += 20;
      pointsAcknowledged += 10;
    },
    end: async () => {
      pointsAcknowledged = pointsStored;
    },
  };
  expect(await drilled(() => ({ pointsStored, pointsAcknowledged }), outage)).toMatchObject({
    ...{ state: 'passed', storedBefore: 120, acknowledgedBefore: 100 },
    ...{ storedAtEnd: 120, acknowledgedAtEnd: 100, acknowledged: 120 },
  });
});

test('brings the service back by itself when its seconds are over, and not before', async () => {
  let nowMs = 0;
  const clock: Clock = {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    sleep: async (durationMs) => {
      nowMs += durationMs;
    },
  };
  let backMs = 0;
  const outage = {
    begin: async () => {},
    end: async () => {
      backMs = nowMs;
    },
  };
  const points = () => ({ pointsStored: nowMs, pointsAcknowledged: backMs });
  expect(await drilled(points, outage, clock, 60)).toMatchObject({
    state: 'passed',
    storedAtEnd: 60_000,
    acknowledgedAtEnd: 0,
  });
  expect(backMs).toBe(60_000);
});
