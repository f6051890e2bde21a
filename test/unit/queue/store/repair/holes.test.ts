// A queue of five chunks of two points a second apart (chunk k: stamps 2k and 2k+1 s), from which chunks are taken away.
import SQLite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { findHoles } from '../../../../../src-main/queue/store/repair/holes.ts';
import { chunkOf, GA, IN, openSmallQueue } from '../../../../support/rigs/small-queue.ts';

interface Damage {
  /** Chunks that are gone, of both channels. */
  readonly gone?: readonly number[];
  /** Chunks that were acknowledged before. */
  readonly acknowledged?: number;
  readonly openedMs?: number;
  /** Null: none is noted. */
  readonly firstReadingMs?: number | null;
  readonly lastReadingMs?: number | null;
  /** Points that are missing. */
  readonly missing?: number;
  /** First chunk that was open, by channel. */
  readonly openFrom?: ReadonlyMap<number, number>;
}

const together = [0, 1, 2, 3, 4].map((index) => chunkOf(index, [GA, IN]));

function holesAfter(damage: Damage, chunks = together) {
  const { gone = [], acknowledged = 0, openedMs = 0, firstReadingMs = null, lastReadingMs = 9000 } = damage;
  const { queue, path } = openSmallQueue(chunks);
  for (let i = 0; i < acknowledged; i++) queue.acknowledge(queue.nextChunk(1)?.id as number, 1);
  queue.close();
  const database = new SQLite(path);
  onTestFinished(() => void database.close());
  database
    .prepare('UPDATE stream SET opened_ms = ?, first_reading_ms = ?, last_reading_ms = ?')
    .run(openedMs, firstReadingMs, lastReadingMs);
  for (const index of gone) database.prepare('DELETE FROM chunk WHERE chunk_index = ?').run(index);
  return findHoles(database, 1, damage.missing, damage.openFrom).map(({ fromMs, toMs }) => `${fromMs}..${toMs}`);
}

test('a hole lies between the spans of its neighbours, and is told once for all channels', () => {
  expect(holesAfter({ gone: [1, 3] })).toEqual(['1000..4000', '5000..8000']);
  expect(holesAfter({ gone: [1, 2] })).toEqual(['1000..6000']);
});

test('what is missing at the beginning is told from the opening on, what is missing at the end up to the last reading', () => {
  expect(holesAfter({ gone: [0] })).toEqual(['0..2000']);
  expect(holesAfter({ gone: [0], openedMs: -500 })).toEqual(['-500..2000']);
  expect(holesAfter({ gone: [4] })).toEqual(['7000..9000']);
  expect(holesAfter({ gone: [1], openedMs: 700 })).toEqual(['1000..4000']);
});

test('what is missing at the beginning is told from the first reading on, however much later its stream was opened', () => {
  const old = { openedMs: 1e12, firstReadingMs: 0 };
  expect(holesAfter({ ...old, gone: [0] })).toEqual(['0..2000']);
  expect(holesAfter({ ...old, gone: [0, 1] })).toEqual(['0..4000']);
  expect(holesAfter({ ...old, gone: [0, 1, 2, 3, 4] })).toEqual(['0..9000']);
  expect(holesAfter({ openedMs: 0, firstReadingMs: 500, gone: [0] })).toEqual(['500..2000']);
});

test("where stamps go back from chunk to chunk neighbours bound nothing: it is the stream's whole time", () => {
  const [a, b, c, ...later] = together.map((chunk, index) => ({ ...chunk, index }));
  const late = [b, a, c, ...later].flatMap((chunk, index) => (chunk ? [{ ...chunk, index }] : []));
  const old = { openedMs: 1e12, firstReadingMs: 0 };
  expect(holesAfter({ ...old, gone: [3] }, late)).toEqual(['0..9000']);
  expect(holesAfter({ ...old, gone: [4] }, late)).toEqual(['0..9000']);
});

test('acknowledged chunks that were deleted after their time are no hole', () => {
  expect(holesAfter({ acknowledged: 2, gone: [0, 1, 3] })).toEqual(['5000..8000']);
  expect(holesAfter({ acknowledged: 2, gone: [3] })).toEqual(['5000..8000']);
  expect(holesAfter({ acknowledged: 1, gone: [0, 1] })).toEqual(['0..4000']);
});

test('each channel is looked at by itself, and the holes come in order of time', () => {
  const alone = [chunkOf(0, [GA]), chunkOf(1, [GA]), chunkOf(3, [GA]), chunkOf(0, [IN]), chunkOf(2, [IN])];
  expect(holesAfter({ lastReadingMs: 7000 }, alone)).toEqual(['1000..4000', '3000..6000', '5000..7000']);
});

test("where the numbers do not tell, it is the stream's whole time", () => {
  expect(holesAfter({})).toEqual(['0..9000']);
  expect(holesAfter({ gone: [0, 1, 2, 3, 4] })).toEqual(['0..9000']);
  expect(holesAfter({ gone: [0, 1, 2, 3, 4], openedMs: 20_000 })).toEqual(['9000..9000']);
  expect(holesAfter({ gone: [0, 1, 2, 3, 4], openedMs: 20_000, firstReadingMs: 5000 })).toEqual(['5000..9000']);
  expect(holesAfter({ gone: [0, 1, 2, 3, 4], openedMs: 700, lastReadingMs: null })).toEqual(['700..700']);
});

test('a chunk whose readings came after the last one that was noted bounds the time of the stream', () => {
  expect(holesAfter({ lastReadingMs: 5000 })).toEqual(['0..9000']);
});

test('stamps of one channel that go back say nothing of the holes of another', () => {
  const back = (index: number, startMs: number) => ({
    ...chunkOf(index, [GA]),
    timesMs: Float64Array.of(startMs, startMs + 1000),
  });
  const whole = [back(0, 2000), back(1, 0), back(2, 4000), chunkOf(0, [IN]), chunkOf(2, [IN])];
  expect(holesAfter({ lastReadingMs: 5000 }, whole)).toEqual(['1000..4000']);
  const both = [back(0, 2000), back(1, 0), back(3, 6000), chunkOf(0, [IN]), chunkOf(1, [IN]), chunkOf(3, [IN])];
  expect(holesAfter({ lastReadingMs: 7000 }, both)).toEqual(['0..7000', '3000..6000']);
});

const openFrom = new Map([
  [GA, 4],
  [IN, 4],
]);

test('where the numbers account for all that is missing, what was open lacks nothing', () => {
  expect(holesAfter({ gone: [1, 2], missing: 8, openFrom })).toEqual(['1000..6000']);
  expect(holesAfter({ acknowledged: 1, gone: [0, 2, 3], missing: 8, openFrom })).toEqual(['3000..8000']);
  expect(holesAfter({ acknowledged: 2, gone: [0, 3], missing: 4, openFrom })).toEqual(['5000..8000']);
});

test('where more is missing than the numbers account for, it may lie in all the time since the last numbered chunk', () => {
  expect(holesAfter({ gone: [1, 2], missing: 9, openFrom })).toEqual(['1000..6000', '7000..9000']);
  expect(holesAfter({ acknowledged: 1, gone: [0, 2, 3], missing: 9, openFrom })).toEqual(['3000..8000', '3000..9000']);
  // Of the other channel nothing was open: its readings have numbers.
  expect(holesAfter({ gone: [1, 2], missing: 5, openFrom: new Map([[GA, 4]]) })).toEqual(['1000..6000', '7000..9000']);
});
