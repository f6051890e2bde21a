import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDuration } from '../../../src-main/settings/duration.ts';

const value = (text: string) => {
  const parsed = parseDuration(text);
  return parsed.isValid ? parsed.value : parsed.hint;
};

test('reads every unit as milliseconds', () => {
  expect(['250ms', '1s', '15min', '2h', '1d', '0s'].map(value)).toEqual([250, 1000, 900_000, 7_200_000, 86_400_000, 0]);
});

test('reads fractions and blanks as people write them', () => {
  expect(['1.5 h', ' 0.25s ', '0.4ms'].map(value)).toEqual([5_400_000, 250, 0]);
});

test('refuses a number without unit instead of guessing it', () => {
  expect(parseDuration('15')).toMatchObject({ isValid: false, message: '15 has no unit' });
});

test('tells minutes from metres: m is refused and min offered', () => {
  expect(value('15m')).toContain('15min');
});

test.each(['', 's', '-1s', '1,5s', '1e3s', '1s2s', '1 week', 'Infinity s', '9999999999999s', '1 constructor'])(
  'refuses %j',
  (text) => {
    expect(parseDuration(text).isValid).toBe(false);
  },
);

test('never throws, and what it accepts is a whole number of milliseconds not below zero', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{1,3}(\.\d)? ?(ms|s|min|h|d)$/)), (text) => {
      const parsed = parseDuration(text);
      if (parsed.isValid) expect(Number.isSafeInteger(parsed.value) && parsed.value >= 0).toBe(true);
      else expect(parsed.hint).not.toBe('');
    }),
  );
});
