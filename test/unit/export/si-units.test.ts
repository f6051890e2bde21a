import { expect, test } from 'vitest';
import { toSi } from '../../../src-main/export/si-units.ts';

test.each([
  ['mbar', 'pressure', 100],
  ['Torr', 'pressure', 101_325 / 760],
  ['SCCM', 'standardFlow', 1e-6 / 60],
  [' sccm', 'standardFlow', 1e-6 / 60],
])('%s is a unit of %s', (unit, quantity, factor) => {
  expect(toSi(unit)).toEqual({ quantity, factor, offset: 0 });
});

test.each(['Mbar', 'MBAR', 'mPa', 'ml/min', ''])('%j is not guessed', (unit) => {
  expect(toSi(unit)).toBeNull();
});
