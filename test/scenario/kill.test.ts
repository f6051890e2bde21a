// Many more: test/long/kill.test.ts.
import { test } from 'vitest';
import { deliver, kill } from '../support/faults/kills.ts';

const KILLS = 3;

test(`over ${KILLS} kills while logs are read and delivered no point is lost or doubled, and each line of an event log is one mark`, async () =>
  kill(await deliver(), KILLS));
