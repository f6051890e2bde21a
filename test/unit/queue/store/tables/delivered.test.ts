// "Delivered up to" against the truth, which is found by unpacking everything that the queue holds.
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NewChunk } from '../../../../../src-main/model/queue.ts';
import { openQueue, type Queue } from '../../../../../src-main/queue/store/queue.ts';
import { DELIVERED_COLUMNS } from '../../../../../src-main/queue/store/tables/delivered.ts';
import { emptyCommit, openRecorder } from '../../../../support/rigs/small-queue.ts';
import { walks } from '../../../../support/run/effort.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const START_MS = Date.UTC(2026, 10, 20, 12);
const CHANNELS = ['a', 'b', 'c'];

/** Every stored point of a stream: its stamp, and whether it waits. */
function allPoints(queue: Queue, streamId: number) {
  const points: { timeMs: number; state: string }[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page = queue.storedPage(streamId, after, 1000);
    for (const { state, timesMs } of page.blocks) points.push(...Array.from(timesMs, (timeMs) => ({ timeMs, state })));
    after = page.next;
  }
  return points;
}

/**
 * The latest stamp up to which nothing waits, of the newest acknowledged one and the whole milliseconds before waiting ones,
 * not after that newest one and not before all there is; null: there is none.
 */
function truth(queue: Queue, streamId: number): number | null {
  const points = allPoints(queue, streamId);
  const stampsOf = (...states: string[]) => points.filter((p) => states.includes(p.state)).map((p) => p.timeMs);
  const acknowledged = stampsOf('acknowledged');
  const waiting = stampsOf('waiting', 'open');
  const newestMs = Math.max(...acknowledged);
  const candidates = [newestMs, ...waiting.map((timeMs) => Math.ceil(timeMs) - 1)].filter(
    (upToMs) =>
      upToMs <= newestMs &&
      upToMs >= Math.min(...points.map((p) => p.timeMs)) &&
      waiting.every((timeMs) => timeMs > upToMs),
  );
  return candidates.length === 0 ? null : Math.max(...candidates);
}

const RULE = { pointsPerChunk: 4, rollover: 'growth', closeAfterQuietMs: null } as const;

/** Stamps go on, stand, jump back, and have fractions; a row has at least one point. */
const rows = fc.array(
  fc.record({
    stepMs: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(100, 250.5) },
      fc.integer({ min: -400, max: 100 }),
      fc.double({ min: -400, max: 400, noNaN: true }),
    ),
    present: fc.subarray([0, 1, 2], { minLength: 1 }),
  }),
  { minLength: 1, maxLength: 12 },
);
const settle = fc.constantFrom('acknowledge', 'acknowledge part', 'refuse', 'split', 'set aside');
const step = fc.oneof(
  { weight: 4, arbitrary: rows },
  { weight: 8, arbitrary: settle },
  fc.constantFrom('restart', 'close'),
);

function settleNext(queue: Queue, how: string): void {
  for (const { id } of queue.uploadStreams()) {
    const chunk = queue.nextChunk(id);
    if (!chunk) continue;
    if (how === 'acknowledge') queue.acknowledge(chunk.id, START_MS);
    else if (how === 'refuse') queue.refuse(chunk.id, START_MS, 'no');
    else if (how === 'split') queue.split(chunk.id);
    else if (how === 'set aside') queue.setAside(chunk.id, START_MS, 'altered');
    else queue.acknowledgePart(chunk.id, [chunk.channels[0]?.id ?? 0], START_MS);
    return;
  }
}

