// Rows 43 to 47, 58, 59 and 61 of the fault matrix in quantity. test/fault has a few of each.
import { expect, test } from 'vitest';
import { walkMany } from '../support/logs/log-walks.ts';
import { passOverOld, readBurst } from '../support/logs/many-files.ts';
import { findRotatorObstacle, ROTATORS, readRotated } from '../support/logs/real-rotators.ts';
import { amount } from '../support/run/effort.ts';

const WALKS = amount(15, 50, 2000);
const FILES = amount(600, 2500, 40_000);
const OLD_FILES = amount(600, 2500, 100_000);

test(`over ${WALKS} walks every line that stood in a file at one look comes once, and a truncation that took unseen lines is a named gap`, () =>
  walkMany(WALKS, false));

test(`over ${WALKS} walks the same where what was there at first is left alone and asked for half way`, () =>
  walkMany(WALKS, true));

test(`58: every file of a burst of ${FILES} is found and every line comes once`, () => readBurst(FILES));

test(`59: ${OLD_FILES} old files at the first start are a question and no flood; what is written from then on is read`, () =>
  passOverOld(OLD_FILES));

test.each(ROTATORS)(
  'a log that is rotated by %s gives each row once, in order, by its name and by any',
  async (rotator) => {
    expect(findRotatorObstacle([rotator])).toBe(null);
    await readRotated([
      [rotator, 'log.csv'],
      [rotator, '*'],
    ]);
  },
);
