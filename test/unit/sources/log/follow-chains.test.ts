// Gaps that a chain of rotated files reports for files that were never read, and notes about a whole log: one small life
// for each rule (follow.ts): once these were destroyed lines in no gap, or needless gaps.
import { expect, test } from 'vitest';
import { BESIDE_HELD, MOVED_TOGETHER, MOVED_UP, ROTATED_TWICE, WAITING } from '../../../simulation/chain-lives.ts';
import { append, at, fail } from '../../../simulation/deeds.ts';
import { follow } from '../../../simulation/follow.ts';
import type { Schedule } from '../../../simulation/follow-schedule.ts';

/** A chain of two on a file system that counts times in whole seconds. */
const COARSE: Omit<Schedule, 'deeds'> = {
  style: 'rename-chain',
  match: 'log.csv',
  tickMs: 2000,
  keep: 1,
  isBackward: false,
  names: 'long',
};

const CASES: Record<string, Schedule> = {
  'what a chain moved up is gone, though a file that came after it stands there and has its number': MOVED_UP,
  'where a number is missing in a chain, a rotation has come that far only': {
    ...{ style: 'any', match: '*', tickMs: 4, keep: 5, isBackward: true, names: 'short' },
    deeds: [
      at('restore', 0),
      at('rotate', 0),
      at('rotate', 0),
      at('rotate', 0),
      at('rotate', 0, 29, 20, 19, 25, 0, 27, 0),
    ],
  },
  'of what nothing was read no data are read before all of its log can be told': WAITING,
  'a copy that stood beside a log before is no rotation of the log that came in its place': {
    ...{ style: 'any', match: 'log.csv', tickMs: 4, keep: 1, isBackward: true, names: 'long' },
    deeds: [
      at(append(1), 0),
      at('copy', 0),
      at('rotate', 0),
      at('restore', 0),
      at('pause', 0),
      at('half', 0),
      at('recreate', 0),
    ],
  },
  'a log that repeats its rotated file and is replaced is a gap: the tool wrote to it': {
    ...{ style: 'any', match: 'log.csv', tickMs: 4, keep: 1, isBackward: true, names: 'long' },
    deeds: [
      at(append(1), 0),
      at('copy', 0, 0, 3, 2, 0),
      at('rotate', 2, 2, 0, 2, 0),
      at('restore', 0),
      at('pause', 0),
      at('half', 0),
      at('recreate', 0),
    ],
  },
  'no file of a chain was moved up less than one above it': {
    ...{
      style: 'rename-chain',
      match: '*.csv',
      tickMs: 2000,
      keep: 2,
      isBackward: false,
      names: 'long',
    },
    deeds: [
      at(append(1), 0),
      at('rotate', 7, 7, 5, 4, 5, 0),
      at('rotate', 0, 5, 8, 3, 0, 5, 0),
      at(append(3), 13, 20, 16, 21, 20, 0),
      at('rotate', 0, 5, 0),
      at('rotate-often', 0, 0, 0, 0, 0, 3, 0),
      at(append(2), 0, 0, 0, 1, 0),
      at(fail('EACCES'), 8, 0),
    ],
  },
  'what a chain shows to be moved up late is missing since the one above it is': {
    ...{
      style: 'copytruncate',
      match: '*.csv',
      tickMs: 2000,
      keep: 1,
      isBackward: false,
      names: 'long',
    },
    deeds: [
      at('rotate-often', 0, 0, 0, 0, 2, 0, 1, 0),
      at('rotate-busy', 3, 7, 8, 0, 4, 8, 7, 0),
      at('rotate-busy', 7, 8, 7, 7, 0),
      at('kill', 0),
      at('kill', 16, 0),
      at(fail('EBUSY'), 21, 0),
      at('rotate-busy', 5, 26, 9, 0, 4, 14, 10, 5, 0),
      at(append(4), 11, 17, 3, 30, 3, 12, 0),
      at('pause', 11, 0),
      at('half', 0),
    ],
  },
  'what is missing of a log since a later time is covered by the gap before': {
    ...{
      style: 'rename-chain',
      match: '*.csv',
      tickMs: 2000,
      keep: 5,
      isBackward: true,
      names: 'long',
    },
    deeds: [
      at('rotate-often', 0),
      at('pause', 0),
      at('rotate-often', 0, 0, 4, 3, 5, 0, 6, 0),
      at('rotate-busy', 4, 5, 3, 0, 0, 0, 0, 4, 6),
      at('rotate', 0, 0, 2, 2, 0),
      at('rotate-busy', 0, 30, 0, 3, 2, 11, 10, 8, 19),
      at(append(2), 11, 0, 14, 27, 0),
      at(fail('EBUSY'), 0),
    ],
  },
  'a log that is held after it was cut was rotated by a copy all the same': {
    ...{
      style: 'copytruncate',
      match: '*.csv',
      tickMs: 4,
      keep: 5,
      isBackward: true,
      names: 'long',
    },
    deeds: [at(append(2), 0), at('rotate', 0, 22, 8, 18, 2, 27, 2, 17, 19), at(fail('EIO'), 0)],
  },
  'that a log grew and could not be opened is known to the next run': {
    ...{ style: 'any', match: '*.csv', tickMs: 0.001, keep: 5, isBackward: false, names: 'long' },
    deeds: [at(append(1), 0, 16, 11, 0), at(fail('EBUSY'), 30, 0), at('recreate', 0, 5, 0), at('kill', 0)],
  },
  'a file that looks as before and cannot be opened holds up its log once something else of that has changed': {
    ...{
      style: 'copytruncate',
      match: 'log.csv',
      tickMs: 2000,
      keep: 1,
      isBackward: true,
      names: 'short',
    },
    deeds: [
      at(append(4), 0, 5, 0, 0, 7, 0),
      at(append(3), 12, 8, 12, 22, 10, 0),
      at(fail('EMFILE'), 0),
      at('rotate-often', 0, 2, 0, 0, 7, 5, 0),
      at(append(3), 0, 3, 27, 3, 17, 0),
      at('rotate-often', 16, 10, 24, 20, 3, 29, 8, 0),
      at(fail('EIO'), 0),
      at(fail('EBUSY'), 12, 0),
      at('half', 0, 8, 0),
      at('half', 0, 15, 13, 0),
      at(fail('EACCES'), 5, 0),
    ],
  },
  'what is held under a rotated name comes first also while its log is not at its path': {
    ...{ style: 'rename-chain', match: '*', tickMs: 4, keep: 1, isBackward: true, names: 'short' },
    deeds: [
      at(append(1), 0),
      at('rotate-busy', 0),
      at('rotate', 23, 24, 21, 13, 25, 0),
      at('half', 2, 0),
      at('rotate-often', 0, 7, 0, 3, 6, 6, 6, 0),
      at(append(1), 29, 14, 0),
      at('rotate', 14, 0, 15, 18, 26, 0),
      at(fail('EBUSY'), 0),
    ],
  },
  'a rotated file that alone is another one was never there, and a gap begins at the look that found it': {
    ...{
      style: 'rename-chain',
      match: 'log.csv',
      tickMs: 2000,
      keep: 2,
      isBackward: false,
      names: 'long',
    },
    deeds: [
      at(append(1), 0),
      at('pause', 0),
      at(fail('EIO'), 0),
      at('rotate', 0, 0, 1, 0, 1, 0),
      at('rotate-often', 6, 3, 7, 0, 1, 3, 0),
    ],
  },
  'what follows a doubtful file of its log waits for it': {
    ...{
      style: 'copytruncate',
      match: '*.csv',
      tickMs: 4,
      keep: 2,
      isBackward: true,
      names: 'short',
    },
    deeds: [
      at(append(3), 0),
      at('rotate-busy', 0),
      at(append(2), 0),
      at('pause', 0),
      at('rotate-often', 6, 7, 2, 5, 7, 0, 7, 0),
      at('rotate-often', 6, 6, 0, 3, 7, 4, 3, 0),
      at(append(4), 10, 30, 23, 13, 10, 3, 0),
      at(append(2), 2, 2, 0),
      at(fail('EACCES'), 2, 0),
    ],
  },
  'a rotated file that is not where its number is was moved elsewhere, and so were those below it': {
    ...{ style: 'copytruncate', match: '*', tickMs: 2000, keep: 2, isBackward: true, names: 'long' },
    deeds: [
      at(append(3), 0),
      at('rotate', 0),
      at(append(4), 0),
      at('half', 0),
      at('pause', 0),
      at('rotate', 0, 0, 0, 7, 7, 7, 0),
      at('rotate', 0, 0, 17, 0, 25, 0, 16, 13, 0),
      at(append(1), 3, 0, 25, 0),
      at('rotate-busy', 8, 7, 4, 7, 7, 6, 5, 4, 6),
      at('rotate-often', 28, 24, 0, 0, 0, 28, 0),
    ],
  },
  'a copy whose original was rotated together with it is still a copy of that': MOVED_TOGETHER,
  'a copy is not taken for a log while its rotated file is held': BESIDE_HELD,
  'a copy that was being made while it was compared is known by all that was compared': {
    ...{
      style: 'copytruncate',
      match: '*',
      tickMs: 0.001,
      keep: 1,
      isBackward: true,
      names: 'long',
    },
    deeds: [
      at(append(2), 0, 19, 0),
      at('rotate-busy', 21, 0, 0, 12, 24, 19, 15, 0),
      at('half', 0),
      at('kill', 0),
      at(fail('EBUSY'), 0),
      at('rotate', 0),
      at('rotate-often', 27, 25, 29, 0),
    ],
  },
  'a rotated file says nothing of its log while nobody can look at that': {
    ...{
      style: 'rename-chain',
      match: '*.csv',
      tickMs: 4,
      keep: 2,
      isBackward: true,
      names: 'short',
    },
    deeds: [
      at(append(2), 0, 0, 0, 4, 0),
      at('rotate', 0, 20, 0, 18, 24, 20, 0),
      at(append(1), 0),
      at(append(3), 2, 2, 1, 1, 1, 0),
      at(fail('EBUSY'), 1, 0),
      at('rotate-often', 0, 3, 2, 0),
    ],
  },
  'after a look that was torn no data are read of a file of which nothing was read': {
    ...COARSE,
    deeds: [
      at('half', 0),
      at('rotate', 0, 0, 30, 0),
      at('rotate-busy', 0),
      at('rotate-busy', 25, 17, 0, 24, 25, 0),
      at('rotate-often', 5, 0, 5, 7, 0, 4, 8, 0),
      at(append(1), 2, 1, 0),
      at('rotate', 1, 0, 2, 2, 2, 0),
    ],
  },
  'where times are whole seconds, a file whose lines were seen and not read need not be the one with its number': {
    ...COARSE,
    deeds: [
      at('half', 0),
      at('rotate', 30, 29, 30, 24, 0),
      at('rotate-busy', 3, 5, 0),
      at('rotate-busy', 25, 17, 10, 24, 25, 6, 0),
      at('rotate-often', 0, 0, 0, 0, 0, 4, 8, 0),
      at(append(1), 0),
      at('rotate', 0),
    ],
  },
  'files of which nothing was read are no proof that a chain stood still: the next of which something was tells': {
    ...COARSE,
    ...{ match: '*', keep: 2, names: 'short' },
    deeds: [
      at(append(1), 0),
      at('pause', 0),
      at('rotate', 0, 0, 0, 0, 7, 7, 0),
      at('rotate', 0, 0, 1, 0, 0, 2, 0),
      at('rotate-busy', 4, 7, 0, 16, 18, 25, 14, 0),
      at(append(1), 22, 6, 17, 0),
      at('rotate-often', 0, 0, 2, 0),
    ],
  },
  'where times are whole seconds, of files that begin alike the one read furthest goes on, whatever the numbers say': {
    ...COARSE,
    ...{ style: 'any', match: '*.csv' },
    deeds: [
      at('save-as', 0),
      at('copy', 0),
      at('rotate', 0),
      at('rotate-busy', 0),
      at('restore', 0, 0, 22, 0),
      at('restore', 0, 14, 17, 0),
      at(append(3), 0, 0, 0, 3, 0),
      at('rotate', 10, 6, 21, 21, 9, 7, 15, 0),
    ],
  },
  'that a log looks as before and cannot be opened is no proof that it was read to its end': {
    ...COARSE,
    ...{ style: 'copytruncate', isBackward: true },
    deeds: [
      at(append(2), 0),
      at('rotate-often', 0, 16, 22, 0),
      at('kill', 0),
      at(append(2), 0, 2, 1, 2, 0),
      at(fail('EIO'), 3, 0),
    ],
  },
  'two rotations within a look leave names, numbers, sizes and whole seconds as they were': ROTATED_TWICE,
};

test.each(Object.entries(CASES))('%s', async (_, schedule) => {
  const { faults } = await follow(schedule);
  expect(faults, (await follow(schedule, { isTold: true })).story.join('\n')).toEqual([]);
});
