// What a drill counts, over a way to the service that is played: the cut itself takes a moment, in which things go on.
import { expect, test } from 'vitest';
import { Drill, type DrillView } from '../../../../../src-main/agent/handlers/support/drill.ts';
import { type Clock, systemClock } from '../../../../../src-main/platform/clock.ts';

type Way = Parameters<typeof Drill.begin>[0];

test('counts as stored without the service only what was stored once it was away', async () => {
  let [pointsStored, pointsAcknowledged] = [100, 90];
  const way = {
    link: {
      outage: {
        // While it is being cut the tool goes on, and the service takes a last chunk.
        begin: async () => {
          pointsStored += 20;
          pointsAcknowledged += 10;
        },
        end: async () => {
          pointsAcknowledged = pointsStored;
        },
      },
    },
    tally: async () => ({ streams: [{ id: 1, name: 'one', pointsStored, pointsAcknowledged, pointsRefused: 0 }] }),
    uploader: { release: () => undefined },
  } as unknown as Way;
  const { promise, resolve } = Promise.withResolvers<DrillView>();
  await Drill.begin(way, systemClock, 0, resolve);
  expect(await promise).toMatchObject({
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
  const way = {
    link: {
      outage: {
        begin: async () => undefined,
        end: async () => {
          backMs = nowMs;
        },
      },
    },
    tally: async () => ({
      streams: [{ id: 1, name: 'one', pointsStored: nowMs, pointsAcknowledged: backMs, pointsRefused: 0 }],
    }),
    uploader: { release: () => undefined },
  } as unknown as Way;
  const { promise, resolve } = Promise.withResolvers<DrillView>();
  await Drill.begin(way, clock, 60, resolve);
  expect(await promise).toMatchObject({ state: 'passed', storedAtEnd: 60_000, acknowledgedAtEnd: 0 });
  expect(backMs).toBe(60_000);
});
