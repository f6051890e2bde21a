// Time without readings is a gap also where no reply failed.
import { describe, expect, test } from 'vitest';
import { GapWatch } from '../../../../../src-main/sources/serial/line/gap-watch.ts';

test('what was not asked while the line was brought back in step is a gap', () => {
  const watch = new GapWatch(0);
  expect(watch.read('a', 1000, 500)).toEqual([]);
  watch.disturbed(1200);
  expect(watch.read('a', 1800, 500)).toEqual([
    { fromMs: 1000, toMs: 1800, cause: 'the line had to be brought back in step' },
  ]);
  watch.disturbed(2000);
  expect(watch.read('a', 2300, 500)).toEqual([]);
});

test('a reading that comes a little late is none missed, one that comes much later is', () => {
  const watch = new GapWatch(0);
  watch.read('a', 1000, 500);
  expect(watch.read('a', 2400, 500)).toEqual([]);
  expect(watch.read('a', 4000, 500)).toEqual([{ fromMs: 2400, toMs: 4000, cause: 'nothing was read in time' }]);
});

test('what comes when it comes is never late', () => {
  const watch = new GapWatch(0);
  watch.read('a', 1000, 0);
  watch.disturbed(2000);
  expect(watch.read('a', 90_000, 0)).toEqual([]);
});

test('what an instrument says unasked is missing from one and a half intervals on, and half a second', () => {
  const watch = new GapWatch(0);
  watch.read('a', 1000, 1000, false);
  expect(watch.read('a', 2400, 1000, false)).toEqual([]);
  expect(watch.read('a', 4000, 1000, false)).toEqual([{ fromMs: 2400, toMs: 4000, cause: 'no data' }]);
});

describe('a cable that is out when the agent starts', () => {
  const OFF = { fromMs: 1000, toMs: 10_000, cause: 'the agent was not running' };
  const OUT = { fromMs: 10_000, toMs: 20_000, cause: 'the port is gone' };

  test.each([
    ['before', true],
    ['after', false],
  ])('is the cause from the start on, told %s it is known where the last run ended', (_, isFirst) => {
    const watch = new GapWatch(10_000);
    if (isFirst) watch.missed('a', 'the port is gone');
    watch.restore(['a'], 1000);
    watch.missed('a', 'the port is gone');
    watch.missed('a', 'no answer');
    expect(watch.read('a', 20_000, 500)).toEqual(expect.arrayContaining([OFF, OUT]));
  });

  test('is told once: the gap of the next start begins where that of the stop ended', () => {
    const watch = new GapWatch(10_000);
    watch.restore(['a'], 1000);
    watch.missed('a', 'the port is gone');
    expect(watch.stop(20_000)).toEqual(expect.arrayContaining([OFF, OUT]));
    expect(watch.lastMs).toBe(20_000);
    const next = new GapWatch(30_000);
    next.restore(['a'], watch.lastMs as number);
    expect(next.read('a', 30_500, 500)).toEqual([{ ...OFF, fromMs: 20_000, toMs: 30_500 }]);
  });
});

describe('an agent that is killed while a cable is out', () => {
  const part = (fromMs: number, toMs: number, cause: string) => ({ fromMs, toMs, cause });
  /** The parts as they are kept with the position. */
  const kept = (watch: GapWatch, nowMs: number) => JSON.parse(JSON.stringify(watch.parts(nowMs)));

  test('names each cause with its part: the cable before and after, the agent only where it did not run', () => {
    const first = new GapWatch(0);
    first.read('a', 10_000, 500);
    first.missed('a', 'the port is gone');
    const second = new GapWatch(200_000);
    second.restore(['a'], first.lastMs, kept(first, 100_000));
    second.missed('a', 'the port is gone');
    expect(second.read('a', 300_000, 500)).toEqual([
      part(10_000, 100_000, 'the port is gone'),
      part(100_000, 200_000, 'the agent was not running'),
      part(200_000, 300_000, 'the port is gone'),
    ]);
    expect(second.parts(300_000)).toEqual([]);
  });

  test('forgets no part when it is killed again before anything was read', () => {
    const first = new GapWatch(0);
    first.read('a', 10_000, 500);
    first.missed('a', 'the port is gone');
    const second = new GapWatch(200_000);
    second.restore(['a'], first.lastMs, kept(first, 100_000));
    second.missed('a', 'the port is gone');
    const third = new GapWatch(400_000);
    third.restore(['a'], second.lastMs, kept(second, 300_000));
    expect(third.read('a', 400_400, 500)).toEqual([
      part(10_000, 100_000, 'the port is gone'),
      part(100_000, 200_000, 'the agent was not running'),
      part(200_000, 300_000, 'the port is gone'),
      part(300_000, 400_400, 'the agent was not running'),
    ]);
  });

  test('keeps the gap of one question while the others are read', () => {
    const first = new GapWatch(0);
    first.read('a', 10_000, 500);
    first.read('b', 10_000, 500);
    first.missed('a', 'no reply');
    first.read('b', 50_000, 0);
    const second = new GapWatch(60_000);
    second.restore(['a', 'b'], first.lastMs, kept(first, 50_000));
    expect([...second.read('b', 60_500, 500), ...second.read('a', 60_600, 500)]).toEqual([
      part(10_000, 50_000, 'no reply (a)'),
      part(50_000, 60_600, 'the agent was not running'),
    ]);
  });
});
