// What once was a gap that was not told, or needless, or too wide, one small life for each cause (follow.ts). follow-cases.test.ts
// has those in which lines were lost, doubled or out of order.
import { expect, test } from 'vitest';
import { append, at, fail } from '../../../simulation/deeds.ts';
import { follow } from '../../../simulation/follow.ts';
import type { Schedule } from '../../../simulation/follow-schedule.ts';

const CASES: Record<string, Schedule> = {
  'names alone that could not be looked at may have had lines behind them, once they are another file': {
    ...{ style: 'any', match: 'log.csv', tickMs: 4, keep: 5, isBackward: false, names: 'long' },
    deeds: [
      at(append(3), 0),
      at('rotate', 0),
      at('rotate', 0),
      at('copy', 0),
      at('pause', 0),
      at(append(1), 16, 14, 26, 0),
      at(fail('EIO'), 4, 0),
      at('restore', 0, 6, 0),
    ],
  },
  'what lay between two files at a look that could not tell may have been there since the look before': {
    ...{
      style: 'rename-chain',
      match: 'log.csv',
      tickMs: 0.001,
      keep: 5,
      isBackward: true,
      names: 'short',
    },
    deeds: [
      at('half', 0),
      at(append(3), 0, 9, 12, 0),
      at('rotate-often', 24, 28, 20, 23, 22, 14, 12, 0),
      at(fail('EIO'), 1, 0),
      at('rotate-often', 26, 16, 26, 0),
    ],
  },
  'a rotated file that was read whole stays so where it is held at one look': {
    ...{ style: 'copytruncate', match: '*', tickMs: 4, keep: 1, isBackward: true, names: 'short' },
    deeds: [
      at(append(1), 0),
      at('rotate', 0),
      at('rotate-busy', 0),
      at(append(2), 0),
      at('pause', 0),
      at(fail('EACCES'), 6, 0),
      at('rotate', 0, 16, 0),
    ],
  },
  'that a log holds no data yet is known to the next run, and a gap of it begins there': {
    ...{ style: 'copytruncate', match: 'log.csv', tickMs: 2000, keep: 2, isBackward: false, names: 'short' },
    deeds: [
      at(append(3), 0, 7, 0, 0, 7, 0),
      at('rotate', 0),
      at('rotate', 0),
      at('rotate', 0),
      at('pause', 0),
      at('rotate', 0),
      at('kill', 0),
    ],
  },
  'a gap begins at the look at which all but half a line was read, also when the run ended since': {
    ...{ style: 'rename-chain', match: '*', tickMs: 4, keep: 2, isBackward: true, names: 'long' },
    deeds: [
      at('half', 0),
      at('half', 0),
      at(append(3), 12, 0, 20, 0),
      at(fail('EMFILE'), 0),
      at(append(3), 6, 0, 0, 6, 0),
      at('rotate-often', 0, 0, 10, 26, 0),
    ],
  },
  'a log that was cut and could not be opened is the next one where it stands as it was when that look was over': {
    ...{ style: 'copytruncate', match: '*', tickMs: 4, keep: 5, isBackward: false, names: 'short' },
    deeds: [
      at('half', 0),
      at('rotate', 0, 0, 0, 0, 0, 20, 19, 0),
      at('kill', 0),
      at(append(4), 2, 2, 0, 1, 2, 2, 0),
      at(fail('EIO'), 0),
    ],
  },
  'a copy put back that was read as part of a rotated file, and outlived that, goes on where it was rotated to': {
    ...{ style: 'any', match: '*', tickMs: 0.001, keep: 1, isBackward: false, names: 'long' },
    deeds: [
      at('save-as', 0, 1, 4, 3, 5, 0),
      at('copy', 0, 1, 0, 1, 0),
      at(append(3), 12, 4, 20, 15, 11, 0),
      at('rotate', 0, 1, 1, 2, 2, 1, 0),
      at('rotate', 2, 1, 2, 2, 2, 0),
      at('restore', 4, 19, 15, 27, 0),
      at('restore', 2, 1, 0),
      at('restore', 14, 23, 1, 25, 0),
      at('half', 24, 3, 27, 0),
      at('rotate', 1, 0, 0, 1, 1, 2, 2, 0),
    ],
  },
  'a log that was cut between the look and the first reading of it is another one by then': {
    ...{ style: 'copytruncate', match: '*.csv', tickMs: 4, keep: 1, isBackward: false, names: 'short' },
    deeds: [
      at('half', 0),
      at('half', 9, 0, 3, 0),
      at(append(3), 0, 0, 0, 0, 2, 0),
      at('rotate', 0, 3, 12, 7, 3, 25, 0),
      at(append(3), 0),
    ],
  },
  'a copy put back that gets the number of the log is known by the names that came up beside it': {
    ...{ style: 'any', match: '*.csv', tickMs: 2000, keep: 1, isBackward: false },
    deeds: [
      at(append(4), 0, 0, 0, 16, 27, 0),
      at('save-as', 0, 0, 2, 6, 1, 0),
      at('copy', 0),
      at('rotate-often', 23, 0),
      at('restore', 0),
      at('rotate-busy', 23, 23, 25, 0),
    ],
  },
  'lines read beyond what the look saw were there at that look: a gap begins with it': {
    ...{ style: 'any', match: '*.csv', tickMs: 4, keep: 5, isBackward: false },
    deeds: [at(append(2), 0), at('half', 30, 0), at('recreate', 13, 21, 6, 26, 21, 0)],
  },
  'a rotated file that was read whole is no gap when a later one, of which nothing was read, is there still': {
    ...{ style: 'copytruncate', match: 'log.csv', tickMs: 4, keep: 1, isBackward: true },
    deeds: [
      at(append(3), 0),
      at('rotate', 7, 0, 6, 5, 0, 4, 2, 0),
      at('rotate-busy', 6, 9, 19, 25, 7, 23, 30, 26, 0),
      at('rotate', 27, 2, 29, 15, 13, 16, 0),
    ],
  },
  'what stood unread in a file that moved is missing since that file was found': {
    ...{ style: 'rename-chain', match: '*', tickMs: 0.001, keep: 2, isBackward: false },
    deeds: [
      at(append(4), 0, 0, 2, 2, 2, 2, 0),
      at('rotate', 8, 5, 2, 2, 2, 0),
      at('rotate-busy', 1, 1, 1, 0, 2, 0),
      at(fail('EACCES'), 15, 0),
      at(append(3), 16, 6, 24, 8, 0),
      at('rotate-busy', 0, 0, 0, 0, 2, 1, 1, 0),
      at('rotate', 21, 7, 24, 0),
      at('rotate', 0),
    ],
  },
  'lines that stood in a log while it could not be opened are a gap once it is another file': {
    ...{ style: 'any', match: '*.csv', tickMs: 0.001, keep: 1, isBackward: true },
    deeds: [at(append(1), 0, 0, 19, 0), at(fail('EIO'), 7, 0), at('recreate', 0, 0, 2, 0)],
  },
  'lines that stood in a log that another program held are a gap once it is another file': {
    ...{ style: 'any', match: 'log.csv', tickMs: 4, keep: 5, isBackward: true },
    deeds: [at(append(1), 5, 5, 8, 0), at(fail('EBUSY'), 29, 0), at('recreate', 0, 0, 1, 0)],
  },
  'a file found changed while it is read tells a gap from when it was read to its end': {
    ...{ style: 'copytruncate', match: 'log.csv', tickMs: 2000, keep: 1, isBackward: true },
    deeds: [at(append(4), 0), at(append(1), 0, 27, 9, 0), at('rotate-often', 7, 7, 8, 0)],
  },
  'a gap lasts until the data behind it are read': {
    ...{ style: 'rename-chain', match: '*.csv', tickMs: 2000, keep: 1, isBackward: false },
    deeds: [
      at(append(2), 0, 0, 0, 4, 0),
      at('rotate-often', 11, 23, 6, 0, 13, 24, 0),
      at('rotate', 0),
      at('rotate-often', 0, 0, 0, 0, 5, 0),
    ],
  },
  'a copy put back, of which nothing was read, is all there is of its log: when it goes, that is a gap': {
    ...{ style: 'any', match: 'log.csv', tickMs: 2000, keep: 5, isBackward: true },
    deeds: [
      at('save-as', 0),
      at('copy', 0),
      at(append(1), 0),
      at('recreate', 0, 0, 18, 0),
      at('restore', 0),
      at('half', 0),
      at('pause', 0),
      at('recreate', 0),
    ],
  },
  'what may have been missed in a time that a gap tells of already needs none of its own': {
    ...{ style: 'any', match: '*', tickMs: 2000, keep: 1, isBackward: true },
    deeds: [
      at(append(1), 0),
      at('pause', 0),
      at('rotate-busy', 0),
      at('rotate-busy', 0, 13, 23, 0),
      at('rotate-often', 7, 5, 0, 0, 8, 15, 19, 0),
      at('rotate-busy', 0, 11, 6, 0, 22, 18, 18, 26, 0),
    ],
  },
  'what a copy holds that was never read is missing since the file that was copied was found': {
    ...{ style: 'copytruncate', match: '*', tickMs: 0.001, keep: 1, isBackward: false },
    deeds: [
      at('half', 0),
      at('rotate', 0, 12, 0, 0, 0, 14, 0),
      at('kill', 0),
      at(append(2), 1, 0, 2, 2, 0),
      at('rotate', 2, 18, 18, 27, 2, 9, 8, 0),
      at(append(1), 18, 0, 30, 0),
      at(append(2), 23, 21, 9, 12, 0),
      at('rotate-busy', 0, 4, 0, 0, 0, 3, 4, 3, 0),
      at('rotate-busy', 15, 27, 3, 0),
      at('rotate-often', 0),
    ],
  },
  'what a gap told is not missed a second time, and a file without data is at its end': {
    ...{ style: 'copytruncate', match: 'log.csv', tickMs: 2000, keep: 1, isBackward: false },
    deeds: [
      at('half', 0, 1, 0),
      at(fail('EIO'), 27, 0),
      at('rotate', 1, 1, 1, 2, 0, 2, 0),
      at('rotate', 0, 0, 30, 0, 5, 14, 0),
      at('rotate', 1, 4, 18, 29, 0, 11, 18, 0),
      at('rotate', 20, 22, 16, 0),
    ],
  },
  'a copy put back that holds what was read, and not what was seen, is a gap': {
    ...{ style: 'any', match: '*.csv', tickMs: 0.001, keep: 5, isBackward: true },
    deeds: [
      at(append(1), 0),
      at('copy', 0),
      at('pause', 0),
      at(append(4), 0, 0, 8, 0, 6, 0),
      at(fail('EBUSY'), 8, 0),
      at('restore', 0, 0, 5, 0),
    ],
  },
  'a shadow that got longer than its original holds more, and is a gap when it goes': {
    ...{ style: 'any', match: '*.csv', tickMs: 4, keep: 1, isBackward: false },
    deeds: [
      at('half', 0),
      at('copy', 0),
      at(fail('EIO'), 28, 0),
      at(append(1), 10, 30, 14, 0),
      at(fail('EACCES'), 10, 0),
      at('recreate', 0, 0, 1, 0),
    ],
  },
  'a gap lasts until data are read, also where the folder was away and is remembered first': {
    ...{ style: 'copytruncate', match: '*.csv', tickMs: 2000, keep: 1, isBackward: true },
    deeds: [
      at('half', 0),
      at('pause', 0),
      at(append(3), 7, 2, 2, 6, 1, 0),
      at(fail('EIO'), 24, 0),
      at('rotate-often', 7, 7, 6, 2, 6, 6, 6, 0),
      at('rotate-often', 0, 1, 2, 0, 2, 1, 0),
      at(append(1), 6, 1, 4, 0),
      at('rotate-often', 1, 20, 11, 0),
    ],
  },
  'what was rotated away before a log was found came before it, and does not show that a tool turned to another file': {
    ...{ style: 'any', match: 'log.csv', tickMs: 4, keep: 1, isBackward: true },
    deeds: [
      at(append(2), 0),
      at('rotate', 0),
      at(append(1), 0, 4, 0),
      at('pause', 0),
      at(append(2), 0),
      at('recreate', 0),
    ],
  },
  'a file that goes on in an old copy of it does not follow itself': {
    ...{ style: 'any', match: 'log.csv', tickMs: 4, keep: 1, isBackward: true },
    deeds: [at(append(1), 0), at('copy', 0), at('pause', 0), at(append(2), 0), at('recreate', 0)],
  },
  'a log that was whole again when it was opened was not cut, however short the listing found it': {
    ...{ style: 'dated', match: '*', tickMs: 0.001 },
    deeds: [at(append(2), 0), at(append(1), 60), at('rewrite', 26, 3), at(append(4), 0)],
  },
  'what stood at the path of a log that could not be opened, and stands there still, is no lost end of the log': {
    ...{ style: 'copytruncate', match: '*.csv', tickMs: 4, keep: 2, isBackward: false },
    deeds: [
      at(append(2), 0),
      at('rotate', 0, 0, 0, 25, 26, 0),
      at(fail('EIO'), 0),
      at(append(4), 0, 0, 2, 0, 2, 0),
      at(fail('EIO'), 4, 0),
    ],
  },
  'that a rotated file was looked into and holds no data is known to the next run': {
    ...{ style: 'rename-chain', match: '*.csv', tickMs: 2000, keep: 1, isBackward: true },
    deeds: [
      at('half', 0, 8, 0),
      at('rotate', 0, 8, 0, 7, 0),
      at('rotate', 6, 7, 0, 0, 8, 0),
      at('rotate-busy', 17, 6, 24, 0),
      at('pause', 0),
      at('rotate', 0, 0, 5, 6, 5, 0),
      at(fail('EACCES'), 0),
    ],
  },
  'a copy that was seen while it was made holds what was never read since its original was found': {
    ...{ style: 'copytruncate', match: '*.csv', tickMs: 0.001, keep: 1, isBackward: false },
    deeds: [
      at('rotate-often', 0, 0, 6, 5, 7, 7, 3, 0),
      at(append(2), 11, 3, 25, 8, 0),
      at(fail('EBUSY'), 23, 0),
      at('rotate', 11, 27, 26, 0, 11, 0, 26, 0),
      at(fail('EIO'), 2, 0),
      at(append(1), 0, 2, 2, 0),
      at('rotate', 30, 15, 9, 29, 23, 0, 9, 0),
      at(append(4), 0, 8, 0, 0, 0, 5, 0),
      at('half', 3, 8, 0),
      at('rotate', 3, 2, 7, 0),
      at('rotate', 0),
    ],
  },
  'what was rotated to the place of a copy is read while its original may be in the middle of a rewrite': {
    ...{ style: 'copytruncate', match: '*.csv', tickMs: 4, keep: 1, isBackward: true, names: 'short' },
    deeds: [
      at(append(2), 0, 0, 0, 5, 0),
      at('rotate', 27, 25, 8, 22, 21, 23, 0),
      at(append(3), 6, 8, 0, 8, 3, 0),
      at('rotate', 2, 2, 1, 0, 0, 1, 0),
      at(append(3), 4, 1, 7, 6, 6, 0),
      at(append(4), 8, 2, 0, 3, 2, 5, 0),
      at('rotate', 8, 2, 2, 0),
      at('rotate-busy', 0),
    ],
  },
  'a number that was given again where times are whole seconds is no log that was cut': {
    ...{ style: 'rename-chain', match: '*', tickMs: 2000, keep: 1, isBackward: false, names: 'short' },
    deeds: [
      at(append(1), 0),
      at('pause', 0),
      at('rotate', 0),
      at('kill', 0),
      at(append(4), 6, 18, 17, 23, 19, 0),
      at('rotate-busy', 0, 3, 0),
      at('rotate-often', 0),
      at('rotate', 0, 0, 4, 0),
    ],
  },
  'a log that changed while its first data were read still has whole seconds for its time': {
    ...{ style: 'rename-chain', match: '*', tickMs: 2000, keep: 1, isBackward: false, names: 'short' },
    deeds: [
      at(append(1), 0),
      at('pause', 0),
      at('rotate', 0),
      at('kill', 0),
      at(append(4), 6, 21, 17, 23, 19, 0),
      at('rotate-busy', 0),
      at('rotate-often', 0, 0, 2, 2, 0, 1, 0),
      at('rotate', 2, 0, 4, 0),
    ],
  },
  'of a log that was cut, a copy that is read already holds what was seen, also where times are whole seconds': {
    ...{ style: 'copytruncate', match: 'log.csv', tickMs: 2000, keep: 1, isBackward: false, names: 'long' },
    deeds: [at('half', 0), at('rotate', 11, 0, 0, 7, 12, 21, 0)],
  },
};

test.each(Object.entries(CASES))('%s', async (_, schedule) => {
  const { faults } = await follow(schedule);
  expect(faults, (await follow(schedule, { isTold: true })).story.join('\n')).toEqual([]);
});
