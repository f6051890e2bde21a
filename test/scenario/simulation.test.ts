import { expect, test } from 'vitest';
import { simulate } from '../simulation/simulate.ts';
import { expectSoundLives } from '../support/rigs/simulated-lives.ts';

const LIVES = 15;

test(`over ${LIVES} lives with crashes, full disks, lost, late and lying answers: nothing lost, doubled, altered or held without cause`, async () => {
  await expectSoundLives(LIVES);
});

test('the same seed ends the same', async () => {
  expect(await simulate(20)).toEqual(await simulate(20));
});
