import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrameTally } from '../../../../../src-main/sources/rheed/count/frame-tally.ts';
import type { Sighting } from '../../../../../src-main/sources/rheed/count/sighting.ts';

const OPTIONS = { setRate: null, rollsOverAt: null, stallAfterMs: 2000 };
const FPS = 30;

const frame = (number: number, atMs: number, more: Partial<Sighting> = {}): Sighting => ({
  ...{ run: 'a', kind: 'each', number, atMs, uncertaintyMs: 10, ownMs: null },
  ...more,
});
const texts = (tally: FrameTally) => tally.takeEvents().map(({ text }) => text);

/** Frames with these numbers, at 30 a second. */
function play(tally: FrameTally, numbers: readonly number[], startMs = 0): number {
  let atMs = startMs;
  for (const number of numbers) {
    tally.take([frame(number, atMs)]);
    atMs += 1000 / FPS;
  }
  tally.settle(atMs + 1600);
  return atMs;
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('frames that carry numbers', () => {
  test('counts written frames as counted and dropped ones as lost, whatever is dropped and however late files are seen', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ isDropped: fc.boolean(), lateBy: fc.nat(8) }), { minLength: 2, maxLength: 200 }),
        (frames) => {
          const tally = new FrameTally(OPTIONS);
          // The first and the last frame stand for themselves: what is dropped before or behind them nobody can see.
          const written = frames.map((one, number) => ({
            ...one,
            number,
            isDropped: one.isDropped && number > 0 && number < frames.length - 1,
          }));
          const seen = written
            .filter(({ isDropped }) => !isDropped)
            .map(({ number, lateBy }) => ({ number, atMs: ((number + (number === 0 ? 0 : lateBy)) * 1000) / FPS }))
            .sort((a, b) => a.atMs - b.atMs);
          for (const { number, atMs } of seen) {
            tally.take([frame(number, atMs)]);
            tally.settle(atMs);
          }
          tally.settle(1e9);
          const { counted, lost, expected } = tally.figures();
          return counted === seen.length && lost === written.length - seen.length && expected === written.length;
        },
      ),
    );
  });

  test('losses are named once, with their numbers', () => {
    const tally = new FrameTally(OPTIONS);
    play(tally, [...range(0, 9), ...range(13, 20), ...range(22, 30)]);
    expect(texts(tally)).toEqual([
      'counting begins at 0 (a)',
      '3 frames lost: frames 10 to 12',
      '1 frame lost: frame 21',
    ]);
    tally.settle(1e9);
    expect(texts(tally)).toEqual(['no frame since 1970-01-01T00:00:00.866Z (number 30)']);
    expect(tally.figures()).toMatchObject({ counted: 27, lost: 4, expected: 31, lostPerMille: (1000 * 4) / 31 });
  });

  test('reports losses in the order of their numbers, also where the times of frames overtake each other', () => {
    const tally = new FrameTally(OPTIONS);
    tally.take([frame(0, 0), frame(2, 900), frame(4, 500)]);
    tally.settle(2100);
    expect(texts(tally)).toEqual(['counting begins at 0 (a)']);
    tally.settle(2400);
    expect(texts(tally).slice(0, 2)).toEqual(['1 frame lost: frame 1', '1 frame lost: frame 3']);
  });

  test('a lost frame that comes after all is not lost any more', () => {
    const tally = new FrameTally(OPTIONS);
    const atMs = play(tally, [0, 1, 3, 4]);
    tally.take([frame(2, atMs)]);
    expect(texts(tally)).toContain('frame 2 came after all');
    expect(tally.figures()).toMatchObject({ counted: 5, lost: 0 });
  });

  test('a counter that goes back is an event and a restart, never a negative rate', () => {
    const tally = new FrameTally(OPTIONS);
    const atMs = play(tally, range(0, 99));
    play(tally, range(0, 49), atMs);
    expect(texts(tally)).toContain('went back from 99 to 0');
    const { counted, restarts, rollovers, perSecond } = tally.figures();
    expect([counted, restarts, rollovers]).toEqual([150, 1, 0]);
    expect(perSecond).toBeGreaterThan(0);
  });

  test('a restarted recording that lacks its first frames has lost those', () => {
    const tally = new FrameTally(OPTIONS);
    const atMs = play(tally, range(0, 99));
    play(tally, range(2, 20), atMs);
    expect(texts(tally)).toContain('2 frames lost: frames 0 to 1');
  });

  test('a width that overflows is no event; one that runs over loses what lies between', () => {
    const wide = new FrameTally(OPTIONS);
    play(wide, range(9990, 10_010));
    expect(wide.figures()).toMatchObject({ counted: 21, lost: 0, restarts: 0, rollovers: 0 });
    const over = new FrameTally(OPTIONS);
    play(over, [...range(9990, 9997), ...range(1, 10)]);
    expect(texts(over).slice(1)).toEqual([
      'wrapped around from 9,997 to 1 (at 10,000)',
      '2 frames lost: frames 9,998 to 9,999',
      '1 frame lost: frame 0',
    ]);
    expect(over.figures()).toMatchObject({ counted: 18, lost: 3, rollovers: 1, restarts: 0 });
  });

  test('another sequence is a new run, and an old one that goes on is none', () => {
    const tally = new FrameTally(OPTIONS);
    tally.take([frame(0, 0), frame(0, 10, { run: 'b' }), frame(1, 20), frame(1, 30, { run: 'b' }), frame(2, 40)]);
    expect(tally.figures()).toMatchObject({ counted: 5, restarts: 1, lost: 0 });
  });
});

