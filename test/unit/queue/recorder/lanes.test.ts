import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Readings } from '../../../../src-main/model/readings.ts';
import {
  Lanes,
  makeLane,
  type OpenLane,
  type SealedSlice,
  sliceLane,
} from '../../../../src-main/queue/recorder/lanes.ts';
import { walks } from '../../../support/run/effort.ts';

const [A, B, C] = [11, 12, 13];
const no = Number.NaN;

/** Rows of some columns; the stamp of row i is `fromMs` + i. */
function block(width: number, rows: readonly (readonly number[])[], fromMs = 0): Readings {
  const channels = Array.from({ length: width }, (_, c) => `c${c}`);
  return { channels, timesMs: Float64Array.from(rows, (_, i) => fromMs + i), values: Float64Array.from(rows.flat()) };
}

/** So many rows with the stamps n = `fromMs`, `fromMs` + 1, and so on. */
function rowsFrom(fromMs: number, count: number, rowAt: (n: number) => readonly number[]): Readings {
  const rows = Array.from({ length: count }, (_, i) => rowAt(fromMs + i));
  return block(rows[0]?.length ?? 0, rows, fromMs);
}

/** Lanes of P rows, and everything that they tell. Lane ids rise from 1. */
function openLanes(pointsPerChunk: number) {
  const sealed: { lane: number; channels: number[]; index: number; timesMs: number[]; columns: number[][] }[] = [];
  const splits: { old: OpenLane; present: OpenLane; absent: OpenLane }[] = [];
  const grown: number[] = [];
  let laneId = 0;
  const lanes = new Lanes(pointsPerChunk, {
    sealed: ({ channelIds, index, rows, timesMs, values }: SealedSlice, { id }) => {
      const columns = channelIds.map((_, c) => [...values.subarray(c * rows, (c + 1) * rows)]);
      sealed.push({ lane: id, channels: [...channelIds], index, timesMs: [...timesMs], columns });
      expect([timesMs.length, values.length]).toEqual([rows, rows * channelIds.length]);
    },
    split: (old, present, absent) => splits.push({ old, present, absent }),
    grown: ({ id }) => grown.push(id),
    nextLaneId: () => ++laneId,
  });
  return { lanes, sealed, splits, grown };
}

/** A sealed slice as `openLanes` tells it. */
const sliceOf = (lane: number, channels: number[], index: number, timesMs: number[], ...columns: number[][]) => ({
  ...{ lane, channels, index, timesMs, columns },
});

/** What stands open, lane by lane. */
const openOf = (lanes: Lanes) =>
  [...lanes.all].map((lane) => {
    const { timesMs, values, rows } = sliceLane(lane);
    const columns = lane.channelIds.map((_, c) => [...values.subarray(c * rows, (c + 1) * rows)]);
    return { id: lane.id, channels: lane.channelIds, next: lane.nextIndex, timesMs: [...timesMs], columns };
  });

