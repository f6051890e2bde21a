// When a screen reader is told that the headline says something else.
import { expect, test } from 'vitest';
import { meaningOf } from '../../../../src-renderer/frame/announced.ts';

test.each([
  ['Recording 3 sources. 1,275 points are safe here.', 'Recording 3 sources. 1,280 points are safe here.'],
  ['What you see is 3 s old.', 'What you see is 12.5 s old.'],
  ['Recording. All delivered.', 'Recording. Everything older than 10 s is delivered.'],
])('not where numbers alone move: %s', (one, other) => {
  expect(meaningOf('busy', one)).toBe(meaningOf('busy', other));
});

test.each([
  ['No data from gauge1 since 10:03:05.', 'No data from gauge2 since 10:03:05.'],
  ['Source cell-1 is not recorded.', 'Source cell-2 is not recorded.'],
  ['There is no port COM3.', 'There is no port COM4.'],
  ['Recording. All delivered.', 'Recording. The service cannot be reached.'],
])('where another thing is named: %s', (one, other) => {
  expect(meaningOf('busy', one)).not.toBe(meaningOf('busy', other));
});

test('and where the tone changes', () => {
  expect(meaningOf('ok', 'All delivered.')).not.toBe(meaningOf('busy', 'All delivered.'));
});
