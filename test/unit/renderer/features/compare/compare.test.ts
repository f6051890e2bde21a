// Growths over each other: where their zeros lie, what is drawn, and what an address keeps.
import { expect, test } from 'vitest';
import { alignmentsOf, zeroOf } from '../../../../../src-renderer/features/compare/align.ts';
import {
  type CompareState,
  readCompare,
  writeCompare,
} from '../../../../../src-renderer/features/compare/compare-state.ts';
import { compareChannel, type Placed, wholeSpan } from '../../../../../src-renderer/features/compare/compared-lines.ts';
import { writeWord } from '../../../../../src-renderer/format/state-word.ts';
import type { ComparedGrowth } from '../../../../../src-renderer/state/compare.ts';

const key = (channel: string) => JSON.stringify(['log', channel]);

function line(channel: string, unit: string, timesMs: number[], values: number[]) {
  return { sourceId: 'log', channel, unit, timesMs, values, readFromMs: null, statistics: null };
}

function growth(id: string, startedMs: number, notes: [number, string][], lines: ComparedGrowth['lines']) {
  const own = { id, name: id, startedMs, endedMs: startedMs + 1000 };
  return {
    growth: { ...own, notes: notes.map(([timeMs, text]) => ({ timeMs, text })) } as ComparedGrowth['growth'],
    ...{
      channels: [],
      lines,
      gaps: [{ id: 1, sourceId: 'log', fromMs: startedMs + 5, toMs: startedMs + 9, cause: '' }],
    },
    isPartly: false,
  };
}

const one = growth(
  'G1',
  1000,
  [[1300, 'As open']],
  [
    line('Ga shutter', '', [1000, 1100, 1200], [0, 1, 0]),
    line('T', '°C', [1000, 1500], [20, 600]),
    line('p', 'mbar', [1000], [1e-9]),
  ],
);
const other = growth(
  'G2',
  90_000,
  [
    [90_700, 'As open'],
    [90_800, 'odd'],
  ],
  [line('Ga shutter', '', [90_000, 90_400], [0, 1]), line('T', 'K', [90_000], [293])],
);

test('what all growths have can be put at zero, nothing else', () => {
  expect(alignmentsOf([one, other])).toEqual([
    { at: 'start' },
    { at: 'note', text: 'As open' },
    { at: 'opening', key: key('Ga shutter') },
  ]);
  expect(zeroOf(one, { at: 'opening', key: key('Ga shutter') })).toBe(1100);
  expect(zeroOf(other, { at: 'opening', key: key('Ga shutter') })).toBe(90_400);
  expect(zeroOf(other, { at: 'note', text: 'As open' })).toBe(90_700);
  expect(zeroOf(one, { at: 'note', text: 'odd' })).toBeNull();
});

const placed: Placed[] = [
  { ...one, zeroMs: 1100, colour: 0, title: 'G1' },
  { ...other, zeroMs: 90_400, colour: 1, title: 'G2' },
];

test('each growth stands on its own elapsed time, with its gaps, and keeps its true time', () => {
  const { lines, missingIn } = compareChannel(key('Ga shutter'), placed);
  expect(missingIn).toEqual([]);
  expect(lines.map(({ xs }) => xs)).toEqual([
    [-100, 0, 100],
    [-400, 0],
  ]);
  expect(lines.map(({ zeroMs }) => zeroMs)).toEqual([1100, 90_400]);
  expect(lines[0]?.gaps).toEqual([{ fromMs: -95, toMs: -91 }]);
  expect(wholeSpan(placed, 0)).toEqual({ from: -400, to: 900 });
});

test('different units are not drawn over each other, and a missing channel is named', () => {
  expect(compareChannel(key('T'), placed)).toMatchObject({ lines: [], units: ['°C', 'K'] });
  expect(compareChannel(key('p'), placed)).toMatchObject({ units: [], missingIn: ['G2'], unit: 'mbar' });
});

test('an address keeps what is compared, and takes nothing that does not fit', () => {
  const state: CompareState = {
    ids: ['a', 'b'],
    alignment: { at: 'note', text: 'As open' },
    shiftsMs: { a: -500 },
    chosen: [key('T')],
    ranges: { [key('T')]: [0, 700] },
    span: { from: -10, to: 20 },
  };
  expect(readCompare(writeCompare(state))).toEqual(state);
  const first: CompareState = {
    ids: [],
    alignment: { at: 'start' },
    shiftsMs: {},
    chosen: null,
    ranges: {},
    span: null,
  };
  expect(readCompare('no word')).toEqual(first);
  const odd = { ids: ['a', 3, 'b', 'c', 'd'], shiftsMs: { a: 'x' }, ranges: { t: [1] }, span: { from: 5, to: 1 } };
  expect(readCompare(writeWord(odd))).toEqual({ ...first, ids: ['a', 'b', 'c'] });
});
