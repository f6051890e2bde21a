// The health of a source, over random sources: each shown state is compared with the times at which data came.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SourceHealth } from '../../../../src-main/agent/pipeline/source-health.ts';
import type { SourceView } from '../../../../src-main/contract/snapshot.ts';
import { walks } from '../../../support/run/effort.ts';

const STATES = ['giving', 'late', 'silent', 'gone'];
const MINUTE_MS = 60_000;

/** A source that gave data at these times, milliseconds. */
function sourceOf(timesMs: readonly number[], kind: SourceView['kind'] = 'log'): SourceHealth {
  const health = new SourceHealth(kind);
  for (const timeMs of timesMs) health.heard(timeMs, true);
  return health;
}

const each = (everyMs: number, count: number, fromMs = 0) =>
  Array.from({ length: count }, (_, n) => fromMs + n * everyMs);

describe('limits', () => {
  test('are three and ten intervals, and 5 and 15 seconds at least', () => {
    const fast = sourceOf(each(1000, 10));
    expect([14_000, 14_001, 24_000, 24_001].map((atMs) => fast.at(atMs))).toEqual(['giving', 'late', 'late', 'silent']);
    const slow = sourceOf(each(MINUTE_MS, 10));
    const lastMs = 9 * MINUTE_MS;
    expect([180_000, 180_001, 600_001].map((ms) => slow.at(lastMs + ms))).toEqual(['giving', 'late', 'silent']);
  });

  test('are 2 and 10 minutes while the interval is not known, and 2 minutes for a camera', () => {
    const young = sourceOf([0, 1000]);
    expect([121_000, 121_001, 601_001].map((atMs) => young.at(atMs))).toEqual(['giving', 'late', 'silent']);
    const camera = sourceOf(each(1000, 100), 'rheed');
    expect([219_000, 219_001].map((atMs) => camera.at(atMs))).toEqual(['giving', 'silent']);
  });
});

describe('the rhythm', () => {
  test('ignores one long pause and learns one that comes again and again in alike length', () => {
    const once = sourceOf([...each(1000, 10), ...each(1000, 5, 3_600_000)]);
    expect(once.lateAfterMs(3_605_000)).toBe(5000);
    // A deposition: 25 rows at one a second, then 25 s without.
    const cycles = each(50_000, 8).flatMap((startMs) => each(1000, 25, startMs));
    expect(sourceOf(cycles.slice(0, 75)).lateAfterMs(124_000)).toBe(5000);
    expect(sourceOf(cycles).lateAfterMs(374_000)).toBe(78_000);
  });

  test('takes holes of any length for faults, however many', () => {
    const holes = [20_000, 47_000, 31_000, 70_000, 11_000, 160_000, 25_500, 95_000];
    let atMs = 0;
    const times = holes.flatMap((holeMs) => {
      const run = each(1000, 8, atMs);
      atMs += 7000 + holeMs;
      return run;
    });
    expect(sourceOf(times).lateAfterMs(atMs)).toBe(5000);
  });

  test('forgets a break once the source has long gone on without it', () => {
    const health = sourceOf([...each(1000, 5), ...each(MINUTE_MS, 5, MINUTE_MS)]);
    expect(health.lateAfterMs(5 * MINUTE_MS)).toBe(180_000);
    for (const atMs of each(1000, 1400, 5 * MINUTE_MS)) health.heard(atMs, true);
    expect(health.lateAfterMs(5 * MINUTE_MS + 1_400_000)).toBe(5000);
  });

  test('comes from looks, not from each of many files, and not from backlog', () => {
    const folder = sourceOf(each(MINUTE_MS, 6).flatMap((lookMs) => each(5, 50, lookMs)));
    expect(folder.lateAfterMs(6 * MINUTE_MS)).toBeGreaterThan(179_000);
    expect(sourceOf(each(100, 100)).lateAfterMs(10_000)).toBe(5000);
    const old = new SourceHealth('log');
    for (const atMs of each(50, 600)) old.heard(atMs, false);
    expect([old.lateAfterMs(30_000), old.at(30_000)]).toEqual([120_000, 'giving']);
  });
});

