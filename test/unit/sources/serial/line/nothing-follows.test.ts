// The waits are played: how long each took, and whether something was read in it.
import { expect, test } from 'vitest';
import { systemClock } from '../../../../../src-main/platform/clock.ts';
import { nothingFollows } from '../../../../../src-main/sources/serial/line/nothing-follows.ts';

interface Wait {
  readonly lateMs?: number;
  readonly hasInput?: boolean;
}

/**
 * Bytes came at 1000 ms, and it is asked at 1001.
 *
 * @returns the answer, and how long each wait was to be.
 */
async function ask(waits: readonly Wait[], always: Wait = {}) {
  let nowMs = 1001;
  let inputMs = 1000;
  const asked: number[] = [];
  const answer = await nothingFollows({
    clock: { ...systemClock, monotonicMs: () => nowMs },
    characterMs: 1,
    lastInputMs: () => inputMs,
    waitForInput: async (longestMs) => {
      const { lateMs = 0, hasInput = false } = waits[asked.length] ?? always;
      asked.push(longestMs);
      nowMs += longestMs + lateMs;
      if (hasInput) inputMs = nowMs;
    },
  });
  return { answer, asked };
}

test('nothing came for 30 ms and two characters, nor in one look that was on time', async () => {
  expect(await ask([])).toEqual({ answer: true, asked: [31, 5] });
});

test('what came in the wait follows, and no look is needed', async () => {
  expect(await ask([{ hasInput: true }])).toEqual({ answer: false, asked: [31] });
});

test('what came while the process stood still is read in the look', async () => {
  expect(await ask([{ lateMs: 1 }, { hasInput: true }])).toEqual({ answer: false, asked: [31, 5] });
});

test('a look that was late says nothing: another one is taken', async () => {
  expect(await ask([{}, { lateMs: 4 }, { lateMs: 4 }, { hasInput: true }])).toEqual({
    answer: false,
    asked: [31, 5, 5, 5],
  });
  expect((await ask([{}, { lateMs: 4 }, { lateMs: 3 }])).asked).toEqual([31, 5, 5]);
});

test('where every look is late, twenty are enough', async () => {
  const { answer, asked } = await ask([], { lateMs: 50 });
  expect([answer, asked.length]).toEqual([true, 21]);
});
