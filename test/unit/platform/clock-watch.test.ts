import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EARLIEST_MS } from '../../../src-main/model/plausible-clock.ts';
import type { Clock } from '../../../src-main/platform/clock.ts';
import {
  type ClockEvent,
  ClockWatch,
  PAUSE_MS,
  STEP_MS,
  tellClockEvent,
} from '../../../src-main/platform/clock-watch.ts';

const HOUR_MS = 3_600_000;
const NOON_MS = Date.UTC(2026, 10, 20, 12);

/** Clocks played by hand. `boot`: whether the machine tells the time since its start, and how coarsely. */
function rig({ wallMs = NOON_MS, boot = 10 }: { wallMs?: number; boot?: number | null } = {}) {
  const time = { wall: wallMs, monotonic: 5000, boot: 900_000, haltMs: 0 };
  const pass = (durationMs: number) => {
    time.wall += durationMs;
    time.monotonic += durationMs;
    time.boot += durationMs;
  };
  const clock: Clock = {
    nowMs: () => {
      const shownMs = time.wall;
      pass(time.haltMs);
      time.haltMs = 0;
      return shownMs;
    },
    monotonicMs: () => time.monotonic,
    ...(boot === null ? {} : { bootMs: () => Math.floor(time.boot / boot) * boot }),
    sleep: () => Promise.resolve(),
  };
  const events: ClockEvent[] = [];
  const watch = new ClockWatch(clock, (event) => events.push(event));
  const seconds = (count: number) => {
    for (let i = 0; i < count; i++) {
      pass(1000);
      watch.look();
    }
  };
  /** Sleep as Linux and macOS do it: the monotonic clock stands. */
  const sleep = (durationMs: number) => {
    time.wall += durationMs;
    time.boot += durationMs;
  };
  return { time, watch, events, pass, seconds, sleep };
}

describe('steps of the wall clock', () => {
  test.each([-2 * HOUR_MS, 2 * HOUR_MS, -STEP_MS, STEP_MS])('one by %i ms is told once, with how far', (byMs) => {
    const { time, events, seconds } = rig();
    seconds(5);
    time.wall += byMs;
    seconds(5);
    const toMs = NOON_MS + 6000 + byMs;
    expect(events).toEqual([{ kind: 'set', byMs, fromMs: toMs - byMs, toMs }]);
  });

  test('the slow correction of a time server is none', () => {
    const { time, events, seconds } = rig();
    for (let i = 0; i < 3600; i++) {
      time.wall += i % 2 === 0 ? 40 : -35;
      seconds(1);
    }
    expect(events).toEqual([]);
  });

  test.each([
    [STEP_MS, 'a busy machine', []],
    [PAUSE_MS, 'a stopped agent', ['stood-still']],
  ])('a halt of %i ms between the reads of two clocks is none (%s)', (haltMs, _, kinds) => {
    const { time, events, seconds } = rig();
    seconds(3);
    time.haltMs = haltMs;
    seconds(3);
    expect(events.map(({ kind }) => kind)).toEqual(kinds);
  });

  test('moves no stamp of the steady clock, whichever way and however often', () => {
    const { time, watch, seconds } = rig();
    const start = watch.steady.nowMs();
    for (const byMs of [-2 * HOUR_MS, HOUR_MS, -400 * 24 * HOUR_MS + 2 * HOUR_MS]) {
      seconds(3);
      time.wall += byMs > -24 * HOUR_MS ? byMs : 0;
      seconds(3);
    }
    expect(watch.steady.nowMs() - start).toBe(18_000);
  });
});

