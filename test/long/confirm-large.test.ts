import { test } from 'vitest';
import { expectConfirmed } from '../support/rigs/confirmed-channel.ts';
import { amount } from '../support/run/effort.ts';

test.each([
  [amount(500_000, 1_000_000, 20_000_000), false],
  [amount(150_000, 150_000, 600_000), true],
])(
  'a channel of %d points is confirmed one by one in bounded memory (given back in another order: %s)',
  expectConfirmed,
);
