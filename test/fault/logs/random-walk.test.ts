// Fault matrix, rows 43 to 47 and 61 together: a writer that does anything to its files, a reader that is killed anywhere. Many
// more walks: test/long/fault-logs.test.ts.
import { test } from 'vitest';
import { walkMany } from '../../support/logs/log-walks.ts';

const WALKS = 15;

test('every line that stood in a file at one look comes once, and a truncation that took unseen lines is a named gap', () =>
  walkMany(WALKS, false));

test('the same where what was there at first is skipped and asked for half way: what still stands comes once', () =>
  walkMany(WALKS, true));
