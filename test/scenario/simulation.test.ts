import { expect, test } from 'vitest';
import { simulate } from '../simulation/simulate.ts';
import { amount } from '../support/effort.ts';

const SEEDS = amount(60, 600, 20_000);

test(`over ${SEEDS} lives with crashes, full disks, lost, late and lying answers: nothing lost, doubled, altered or held without cause`, async () => {
  const first = Math.floor(Math.random() * 1e9);
  for (let seed = first; seed < first + SEEDS; seed++) {
    const { lost, doubled, altered, unexplained } = await simulate(seed);
    const repeatIt = `npx n24 test/simulation/simulate.ts ${seed}`;
    expect({ lost, doubled, altered, unexplained }, repeatIt).toEqual({
      lost: 0,
      doubled: 0,
      altered: 0,
      unexplained: 0,
    });
  }
});

test('the same seed ends the same', async () => {
  for (const seed of [1, 20, 41]) expect(await simulate(seed)).toEqual(await simulate(seed));
});
