// Which points entries of the service hold: the one comparison of the uploader and of the plan of old data.
import { expect, test } from 'vitest';
import { EntryPoints } from '../../../../src-main/agent/old-data/entry-points.ts';
import { HeldSeries } from '../../../../src-main/delivery/client/held-series.ts';

type Point = readonly [timeMs: number, value: number];

const points = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i): Point => [(from + i) * 1000, from + i]);
const numbers = (all: readonly Point[], at: 0 | 1) => Float64Array.from(all, (point) => point[at]);
const entry = (name: string, channels: Record<string, readonly Point[]>) => ({
  name,
  series: new Map(
    Object.entries(channels).map(([channel, all]) => [channel, new HeldSeries(numbers(all, 0), numbers(all, 1))]),
  ),
});

test('a point is found in the entry that holds it, once, and also under a qualified name', () => {
  const held = new EntryPoints([entry('A', { v: points(1, 4) }), entry('B', { 'v (log)': points(5, 9) })]);
  const found = [1, 4, 5, 9, 10, 1].map((n) => held.take('v', n * 1000, n));
  expect(found).toEqual(['A', 'A', 'B', 'B', null, null]);
  held.settle(false);
  expect(held.take('v (other)', 1000, 1)).toBe('A');
});

test('values under another name are named, and answer for the channel once they are taken; zeros are not', () => {
  const zeros = points(1, 20).map(([timeMs]): Point => [timeMs, 0]);
  const held = new EntryPoints([entry('E', { other: points(1, 15), flat: zeros })]);
  const aliasOf = (all: readonly Point[]) => held.findAlias('v', numbers(all, 0), numbers(all, 1), ['v']);
  expect(aliasOf(zeros)).toBe(null);
  expect(held.take('v', 1000, 1)).toBe(null);
  held.takeAliases();
  expect(aliasOf(points(1, 20))).toBe('the values of "v" are in "E" under the name "other"');
  expect(held.take('v', 1000, 1)).toBe('E');
});
