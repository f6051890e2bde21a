import { test } from 'vitest';
import { expectSoundLives } from '../support/rigs/simulated-lives.ts';
import { amount } from '../support/run/effort.ts';

const LIVES = amount(30, 50, 2000);

test(`over ${LIVES} lives with crashes, full disks, lost, late and lying answers: nothing lost, doubled, altered or held without cause`, async () => {
  await expectSoundLives(LIVES);
});
