import { test } from 'vitest';
import { expectOneSampleOverKill } from '../support/faults/growth-kill.ts';

// While startRheedStream is under way: test/scenario/growth/growth-faults.
test.each(['readRheedSettings', 'initializeStream'] as const)(
  'one sample although the agent is killed while %s is under way',
  expectOneSampleOverKill,
);
