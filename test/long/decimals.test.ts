// Ten million decimals as logs write them, each read as Number() reads it: npm run test:long -- test/long/decimals.test.ts
import { expect, test } from 'vitest';
import { misreadDecimals } from '../support/logs/decimal-texts.ts';
import { amount } from '../support/run/effort.ts';

const COUNT = amount(200_000, 500_000, 10_000_000);

test(`${COUNT} decimals are read, bit for bit, as Number() reads them`, () => {
  expect(misreadDecimals(COUNT, 1)).toEqual([]);
});
