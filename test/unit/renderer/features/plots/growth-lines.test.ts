// Growths over each other: where their zeros lie, and the lines that are drawn.
import { expect, test } from 'vitest';
import {
  alignmentsOf,
  linesOf,
  placeGrowths,
  wholeSpan,
} from '../../../../../src-renderer/features/plots/growth-lines.ts';
import type { Growth } from '../../../../../src-renderer/state/growth.ts';
import type { LimitEntry } from '../../../../../src-renderer/state/limits.ts';
import type { PlotLine } from '../../../../../src-renderer/state/plot.ts';

function line(channel: string, unit: string, timesMs: number[], values: number[]): PlotLine {
  return { sourceId: 'log', channel, unit, timesMs, values, readFromMs: null, statistics: null };
}

function growth(name: string, startedMs: number, notes: [number, string][]): Growth {
  const own = { id: name, name, startedMs, endedMs: startedMs + 1000 };
  return { ...own, notes: notes.map(([timeMs, text]) => ({ timeMs, text })) } as Growth;
}

const read = (startedMs: number, lines: PlotLine[]) => ({
  lines,
  gaps: [{ id: 1, sourceId: 'log', fromMs: startedMs + 5, toMs: startedMs + 9, cause: '' }],
});

const growths = [
  growth('G1', 1000, [[1300, 'As open']]),
  growth('G2', 90_000, [
    [90_700, 'As open'],
    [90_800, 'odd'],
  ]),
];
const reads = [
  read(1000, [line('T', '°C', [1000, 1500], [20, 600]), line('p', 'mbar', [1000], [1e-9])]),
  read(90_000, [line('T', '°C', [90_000, 90_400], [21, 500]), line('p', 'Pa', [90_000], [1e-7])]),
];

test('growths can be aligned at their starts, at the clock, and at notes that all have', () => {
  expect(alignmentsOf(growths)).toEqual([{ at: 'start' }, { at: 'clock' }, { at: 'note', text: 'As open' }]);
  expect(alignmentsOf([])).toEqual([{ at: 'start' }, { at: 'clock' }]);
});

test('each growth stands on its own elapsed time, with its gaps, and keeps its true time', () => {
  const placed = placeGrowths(growths, reads, { at: 'note', text: 'As open' });
  const lines = linesOf(placed);
  expect(lines.map(({ name, unit, xs, zeroMs }) => ({ name, unit, xs, zeroMs }))).toEqual([
    { name: 'G1: T', unit: '°C', xs: [-300, 200], zeroMs: 1300 },
    { name: 'G1: p', unit: 'mbar', xs: [-300], zeroMs: 1300 },
    { name: 'G2: T', unit: '°C', xs: [-700, -300], zeroMs: 90_700 },
    { name: 'G2: p', unit: 'Pa', xs: [-700], zeroMs: 90_700 },
  ]);
  expect(new Set(lines.map(({ colour }) => colour)).size).toBe(4);
  expect(lines[0]?.gaps).toEqual([{ fromMs: -295, toMs: -291 }]);
  expect(wholeSpan(placed, 0)).toEqual({ from: -700, to: 700 });
});

test('at the clock each growth stands at its true time', () => {
  const placed = placeGrowths(growths, reads, { at: 'clock' });
  expect(linesOf(placed).map(({ xs }) => xs)).toEqual([[1000, 1500], [1000], [90_000, 90_400], [90_000]]);
  expect(wholeSpan(placed, 0)).toEqual({ from: 1000, to: 91_000 });
});

test('a growth without the note is named and stands at its start; growths of one name are told apart', () => {
  const [first, second] = growths as [Growth, Growth];
  const placed = placeGrowths([first, { ...second, name: 'G1' }], reads, { at: 'note', text: 'odd' });
  expect(placed.map(({ isUnaligned, zeroMs }) => [isUnaligned, zeroMs])).toEqual([
    [true, 1000],
    [false, 90_800],
  ]);
  expect(new Set(placed.map(({ title }) => title)).size).toBe(2);
});

test('the limits of a channel are drawn once, and a growth that is not read yet has no line', () => {
  const limit = { sourceId: 'log', channel: 'T', hihi: null, hi: 560, lo: 20, lolo: null } as unknown as LimitEntry;
  const limits = (read: Parameters<typeof placeGrowths>[1]) =>
    linesOf(placeGrowths(growths, read, { at: 'start' }), [limit]).map((one) => one.limits);
  const drawn = [
    { word: 'Hi', value: 560 },
    { word: 'Lo', value: 20 },
  ];
  expect(limits(reads)).toEqual([drawn, [], [], []]);
  expect(limits([undefined, reads[1]])).toEqual([drawn, []]);
});
