import { expect, test } from 'vitest';
import { decodePart } from '../../../../src-renderer/format/path-part.ts';

test.each([
  ['chamber-log', 'chamber-log'],
  ['a%20name%2Fpart', 'a name/part'],
  ['100%', '100%'],
])('%s is read as %s', (typed, read) => {
  expect(decodePart(typed)).toBe(read);
});
