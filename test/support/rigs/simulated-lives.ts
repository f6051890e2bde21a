// Simulated lives of the engine, with seeds by chance; a life that went wrong names the command that repeats it.
import { expect } from 'vitest';
import { simulate } from '../../simulation/simulate.ts';

/** Live so many seeds: nothing is lost, doubled, altered or held without cause. */
export async function expectSoundLives(lives: number): Promise<void> {
  const first = Math.floor(Math.random() * 1e9);
  for (let seed = first; seed < first + lives; seed++) {
    const { lost, doubled, altered, unexplained } = await simulate(seed);
    const repeatIt = `npx n24 test/simulation/simulate.ts ${seed}`;
    expect({ lost, doubled, altered, unexplained }, repeatIt).toEqual({
      lost: 0,
      doubled: 0,
      altered: 0,
      unexplained: 0,
    });
  }
}
