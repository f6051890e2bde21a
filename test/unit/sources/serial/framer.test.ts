import { expect, test } from 'vitest';
import { bytesOf } from '../../../../src-main/sources/serial/bytes.ts';
import { loneLine } from '../../../../src-main/sources/serial/framer.ts';

test.each([
  ['+077.350\r\n', 0, 10],
  ['+077.350\n\r', 0, 10],
  ['+077.350\r', 0, 9],
  ['+077.350\n', 0, 9],
  ['\n+077.350\r\n', 1, 11],
])('a line ends with CR, LF or both: %j', (text, from, to) => {
  expect(loneLine().cut(bytesOf(text))).toEqual({ is: 'frame', from, to });
});

test('a CR within a line does not cut it: the half before it would be a number, too', () => {
  expect(loneLine().cut(bytesOf('+077.3\r50\r\n'))).toEqual({ is: 'frame', from: 0, to: 11 });
});

test.each(['', '\r\n', '+077.3'])('waits for more: %j', (text) => {
  expect(loneLine().cut(bytesOf(text))).toEqual({ is: 'more' });
});