test('everything up to the stamp told is acknowledged or refused, and no later stamp could be told, whatever happens', async () => {
  const folder = tempFolder('delivered');
  let file = 0;
  const seen = { newest: 0, beforeNewest: 0, notYet: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const path = join(folder, `${file++}.db`);
      const options = { reserveBytes: 0 };
      const clock = { nowMs: () => START_MS, monotonicMs: () => 0, sleep: async () => {} };
      let queue = openQueue(path, options);
      let recorder = await openRecorder(queue, clock, RULE);
      let timeMs = START_MS;
      for (const each of steps) {
        if (each === 'close') await recorder.closeStreams();
        else if (each === 'restart') {
          queue.close();
          queue = openQueue(path, options);
          recorder = await openRecorder(queue, clock, RULE);
        } else if (typeof each === 'string') settleNext(queue, each);
        else {
          const timesMs = Float64Array.from(each, ({ stepMs }) => {
            timeMs += stepMs;
            return timeMs;
          });
          const values = each.flatMap(({ present }) => CHANNELS.map((_, c) => (present.includes(c) ? c : Number.NaN)));
          await recorder.capture('s', {
            ...{ blocks: [{ channels: CHANNELS, timesMs, values: Float64Array.from(values) }], positions: [] },
            ...{ rowsRead: each.length, refusals: [], refusedCount: 0, origin: 'live' },
          });
        }
        for (const { id, deliveredUpToMs } of queue.tally(100).streams) {
          expect(deliveredUpToMs).toBe(truth(queue, id));
          expect(queue.streamFacts(id)?.tally.deliveredUpToMs).toBe(deliveredUpToMs);
          const newestMs = Math.max(
            ...allPoints(queue, id).map((point) => (point.state === 'acknowledged' ? point.timeMs : 0)),
          );
          if (deliveredUpToMs === null) seen.notYet += 1;
          else if (deliveredUpToMs < newestMs) seen.beforeNewest += 1;
          else seen.newest += 1;
        }
      }
      queue.close();
    }),
    walks(100),
  );
  // The walks came by every answer.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

const chunkAt = (index: number): NewChunk => ({
  ...{ streamId: 1, channelIds: [1], index, rows: 1 },
  timesMs: Float64Array.of(START_MS + index * 1000),
  values: Float64Array.of(index),
});

function fill(path: string, chunks: number): Queue {
  const queue = openQueue(path, { reserveBytes: 0 });
  const stream = { id: 1, sourceId: 's', period: 'p', nonce: 'n', name: 'T s n', openedMs: 0, synthSourceId: null };
  const channels = [{ id: 1, streamId: 1, name: 'a', unit: '' }];
  queue.commit({ ...emptyCommit, sequence: 1, streams: [{ ...stream, pointsPerChunk: 1 }], channels });
  for (let at = 0; at < chunks; at += 1000) {
    const some = Array.from({ length: Math.min(1000, chunks - at) }, (_, i) => chunkAt(at + i));
    const counts = { rowsRead: some.length, points: some.length, refused: 0, pointsPerChunk: null, closedMs: null };
    const change = { id: 1, ...counts, firstReadingMs: START_MS, lastReadingMs: START_MS + (at + some.length) * 1000 };
    queue.commit({ ...emptyCommit, sequence: 2 + at / 1000, chunks: some, changes: [change] });
  }
  return queue;
}

test('a tally looks up the oldest that waits by index, however many chunks wait', () => {
  const path = join(tempFolder('delivered-many'), 'queue.db');
  const queue = fill(path, 1000);
  queue.acknowledge(queue.nextChunk(1)?.id ?? 0, START_MS);
  const { waitingChunks, streams } = queue.tally(200);
  expect({ waitingChunks, upToMs: streams[0]?.deliveredUpToMs }).toEqual({ waitingChunks: 999, upToMs: START_MS });
  queue.close();
  const database = new SQLite(path);
  const plan = database.prepare(`EXPLAIN QUERY PLAN SELECT ${DELIVERED_COLUMNS} FROM stream s`).all() as {
    detail: string;
  }[];
  database.close();
  expect(plan.map(({ detail }) => detail).filter((detail) => / (chunk|lane) /.test(detail))).toEqual([
    'SEARCH chunk USING COVERING INDEX chunk_oldest_waiting (stream=?)',
    expect.stringMatching(/^SEARCH lane USING COVERING INDEX lane_of_stream \(stream=\?/),
  ]);
});
