import { test } from 'vitest';
import { amount } from '../support/effort.ts';
import { expectSoundLives } from '../support/simulated-lives.ts';

const LIVES = amount(30, 100, 2000);

test(`over ${LIVES} lives with crashes, full disks, lost, late and lying answers: nothing lost, doubled, altered or held without cause`, async () => {
  await expectSoundLives(LIVES);
});
