// The whole thing as a user has it, in processes of its own, with the real page in a real browser, while the service is away.
import { test } from 'vitest';
import { walkThroughOutage } from '../support/rigs/outage-walk.ts';

test('keeps and delivers everything, once and in order, when the service goes away in the middle, and the screen says so all the time', () =>
  walkThroughOutage(30));