describe('sleep', () => {
  test.each([10, 1000])(
    'where the monotonic clock stands still: told with both ends, and no step (boot clock %i ms)',
    (boot) => {
      const { events, seconds, sleep, watch } = rig({ boot });
      seconds(3);
      const before = watch.steady.nowMs();
      sleep(65 * 60_000);
      seconds(2);
      expect(events).toEqual([
        { kind: 'stood-still', fromMs: NOON_MS + 3000, toMs: NOON_MS + 4000 + 65 * 60_000, wasAsleep: true },
      ]);
      expect(watch.steady.nowMs() - before).toBe(65 * 60_000 + 2000);
    },
  );

  test('where the monotonic clock counts it, or the process was stopped: told, and no step', () => {
    const { events, seconds, pass, watch } = rig();
    seconds(3);
    pass(60_000);
    watch.look();
    seconds(2);
    expect(events).toEqual([{ kind: 'stood-still', fromMs: NOON_MS + 3000, toMs: NOON_MS + 63_000, wasAsleep: false }]);
  });

  test('a stamp taken right after waking, before any look, is a right one', () => {
    const { watch, sleep, seconds } = rig();
    seconds(3);
    sleep(HOUR_MS);
    expect(watch.steady.nowMs()).toBe(NOON_MS + 3000 + HOUR_MS);
  });

  test('asleep and set meanwhile: both are told', () => {
    const { time, events, seconds, sleep } = rig();
    seconds(1);
    sleep(HOUR_MS);
    time.wall -= 2 * HOUR_MS;
    seconds(1);
    expect(events.map(({ kind }) => kind)).toEqual(['stood-still', 'set']);
    expect(events[1]).toMatchObject({ byMs: -2 * HOUR_MS });
  });

  test('a source sees the time asleep on its clock, so it knows its own gap', () => {
    const { watch, sleep, seconds } = rig();
    const before = watch.steady.monotonicMs();
    sleep(HOUR_MS);
    seconds(1);
    expect(watch.steady.monotonicMs() - before).toBe(HOUR_MS + 1000);
  });

  test('a busy moment is none', () => {
    const { events, pass, watch } = rig();
    pass(PAUSE_MS - 1);
    watch.look();
    expect(events).toEqual([]);
  });
});

describe('a clock that cannot be right', () => {
  const old = Date.UTC(2006, 10, 20);

  test('is told at the first look, and again when it has become right', () => {
    const { time, watch, events, seconds } = rig({ wallMs: old });
    expect(watch.isPlausible).toBe(false);
    seconds(3);
    expect(events).toEqual([{ kind: 'implausible', nowMs: old + 1000 }]);
    time.wall = NOON_MS;
    seconds(3);
    expect(watch.isPlausible).toBe(true);
    expect(events.slice(1).map(({ kind }) => kind)).toEqual(['set', 'plausible']);
  });

  test('the steady clock follows the right one once it is there, and never goes back again', () => {
    const { time, watch, seconds } = rig({ wallMs: old });
    seconds(3);
    expect(watch.steady.nowMs()).toBe(old + 3000);
    time.wall = NOON_MS;
    seconds(1);
    expect(watch.steady.nowMs()).toBe(NOON_MS + 1000);
    time.wall = old;
    seconds(1);
    time.wall = NOON_MS;
    seconds(1);
    expect(watch.steady.nowMs()).toBe(NOON_MS + 3000);
  });

  test.each([
    [EARLIEST_MS - 1, false],
    [EARLIEST_MS, true],
    [Date.UTC(2026, 10, 20), true],
    [Date.UTC(2106, 0, 1), false],
  ])('%i: %s', (wallMs, isRight) => {
    expect(rig({ wallMs }).watch.isPlausible).toBe(isRight);
  });
});

test('stamps never go back, whatever happens to the clocks and whenever it is looked at', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 30_000 }) }),
    fc.record({ kind: fc.constant('set' as const), ms: fc.integer({ min: -1e12, max: 1e12 }) }),
    fc.record({ kind: fc.constant('sleep' as const), ms: fc.integer({ min: 0, max: 1e8 }) }),
    fc.record({ kind: fc.constant('look' as const), ms: fc.constant(0) }),
  );
  fc.assert(
    fc.property(fc.array(step), fc.constantFrom(1, 10, 1000, null), (steps, boot) => {
      const { time, watch, pass, sleep } = rig({ boot });
      let lastMs = watch.steady.nowMs();
      for (const { kind, ms } of steps) {
        if (kind === 'pass') pass(ms);
        else if (kind === 'set') time.wall += ms;
        else if (kind === 'sleep') sleep(ms);
        else watch.look();
        const stampMs = watch.steady.nowMs();
        expect(stampMs).toBeGreaterThanOrEqual(lastMs);
        lastMs = stampMs;
      }
    }),
    { numRuns: 500 },
  );
});

test('words tell what happened and what to do', () => {
  const set = tellClockEvent({ kind: 'set', byMs: -2 * HOUR_MS + 0.4, fromMs: NOON_MS, toMs: NOON_MS - 2 * HOUR_MS });
  expect(set).toMatchObject({ code: 'clock.set-back', message: expect.stringContaining('set back by 2 h:') });
  expect(tellClockEvent({ kind: 'implausible', nowMs: 0 })).toMatchObject({
    message: expect.stringMatching(/1970-01-01.*cannot be right. Capture runs, upload waits/),
    hint: expect.stringContaining('date and time'),
  });
  const asleep = { kind: 'stood-still', fromMs: NOON_MS, toMs: NOON_MS + 1, wasAsleep: true } as const;
  expect(tellClockEvent(asleep).message).toMatch(/^Asleep from 2026-11-20 12:00:00 UTC to /);
});
