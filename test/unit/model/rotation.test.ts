import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  guessTurning,
  readPeriod,
  rotationFields,
  rotationOf,
  roundingDrift,
} from '../../../src-main/model/rotation.ts';

const rpm = fc.double({ min: 0.01, max: 300, noNaN: true });
const fps = fc.double({ min: 0.1, max: 120, noNaN: true });
const near = (value: number, wanted: number) => Math.abs(value - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted));

describe('a speed in three units', () => {
  test('4.97 rpm at 30 frames per second are 12.07 s and 362.2 frames a turn', () => {
    const { secondsPerTurn, framesPerTurn } = rotationOf(4.97, 30);
    expect(secondsPerTurn).toBeCloseTo(12.072, 3);
    expect(framesPerTurn).toBeCloseTo(362.17, 2);
  });

  test('the three always agree with each other', () => {
    fc.assert(
      fc.property(rpm, fps, (speed, rate) => {
        const turn = rotationOf(speed, rate);
        return near(turn.secondsPerTurn * speed, 60) && near(turn.framesPerTurn / rate, turn.secondsPerTurn);
      }),
    );
  });

  test('goes out in seconds, exact, and as a whole number of turns per minute', () => {
    expect(rotationFields(4.97)).toEqual({ rotational_period: 60 / 4.97, rotations_per_min: 5 });
    expect(rotationFields(0.4)).toEqual({ rotational_period: 150 });
    fc.assert(
      fc.property(rpm, (speed) => {
        const { rotational_period, rotations_per_min } = rotationFields(speed);
        if (rotations_per_min === 0) return false;
        return near(60 / rotational_period, speed) && Math.abs((rotations_per_min ?? 0) - speed) <= 0.5 + 1e-9;
      }),
    );
  });
});

describe('what rounding does', () => {
  test('5 for 4.97 rpm drifts 2.2 degrees a turn and 11 degrees a minute', () => {
    const { degreesPerTurn, degreesPerMinute } = roundingDrift(4.97, 5);
    expect(degreesPerTurn).toBeCloseTo(2.17, 2);
    expect(degreesPerMinute).toBeCloseTo(10.8, 5);
  });

  test('a minute drifts as much as its turns together, and nothing drifts that is not rounded', () => {
    fc.assert(
      fc.property(rpm, rpm, (speed, sent) => {
        const drift = roundingDrift(speed, sent);
        return (
          near(drift.degreesPerTurn * speed, drift.degreesPerMinute) && roundingDrift(speed, speed).degreesPerTurn === 0
        );
      }),
    );
  });
});

describe('a period that comes back', () => {
  test.each([
    [12, 'seconds'],
    [360, 'frames'],
    [11, 'differs'],
    [0.2, 'differs'],
  ] as const)('%d for 12 s at 30 frames per second: %s', (answer, reading) => {
    expect(readPeriod(answer, 12, 30)).toBe(reading);
  });

  test('rounded frames are frames, and at 1 frame per second nobody can tell', () => {
    expect(readPeriod(362, 60 / 4.97, 30)).toBe('frames');
    expect(readPeriod(12, 12, 1)).toBe('seconds-or-frames');
  });

  test('both readings are recognised at any speed', () => {
    fc.assert(
      fc.property(rpm, fps, (speed, rate) => {
        const { secondsPerTurn, framesPerTurn } = rotationOf(speed, rate);
        const readings = [
          readPeriod(secondsPerTurn, secondsPerTurn, rate),
          readPeriod(framesPerTurn, secondsPerTurn, rate),
        ];
        return readings[0] !== 'frames' && readings[1] !== 'seconds' && !readings.includes('differs');
      }),
    );
  });
});

/** An angle channel, 0 to 360, of a sample that turns. */
function angles(speedRpm: number, rowSeconds: number, rows = 50, jitterS = 0) {
  const timesMs = Array.from({ length: rows }, (_, row) => 1000 * (row * rowSeconds + jitterS * Math.sin(row * 7)));
  const degrees = timesMs.map((timeMs) => ((((speedRpm * 6 * timeMs) / 1000) % 360) + 360) % 360);
  return { timesMs, degrees };
}

describe('an angle channel', () => {
  test('-64.3 degrees every 2.16 s: 4.97 rpm or 22.8 rpm, both said, with a warning', () => {
    const timesMs = Array.from({ length: 100 }, (_, row) => row * 2156);
    const degrees = timesMs.map((_, row) => (((-64.3 * row) % 360) + 360) % 360);
    const guess = guessTurning(timesMs, degrees);
    expect(guess?.degreesPerRow).toBeCloseTo(-64.3, 6);
    expect(guess?.candidatesRpm.map((speed) => Math.round(Math.abs(speed) * 100) / 100)).toEqual([4.97, 22.86]);
    expect(guess?.warning).toContain('4.97 rpm backwards or 22.86 rpm forwards');
    const rounded = guessTurning([0, 2160, 4320], [0, -64.3, -128.6])?.candidatesRpm ?? [];
    expect(rounded.map((speed) => Number(Math.abs(speed).toPrecision(3)))).toEqual([4.96, 22.8]);
  });

  test('one that is read often enough gives one number and no warning', () => {
    const { timesMs, degrees } = angles(5, 0.2);
    const guess = guessTurning(timesMs, degrees);
    expect(guess?.candidatesRpm).toHaveLength(1);
    expect(guess?.candidatesRpm[0]).toBeCloseTo(5, 6);
    expect(guess?.warning).toBe('');
  });

  test('the true speed is always among the candidates, and a single one is the true one', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 29, noNaN: true }),
        fc.boolean(),
        fc.double({ min: 0.05, max: 5, noNaN: true }),
        (speed, isBackwards, rowSeconds) => {
          const signed = isBackwards ? -speed : speed;
          const { timesMs, degrees } = angles(signed, rowSeconds);
          const guess = guessTurning(timesMs, degrees);
          // Exactly whole turns from row to row look like standing still: nothing is claimed then.
          if (!guess) return true;
          const isThere = guess.candidatesRpm.some((candidate) => Math.abs(candidate - signed) < 0.01);
          return isThere && (guess.candidatesRpm.length === 1) === (guess.warning === '');
        },
      ),
    );
  });

  test('rows that are late by some per cent do not change what is found', () => {
    const { timesMs, degrees } = angles(5, 0.2, 200, 0.004);
    expect(guessTurning(timesMs, degrees)?.candidatesRpm[0]).toBeCloseTo(5, 1);
  });

  test('nothing is said of one row, of no time, and of a sample that stands', () => {
    expect(guessTurning([0], [10])).toBeNull();
    expect(guessTurning([0, 0], [10, 20])).toBeNull();
    expect(guessTurning([0, 1000, 2000], [10, 10, 10])).toBeNull();
  });
});
