// What stops the reading of a file: a header that is another one, or other units under the same names.
import { describe, expect, test } from 'vitest';
import { tellHeader } from '../../../../../src-main/sources/log/parse/header-again.ts';
import { recognised } from '../../../../support/logs/text-log.ts';

const layoutOf = (text: string) => recognised(text).layout;
const ROWS = '2026-11-20 10:15:00;1;2\n2026-11-20 10:15:01;1;2\n';

describe('a line without data', () => {
  test.each([
    ['the header', 'Time;P;T', 'header'],
    ['the same units', ';mbar;K', 'header'],
    ['another order', 'Time;T;P', 'changed'],
    ['a column more', 'Time;P;T;F', 'changed'],
    ['other units', ';Torr;K', 'changed'],
    ['other names for all columns', 'Zeit;Druck;Temperatur', 'changed'],
    ['a remark', 'valve opened by hand', null],
    ['a remark with a number', 'step;3;begins', null],
    ['a cut line', '2026-11-20 10:15', null],
  ])('%s', (_, text, told) => {
    expect(tellHeader(text, layoutOf(`Time;P;T\n;mbar;K\n${ROWS}`))).toBe(told);
  });

  test('names above rows that had none', () => {
    const layout = layoutOf(ROWS);
    expect(tellHeader('Time;T;P', layout)).toBe('changed');
    expect(tellHeader('run finished', layout)).toBeNull();
  });

  test('words of a sentence are no names where blanks set cells apart', () => {
    const layout = layoutOf('Time P T\n2026-11-20T10:15:00 1 2\n2026-11-20T10:15:01 1 2\n');
    expect(tellHeader('shutter opened slowly', layout)).toBeNull();
    expect(tellHeader('Time T P', layout)).toBe('changed');
  });
});
