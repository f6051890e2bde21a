import { test } from 'vitest';
import { expectOneSampleOverKill } from '../support/growth-kill.ts';

test.each(['startRheedStream', 'readRheedSettings', 'initializeStream'] as const)(
  'one sample although the agent is killed while %s is under way',
  expectOneSampleOverKill,
);
