import { expect, test } from 'vitest';
import { placeLines } from '../../../../../src-renderer/ui/plot/place-lines.ts';
import type { PlottedLine } from '../../../../../src-renderer/ui/plot/plotted-line.ts';

const line = (key: string, unit: string) => ({ key, unit }) as PlottedLine;
const lines = [line('T1', '°C'), line('T2', '°C'), line('p', 'mbar')];

const placed = (ownAxes: Readonly<Record<string, string>>) =>
  placeLines(lines, ownAxes).map(({ unit, lines: all, own }) => [unit, all.map(({ key }) => key), [...own]]);

test('each unit has a plot, so that no axis bears two', () => {
  expect(placed({})).toEqual([
    ['°C', ['T1', 'T2'], []],
    ['mbar', ['p'], []],
  ]);
});

test('a line with an axis of its own stands in the plot of another unit, or of its own', () => {
  expect(placed({ p: '°C' })).toEqual([['°C', ['T1', 'T2', 'p'], ['p']]]);
  expect(placed({ T2: '°C' })).toEqual([
    ['°C', ['T1', 'T2'], ['T2']],
    ['mbar', ['p'], []],
  ]);
});

test('a line whose plot has no other line stands in the plot of its unit, on the axis of all', () => {
  expect(placed({ p: 'mbar' })).toEqual(placed({}));
  expect(placed({ T1: 'mbar', p: '°C', T2: 'Pa' })).toEqual(placed({}));
});
