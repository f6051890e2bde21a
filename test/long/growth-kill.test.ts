import { test } from 'vitest';
import { growth, kill } from '../support/faults/kills.ts';

// While startRheedStream is under way: test/scenario/growth/growth-faults.
test.each(['readRheedSettings', 'initializeStream'] as const)(
  'one sample although the agent is killed while %s is under way',
  async (endpoint) => kill(await growth(endpoint), 1),
);