describe('a lane that gets every reading', () => {
  test('seals exactly P rows at a time, column after column, and keeps the rest open', () => {
    const { lanes, sealed, grown } = openLanes(3);
    lanes.admit([A, B]);
    const rows = Array.from({ length: 7 }, (_, i) => [i, i + 0.5]);
    lanes.add(block(2, rows), [A, B], 0, 2);
    expect(sealed).toEqual([]);
    lanes.add(block(2, rows), [A, B], 2, 7);
    expect(sealed).toEqual([
      sliceOf(1, [A, B], 0, [0, 1, 2], [0, 1, 2], [0.5, 1.5, 2.5]),
      sliceOf(1, [A, B], 1, [3, 4, 5], [3, 4, 5], [3.5, 4.5, 5.5]),
    ]);
    expect(openOf(lanes)).toEqual([{ id: 1, channels: [A, B], next: 2, timesMs: [6], columns: [[6], [6.5]] }]);
    // Told once for each chunk that the rows go into, not for each row.
    expect(grown).toEqual([1, 1, 1, 1]);
  });

  test('is empty and at its next index when the last row fills a chunk; nothing is sealed twice at the end', () => {
    const { lanes, sealed } = openLanes(2);
    lanes.admit([A]);
    lanes.add(block(1, [[1], [2]]), [A], 0, 2);
    expect(openOf(lanes)).toEqual([{ id: 1, channels: [A], next: 1, timesMs: [], columns: [[]] }]);
    lanes.sealAll();
    expect(sealed).toHaveLength(1);
    lanes.add(block(1, [[3]], 2), [A], 0, 1);
    lanes.sealAll();
    lanes.sealAll();
    expect(sealed.slice(1)).toEqual([sliceOf(1, [A], 1, [2], [3])]);
  });

  test('takes a block whose columns come in another order by their ids', () => {
    const { lanes } = openLanes(9);
    lanes.admit([A, B]);
    lanes.add(block(2, [[1, 2]]), [A, B], 0, 1);
    lanes.add(block(2, [[20, 10]], 5), [B, A], 0, 1);
    const open = openOf(lanes).map(({ id, timesMs, columns }) => `${id}: ${timesMs}; ${columns.join(' and ')}`);
    expect(open).toEqual(['1: 0,5; 1,10 and 2,20']);
  });

  test('a sealed chunk stays unchanged when the lane fills again', () => {
    const slices: SealedSlice[] = [];
    const lanes = new Lanes(2, {
      ...{ sealed: (slice) => slices.push(slice), split: () => {}, grown: () => {}, nextLaneId: () => 1 },
    });
    lanes.admit([A]);
    lanes.add(block(1, [[1], [2], [3], [4]]), [A], 0, 4);
    expect(slices.map(({ timesMs, values }) => `${timesMs} ${values}`)).toEqual(['0,1 1,2', '2,3 3,4']);
  });
});

describe('channels', () => {
  test('those seen for the first time share a lane; those known stay where they are', () => {
    const { lanes } = openLanes(4);
    lanes.admit([A, B]);
    lanes.admit([B, A]);
    lanes.admit([B, C]);
    expect(openOf(lanes).map(({ id, channels }) => [id, channels])).toEqual([
      [1, [A, B]],
      [2, [C]],
    ]);
  });

  test('one that joins later has a lane and a numbering of its own', () => {
    const { lanes, sealed } = openLanes(2);
    lanes.admit([A]);
    lanes.add(block(1, [[1]]), [A], 0, 1);
    lanes.admit([A, B]);
    lanes.add(
      rowsFrom(1, 2, (n) => [n + 1, 10 * (n + 1)]),
      [A, B],
      0,
      2,
    );
    expect(sealed.map(({ channels, index, columns }) => [channels, index, columns])).toEqual([
      [[A], 0, [[1, 2]]],
      [[B], 0, [[20, 30]]],
    ]);
    expect(openOf(lanes)).toMatchObject([
      { channels: [A], next: 1, columns: [[3]] },
      { channels: [B], next: 1, columns: [[]] },
    ]);
  });

  test('skips a column that no lane knows, since it has no point', () => {
    const { lanes, splits } = openLanes(4);
    lanes.admit([A]);
    lanes.add(block(2, [[no, 1]]), [C, A], 0, 1);
    expect(openOf(lanes)).toMatchObject([{ channels: [A], columns: [[1]] }]);
    expect(splits).toEqual([]);
  });
});

