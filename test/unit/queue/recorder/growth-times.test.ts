import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Growth } from '../../../../src-main/model/growth.ts';
import { GrowthTimes } from '../../../../src-main/queue/recorder/growth-times.ts';
import { Periods } from '../../../../src-main/queue/recorder/periods.ts';

function growth(id: string, ...bounds: number[]): Growth {
  const parts = bounds.slice(0, -1).map((fromMs, at) => {
    const toMs = bounds[at + 1] as number;
    const choice = { name: '', sampleId: null, newSampleName: null, projectId: null };
    return { id: `${id}${at}`, fromMs, toMs: toMs === Number.POSITIVE_INFINITY ? null : toMs, ...choice };
  });
  const first = { id, startedMs: bounds[0] as number, startCause: '', endedMs: null, endCause: '', fileName: null };
  return { ...first, parts, restarts: [] };
}

test('a time belongs to the part that it lies in; the first moment counts, the last does not', () => {
  const times = new GrowthTimes();
  expect(times.at(5)).toMatchObject({ name: '', part: null });
  times.set([growth('g', 10, 20, 30), growth('h', 40, Number.POSITIVE_INFINITY)]);
  const at = (ms: number) => times.at(ms).name;
  expect([9.999, 10, 19.999, 20, 29.999, 30, 39.999, 40, 1e15].map(at)).toEqual([
    ...['', 'growth g0', 'growth g0', 'growth g1', 'growth g1', 'after g1', 'after g1', 'growth h0', 'growth h0'],
  ]);
});

test('however boundaries lie, also when the clock went back, the spans cover all time once and the newest one wins', () => {
  const bounds = fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 30 }));
  fc.assert(
    fc.property(fc.array(bounds, { maxLength: 8 }), (all) => {
      const times = new GrowthTimes();
      for (const [at, [fromMs, lengthMs]] of all.entries()) times.set([growth(`g${at}-`, fromMs, fromMs + lengthMs)]);
      for (let ms = -5; ms < 100; ms++) {
        const span = times.at(ms);
        expect(span.fromMs <= ms && ms < span.toMs).toBe(true);
        if (span.toMs !== Number.POSITIVE_INFINITY) expect(times.at(span.toMs).fromMs).toBe(span.toMs);
      }
      const last = all.at(-1);
      if (last && last[1] > 0) expect(times.at(last[0]).part).toBe(`g${all.length - 1}-0`);
    }),
  );
});

test('a block is cut exactly at the boundaries, and midnight counts beside them', () => {
  const times = new GrowthTimes();
  const day = Date.UTC(2026, 10, 21);
  times.set([growth('g', day - 1000, day + 1000)]);
  const periods = new Periods('UTC', times);
  const stamps = Float64Array.from([-1500, -1000, -1, 0, 999.5, 1000, 2000].map((ms) => day + ms));
  const cut = (rollover: 'daily' | 'growth') =>
    periods.split(stamps, rollover, 'live').map(({ period, from, to }) => [period, from, to]);
  expect(cut('daily')).toEqual([
    ['live 2026-11-20', 0, 1],
    ['live 2026-11-20 growth g0', 1, 3],
    ['live 2026-11-21 growth g0', 3, 5],
    ['live 2026-11-21 after g0', 5, 7],
  ]);
  expect(cut('growth')).toEqual([
    ['live', 0, 1],
    ['live growth g0', 1, 5],
    ['live after g0', 5, 7],
  ]);
  expect(periods.isPast('live', day)).toBe(true);
  expect(periods.isPast('live growth g0', day)).toBe(false);
  expect(periods.isPast('live growth g0', day + 1000)).toBe(true);
  expect(periods.isPast('backfill growth g0', day + 1000)).toBe(true);
  expect(periods.isPast('live after g0', day + 1000)).toBe(false);
});
