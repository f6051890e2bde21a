import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDecimal, parseDecimalText } from '../../../../../src-main/sources/log/time/decimal.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The grammar, written once more and differently: what must be read as a number, and nothing else. */
const GRAMMAR = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

describe('a decimal number', () => {
  test('is, bit for bit, what Number() gives for the same digits', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 22 });
    const exponent = fc.option(fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), fc.nat(330)), {
      nil: null,
    });
    const number = fc.tuple(fc.constantFrom('', '+', '-'), digits, fc.constantFrom('', '.'), digits, exponent);
    fc.assert(
      fc.property(number, ([sign, whole, point, part, power]) => {
        const text = sign + whole + point + part + (power === null ? '' : power.join(''));
        const expected = GRAMMAR.test(text) ? Number(text) : Number.NaN;
        expect(Object.is(parseDecimalText(text), expected), text).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  test('round-trips every finite double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Object.is(parseDecimalText(String(value)), Number(String(value)))).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  test('is nothing else that Number() or parseFloat() would take', () => {
    const traps =
      '| |1,25|1e5garbage|0x10|0b1|Infinity|-Infinity|NaN|1_000|1 000|.|+|-|e5|1e|1e+|1.2.3|--1|+-1|١|12h|1e5.5'.split(
        '|',
      );
    for (const text of traps) expect(parseDecimalText(text), JSON.stringify(text)).toBeNaN();
  });

  test('reads minus zero as minus zero, and an overflow as an infinity to be refused', () => {
    expect(Object.is(parseDecimalText('-0.0'), -0)).toBe(true);
    expect(parseDecimalText('1e999')).toBe(Number.POSITIVE_INFINITY);
    expect(parseDecimalText('-1e999')).toBe(Number.NEGATIVE_INFINITY);
  });

  test('takes the decimal comma where the log has one, and only there', () => {
    expect(parseDecimalText('1,25', ',')).toBe(1.25);
    expect(parseDecimalText('-2,5e-8', ',')).toBe(-2.5e-8);
    expect(parseDecimalText('1.25', ',')).toBeNaN();
  });

  test('turns seconds into milliseconds without a second rounding', () => {
    const bytes = bytesOf('1795245092.123');
    expect(parseDecimal(bytes, 0, bytes.length, 46, 3)).toBe(1795245092123);
    const long = bytesOf('1795245092.123456789');
    expect(parseDecimal(long, 0, long.length, 46, 3)).toBe(Number('1795245092123.456789'));
  });
});