describe('a reading that lacks a channel', () => {
  test('splits the lane: both parts carry its open rows and go on by themselves', () => {
    const { lanes, sealed, splits, grown } = openLanes(3);
    lanes.admit([A, B, C]);
    lanes.add(
      rowsFrom(0, 5, (n) => [n, 10 + n, 20 + n]),
      [A, B, C],
      0,
      5,
    );
    const [before] = lanes.all;
    grown.length = 0;
    lanes.add(block(3, [[5, no, 25]], 5), [A, B, C], 0, 1);
    expect(splits.map(({ old, present, absent }) => [old, present.id, absent.id])).toEqual([[before, 2, 3]]);
    expect([...lanes.all]).toEqual([splits[0]?.present, splits[0]?.absent]);
    expect(grown).toEqual([2]);
    expect(sealed.slice(1)).toEqual([sliceOf(2, [A, C], 1, [3, 4, 5], [3, 4, 5], [23, 24, 25])]);
    expect(openOf(lanes)).toEqual([
      { id: 2, channels: [A, C], next: 2, timesMs: [], columns: [[], []] },
      { id: 3, channels: [B], next: 1, timesMs: [3, 4], columns: [[13, 14]] },
    ]);
    lanes.add(block(3, [[6, 16, 26]], 6), [A, B, C], 0, 1);
    expect(sealed.slice(2)).toEqual([sliceOf(3, [B], 1, [3, 4, 6], [13, 14, 16])]);
    expect(openOf(lanes)).toMatchObject([{ columns: [[6], [26]] }, { columns: [[]] }]);
    expect(splits).toHaveLength(1);
  });

  test.each([
    ['has no column for it', block(1, [[2]], 1), [A]],
    ['is not a number there', block(2, [[2, no]], 1), [A, B]],
    ['is infinite there', block(2, [[2, Number.NEGATIVE_INFINITY]], 1), [A, B]],
  ])('that is so when it %s', (_, later, ids) => {
    const { lanes, splits } = openLanes(9);
    lanes.admit([A, B]);
    lanes.add(block(2, [[1, 10]]), [A, B], 0, 1);
    lanes.add(later, ids, 0, 1);
    expect(splits.map(({ present, absent }) => [present.channelIds, absent.channelIds])).toEqual([[[A], [B]]]);
    expect(openOf(lanes)).toMatchObject([
      { timesMs: [0, 1], columns: [[1, 2]] },
      { timesMs: [0], columns: [[10]] },
    ]);
  });

  test('a reading without any point changes nothing', () => {
    const { lanes, splits, grown } = openLanes(9);
    lanes.admit([A, B]);
    lanes.add(block(2, [[no, no]]), [A, B], 0, 1);
    expect([splits, grown]).toEqual([[], []]);
    expect(openOf(lanes)).toMatchObject([{ timesMs: [] }]);
  });

  test('rows of one block each go where their own cells say, also where as many are missing, of another channel', () => {
    const { lanes, splits, grown } = openLanes(99);
    lanes.admit([A, B]);
    const rows = [
      [0, 10],
      [1, 11],
      [2, no],
      [3, no],
      [no, 14],
      [no, 15],
      [6, 16],
    ];
    lanes.add(block(2, rows), [A, B], 0, 7);
    expect(splits).toHaveLength(1);
    expect(openOf(lanes)).toEqual([
      { id: 2, channels: [A], next: 0, timesMs: [0, 1, 2, 3, 6], columns: [[0, 1, 2, 3, 6]] },
      { id: 3, channels: [B], next: 0, timesMs: [0, 1, 4, 5, 6], columns: [[10, 11, 14, 15, 16]] },
    ]);
    // Looked up once for each run of rows with the same cells.
    expect(grown).toEqual([1, 2, 3, 2, 3]);
  });
});

