import { expect, test } from 'vitest';
import { misreadDecimals } from '../../../../support/logs/decimal-texts.ts';

test('200,000 decimals as logs write them are read, bit for bit, as Number() reads them', () => {
  expect(misreadDecimals(200_000, 20261124)).toEqual([]);
});
