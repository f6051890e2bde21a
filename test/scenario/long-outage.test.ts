import { test } from 'vitest';
import { expectDeliveredAfterOutage } from '../support/rigs/engine.ts';

test('after three days without network the backlog drains in order, today first, while the live view was live all the time', async () => {
  await expectDeliveredAfterOutage(3, 600_000);
});