describe('cutting again', () => {
  test('chunks of the new size go out in order, the rest stays open, and what follows is cut the same', () => {
    const { lanes, sealed, grown } = openLanes(1000);
    lanes.admit([A, B]);
    lanes.add(
      rowsFrom(0, 7, (n) => [n, 10 + n]),
      [A, B],
      0,
      7,
    );
    grown.length = 0;
    lanes.recut(3);
    expect(sealed).toEqual([
      sliceOf(1, [A, B], 0, [0, 1, 2], [0, 1, 2], [10, 11, 12]),
      sliceOf(1, [A, B], 1, [3, 4, 5], [3, 4, 5], [13, 14, 15]),
    ]);
    expect(grown).toEqual([1, 1, 1]);
    expect(openOf(lanes)).toEqual([{ id: 1, channels: [A, B], next: 2, timesMs: [6], columns: [[6], [16]] }]);
    lanes.add(
      rowsFrom(7, 3, (n) => [n, 10 + n]),
      [A, B],
      0,
      3,
    );
    expect(sealed.slice(2)).toMatchObject([{ index: 2, timesMs: [6, 7, 8] }]);
    expect(openOf(lanes)).toMatchObject([{ next: 3, timesMs: [9] }]);
  });

  test('an empty lane, and one whose rows fill chunks exactly, have nothing open; a later channel is cut the same', () => {
    const { lanes, sealed } = openLanes(1000);
    lanes.admit([A]);
    lanes.add(block(1, [[1], [2]]), [A], 0, 2);
    lanes.admit([A, B]);
    lanes.recut(2);
    expect(sealed).toMatchObject([{ channels: [A], index: 0 }]);
    expect(openOf(lanes)).toMatchObject([
      { channels: [A], next: 1, timesMs: [] },
      { channels: [B], next: 0, timesMs: [] },
    ]);
    lanes.admit([C]);
    lanes.add(block(1, [[5], [6], [7]], 9), [C], 0, 3);
    expect(sealed.slice(1)).toMatchObject([{ channels: [C], index: 0, columns: [[5, 6]] }]);
  });
});

test('a slice begins where it is asked to, and is a copy', () => {
  const lane = makeLane(1, [A, B], 4);
  lane.timesMs.set([1, 2, 3]);
  for (const [c, column] of lane.columns.entries()) column.set([c, c + 10, c + 20]);
  lane.rows = 3;
  const slice = sliceLane(lane, 1);
  lane.timesMs.fill(0);
  lane.columns[0]?.fill(0);
  expect(slice).toEqual({ rows: 2, timesMs: Float64Array.of(2, 3), values: Float64Array.of(10, 20, 11, 21) });
});

test('whatever is missing where, each channel gets its points once and in order, in chunks 0, 1, 2 ... of exactly P', () => {
  const row = fc.array(fc.boolean(), { minLength: 3, maxLength: 3 });
  const steps = fc.array(fc.array(row, { minLength: 1, maxLength: 12 }), { maxLength: 12 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 5 }), fc.nat(13), (blocks, pointsPerChunk, recutAt) => {
      const ids = [A, B, C];
      const truth = ids.map((): [number, number][] => []);
      const isRecut = recutAt < blocks.length;
      const { lanes, sealed } = openLanes(isRecut ? 1000 : pointsPerChunk);
      let timeMs = 0;
      for (const [at, rows] of blocks.entries()) {
        if (at === recutAt) lanes.recut(pointsPerChunk);
        const firstMs = timeMs;
        const cells = rows.map((present) => {
          for (const [c, list] of truth.entries()) if (present[c]) list.push([timeMs, timeMs + c / 4]);
          timeMs += 1;
          return present.map((isPresent, c) => (isPresent ? timeMs - 1 + c / 4 : no));
        });
        lanes.admit(ids.filter((_, c) => rows.some((present) => present[c])));
        lanes.add(block(3, cells, firstMs), ids, 0, rows.length);
      }
      for (const { rows } of lanes.all) expect(rows).toBeLessThan(pointsPerChunk);
      lanes.sealAll();
      const chunksOf = (id: number) =>
        sealed
          .filter(({ channels }) => channels.includes(id))
          .map((slice) => ({ ...slice, values: slice.columns[slice.channels.indexOf(id)] as number[] }));
      for (const [c, id] of ids.entries()) {
        const chunks = chunksOf(id);
        expect(chunks.map(({ index }) => index)).toEqual([...chunks.keys()]);
        for (const { timesMs } of chunks.slice(0, -1)) expect(timesMs).toHaveLength(pointsPerChunk);
        expect(chunks.flatMap(({ timesMs, values }) => timesMs.map((at, i) => [at, values[i]]))).toEqual(truth[c]);
      }
    }),
    walks(100),
  );
});
