// The health of a source, over random sources: each shown state is compared with the times at which data came.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SourceHealth } from '../../../../src-main/agent/pipeline/source-health.ts';
import { walks } from '../../../support/run/effort.ts';

const STATES = ['giving', 'late', 'silent', 'gone'];

/** A source that gave data at these times, milliseconds. */
function sourceOf(timesMs: readonly number[]): SourceHealth {
  const health = new SourceHealth('log');
  for (const timeMs of timesMs) health.heard(timeMs, true);
  return health;
}

const each = (everyMs: number, count: number, fromMs = 0) =>
  Array.from({ length: count }, (_, n) => fromMs + n * everyMs);

test('is late after three of its intervals and silent after ten, but not before 5 and 15 seconds', () => {
  const fast = sourceOf(each(1000, 10));
  expect([14_000, 14_001, 24_000, 24_001].map((atMs) => fast.at(atMs))).toEqual(['giving', 'late', 'late', 'silent']);
  const slow = sourceOf(each(60_000, 10));
  const lastMs = 540_000;
  expect([180_000, 180_001, 600_001].map((ms) => slow.at(lastMs + ms))).toEqual(['giving', 'late', 'silent']);
});

test('has two minutes while its interval is not known, and so has a camera', () => {
  const young = sourceOf([0, 1000]);
  expect([121_000, 121_001].map((atMs) => young.at(atMs))).toEqual(['giving', 'silent']);
  const camera = new SourceHealth('rheed');
  for (const atMs of each(10, 100)) camera.heard(atMs, true);
  expect([120_990, 120_991].map((atMs) => camera.at(atMs))).toEqual(['giving', 'silent']);
});

test('is judged by the looks at its files, not by each of many files, and not by the reading of old data', () => {
  const folder = sourceOf(each(60_000, 6).flatMap((lookMs) => each(5, 50, lookMs)));
  expect(folder.lateAfterMs).toBeGreaterThan(179_000);
  const fast = sourceOf(each(100, 100));
  expect(fast.lateAfterMs).toBe(5000);
  const old = new SourceHealth('log');
  for (const atMs of each(1000, 100)) old.heard(atMs, false);
  expect([old.lateAfterMs, old.at(99_000)]).toEqual([120_000, 'giving']);
});

test('takes a single long pause for none of its rhythm, and one that came again for a part of it', () => {
  const once = sourceOf([...each(1000, 10), ...each(1000, 5, 3_600_000)]);
  expect(once.lateAfterMs).toBe(5000);
  const twice = sourceOf([...each(1000, 10), ...each(1000, 2, 60_000), ...each(1000, 2, 120_000)]);
  expect(twice.lateAfterMs).toBe(3 * 51_000);
  // It is forgotten once the source goes on as before.
  for (const atMs of each(1000, 20, 122_000)) twice.heard(atMs, true);
  expect(twice.lateAfterMs).toBe(5000);
});

test('one that was lost and is open again without failing is silent like any other', () => {
  const lost = sourceOf(each(1000, 10));
  lost.lost();
  lost.opened(20_000);
  expect([20_001, 139_000, 140_001].map((atMs) => lost.at(atMs))).toEqual(['gone', 'gone', 'silent']);
  const never = new SourceHealth('log');
  never.lost();
  expect(never.at(1)).toBe('gone');
  never.opened(20_000);
  expect([30_000, 260_001].map((atMs) => never.at(atMs))).toEqual(['gone', 'idle']);
});

const anySource = fc.record({
  everyMs: fc.constantFrom(100, 1000, 7000, 60_000),
  /** What it does next, and for how many intervals. */
  acts: fc.array(
    fc.tuple(fc.constantFrom('gives', 'gives', 'pauses', 'fails', 'opens'), fc.integer({ min: 1, max: 40 })),
    { minLength: 1, maxLength: 12 },
  ),
});

test('of any source: never giving while data are missing, and better only after an interval of data', () => {
  fc.assert(
    fc.property(anySource, ({ everyMs, acts }) => {
      const health = new SourceHealth('serial');
      let atMs = 0;
      let lastMs = 0;
      // Since when data come without a pause that is too long.
      let fromMs = 0;
      let shown = 'giving';
      const give = () => {
        if (atMs - lastMs > health.lateAfterMs) fromMs = atMs;
        health.heard(atMs, true);
        lastMs = atMs;
      };
      const look = () => {
        const now = health.at(atMs);
        const pauseMs = atMs - lastMs;
        if (pauseMs > health.lateAfterMs) expect(now).not.toBe('giving');
        if (now === 'giving') expect(pauseMs).toBeLessThanOrEqual(health.lateAfterMs);
        const isBetter = STATES.indexOf(now) < STATES.indexOf(shown);
        // Better by data alone, and not by the first of them.
        if (isBetter && now !== 'silent') expect(lastMs - fromMs).toBeGreaterThanOrEqual(Math.min(everyMs, 100));
        shown = now;
      };
      for (let n = 0; n < 20; n++, atMs += everyMs) give();
      atMs = lastMs;
      for (const [act, count] of acts) {
        if (act === 'fails') {
          health.lost();
          fromMs = Number.POSITIVE_INFINITY;
        }
        if (act === 'opens') health.opened(atMs);
        for (let n = 0; n < count; n++) {
          atMs += everyMs;
          if (act === 'gives') {
            if (fromMs === Number.POSITIVE_INFINITY) fromMs = atMs;
            give();
          }
          look();
        }
      }
    }),
    walks(5000),
  );
});
