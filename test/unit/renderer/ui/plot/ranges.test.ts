import { expect, test } from 'vitest';
import type { PlottedLine } from '../../../../../src-renderer/ui/plot/plotted-line.ts';
import { decadeRange, linesBelowDecades, valueTexts } from '../../../../../src-renderer/ui/plot/ranges.ts';

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

test('writes ticks that are close together with as many digits as tell them apart', () => {
  expect(valueTexts([1.229e-5, 1.23e-5, 1.231e-5], 'Torr')).toEqual(['1.229E-05', '1.230E-05', '1.231E-05']);
  expect(valueTexts([599.9998, 600, 600.0002], '°C')).toEqual(['599.9998', '600', '600.0002']);
  expect(valueTexts([1e-9, 1e-8], 'Torr')).toEqual(['1.0E-09', '1.0E-08']);
});
