import { expect, test } from 'vitest';
import type { PlottedLine } from '../../../../../src-renderer/ui/plot/plotted-line.ts';
import { decadeRange, linesBelowDecades } from '../../../../../src-renderer/ui/plot/ranges.ts';

const line = (key: string, values: readonly (number | null)[]) =>
  ({ key, xs: values.map((_, at) => at), values }) as unknown as PlottedLine;

test('names the lines of which a scale over decades leaves points out', () => {
  const lines = [line('p', [1e-8, 1e-6]), line('offset', [-1, 2]), line('closed', [0, 0]), line('none', [null])];
  expect(linesBelowDecades(lines, { from: 0, to: 1 }).map(({ key }) => key)).toEqual(['offset', 'closed']);
  expect(linesBelowDecades(lines, { from: 1, to: 1 }).map(({ key }) => key)).toEqual(['offset', 'closed']);
});

test('reaches over whole decades around what is above zero', () => {
  expect(decadeRange({ min: 2e-9, max: 5e-7, minAboveZero: 2e-9 })).toEqual([1e-9, 1e-6]);
});
