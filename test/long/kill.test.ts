import { test } from 'vitest';
import { expectNoLossOverKills } from '../support/faults/kill-rounds.ts';
import { amount } from '../support/run/effort.ts';

const KILLS = amount(4, 10, 200);

test(`loses nothing and doubles nothing over ${KILLS} kills at random moments of a delivery`, async () => {
  await expectNoLossOverKills(KILLS);
});
