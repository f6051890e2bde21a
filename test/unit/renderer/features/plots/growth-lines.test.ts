// Growths over each other: where their axes begin, and the lines that are drawn.
import { expect, test } from 'vitest';
import { linesOf, titlesOf, wholeSpan } from '../../../../../src-renderer/features/plots/growth-lines.ts';
import type { Growth } from '../../../../../src-renderer/state/growth.ts';
import type { LimitEntry } from '../../../../../src-renderer/state/limits.ts';
import type { PlotLine } from '../../../../../src-renderer/state/plot.ts';

function line(channel: string, unit: string, timesMs: number[], values: number[]): PlotLine {
  return { sourceId: 'log', channel, unit, timesMs, values, readFromMs: null, statistics: null };
}

const growth = (name: string, startedMs: number, endedMs: number | null = startedMs + 1000) =>
  ({ id: `${name} ${startedMs}`, name, startedMs, endedMs }) as Growth;

const read = (startedMs: number, lines: PlotLine[]) => ({
  lines,
  gaps: [{ id: 1, sourceId: 'log', fromMs: startedMs + 5, toMs: startedMs + 9, cause: '' }],
});

const growths = [growth('G1', 1000), growth('G2', 90_000)];
const reads = [
  read(1000, [line('T', '°C', [1000, 1500], [20, 600]), line('p', 'mbar', [1000], [1e-9])]),
  read(90_000, [line('T', '°C', [90_000, 90_400], [21, 500]), line('p', 'Pa', [], [])]),
];

test('each growth stands on its own elapsed time, with its gaps, and keeps its true time', () => {
  const lines = linesOf(growths, reads, 'start');
  expect(lines.map(({ name, unit, xs, zeroMs }) => ({ name, unit, xs, zeroMs }))).toEqual([
    { name: 'G1: T', unit: '°C', xs: [0, 500], zeroMs: 1000 },
    { name: 'G1: p', unit: 'mbar', xs: [0], zeroMs: 1000 },
    { name: 'G2: T', unit: '°C', xs: [0, 400], zeroMs: 90_000 },
  ]);
  expect(new Set(lines.map(({ colour }) => colour)).size).toBe(3);
  expect(lines[2]?.gaps).toEqual([{ fromMs: 5, toMs: 9 }]);
  expect(wholeSpan(growths, 'start', 0)).toEqual({ from: 0, to: 1000 });
});

test('at the clock each growth stands at its true time; one that runs reaches to the present', () => {
  const lines = linesOf(growths, reads, 'clock');
  expect(lines.map(({ xs }) => xs)).toEqual([[1000, 1500], [1000], [90_000, 90_400]]);
  expect(lines.every(({ zeroMs }) => zeroMs === undefined)).toBe(true);
  expect(wholeSpan([growth('G1', 1000), growth('G2', 90_000, null)], 'clock', 99_000)).toEqual({
    from: 1000,
    to: 99_000,
  });
});

test('growths of one name are told apart', () => {
  expect(titlesOf([growth('G1', 1000), growth('', 2000)])).toEqual(['G1', 'Not named']);
  expect(new Set(titlesOf([growth('G1', 1000), growth('G1', 90_000)])).size).toBe(2);
});

test('the limits of a channel are drawn once, and a growth that is not read yet has no line', () => {
  const limit = { sourceId: 'log', channel: 'T', hihi: null, hi: 560, lo: 20, lolo: null } as unknown as LimitEntry;
  const limits = (some: Parameters<typeof linesOf>[1]) =>
    linesOf(growths, some, 'start', [limit]).map((one) => one.limits);
  const drawn = [
    { word: 'Hi', value: 560 },
    { word: 'Lo', value: 20 },
  ];
  expect(limits(reads)).toEqual([drawn, [], []]);
  expect(limits([undefined, reads[1]])).toEqual([drawn]);
});
