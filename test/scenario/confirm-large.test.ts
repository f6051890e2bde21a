import { test } from 'vitest';
import { expectConfirmed } from '../support/rigs/confirmed-channel.ts';

test.each([
  [500_000, false],
  [150_000, true],
])(
  'a channel of %d points is confirmed one by one in bounded memory (given back in another order: %s)',
  expectConfirmed,
);
