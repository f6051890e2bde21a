// Queues that are lost, damaged, put back older or started again, while the service holds what they sent: nothing is sent a
// second time, and whatever is lost lies in a gap that covers it. A bounded run has each fate once. All 300: npm run test:long -- test/long/lost-queues.test.ts
import { afterAll, describe, expect, test } from 'vitest';
import { queueTrial, type Trial } from '../support/rigs/queue-trials.ts';
import { amount } from '../support/run/effort.ts';

const TRIALS = amount(9, 9, 300);
const done: Trial[] = [];

afterAll(() => {
  const sum = (of: (trial: Trial) => number) => done.reduce((all, trial) => all + of(trial), 0);
  const lost = `${sum(({ lost }) => lost)} lost, of these ${sum(({ unnamed }) => unnamed)} in no gap`;
  console.log(
    `${done.length} queues, ${sum(({ points }) => points)} points: ${sum(({ doubled }) => doubled)} doubled, ${lost}`,
  );
});

describe('a queue that does not know what was sent', () => {
  const seeds = Array.from({ length: TRIALS }, (_, at) => at + 1);
  test.each(seeds)('%i: doubles nothing, and names what is lost', async (seed) => {
    const trial = await queueTrial(seed);
    done.push(trial);
    // A drain that finds the queue damaged says so; here nothing else keeps it from its end.
    const code = trial.said.includes('not everything was delivered: the queue was damaged') ? 3 : 0;
    expect(trial, `${trial.fate}\n${trial.said}`).toMatchObject({ doubled: 0, invented: 0, unnamed: 0, code });
    // What still stands in the log is read again into its place.
    if (trial.hasLog) expect(trial.lost, `${trial.fate}\n${trial.said}`).toBe(0);
  });
});
