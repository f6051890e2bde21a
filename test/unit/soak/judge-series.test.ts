// The judge of the soak must notice each kind of wrong, or its verdict is worth nothing.
import { expect, test } from 'vitest';
import type { Series } from '../../soak/delivered-series.ts';
import { judgeSeries } from '../../soak/judge-series.ts';

const written: Series = { timesMs: [10, 20, 30, 40], values: [1, 2, 2, 3] };
const judge = (timesMs: number[], values: number[]) => judgeSeries('T', written, { timesMs, values });

test('what came as it was written is well', () => {
  expect(judge(written.timesMs, written.values)).toEqual({ expected: 4, lost: 0, doubled: 0, altered: 0, wrong: [] });
});

test('a point that did not come is lost', () => {
  expect(judge([10, 20, 40], [1, 2, 3])).toMatchObject({ lost: 1, doubled: 0, altered: 0 });
});

test('a point that came twice is doubled', () => {
  expect(judge([10, 20, 20, 30, 40], [1, 2, 2, 2, 3])).toMatchObject({ lost: 0, doubled: 1, altered: 0 });
});

test('another value, and a stamp that nobody wrote, are altered', () => {
  expect(judge([10, 20, 30, 40], [1, 2, 2, 4])).toMatchObject({ lost: 0, doubled: 0, altered: 1 });
  expect(judge([10, 20, 30, 35, 40], [1, 2, 2, 2, 3])).toMatchObject({ lost: 0, doubled: 0, altered: 1 });
});

test('a point behind a later one is altered', () => {
  const { lost, doubled, altered, wrong } = judge([10, 30, 20, 40], [1, 2, 2, 3]);
  expect({ lost, doubled, altered }).toEqual({ lost: 0, doubled: 0, altered: 1 });
  expect(wrong).toEqual(['T at 1970-01-01T00:00:00.020Z: 2 stands behind a later one']);
});
