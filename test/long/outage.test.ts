import { test } from 'vitest';
import { expectDeliveredAfterOutage } from '../support/rigs/outage.ts';
import { amount } from '../support/run/effort.ts';

const DAYS = amount(3, 3, 30);

test(`after ${DAYS} days without network the backlog drains in order, today first, while the live view was live all the time`, async () => {
  await expectDeliveredAfterOutage(DAYS, 30_000);
});
