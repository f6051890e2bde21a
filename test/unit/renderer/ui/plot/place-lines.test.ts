import { expect, test } from 'vitest';
import { placeLines } from '../../../../../src-renderer/ui/plot/place-lines.ts';
import type { PlottedLine } from '../../../../../src-renderer/ui/plot/plotted-line.ts';

const line = (key: string, unit: string) => ({ key, unit }) as PlottedLine;
const lines = [line('T1', '°C'), line('T2', '°C'), line('p', 'mbar')];

const placed = (...ownAxes: string[]) =>
  placeLines(lines, ownAxes).map(({ unit, lines: all, own }) => [unit, all.map(({ key }) => key), [...own]]);

test('each unit has a plot, so that no axis bears two', () => {
  expect(placed()).toEqual([
    ['°C', ['T1', 'T2'], []],
    ['mbar', ['p'], []],
  ]);
});

test('a line with an axis of its own stands in the first plot, whatever its unit', () => {
  expect(placed('p')).toEqual([['°C', ['T1', 'T2', 'p'], ['p']]]);
  expect(placed('T2')).toEqual([
    ['°C', ['T1', 'T2'], ['T2']],
    ['mbar', ['p'], []],
  ]);
  expect(placed('T1', 'T2')).toEqual([['mbar', ['T1', 'T2', 'p'], ['T1', 'T2']]]);
});

test('where every line has an axis of its own, each stands in the plot of its unit', () => {
  expect(placed('T1', 'T2', 'p')).toEqual(placed());
});