describe('a source that was lost', () => {
  test('on a line is gone until its data come again, whatever is opened meanwhile', () => {
    const line = sourceOf(each(1000, 10), 'serial');
    for (let atMs = 20_000; atMs < 200_000; atMs += 34_000) {
      line.lost();
      line.opened(atMs);
      expect([line.at(atMs), line.at(atMs + 33_999)]).toEqual(['gone', 'gone']);
    }
    expect(line.at(500_000)).toBe('silent');
  });

  test('as a folder has the health of its last data once it is open again', () => {
    const folder = sourceOf(each(MINUTE_MS, 10));
    folder.lost();
    folder.opened(9.2 * MINUTE_MS);
    expect([9.3, 9.5, 13].map((minutes) => folder.at(minutes * MINUTE_MS))).toEqual(['gone', 'giving', 'late']);
    const never = new SourceHealth('log');
    never.lost();
    expect(never.at(1)).toBe('gone');
    never.opened(20_000);
    expect([30_000, 36_000].map((atMs) => never.at(atMs))).toEqual(['gone', 'idle']);
  });

  test('recovers after one interval of before the break', () => {
    const slow = sourceOf([...each(5000, 10), 110_000]);
    expect([slow.at(110_000), slow.isRecovering]).toEqual(['silent', true]);
    slow.heard(115_000, true);
    expect([slow.at(115_000), slow.isRecovering]).toEqual(['giving', false]);
  });
});

const anySource = fc.record({
  everyMs: fc.constantFrom(100, 1000, 7000, MINUTE_MS),
  /** Each interval is so much longer or shorter, in parts of it. */
  jitter: fc.constantFrom(0, 0.3),
  seed: fc.integer({ min: 1, max: 1e6 }),
  /** What it does next, and for how many intervals. */
  acts: fc.array(
    fc.tuple(fc.constantFrom('gives', 'gives', 'pauses', 'fails', 'opens'), fc.integer({ min: 1, max: 40 })),
    { minLength: 1, maxLength: 12 },
  ),
});

test('of any source: never giving while data are missing, never worse while they come, better by data alone', () => {
  fc.assert(
    fc.property(anySource, ({ everyMs, jitter, seed, acts }) => {
      const health = new SourceHealth('serial');
      let [atMs, lastMs, random] = [0, 0, seed];
      const step = () => {
        random = (random * 48_271) % 2_147_483_647;
        return everyMs * (1 + jitter * (random / 1_073_741_823 - 1));
      };
      /** Since when data come without a break; infinite: they do not. */
      let fromMs = 0;
      let shown = 'giving';
      const give = () => {
        if (fromMs === Number.POSITIVE_INFINITY || atMs - lastMs > health.lateAfterMs(atMs)) fromMs = atMs;
        health.heard(atMs, true);
        lastMs = atMs;
      };
      const look = () => {
        const now = health.at(atMs);
        if (atMs - lastMs > health.lateAfterMs(atMs)) expect(now).not.toBe('giving');
        // Data have come on time for two of its intervals, as far as it knows them.
        const intervalMs = Math.max(1.3 * everyMs, health.lateAfterMs(atMs) / 3);
        if (lastMs - fromMs > 2 * intervalMs && atMs === lastMs) expect(now).toBe('giving');
        const isBetter = STATES.indexOf(now) < STATES.indexOf(shown);
        if (isBetter && now === 'giving') expect(lastMs - fromMs).toBeGreaterThanOrEqual(0.6 * Math.min(everyMs, 100));
        shown = now;
      };
      for (let n = 0; n < 40; n++, atMs += step()) {
        give();
        if (n > 0) expect(health.at(atMs)).toBe('giving');
      }
      atMs = lastMs;
      for (const [act, count] of acts) {
        if (act === 'fails') {
          health.lost();
          fromMs = Number.POSITIVE_INFINITY;
          shown = 'gone';
        }
        if (act === 'opens') health.opened(atMs);
        for (let n = 0; n < count; n++) {
          atMs += step();
          if (act === 'gives') give();
          look();
        }
      }
    }),
    walks(5000),
  );
});
