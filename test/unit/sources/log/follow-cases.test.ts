// What once went wrong with a log that is rotated while it is looked at, one small life for each cause (follow.ts); the judge
// demands each line once, in order, or a named gap.
import { expect, test } from 'vitest';
import { append, at, fail } from '../../../simulation/deeds.ts';
import { follow } from '../../../simulation/follow.ts';
import type { Schedule } from '../../../simulation/follow-schedule.ts';

const CASES: Record<string, Schedule> = {
  'what is rotated between the look and the first reading of a log comes before it': {
    ...{ style: 'copytruncate', match: '*.csv', tickMs: 4, keep: 2, isBackward: true },
    deeds: [at(append(1), 0, 0, 25, 0), at('rotate', 6, 0, 2, 0, 5, 0), at(append(3), 0)],
  },
  'of two rotated files that begin alike each goes on as the object that it was': {
    ...{ style: 'any', match: 'log.csv', tickMs: 0.001, keep: 5, isBackward: false },
    deeds: [
      at(append(1), 0),
      at('copy', 0),
      at('rotate', 0),
      at('restore', 0),
      at(append(2), 0, 0, 9, 24, 0),
      at('rotate-often', 20, 24, 3, 0),
      at('pause', 0),
      at('rotate', 12, 18, 15, 0),
    ],
  },
  'a place that cannot be looked at may hold what is searched, so no copy is taken for it': {
    ...{ style: 'copytruncate', match: 'log.csv', tickMs: 0.001, isBackward: true },
    deeds: [at(append(2), 0), at('copy', 0), at('rotate', 25, 4), at(fail('EIO'), 6, 0)],
  },
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
  'what became of a file that a run did not tell is told by the next one': {
    ...{ style: 'copytruncate', match: '*.csv', tickMs: 0.001, keep: 2, isBackward: true },
    deeds: [
      at(append(2), 0),
      at('rotate', 0, 0, 0, 0, 7, 0, 6, 0),
      at(append(3), 0, 0, 0, 2, 0),
      at('rotate', 16, 15, 11, 28, 0, 30, 0, 27, 0),
      at('rotate-often', 0, 0, 0, 0, 1, 2, 0),
      at(fail('EBUSY'), 0),
      at('rotate-often', 0, 21, 0, 0, 0, 24, 14, 0),
      at(fail('EMFILE'), 0),
    ],
  },
  'the number of a file that has long gone says nothing': {
    ...{ style: 'any', match: '*', tickMs: 4, keep: 1, isBackward: true },
    deeds: [
      at('recreate', 0),
      at('copy', 0),
      at('recreate', 0, 0, 0, 0, 13, 0),
      at('copy', 0, 7, 8, 0),
      at('pause', 0),
      at('rotate', 0),
    ],
  },
  'rotated files that match are a log like any other: none of them continues it': {
    ...{ style: 'copytruncate', match: '*', tickMs: 4, keep: 2, isBackward: false },
    deeds: [
      at(append(1), 0),
      at('rotate', 0, 11, 20, 22, 4, 9, 0),
      at(append(3), 0, 0, 0, 4, 7, 0),
      at('rotate-busy', 6, 4, 0),
      at('rotate-often', 0),
    ],
  },
  'a head that was cut while it was read is read again': {
    ...{ style: 'copytruncate', match: '*.csv', tickMs: 2000, keep: 2, isBackward: true },
    deeds: [at(append(4), 3, 2, 5, 2, 6, 8, 0), at('rotate', 1, 0, 0, 1, 0), at(append(2), 0, 2, 0)],
  },
  'a number given again is not the same file: it was made at another time': {
    ...{ style: 'rename-chain', match: '*.csv', tickMs: 0.001, keep: 1, isBackward: false },
    deeds: [
      at(append(4), 0),
      at('rotate-often', 23, 0, 1, 0, 0, 30, 0),
      at('rotate-often', 0, 0, 0, 0, 0, 2, 0),
      at('rotate-busy', 0),
    ],
  },
  'nor is it where copies are made and rotated away between two looks': {
    ...{ style: 'copytruncate', match: '*', tickMs: 0.001, keep: 1, isBackward: true },
    deeds: [
      at(append(1), 0),
      at('rotate-often', 29, 3, 19, 15, 15, 22, 0),
      at('rotate-busy', 2, 4, 7, 2, 7, 5, 4, 6, 0),
      at(append(1), 0, 4, 0),
      at('rotate-often', 0, 7, 6, 0, 9, 0),
      at('rotate', 0),
    ],
  },
  'a shadow that looks as before is compared once more: it may hold something else': {
    ...{ style: 'any', match: 'log.csv', tickMs: 2000, keep: 2, isBackward: false },
    deeds: [
      at('half', 0, 0, 7, 0),
      at('rotate-busy', 15, 4, 9, 20, 0, 17, 27, 21, 0),
      at('rotate', 0),
      at('rotate-often', 0, 0, 1, 1, 0),
    ],
  },
  'another object that holds all that was read is a copy put back: what was rotated before lies beside it': {
    ...{ style: 'any', match: '*.csv', tickMs: 2000, keep: 2, isBackward: true },
    deeds: [
      at(append(2), 0, 0, 0, 30, 0),
      at('copy', 26, 0, 0, 9, 0),
      at('rotate-often', 0, 2, 0, 1, 0, 0, 2, 0),
      at('restore', 2, 3, 6, 8, 0),
      at('rotate', 5, 12, 11, 0),
    ],
  },
  'what cannot be read under a rotated name that matches holds up what comes after it': {
    ...{ style: 'copytruncate', match: '*', tickMs: 0.001, keep: 2, isBackward: false },
    deeds: [at(append(2), 0), at('rotate', 0), at(append(3), 0), at(fail('EBUSY'), 29, 0)],
  },
  'a copy that grows during a look is not whole yet: the look is made again': {
    ...{ style: 'copytruncate', match: 'log.csv', tickMs: 2000, keep: 1, isBackward: false },
    deeds: [
      at(append(1), 0),
      at('rotate-busy', 0, 15, 0, 5, 20, 27, 0, 10, 0),
      at('half', 7, 4, 5, 0),
      at('rotate', 25, 17, 5, 0, 27, 0),
      at(append(2), 0),
    ],
  },
  'the same where the match asks for the copy as well': {
    ...{ style: 'copytruncate', match: '*', tickMs: 0.001, keep: 2, isBackward: true },
    deeds: [at('rotate', 0), at('pause', 0), at(append(1), 0), at('rotate', 0, 4, 6, 0, 3, 6, 0), at(append(3), 0)],
  },
  'a rotated file is not written again: another object in its place that cannot be opened is the next one': {
    ...{ style: 'rename-chain', match: '*', tickMs: 4, keep: 1, isBackward: false },
    deeds: [
      at(append(1), 0),
      at('rotate-busy', 0),
      at(append(3), 0),
      at(append(1), 0, 21, 20, 0),
      at('rotate', 0, 6, 6, 0),
      at('pause', 0),
      at(append(3), 0, 2, 0, 2, 0),
      at('rotate', 7, 0, 6, 3, 8, 0),
      at(fail('EIO'), 12, 0),
    ],
  },
  'a rotated file that is read as two looks have found it is read to its end': {
    ...{ style: 'rename-chain', match: '*', tickMs: 4, keep: 2, isBackward: false },
    deeds: [
      at(append(1), 0),
      at(append(2), 10, 10, 21, 21, 0),
      at('rotate-often', 10, 5, 4, 27, 29, 5, 27, 0),
      at('pause', 0),
      at('rotate', 0),
    ],
  },
  'what was found later at a path came later, whatever its lines say': {
    ...{ style: 'any', match: 'log.csv', tickMs: 4, keep: 1, isBackward: true },
    deeds: [
      at('save-as', 0),
      at('copy', 0),
      at('recreate', 0),
      at('rotate', 0),
      at('restore', 0),
      at('rotate', 0, 0, 0, 0, 24, 0),
      at('pause', 0),
      at('rotate', 0, 3, 4, 24, 26, 0),
    ],
  },
  'while a log may be rewritten nothing is read that may repeat it': {
    ...{ style: 'any', match: '*', tickMs: 2000, keep: 1, isBackward: false },
    deeds: [
      at('recreate', 0),
      at('rotate', 0, 0, 20, 18, 0),
      at('pause', 0),
      at('rotate-busy', 0),
      at('rotate', 0),
      at(append(2), 30, 30, 0, 16, 0),
      at('copy', 0),
    ],
  },
  'a log of which nothing was read is opened again when a rotated name comes up beside it': {
    ...{ style: 'copytruncate', match: '*', tickMs: 2000, keep: 5, isBackward: true },
    deeds: [at('half', 0), at('rotate-busy', 0, 0, 2), at(append(1), 0)],
  },
  'in the middle of a rotation a log is not at its path, and its rotated files are rotated ones all the same': {
    ...{ style: 'any', match: '*', tickMs: 0.001, keep: 1, isBackward: true },
    deeds: [
      at('rotate', 0),
      at('recreate', 0),
      at('rotate', 0),
      at('rotate', 0),
      at('pause', 0),
      at('rotate-busy', 0, 0, 0, 0, 0, 27, 0),
    ],
  },
  'what was seen of a log of which nothing was read is known to the next run': {
    ...{ style: 'copytruncate', match: 'log.csv', tickMs: 4, keep: 2, isBackward: true },
    deeds: [
      at(append(4), 0),
      at('rotate-busy', 0, 0, 15, 14, 10, 0, 24, 6, 17),
      at(append(2), 6, 4, 4, 0),
      at('rotate', 28, 16, 4, 24, 0),
      at(fail('EACCES'), 4, 0),
      at('half', 11, 9, 19, 0),
      at('rotate-often', 7, 7, 0),
    ],
  },
  'a log that grew while it could not be opened has changed at that look, and its end is not known': {
    ...{ style: 'copytruncate', match: '*.csv', tickMs: 4, keep: 2, isBackward: false },
    deeds: [
      at(append(4), 0, 0, 8, 21, 13, 21, 0),
      at(fail('EACCES'), 16, 0),
      at('rotate', 0, 0, 0, 0, 18, 0),
      at('rotate-often', 0, 0, 0, 0, 0, 0, 29, 0),
      at('rotate-busy', 0, 29, 9, 0, 0, 0, 0, 0, 26),
      at('kill', 0),
    ],
  },
  'what cannot be read holds up what comes after it also while its log is not at its path': {
    ...{ style: 'rename-chain', match: '*', tickMs: 2000, keep: 2, isBackward: true },
    deeds: [
      at(append(3), 0, 1, 1, 1, 0),
      at('rotate', 17, 7, 1, 1, 14, 11, 0),
      at('rotate-busy', 1, 2, 0, 2, 0, 1, 2, 0),
      at('rotate-busy', 0, 2, 1, 2, 1, 1, 1, 0),
      at('rotate-busy', 14, 20, 4, 10, 16, 23, 6, 0),
      at('rotate-busy', 30, 23, 26, 9, 5, 15, 28, 0),
      at(fail('EACCES'), 26, 0),
    ],
  },
  'what lies between was searched before for the file that is not where it was': {
    ...{ style: 'rename-chain', match: '*.csv', tickMs: 2000, keep: 5, isBackward: false },
    deeds: [
      at(append(3), 0, 7, 1, 5, 6, 0),
      at('rotate-often', 2, 14, 13, 8, 18, 29, 27, 0),
      at('rotate', 0, 0, 2, 0, 0, 1, 2, 2, 1),
      at('half', 2, 2, 1, 0),
      at('half', 8, 0, 1, 0),
      at(append(1), 1, 18, 27, 0),
      at(fail('EBUSY'), 7, 0),
    ],
  },
  'a log over which an older copy was put back is a gap, whatever was rotated away before it': {
    ...{ style: 'any', match: 'log.csv', tickMs: 0.001, keep: 5, isBackward: true },
    deeds: [
      at(append(4), 0),
      at('rotate-busy', 0),
      at('half', 0),
      at('copy', 0),
      at(append(3), 0, 0, 0, 0, 12, 0),
      at('pause', 0),
      at('restore', 0),
      at('rotate-often', 0),
    ],
  },
  'first data of a log that could not be looked at are not taken: it may have been rotated away': {
    ...{ style: 'copytruncate', match: '*.csv', tickMs: 0.001, keep: 1, isBackward: true },
    deeds: [
      at(fail('EIO'), 25, 0),
      at(append(2), 10, 28, 3, 0),
      at('rotate', 5, 16, 13, 25, 27, 17, 9, 0),
      at(append(4), 1, 1, 2, 2, 2, 1, 0),
      at(fail('EBUSY'), 2, 0),
    ],
  },
  'what is held for longer than a minute holds up the log that began at its path after it': {
    ...{ style: 'rename-chain', match: 'log.csv', tickMs: 0.001, keep: 1 },
    deeds: [at('half', 0), at(append(2), 40, 0), at('hold', 0, 0, 0, 0, 0, 0, 1000)],
  },
  'what stands where a log was, cannot be opened and is shorter than was read of that log, is another one': {
    ...{ style: 'copytruncate', match: '*', tickMs: 0.001, keep: 1, isBackward: true, names: 'short' },
    deeds: [
      at('half', 0),
      at(append(4), 0, 0, 0, 26, 27, 24, 0),
      at('rotate-often', 0, 0, 0, 0, 0, 2, 1, 0),
      at(append(3), 1, 0, 2, 0),
      at('half', 1, 6, 5, 0),
      at(fail('EIO'), 0),
    ],
  },
  'what may have gone to a place that cannot be opened holds up all that came after it': {
    ...{ style: 'any', match: 'log.csv', tickMs: 0.001, keep: 5, isBackward: true },
    deeds: [
      at('recreate', 0),
      at('rotate-busy', 1, 7, 2, 3, 3, 6, 4, 3, 1),
      at('rotate-often', 7, 13, 5, 14, 7, 0, 18, 0),
      at(fail('EACCES'), 0),
    ],
  },
  'another file in the place of a copy is told from it while its original may be in the middle of a rewrite': {
    ...{ style: 'copytruncate', match: '*.csv', tickMs: 4, keep: 5, isBackward: true, names: 'long' },
    deeds: [
      at(append(3), 0, 0, 25, 12, 14, 0),
      at(fail('EBUSY'), 0),
      at('rotate-often', 21, 19, 10, 15, 22, 27, 7, 0),
      at(append(2), 0, 16, 28, 25, 0),
      at('rotate', 2, 3, 4, 5, 4, 5, 6, 0),
      at(append(4), 2, 7, 8, 1, 2, 3, 0),
      at('rotate', 18, 0, 1, 21, 6, 11, 8, 9, 13),
      at(fail('EIO'), 0),
      at('rotate-busy', 15, 7, 10, 1, 15, 0, 10, 2, 4),
      at('rotate-busy', 0),
    ],
  },
  'what lay beside a log is known of no look that was torn: its first data may follow it': {
    ...{ style: 'copytruncate', match: 'log.csv', tickMs: 4, keep: 2, isBackward: true, names: 'short' },
    deeds: [
      at('pause', 0),
      at(append(1), 0),
      at(append(4), 0, 0, 6, 4, 5, 2, 0),
      at(fail('EACCES'), 0),
      at('rotate-busy', 2, 6, 7, 2, 0, 2, 5, 3, 2),
      at(append(3), 1, 0, 1, 7, 1, 0),
      at(fail('EIO'), 1, 0),
    ],
  },
  'a log that is written twice within one tick of the clock may be another one: what lies beside it is asked for': {
    ...{ style: 'copytruncate', match: 'log.csv', tickMs: 2000, keep: 1, isBackward: true, names: 'long' },
    deeds: [at('rotate-often', 0), at(append(4), 2, 0, 2, 0, 0, 6, 0), at('rotate-busy', 4, 0, 5, 8, 0)],
  },
  'what a look saw of a log and could not read is known as it was when that look was over': {
    ...{ style: 'any', match: 'log.csv', tickMs: 2000, keep: 1, isBackward: true, names: 'short' },
    deeds: [
      at('save-as', 2, 1, 0, 2, 0),
      at('rotate', 0, 0, 0, 2, 0, 3, 4, 0),
      at(append(3), 25, 9, 24, 6, 0),
      at(fail('EACCES'), 0),
      at('recreate', 5, 0, 2, 0),
    ],
  },
  'a log that was cut to nothing when rotated names came up beside it is over: its gap is told before what repeats it':
    {
      ...{ style: 'any', match: 'log.csv', tickMs: 4, keep: 5, isBackward: false, names: 'short' },
      deeds: [
        at(append(3), 0),
        at('copy', 0),
        at(append(1), 0, 10, 21, 0),
        at('restore', 7, 13, 9, 0),
        at('half', 0),
        at('rotate', 0),
        at('rotate-often', 0, 0, 0, 0, 0, 0, 30, 0),
      ],
    },
};

test.each(Object.entries(CASES))('%s', async (_, schedule) => {
  const { faults } = await follow(schedule);
  expect(faults, (await follow(schedule, { isTold: true })).story.join('\n')).toEqual([]);
});
