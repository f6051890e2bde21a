// Compares rows of a file with series of the service: ten bytes a row, so that a piece tells its rows.
import { describe, expect, test } from 'vitest';
import type { HeldEntry } from '../../../../src-main/agent/old-data/held-entry.ts';
import { matchRows } from '../../../../src-main/agent/old-data/match-rows.ts';
import { HeldSeries } from '../../../../src-main/delivery/client/held-series.ts';
import type { OldRows } from '../../../../src-main/sources/log/old-data.ts';

type Row = readonly [timeMs: number, ...values: number[]];

async function* blocks(columns: readonly string[], ...all: Row[][]): AsyncGenerator<OldRows> {
  let at = 0;
  for (const rows of all) {
    const fromByte = at;
    at += rows.length * 10;
    yield {
      fromByte,
      toByte: at,
      columns,
      channels: columns,
      timesMs: Float64Array.from(rows, ([timeMs]) => timeMs),
      values: Float64Array.from(rows.flatMap(([, ...values]) => values)),
      byteOf: async (row) => fromByte + row * 10,
    };
  }
}

const series = (points: readonly (readonly [number, number])[]) =>
  new HeldSeries(
    Float64Array.from(points, ([timeMs]) => timeMs),
    Float64Array.from(points, ([, value]) => value),
  );
const entry = (channels: Record<string, readonly (readonly [number, number])[]>, isOpen = false): HeldEntry => ({
  name: 'E',
  isOpen,
  series: new Map(Object.entries(channels).map(([name, points]) => [name, series(points)])),
});
const rows = (from: number, to: number): Row[] =>
  Array.from({ length: to - from + 1 }, (_, i) => [(from + i) * 1000, from + i]);
const points = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => [(from + i) * 1000, from + i] as const);

describe('rows of a file', () => {
  test('are there in pieces, over the seams of blocks; the rest is missing', async () => {
    const held = entry({ v: [...points(3, 5), ...points(9, 12)] });
    const match = await matchRows(blocks(['v'], rows(1, 10), rows(11, 20)), [held]);
    expect(match).toEqual({
      there: [
        [20, 50],
        [80, 120],
      ],
      left: [],
      why: '',
      entries: ['E'],
    });
  });

  test('are there a millisecond off, as the service gives them back, and under a qualified name', async () => {
    const held = entry({ 'v (log)': points(1, 4).map(([timeMs, value]) => [timeMs + 1, value]) });
    expect((await matchRows(blocks(['v'], rows(1, 5)), [held])).there).toEqual([[0, 40]]);
    const other = entry({ v: points(1, 4).map(([timeMs, value]) => [timeMs + 2, value]) });
    expect((await matchRows(blocks(['v'], rows(1, 5)), [other])).there).toEqual([]);
  });

  test('that stand twice in the file must be there twice', async () => {
    const twice: Row[] = [
      [1000, 7],
      [1000, 7],
      [2000, 8],
    ];
    const once = await matchRows(blocks(['v'], twice), [entry({ v: [[1000, 7]] })]);
    expect(once.there).toEqual([[0, 10]]);
    const both = await matchRows(blocks(['v'], twice), [
      entry({
        v: [
          [1000, 7],
          [1000, 7],
        ],
      }),
    ]);
    expect(both.there).toEqual([[0, 20]]);
  });

  test('may be there in two entries, a part in each', async () => {
    const match = await matchRows(blocks(['v'], rows(1, 10)), [entry({ v: points(1, 4) }), entry({ v: points(5, 9) })]);
    expect(match.there).toEqual([[0, 90]]);
  });

  test('of which only some channels are there are left alone', async () => {
    const wide: Row[] = [
      [1000, 1, 10],
      [2000, 2, 20],
      [3000, 3, Number.NaN],
      [4000, 4, 40],
    ];
    const held = entry({ a: points(1, 3), b: [[1000, 10]] });
    const match = await matchRows(blocks(['a', 'b'], wide), [held]);
    expect(match).toMatchObject({
      there: [
        [0, 10],
        [20, 30],
      ],
      left: [[10, 20]],
    });
    expect(match.why).toContain('only a part is in E');
  });

  test('behind the last point of an entry that is open are left alone, those before it are not', async () => {
    const match = await matchRows(blocks(['v'], rows(1, 6)), [entry({ v: [...points(1, 2), ...points(4, 4)] }, true)]);
    expect(match).toMatchObject({
      there: [
        [0, 20],
        [30, 40],
      ],
      left: [[40, 60]],
    });
    expect(match.why).toContain('E is still open');
  });

  test('whose values stand there under another name are left alone as a whole', async () => {
    const match = await matchRows(blocks(['v'], rows(1, 5), rows(6, 20)), [entry({ other: points(1, 15) })]);
    expect(match).toMatchObject({ there: [], left: [[0, 200]] });
    expect(match.why).toContain('under the name "other"');
    // Zeros stand in many channels at the same time.
    const zeros = rows(1, 20).map(([timeMs]): Row => [timeMs, 0]);
    const plain = await matchRows(blocks(['v'], zeros), [
      entry({ other: points(1, 20).map(([timeMs]) => [timeMs, 0]) }),
    ]);
    expect(plain).toMatchObject({ there: [], left: [] });
  });
});