describe('the rate', () => {
  test('is the true one from 20 frames on, and 0 once the counter is stalled; the camera keeps its own', () => {
    const tally = new FrameTally(OPTIONS);
    // The first look says where counting begins.
    const atMs = play(tally, range(0, 19));
    expect(tally.figures().perSecond).toBeNull();
    const endMs = play(tally, range(20, 24), atMs);
    expect(tally.figures().perSecond).toBeCloseTo(FPS, 6);
    tally.settle(endMs + 2000);
    expect(tally.figures()).toMatchObject({ perSecond: 0, cameraRate: expect.closeTo(FPS, 6) });
  });

  test('is that of the frames now: frames before a standstill, a new run or a copied recording say nothing', () => {
    const tally = new FrameTally(OPTIONS);
    const atMs = play(tally, range(0, 99));
    const old = range(0, 400).map((number) => frame(number, atMs, { run: 'b', isOld: true }));
    tally.take(old);
    tally.take([frame(401, atMs + 100, { run: 'b' })]);
    expect(tally.figures()).toMatchObject({ counted: 502, perSecond: null });
  });

  test('is right with a tenth of the frames lost on the way and every tenth one late', () => {
    const tally = new FrameTally(OPTIONS);
    tally.take([]);
    for (let number = 0; number < 300; number++) {
      const lateMs = number % 10 === 3 ? 30 : 0;
      if (number % 50 >= 5) tally.take([frame(number, (number * 1000) / FPS + lateMs)]);
    }
    expect(Math.abs((tally.figures().perSecond ?? 0) / FPS - 1)).toBeLessThan(0.01);
  });

  test('is never negative, whatever numbers come', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(70_000), fc.nat(3000), fc.constantFrom('each', 'value')), { maxLength: 100 }),
        (steps) => {
          const tally = new FrameTally(OPTIONS);
          let [atMs, former] = [0, 0];
          return steps.every(([number, passedMs, kind]) => {
            atMs += passedMs;
            tally.take([frame(number, atMs, { kind: kind as 'each' | 'value' })]);
            tally.settle(atMs);
            const { counted, perSecond, lost } = tally.figures();
            const isRising = counted >= former;
            former = counted;
            return isRising && (perSecond ?? 0) >= 0 && (lost ?? 0) >= 0;
          });
        },
      ),
    );
  });
});

