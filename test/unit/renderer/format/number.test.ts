import { expect, test } from 'vitest';
import {
  formatCount,
  formatCounted,
  formatMeasured,
  formatPlain,
  formatValue,
} from '../../../../src-renderer/format/number.ts';

test.each([
  [3.2e-9, 'Torr', '3.2E-09'],
  [4.06e-10, 'mbar', '4.1E-10'],
  [0.0052, 'Pa', '5.2E-03'],
  [1013.25, 'hPa', '1013.3'],
  [-5.2e-12, 'Torr', '-5.2E-12'],
  [612.3456, '°C', '612.35'],
  [918, '°C', '918'],
  [0, 'Torr', '0'],
  [0.5, 'nm', '0.5'],
  [1.23456e7, 'counts', '1.23E+07'],
  [0.000_2, '', '2.00E-04'],
  [99_999.96, '', '100000'],
  [Number.NaN, 'Torr', 'no number'],
])('writes %d %s as %s', (value, unit, text) => {
  expect(formatValue(value, unit)).toBe(text);
});

test('puts the unit after the value, and nothing where there is none', () => {
  expect(formatMeasured(3.2e-9, 'Torr')).toBe('3.2E-09 Torr');
  expect(formatMeasured(7, '')).toBe('7');
});

test('writes counts with thousands apart and their noun in the right number', () => {
  expect(formatCount(12_412)).toBe('12,412');
  expect(formatCounted(1, 'point')).toBe('1 point');
  expect(formatCounted(0, 'point')).toBe('0 points');
  expect(formatCounted(2, 'entry', 'entries')).toBe('2 entries');
});

test('writes a value that was read with every digit it has', () => {
  expect(formatPlain(3.2e-9)).toBe('3.2E-09');
  expect(formatPlain(612.3456789)).toBe('612.3456789');
  expect(formatPlain(1e21)).toBe('1E+21');
  expect(formatPlain(null)).toBe('–');
});
