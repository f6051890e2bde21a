// A camera whose numbers run over within one tick of the file system's clock, in the order in which looks tell of it.
import { expect, test } from 'vitest';
import { Sequence } from '../../../../../src-main/sources/rheed/count/sequence.ts';

const TICK_MS = 1_790_000_000_000;
const LOOK_MS = 100;

/** A sequence that has been watched from a number on, a frame each look; gives the time of the last look. */
function watched(from: number, to: number): { sequence: Sequence; nowMs: number } {
  const newestMs = TICK_MS - (to - from + 2) * LOOK_MS;
  const sequence = new Sequence({ name: 'rheed_{frame}.bmp', width: 4, first: 0, last: from, newestMs }, true);
  for (let order = from + 1; order <= to; order++) {
    const modifiedMs = TICK_MS - (to - order) * LOOK_MS;
    expect(sequence.accept(order, modifiedMs, modifiedMs + 20)).toBe(true);
  }
  return { sequence, nowMs: TICK_MS + 20 };
}

test('a second first number in the tick of the last one counts, though the next look reports it', () => {
  const { sequence, nowMs } = watched(9990, 9999);
  expect(sequence.accept(0, TICK_MS, nowMs + LOOK_MS)).toBe(true);
  expect(sequence.last).toBe(0);
  expect(sequence.accept(1, TICK_MS + 8, nowMs + LOOK_MS)).toBe(true);
  expect(sequence.accept(0, TICK_MS, nowMs + 2 * LOOK_MS)).toBe(false);
});

test.each([
  ['older', 0, -4, LOOK_MS],
  ['told long after', 0, 0, 2000],
  ['no first number', 2, 0, LOOK_MS],
])('a number that is %s counts as one of then', (_, order, sinceMs, afterMs) => {
  const { sequence, nowMs } = watched(9990, 9999);
  expect(sequence.accept(order, TICK_MS + sinceMs, nowMs + afterMs)).toBe(false);
  expect(sequence.last).toBe(9999);
});

test('a short recording whose first number is reported again in the tick of a later one continues', () => {
  const { sequence, nowMs } = watched(1, 9);
  expect(sequence.accept(1, TICK_MS, nowMs + LOOK_MS)).toBe(false);
  expect(sequence.last).toBe(9);
});

test('where all files have one time for good, the first number is counted once', () => {
  const { sequence } = watched(9990, 9999);
  expect(sequence.accept(10_000, TICK_MS, TICK_MS + 4000)).toBe(true);
  expect(sequence.accept(0, TICK_MS, TICK_MS + 4100)).toBe(false);
});

test.each([
  ['reported again', 0, false],
  ['written again 8 s later', 80, true],
])('the first number of a long recording that is still remembered and was %s', (_, frames, isRestart) => {
  // 40 frames a look, so that 240 numbers are passed within a tick of 2 s.
  const sequence = new Sequence(
    { name: 'rheed_{frame}.bmp', width: 3, first: 0, last: -1, newestMs: TICK_MS - 2000 },
    true,
  );
  for (let order = 0; order < 280; order++) {
    expect(sequence.accept(order, TICK_MS, TICK_MS + Math.floor(order / 40) * LOOK_MS)).toBe(true);
  }
  const newestMs = TICK_MS + frames * LOOK_MS;
  if (isRestart) expect(sequence.accept(280, newestMs, newestMs + 20)).toBe(true);
  expect(sequence.accept(0, newestMs, newestMs + 7 * LOOK_MS)).toBe(isRestart);
});
