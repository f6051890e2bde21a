// Two ways to ask one thing: whether a name is a rotated one of a log, and of which logs it may be one.

import { basename } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formerPaths, isRotated, sharedStem } from '../../../../../src-main/sources/log/files/rotated-names.ts';
import { walks } from '../../../../support/run/effort.ts';

const piece = fc.constantFrom(
  'log',
  'a',
  '.',
  '.csv',
  '-',
  '_',
  ' ',
  '1',
  '007',
  '2026-11-25',
  'T10:00',
  'old',
  'BAK',
  'backup',
  '.gz',
);
const name = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
const path = fc.tuple(fc.constantFrom('', 'run/'), name).map((parts) => parts.join(''));

test('a name is one of a log exactly when that log is among those that it may come from', () => {
  fc.assert(
    fc.property(path, name, (log, added) => {
      for (const rotated of [log + added, log.replace(/(\.[^./]*)?$/, `${added}$1`), added]) {
        expect([rotated, log, formerPaths(rotated).includes(log)]).toEqual([rotated, log, isRotated(rotated, log)]);
      }
    }),
    walks(5000),
  );
  expect(formerPaths('run/log.csv.2026-11-25')).toContain('run/log.csv');
  expect(formerPaths('log-1.csv')).toContain('log.csv');
});

test('each log that a name may be of is named once', () => {
  fc.assert(
    fc.property(path, (rotated) => {
      expect(formerPaths(rotated)).toEqual([...new Set(formerPaths(rotated))]);
    }),
  );
  expect(formerPaths('log.1.1').filter((one) => one === 'log.1')).toEqual(['log.1']);
});

test('what a rotation makes of logs begins with what they share', () => {
  fc.assert(
    fc.property(path, (rotated) => {
      const logs = formerPaths(rotated);
      if (logs.length > 0) expect(basename(rotated).startsWith(sharedStem(logs))).toBe(true);
    }),
  );
  expect(sharedStem(['run/log-1.csv', 'run/log-2.csv'])).toBe('log-');
});
