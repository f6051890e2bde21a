import { test } from 'vitest';
import { deliver, kill } from '../support/faults/kills.ts';
import { amount } from '../support/run/effort.ts';

const KILLS = amount(4, 12, 200);

test(`over ${KILLS} kills while logs are read and delivered no point is lost or doubled, and each line of an event log is one mark`, async () =>
  kill(await deliver(), KILLS));