describe('a counter that stands at a value', () => {
  const value = (number: number, atMs: number, more: Partial<Sighting> = {}) =>
    frame(number, atMs, { kind: 'value', ...more });

  test('counts from its last value, through a wraparound, and from 0 after a restart', () => {
    const tally = new FrameTally(OPTIONS);
    tally.take([value(65_500, 0, { isBaseline: true }), value(65_530, 1000), value(24, 2000), value(54, 3000)]);
    expect(tally.figures()).toMatchObject({ counted: 90, rollovers: 1, restarts: 0, lost: null });
    tally.take([value(15, 3500)]);
    expect(tally.figures()).toMatchObject({ counted: 105, restarts: 1 });
    expect(texts(tally)).toEqual(['wrapped around from 65,530 to 24 (at 65,536)', 'went back from 54 to 15']);
  });

  test('a restart after a standstill near no end is no rollover, however long it took', () => {
    const tally = new FrameTally({ ...OPTIONS, setRate: 120 });
    tally.take([value(0, 0, { isBaseline: true }), value(335, 3000)]);
    for (let lookMs = 3100; lookMs < 6500; lookMs += 500) tally.settle(lookMs);
    tally.take([value(1, 6500)]);
    expect(tally.figures()).toMatchObject({ counted: 336, restarts: 1, rollovers: 0 });
  });

  test('with an end that the settings name the shorter way round is believed, however long nobody looked', () => {
    const last = [value(65_511, 0), value(327, 100)];
    const [named, guessed] = [65_536, null].map((rollsOverAt) => new FrameTally({ ...OPTIONS, rollsOverAt }));
    for (const tally of [named, guessed]) tally?.take(last);
    expect(named?.figures()).toMatchObject({ counted: 65_511 + 352, rollovers: 1, restarts: 0 });
    expect(guessed?.figures()).toMatchObject({ counted: 65_511 + 327, rollovers: 0, restarts: 1 });
    named?.take([value(31, 200)]);
    expect(named?.figures()).toMatchObject({ rollovers: 1, restarts: 1 });
  });

  test('with an end that the settings name no other is believed', () => {
    const tally = new FrameTally({ ...OPTIONS, rollsOverAt: 50_000 });
    tally.take([value(49_990, 0), value(20, 1000)]);
    expect(tally.figures()).toMatchObject({ counted: 49_990 + 30, rollovers: 1 });
    tally.take([value(65_530, 2000), value(10, 3000)]);
    expect(tally.figures()).toMatchObject({ rollovers: 1, restarts: 1 });
  });

  test('by the set rate it says how many frames were expected while it ran', () => {
    const tally = new FrameTally({ ...OPTIONS, setRate: 30 });
    tally.take([value(0, 0, { isBaseline: true }), value(1, 0), value(29, 1000), value(56, 2000)]);
    expect(tally.figures()).toMatchObject({ counted: 56, expected: 61, lost: null });
  });
});

test('a standstill that lies between two looks is one all the same', () => {
  const tally = new FrameTally(OPTIONS);
  tally.take([frame(0, 0), frame(1, 33), frame(2, 3600), frame(3, 3633)]);
  tally.settle(4000);
  expect(texts(tally)).toEqual(['counting begins at 0 (a)', 'goes on after 3.6 s without a frame']);
  expect(tally.figures().stalls).toBe(1);
});

describe('over a restart of the program', () => {
  test('counting continues from the stored state, and reports no loss twice', () => {
    const first = new FrameTally(OPTIONS);
    play(first, [...range(0, 9), ...range(12, 20)]);
    const kept = JSON.parse(JSON.stringify(first.state));
    const second = new FrameTally(OPTIONS, kept);
    play(second, range(25, 30), 5000);
    expect(texts(second)).toEqual(['goes on after 4.4 s without a frame', '4 frames lost: frames 21 to 24']);
    expect(second.figures()).toMatchObject({ counted: 25, lost: 6 });
  });

  test('counts a value that rose meanwhile, and reports no standstill', () => {
    const first = new FrameTally(OPTIONS);
    first.take([frame(10, 0, { kind: 'value', isBaseline: true }), frame(40, 1000, { kind: 'value' })]);
    const second = new FrameTally(OPTIONS, JSON.parse(JSON.stringify(first.state)));
    second.take([frame(340, 11_000, { kind: 'value' })]);
    expect(second.figures()).toMatchObject({ counted: 330, stalls: 0 });
    expect(texts(second)).toEqual([]);
  });
});
