import { describe, expect, test } from 'vitest';
import { GrowthTimes } from '../../../../src-main/queue/recorder/growth-times.ts';
import { Periods, type Rollover } from '../../../../src-main/queue/recorder/periods.ts';

/** Growths with one part each, [id, fromMs, toMs], of a name that is also the part's. */
function growthsOf(...bounds: [id: string, fromMs: number, toMs: number | null][]): GrowthTimes {
  const times = new GrowthTimes();
  const choice = { name: '', sampleId: null, newSampleName: null, projectId: null };
  times.set(
    bounds.map(([id, fromMs, toMs]) => ({
      ...{ id, startedMs: fromMs, startCause: '', endedMs: null, endCause: '', fileName: null },
      ...{ parts: [{ id, fromMs, toMs, ...choice }], restarts: [] },
    })),
  );
  return times;
}

const periodsOf = (timeZone: string, times = growthsOf()) => new Periods(timeZone, times);

/** The runs of a block as `period from-to`. */
function cut(periods: Periods, stamps: readonly number[], rollover: Rollover) {
  const runs = periods.split(Float64Array.from(stamps), rollover, 'live');
  return runs.map(({ period, from, to }) => `${period} ${from}-${to}`);
}

const at = (iso: string) => Date.parse(iso);

describe('days', () => {
  test('last from local midnight to local midnight; the first moment counts, the last does not', () => {
    // Central Europe in winter: an hour ahead.
    const midnight = at('2026-11-20T23:00:00Z');
    const stamps = [midnight - 86_400_000, midnight - 0.5, midnight, midnight + 86_399_999.5, midnight + 86_400_000];
    expect(cut(periodsOf('Europe/Berlin'), stamps, 'daily')).toEqual([
      'live 2026-11-20 0-2',
      'live 2026-11-21 2-4',
      'live 2026-11-22 4-5',
    ]);
  });

  test('have 23 and 25 hours when the clocks change', () => {
    const spring = [at('2026-03-28T23:00:00Z'), at('2026-03-29T21:59:59.999Z'), at('2026-03-29T22:00:00Z')];
    expect(cut(periodsOf('Europe/Berlin'), spring, 'daily')).toEqual(['live 2026-03-29 0-2', 'live 2026-03-30 2-3']);
    const autumn = [at('2026-10-24T22:00:00Z'), at('2026-10-25T22:59:59.999Z'), at('2026-10-25T23:00:00Z')];
    expect(cut(periodsOf('Europe/Berlin'), autumn, 'daily')).toEqual(['live 2026-10-25 0-2', 'live 2026-10-26 2-3']);
  });

  test('rows that jump back and forth are cut where the day changes and never put in order', () => {
    const [today, tomorrow] = [at('2026-11-20T12:00:00Z'), at('2026-11-21T12:00:00Z')];
    expect(cut(periodsOf('UTC'), [today, tomorrow, tomorrow, today, tomorrow], 'daily')).toEqual([
      'live 2026-11-20 0-1',
      'live 2026-11-21 1-3',
      'live 2026-11-20 3-4',
      'live 2026-11-21 4-5',
    ]);
    const midnight = at('2026-11-20T00:00:00Z');
    expect(cut(periodsOf('UTC'), [midnight + 5, midnight, midnight - 1], 'daily')).toEqual([
      'live 2026-11-20 0-2',
      'live 2026-11-19 2-3',
    ]);
  });

  test('a later block that begins before or behind the day seen last finds its own', () => {
    const periods = periodsOf('UTC');
    const midnight = at('2026-11-20T00:00:00Z');
    const dayOf = (ms: number) => cut(periods, [midnight + ms], 'daily');
    expect([0, -0.5, -86_400_000, 0, 86_399_999.9, 86_400_000].map(dayOf)).toEqual([
      ['live 2026-11-20 0-1'],
      ['live 2026-11-19 0-1'],
      ['live 2026-11-19 0-1'],
      ['live 2026-11-20 0-1'],
      ['live 2026-11-20 0-1'],
      ['live 2026-11-21 0-1'],
    ]);
  });

  test('a stamp of the very beginning of Unix time has its day', () => {
    expect(cut(periodsOf('UTC'), [0, -1], 'daily')).toEqual(['live 1970-01-01 0-1', 'live 1969-12-31 1-2']);
  });
});

describe('growths', () => {
  const times = growthsOf(['g', 1000, 2000]);
  const stamps = [999.5, 1000, 1999.5, 2000, 1e15];

  test('without a rule of days only growths count', () => {
    expect(cut(periodsOf('UTC', times), stamps, 'growth')).toEqual([
      'live 0-1',
      'live growth g 1-3',
      'live after g 3-5',
    ]);
  });

  test('live data and backfill never share a period, and each run names the growth that it lies in', () => {
    const runs = periodsOf('UTC', times).split(Float64Array.of(500, 1500), 'daily', 'backfill');
    expect(runs.map(({ period, growth }) => [period, growth.part])).toEqual([
      ['backfill 1970-01-01', null],
      ['backfill 1970-01-01 growth g', 'g'],
    ]);
  });

  test('no rows give no runs', () => {
    expect(cut(periodsOf('UTC'), [], 'daily')).toEqual([]);
  });
});

describe('a period is past', () => {
  const periods = periodsOf('UTC', growthsOf(['1a', 1000, 2000], ['b2', 5000, null]));

  test.each([
    ['live 2026-11-20', 999, false],
    ['live 2026-11-20', 1000, true],
    ['live 2026-11-20 growth 1a', 1999, false],
    ['live 2026-11-20 growth 1a', 2000, true],
    ['live 2026-11-20 after 1a', 4999, false],
    ['live 2026-11-20 after 1a', 5000, true],
    ['live growth b2', 5000, false],
    // A file may be named as growths are: its name stands before the growth's.
    ['live file x growth b2', 999, true],
    ['live file growth b2 after 1a', 3000, false],
    ['live file growth b2 after 1a', 6000, true],
    ['live file growth b2.csv', 999, false],
    ['live file regrowth b2', 999, false],
    ['live file x growth B2', 999, false],
    ['growth b2', 6000, false],
  ])('%s at %i: %s', (period, nowMs, isPast) => {
    expect(periods.isPast(period, nowMs)).toBe(isPast);
  });
});

test('a time is told in the zone given, to the second, never rounded up', () => {
  expect(periodsOf('Europe/Berlin').format(at('2026-11-20T18:40:12.999Z') + 0.9)).toBe('2026-11-20 19:40:12');
  expect(periodsOf('Asia/Kathmandu').format(at('2026-11-20T18:15:00Z'))).toBe('2026-11-21 00:00:00');
  expect(periodsOf('UTC').format(-0.5)).toBe('1969-12-31 23:59:59');
});
