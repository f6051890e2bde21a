import { expect, test } from 'vitest';
import { bytesOf } from '../../../../../src-main/sources/serial/protocol/bytes.ts';
import { loneLine } from '../../../../../src-main/sources/serial/protocol/framer.ts';

test.each([
  ['+077.350\r\n', 0, 10, false],
  ['+077.350\n\r', 0, 10, false],
  ['+077.350\r', 0, 9, true],
  ['+077.350\n', 0, 9, true],
  ['\n+077.350\r\n', 1, 11, false],
])('a line ends with CR, LF or both: %j', (text, from, to, isOpen) => {
  expect(loneLine().cut(bytesOf(text))).toEqual({ kind: 'frame', from, to, isOpen });
});

test.each(['+077.3\r50\r\n', '+077.35\r\r\n', '+077.35\n\r\n'])(
  'a CR within a line breaks it: the half before it would be a number, too: %j',
  (text) => {
    expect(loneLine().cut(bytesOf(text))).toMatchObject({ kind: 'broken', to: text.length });
  },
);

test.each(['', '\r\n', '+077.3'])('waits for more: %j', (text) => {
  expect(loneLine().cut(bytesOf(text))).toEqual({ kind: 'more' });
});
