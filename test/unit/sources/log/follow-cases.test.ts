// What once went wrong with a log that is rotated while it is looked at, one small life for each cause (follow.ts); the judge
// demands each line once, in order, or a named gap.
import { expect, test } from 'vitest';
import { follow } from '../../../simulation/follow.ts';
import type { Deed, Planned, Schedule } from '../../../simulation/follow-schedule.ts';

/** A deed whose steps each wait for so many calls of the reader; the last number holds for all that follow. */
const at = (deed: Deed | Exclude<Deed['do'], 'append' | 'fail'>, ...after: number[]): Planned => ({
  ...(typeof deed === 'string' ? { do: deed } : deed),
  after: [...after],
});
const append = (lines: number): Deed => ({ do: 'append', lines });
const fail = (code: string): Deed => ({ do: 'fail', code });

const CASES: Record<string, Schedule> = {
  'a kill while moves are stored leaves no two files at one path': {
    ...{ style: 'any', match: 'log.csv', tickMs: 4, keep: 2, isBackward: false },
    deeds: [
      at('half', 0),
      at('rotate', 0, 17, 11, 14, 1, 21, 24, 4, 0),
      at(append(2), 11, 14, 1, 26),
      at('kill', 1, 0),
    ],
  },
  'a place that cannot be opened may hold what is searched, so no copy is taken for it': {
    ...{ style: 'copytruncate', match: 'log.csv', tickMs: 0.001, isBackward: false },
    deeds: [at(append(2), 0), at('copy', 0), at('rotate', 11, 4), at(fail('EIO'), 14, 0)],
  },
  'a file that may be in the middle of a rewrite holds up what follows it': {
    ...{ style: 'any', match: 'log.csv', tickMs: 0.001, keep: 2, isBackward: true },
    deeds: [
      at('recreate', 0),
      at('copy', 0),
      at('half', 0),
      at('restore', 0, 0, 24, 0),
      at(append(1), 0),
      at('rotate', 0),
    ],
  },
  'a log of which nothing was read is not known by its number: copied, truncated, renamed': {
    ...{ style: 'any', match: 'log.csv', tickMs: 0.001, keep: 5, isBackward: false },
    deeds: [
      at('half', 0, 20, 0),
      at(fail('EBUSY'), 0),
      at('restore', 0, 2, 2, 1, 0),
      at(fail('EACCES'), 3, 0),
      at('rotate', 2, 1),
      at('rotate-busy', 2, 1, 2, 4, 5, 1, 3, 8, 5),
    ],
  },
  'a log of which nothing was read is not known by its number: renamed again and again': {
    ...{ style: 'any', match: '*.csv', tickMs: 0.001, keep: 1, isBackward: true },
    deeds: [
      at('pause', 0),
      at(append(2), 0),
      at('rotate', 0),
      at('rotate-busy', 21, 6, 0, 20, 6, 4, 0),
      at('rotate-often', 7, 9, 24, 1, 14, 4, 15, 0),
    ],
  },
  'a log of which nothing was read is not known by its number: a rotated file is held meanwhile': {
    ...{ style: 'rename-chain', match: '*.csv', tickMs: 0.001, keep: 1, isBackward: false },
    deeds: [
      at('rotate-often', 0, 0, 0, 0, 0, 3, 0),
      at('rotate-often', 6, 26, 28, 8, 14, 0, 1, 0),
      at(append(3), 8, 2, 7, 2, 3, 0),
      at(fail('EBUSY'), 1, 0),
    ],
  },
};

test.each(Object.entries(CASES))('%s', async (_, schedule) => {
  const { faults } = await follow(schedule);
  expect(faults, (await follow(schedule, { isTold: true })).story.join('\n')).toEqual([]);
});
