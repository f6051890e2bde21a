import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCounterText } from '../../../../../src-main/sources/rheed/readers/counter-text.ts';

const NONE = { pattern: null, field: null };

describe('the number in a text', () => {
  test.each([
    ['1234\n', null, 1234],
    ['frame 000123 of many', null, 123],
    ['x=5 frames=77 y=9', 'frames={frame}', 77],
    ['frames= dropped=3', 'frames={frame} dropped={lost}', null],
    ['no number', null, null],
    ['99999999999999999999', null, null],
    ['', null, null],
  ])('%j with %j is %j', (text, pattern, number) => {
    expect(readCounterText({ ...NONE, pattern }).read(text)?.number ?? null).toBe(number);
  });

  test('stands beside lost frames and a time', () => {
    const { read } = readCounterText({ ...NONE, pattern: '[{time}] f={frame} l={lost}' });
    expect(read('[2026-11-20T02:00:00Z] f=12 l=3')).toEqual({ number: 12, lost: 3, ownMs: Date.UTC(2026, 10, 20, 2) });
    // A time without its zone says nothing that is certain.
    expect(read('[2026-11-20T02:00:00] f=12 l=3')?.ownMs).toBeNull();
  });

  test('is a field of JSON, however deep; what is no such JSON has none', () => {
    const { read } = readCounterText({ ...NONE, field: 'camera.frame', lostField: 'camera.lost', timeField: 't' });
    expect(read('{"t":1795140000.25,"camera":{"frame":7,"lost":1}}')).toEqual({
      number: 7,
      lost: 1,
      ownMs: 1_795_140_000_250,
    });
    for (const text of ['{', '[]', 'null', '{"camera":{"frame":-1}}', '{"camera":{"frame":1.5}}', '{"camera":7}'])
      expect(read(text)).toBeNull();
  });

  test('never throws, whatever the text', () => {
    const readers = [{ ...NONE }, { ...NONE, pattern: 'f={frame} {time};' }, { ...NONE, field: 'a.b' }].map(
      readCounterText,
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const { read } of readers) {
          const number = read(text)?.number;
          if (number !== undefined && !(Number.isSafeInteger(number) && number >= 0)) return false;
        }
        return true;
      }),
    );
  });

  test.each(['no place', '{frame} {frame}', '{lost}'])('a pattern like %j is refused', (pattern) => {
    expect(() => readCounterText({ ...NONE, pattern })).toThrow(expect.objectContaining({ code: 'rheed.pattern' }));
  });
});
