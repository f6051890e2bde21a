import { test } from 'vitest';
import { expectDeliveredAfterOutage } from '../support/rigs/engine.ts';
import { amount } from '../support/run/effort.ts';

const DAYS = amount(3, 3, 30);
const STEP_MS = amount(600_000, 120_000, 30_000);

test(`after ${DAYS} days without network the backlog drains in order, today first, while the live view was live all the time`, async () => {
  await expectDeliveredAfterOutage(DAYS, STEP_MS);
});
