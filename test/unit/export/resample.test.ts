import { expect, test } from 'vitest';
import type { PointSource } from '../../../src-main/export/points.ts';
import { resampleWindows } from '../../../src-main/export/resample.ts';

/** The mean of points in one step. */
async function meanOf(values: readonly number[]): Promise<number | undefined> {
  const column = { timesMs: Float64Array.from(values.keys()), values: Float64Array.from(values) };
  const head = { series: [{ sourceId: 's', channel: 'c', unit: '' }], fromMs: 0, toMs: 1000 } as unknown;
  async function* windows() {
    yield { fromMs: 0, toMs: 1000, columns: [column] };
  }
  const source = { head, windows, damagedPoints: () => 0 } as PointSource;
  const found: number[] = [];
  for await (const { columns } of resampleWindows(source, { everyMs: 1000, method: 'mean' })) {
    found.push(...(columns[0]?.values ?? []));
  }
  expect(found).toHaveLength(1);
  return found[0];
}

test.each([
  [[Number.MAX_VALUE, -Number.MAX_VALUE], 0],
  [[Number.MAX_VALUE, Number.MAX_VALUE, Number.MAX_VALUE], Number.MAX_VALUE],
  [[1e-320, 3e-320], 2e-320],
  [[1 / 3, 1 / 3, 1 / 3], 1 / 3],
])('the mean of %j is %d', async (values, mean) => {
  expect(await meanOf(values)).toBe(mean);
});
