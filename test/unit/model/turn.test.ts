import { expect, test } from 'vitest';
import { Turn } from '../../../src-main/model/turn.ts';

test('does one thing after the other, also behind one that fails, and says when all are over', async () => {
  const turn = new Turn();
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const failed = turn.take(async () => {
    await first.promise;
    done.push('first');
    throw new Error('no');
  });
  const second = turn.take(async () => done.push('second'));
  await Promise.resolve();
  expect(done).toEqual([]);
  first.resolve();
  await expect(failed).rejects.toThrow('no');
  expect(await second).toBe(2);
  await turn.over();
  expect(done).toEqual(['first', 'second']);
});
