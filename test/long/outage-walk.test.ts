// A long time without the service, with the page open all the while.
import { test } from 'vitest';
import { walkThroughOutage } from '../support/rigs/outage-walk.ts';
import { amount } from '../support/run/effort.ts';

const LINES = amount(30, 30, 6000);

test(`keeps and delivers everything when the service is away for ${LINES} lines of the tool`, () =>
  walkThroughOutage(LINES));
