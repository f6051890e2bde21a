import { expect, test } from 'vitest';
import { LineSums } from '../../../../../src-main/agent/handlers/plot/line-sums.ts';

test('parts together are what all of them are, a small spread about a large mean kept', () => {
  const sums = new LineSums();
  expect(sums.statistics()).toBeNull();
  sums.add([1e9 + 1, Number.NaN]);
  expect(sums.statistics()).toMatchObject({ count: 1, deviation: 0 });
  sums.add(Float64Array.of(1e9 + 2, 1e9 + 3));
  expect(sums.statistics()).toEqual({ count: 3, min: 1e9 + 1, max: 1e9 + 3, mean: 1e9 + 2, deviation: 1 });
});
