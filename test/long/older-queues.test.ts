// Part A, row 15: data folders that are put back from older copies, drawn by a seed.
import { test } from 'vitest';
import { Chance } from '../simulation/random.ts';
import { putBackOlder } from '../support/faults/older-queue.ts';
import { amount } from '../support/run/effort.ts';

const LIVES = amount(3, 3, 40);

test(`15: over ${LIVES} older copies that were put back each row is at the service once`, async () => {
  const chance = new Chance(15);
  for (let life = 0; life < LIVES; life++) {
    const resend = chance.pick(['verify', 'repeat'] as const);
    await putBackOlder({
      resend,
      repeat: resend === 'repeat' ? 'replace' : chance.pick(['append', 'replace'] as const),
      sender: chance.pick(['same', 'new'] as const),
      rows: [chance.between(1, 60), chance.between(1, 60), chance.between(0, 20)],
      pointsPerChunk: chance.pick([1, 5, 20]),
    });
  }
});
