import { test } from 'vitest';
import { amount } from '../support/effort.ts';
import { expectNoLossOverKills } from '../support/kill-rounds.ts';

const KILLS = amount(4, 10, 200);

test(`loses nothing and doubles nothing over ${KILLS} kills at random moments of a delivery`, async () => {
  await expectNoLossOverKills(KILLS);
});
