import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameClock } from '../../../../../src-main/sources/rheed/count/frame-clock.ts';

test('sightings that are right to 50 ms place a frame to a few, and the truth lies within what is said', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 5, max: 120 }),
      fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 60, maxLength: 90 }),
      (fps, delays) => {
        const clock = new FrameClock();
        let last = -1;
        for (const [look, delayMs] of delays.entries()) {
          // A look every 100 ms sees the newest frame, which came up to 100 ms before it.
          const lookMs = 1000 + look * 100 + delayMs / 1000;
          const number = Math.floor((lookMs * fps) / 1000);
          if (number === last) continue;
          last = number;
          clock.note(number, lookMs - 50, 50);
        }
        const { timeMs, uncertaintyMs } = clock.timeOf(last) ?? { timeMs: Number.NaN, uncertaintyMs: 0 };
        const trueMs = (last * 1000) / fps;
        // The slope of the line is known to a frame in the span; that much is added to what is said.
        return uncertaintyMs <= 50 && Math.abs(timeMs - trueMs) <= 50 + 1000 / fps;
      },
    ),
  );
});

test('steady sightings narrow the time down below that of a single look', () => {
  const clock = new FrameClock();
  for (let look = 0; look < 100; look++)
    clock.note(look * 3 + (look % 3), look * 100 + (look % 3) * (100 / 3) + 20, 50);
  expect(clock.timeOf(297)?.uncertaintyMs).toBeLessThanOrEqual(50);
  expect(clock.timeOf(297)?.timeMs).toBeCloseTo(9920, 0);
});

test('a number that goes back restarts the clock, which knows no time before the first sighting', () => {
  const clock = new FrameClock();
  expect(clock.timeOf(1)).toBeNull();
  clock.note(500, 10_000, 10);
  clock.note(0, 12_000, 10);
  expect(clock.timeOf(0)).toEqual({ timeMs: 12_000, uncertaintyMs: 10 });
});
