// Lives of a chain of rotated files, which a test lives through and in which a mutant shows.
import { append, at, fail } from './deeds.ts';
import type { Schedule } from './follow-schedule.ts';

/** What a chain moved up is gone, though a file that came after it stands there and has its number. */
export const MOVED_UP: Schedule = {
  ...{
    style: 'rename-chain',
    match: '*.csv',
    tickMs: 2000,
    keep: 1,
    isBackward: false,
    names: 'long',
  },
  deeds: [
    at(append(1), 16, 0),
    at('rotate', 18, 0, 28, 22, 14, 0),
    at('rotate', 0, 0, 2, 0, 2, 0),
    at('rotate-busy', 12, 0, 11, 11, 14, 24, 0),
    at('rotate', 1, 1, 2, 0, 1, 0),
    at('rotate-often', 2, 1, 1, 1, 0),
  ],
};

/** Of what nothing was read no data are read before all of its log can be told. */
export const WAITING: Schedule = {
  ...{
    style: 'rename-chain',
    match: 'log.csv',
    tickMs: 2000,
    keep: 1,
    isBackward: true,
    names: 'short',
  },
  deeds: [
    at(append(3), 0, 0, 0, 2, 13, 0),
    at('rotate-often', 21, 27, 17, 1, 30, 0, 1, 0),
    at(append(2), 4, 3, 0),
    at('rotate', 1, 1, 0, 2, 0),
    at(append(1), 5, 0),
    at(fail('EBUSY'), 2, 0),
  ],
};

/** A copy whose original was rotated together with it is still a copy of that. */
export const MOVED_TOGETHER: Schedule = {
  ...{ style: 'any', match: '*', tickMs: 0.001, keep: 5, isBackward: false, names: 'long' },
  deeds: [
    at('save-as', 0),
    at('copy', 0),
    at('rotate', 0),
    at('rotate', 0, 0, 0, 28, 0, 0, 25, 0),
    at('restore', 0, 0, 0, 27, 0),
    at(append(1), 6, 5, 3, 0),
    at('rotate-busy', 1, 5, 6, 4, 8, 7, 4, 2, 0),
    at('recreate', 0, 0, 2, 0),
    at('rotate', 29, 9, 7, 5, 17, 23, 0),
    at('rotate', 0),
  ],
};

/** A copy that a person made is not taken for a log while its rotated file is held. */
export const BESIDE_HELD: Schedule = {
  ...{ style: 'any', match: '*.csv', tickMs: 0.001, keep: 5, isBackward: false, names: 'short' },
  deeds: [
    at('save-as', 0),
    at('copy', 0, 0, 0, 1, 0),
    at('rotate', 3, 20, 18, 2, 26, 19, 2, 4, 26),
    at(fail('EBUSY'), 8, 0),
  ],
};

/** Two rotations within a look leave names, numbers, sizes and whole seconds as they were. */
export const ROTATED_TWICE: Schedule = {
  ...{ style: 'copytruncate', match: '*', tickMs: 2000, keep: 1, isBackward: false, names: 'long' },
  deeds: [at(append(1), 0), at('rotate', 10, 0, 0, 20, 0), at('rotate-often', 0, 0, 0, 29, 0, 29, 0)],
};
