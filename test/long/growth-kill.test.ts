import { test } from 'vitest';
import { kill } from '../support/faults/kills.ts';

// While startRheedStream is under way: test/scenario/growth/growth-faults.
test.each(['readRheedSettings', 'initializeStream'] as const)(
  'one sample although the agent is killed while %s is under way',
  (endpoint) => kill('growth', 1, endpoint),
);
