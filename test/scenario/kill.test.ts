import { test } from 'vitest';
import { expectNoLossOverKills } from '../support/faults/kill-rounds.ts';

const KILLS = 4;

test(`loses nothing and doubles nothing over ${KILLS} kills at random moments of a delivery`, async () => {
  await expectNoLossOverKills(KILLS);
});
