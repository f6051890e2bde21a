// A queue with one stream of two channels, filled by hand, and the calls of a queue as promises.
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { Commit, NewChunk } from '../../../src-main/model/queue.ts';
import { unpack } from '../../../src-main/platform/point-block.ts';
import type { RecorderOptions, StreamRule } from '../../../src-main/queue/recorder/ports.ts';
import { Recorder } from '../../../src-main/queue/recorder/recorder.ts';
import { openQueue, type Queue } from '../../../src-main/queue/store/queue.ts';
import type { Store } from '../../../src-main/queue/store/store.ts';
import { tempFolder } from '../temp-folder.ts';

export const emptyCommit: Commit = {
  sequence: 0,
  streams: [],
  changes: [],
  channels: [],
  lanes: [],
  lanesRemoved: [],
  lanesCleared: [],
  openReadings: [],
  chunks: [],
  positions: [],
  refusals: [],
  gaps: [],
};

/** Channel ids and names of the stream. */
export const GA = 1;
export const IN = 2;

/** Chunk `index` of stream 1: every value tells its channel and its number in it. */
export function chunkOf(index: number, channelIds: readonly number[], rows = 2): NewChunk {
  const values = Float64Array.from(
    channelIds.flatMap((id) => Array.from({ length: rows }, (_, i) => pointValue(id, index * rows + i))),
  );
  const timesMs = Float64Array.from({ length: rows }, (_, i) => 1000 * (index * rows + i));
  return { streamId: 1, channelIds, index, rows, timesMs, values };
}

/** The value of point n of a channel. Thirds: no number of decimals holds them. */
export const pointValue = (channelId: number, n: number) => channelId * 1e6 + n / 3;

/**
 * @param chunks - the chunks of stream 1.
 * @param isClosed - whether it takes no more readings.
 */
export function openSmallQueue(chunks: readonly NewChunk[], isClosed = false): { queue: Queue; path: string } {
  const path = join(tempFolder('small-queue'), 'queue.db');
  const queue = openUntilEnd(path);
  const points = chunks.reduce((sum, { rows, channelIds }) => sum + rows * channelIds.length, 0);
  queue.commit({
    ...emptyCommit,
    sequence: 1,
    streams: [
      {
        id: 1,
        sourceId: 's',
        period: 'p',
        nonce: 'n',
        name: 'T s n',
        openedMs: 0,
        pointsPerChunk: chunks[0]?.rows ?? 2,
        synthSourceId: 7,
      },
    ],
    channels: [
      { id: GA, streamId: 1, name: 'Ga', unit: '°C' },
      { id: IN, streamId: 1, name: 'In', unit: '' },
    ],
    chunks,
    changes: [
      { id: 1, rowsRead: 2, points, refused: 0, lastReadingMs: 5, pointsPerChunk: null, closedMs: isClosed ? 9 : null },
    ],
  });
  return { queue, path };
}

/**
 * Alter the file of a queue that is closed.
 *
 * @param values - values for the question marks; the SQL is one statement then.
 */
export function alterFile(path: string, sql: string, ...values: unknown[]): void {
  const raw = new SQLite(path);
  raw.pragma('foreign_keys = OFF');
  if (values.length > 0) raw.prepare(sql).run(...values);
  else raw.exec(sql);
  raw.close();
}

/** A recorder on a queue that is called in the thread of the test. */
export function openRecorder(
  queue: Queue,
  clock: RecorderOptions['clock'],
  rule: StreamRule,
  more: Partial<RecorderOptions> = {},
): Promise<Recorder> {
  let nonce = 0;
  const prefix = Math.random().toString(36).slice(2);
  return Recorder.open({
    store: { load: async () => queue.load(), commit: async (commit) => queue.commit(commit) },
    ...{ clock, timeZone: 'UTC', toolName: 'T', synthSourceId: null },
    ruleOf: () => rule,
    makeNonce: () => `${prefix}${nonce++}`,
    ...{ onCommitted: () => {}, onStoreState: () => {} },
    ...more,
  });
}

/** What a query finds in the file of a queue that is closed: the first value. */
export function askFile(path: string, sql: string): unknown {
  const raw = new SQLite(path);
  const found = raw.prepare(sql).pluck().get();
  raw.close();
  return found;
}

/** Open a queue, until the test has finished. */
export function openUntilEnd(path: string): Queue {
  const queue = openQueue(path, { reserveBytes: 0 });
  onTestFinished(() => queue.close());
  return queue;
}

/** Close a queue, alter its file, and open it again. */
export function reopenAltered(own: { queue: Queue; path: string }, sql: string, ...values: unknown[]): Queue {
  own.queue.close();
  alterFile(own.path, sql, ...values);
  return openUntilEnd(own.path);
}

export type PromisedQueue = {
  readonly [N in keyof Queue]: (...args: Parameters<Queue[N]>) => Promise<ReturnType<Queue[N]>>;
} & Pick<Store, 'together'>;

/**
 * Answer the calls of a queue as promises, in the thread of the test: a store without its thread, which takes a fifth of a
 * second of a core to load. What the thread itself does, and that it may die, is tested in row 25 of the fault matrix.
 *
 * @param onItsWay - what an answer waits for: nothing by default.
 */
export function promiseQueue(queue: Queue, onItsWay?: () => Promise<unknown>): PromisedQueue {
  const calls = Object.entries(queue).map(([call, work]) => [
    call,
    async (...args: never[]) => {
      try {
        return (work as (...given: never[]) => unknown)(...args);
      } finally {
        await onItsWay?.();
      }
    },
  ]);
  return { ...Object.fromEntries(calls), together: (ask: () => unknown) => ask() } as unknown as PromisedQueue;
}

/** Open a store whose answers come with the next turn of the event loop, as those of the thread do at the earliest. */
export function openStoreHere(path: string): Store {
  return { ...promiseQueue(openQueue(path, { reserveBytes: 0 }), turn), onFailure: () => {} };
}

/** Values of all chunks of a closed queue that stand for their points, rising: those that were copied do not. */
export function standingValues(path: string): number[] {
  const raw = new SQLite(path);
  const rows = raw.prepare('SELECT data FROM chunk WHERE resent_in IS NULL').pluck().all() as Uint8Array[];
  raw.close();
  return rows.flatMap((data) => [...unpack(data).values]).toSorted((p, q) => p - q);
}
