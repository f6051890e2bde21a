import { readdirSync } from 'node:fs';
import SQLite from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openQueue } from '../../../../../src-main/queue/store/queue.ts';
import { inspectQueue } from '../../../../../src-main/queue/store/repair/inspect.ts';
import { findFault, repairRows } from '../../../../../src-main/queue/store/repair/repair-rows.ts';
import { salvageQueue } from '../../../../../src-main/queue/store/repair/salvage.ts';
import { OPENED_MS, queueFile, waiting } from '../../../../support/rigs/sample-queue.ts';
import { alterFile, askFile, openUntilEnd } from '../../../../support/rigs/small-queue.ts';

const damage = { why: 'test', hasForeignWal: false };

/**
 * A salvaged queue of which something was altered before.
 *
 * @returns what goes out of it, and what was lost.
 */
function altered(sql: string, ...values: unknown[]) {
  const { path } = queueFile();
  const raw = new SQLite(path);
  raw.pragma('foreign_keys = OFF');
  expect(raw.prepare(sql).run(...values).changes).toBeGreaterThan(0);
  raw.close();
  const { pointsLost } = salvageQueue(path, damage, null, OPENED_MS);
  return { path, pointsLost, out: waiting(path) };
}

describe('one value without a checksum that the disk altered costs at most the rows that depend on it', () => {
  let known: readonly string[] | null = null;
  /** The points that an unaltered queue delivers. */
  const whole = () => {
    known ??= altered("UPDATE gap SET cause = 'other'").out;
    return known;
  };

  test.each(['zz', 0, -1, 0.5, 1e300, Buffer.alloc(2)])('the size of chunks %j: that of its largest counts', (size) => {
    const { out, pointsLost } = altered('UPDATE stream SET points_per_chunk = ? WHERE id = 2', size);
    expect([out, pointsLost]).toEqual([whole(), 0]);
  });

  test('a note that all was delivered: queued points are sent', () => {
    const { out, pointsLost } = altered('UPDATE stream SET delivered_ms = 5');
    expect([out, pointsLost]).toEqual([whole(), 0]);
  });

  test.each(['zz', 1, 2 ** 40])('how many rows a chunk has: %s: its own bytes tell', (rows) => {
    const { out, pointsLost } = altered("UPDATE chunk SET rows = ? WHERE state = 'sealed'", rows);
    expect([out, pointsLost]).toEqual([whole(), 0]);
  });

  test('the span of a chunk: its own stamps tell', () => {
    const { path } = altered('UPDATE chunk SET first_ms = 9e15, last_ms = -9e15');
    expect(askFile(path, 'SELECT max(first_ms) < 2e12 AND min(last_ms) > 1e12 FROM chunk')).toBe(1);
  });

  test.each(['zz', '[1,', '', '5', '{"a":1}', '[[1]]', '["x"]', '[1.5]', '[1]', Buffer.alloc(3)])(
    'the channels of open readings: %j: they are counted as lost, and nothing goes out under a wrong name',
    (channels) => {
      const last = 'id = (SELECT max(id) FROM lane)';
      const { out, pointsLost } = altered(`UPDATE lane SET channels = ? WHERE ${last}`, channels);
      const before = whole();
      expect(before.at(-1)).toBe('2 5 As:242.5,243.5,244.5,246.5,247.5,248.5,249.5');
      expect([out, pointsLost]).toEqual([before.slice(0, -1), 7]);
    },
  );

  test('a channel of open readings whose name is lost: they go out under one that says so', () => {
    const { path } = queueFile();
    alterFile(path, "DELETE FROM chunk WHERE channels = '[6]'; DELETE FROM channel WHERE id = 6");
    salvageQueue(path, damage, null, OPENED_MS);
    expect(waiting(path).at(-1)).toBe('2 5 channel 6:242.5,243.5,244.5,246.5,247.5,248.5,249.5');
  });
});

test.each(['zz', 0, -1, 0.5])('chunks of the size %s are found at the start, and cost nothing', (size) => {
  const { path } = queueFile();
  alterFile(path, 'UPDATE stream SET points_per_chunk = ? WHERE id = 2', size);
  const queue = openUntilEnd(path);
  expect(queue.listEvents(1)).toMatchObject([{ code: 'store.salvaged', message: expect.stringContaining('no size') }]);
  expect(queue.tally(9).waitingPoints).toBe(634);
  expect(queue.uploadStream(2)?.pointsPerChunk).toBe(20);
});

test.each(["'x'", '9e99', '51.5', '-1', 'NULL'])('a last commit of the number %s is found at the start', (number) => {
  const { path } = queueFile();
  alterFile(path, `UPDATE meta SET value = ${number} WHERE key = 'last_sequence'`);
  const queue = openUntilEnd(path);
  expect(queue.load()).toMatchObject({ lastSequence: 0, streams: [] });
  expect(queue.tally(9).waitingPoints).toBe(634);
});

test.each([
  ['zz', 7],
  ['[4]', 7 + 10],
  ['[2]', 7],
  ['[99]', 0],
] as const)(
  'open readings under channels that are not theirs, %s, are found at the start: %i points lost',
  (channels, lost) => {
    const { folder, path } = queueFile();
    alterFile(path, 'UPDATE lane SET channels = ? WHERE id = 6', channels);
    const queue = openUntilEnd(path);
    const message = expect.stringContaining('channels that are not theirs');
    expect(queue.listEvents(1)).toMatchObject([{ code: 'store.salvaged', message }]);
    expect(queue.load().streams).toEqual([]);
    // Of two lanes that both claim a channel nobody knows whose it is; an unknown one goes out under a name that says so.
    expect(queue.tally(9).waitingPoints).toBe(634 - lost);
    expect(readdirSync(folder)).toContainEqual(expect.stringMatching(/^queue\.db\.damaged\.\w+$/));
  },
);

/** The queue after it was opened once, altered. */
function openRaw(sql: string) {
  const { path } = queueFile();
  openQueue(path, { reserveBytes: 0 }).close();
  const raw = new SQLite(path);
  onTestFinished(() => void raw.close());
  raw.pragma('foreign_keys = OFF');
  raw.exec(sql);
  return raw;
}

test('nothing is wrong with a sound queue, nor with one that has taken nothing yet', () => {
  expect(findFault(openRaw(''))).toBeNull();
  expect(findFault(openRaw("UPDATE meta SET value = 0 WHERE key = 'last_sequence'"))).toBeNull();
});

test('a position in a file that is no JSON any more is found and left out, so that its file is read again', () => {
  const raw = openRaw(
    "INSERT INTO source_position VALUES ('s', 'cut', '{\"offset\":'), ('s', 'sound', '{\"offset\":5}')",
  );
  expect(findFault(raw)).toBe('a position in a file cannot be read');
  repairRows(raw, OPENED_MS);
  expect(raw.prepare("SELECT key FROM source_position WHERE source = 's'").pluck().all()).toEqual(['sound']);
  expect(findFault(raw)).toBeNull();
});

test('removes the rows of a stream together with its last chunk: the queue keeps no row of a missing stream', () => {
  const raw = openRaw(`INSERT INTO source_span VALUES (2, 'f', 0, 9, 'line 1', 'ab');
    INSERT INTO confirmation VALUES (2, 5, 'counted', 1, 1, '');
    DELETE FROM chunk WHERE stream = 2; DELETE FROM stream WHERE id = 2`);
  const tables = ['channel', 'lane', 'source_span', 'confirmation'];
  const left = () => tables.filter((table) => raw.prepare(`SELECT 1 FROM ${table} WHERE stream = 2`).get());
  expect(left()).toEqual(tables);
  repairRows(raw, OPENED_MS);
  expect(left()).toEqual([]);
  expect(raw.pragma('foreign_key_check')).toEqual([]);
  expect(raw.prepare('SELECT count(*) FROM channel').pluck().get()).toBeGreaterThan(0);
});

test.each([
  ['a waiting chunk is gone', "DELETE FROM chunk WHERE id = (SELECT min(id) FROM chunk WHERE state = 'sealed')"],
  [
    'readings that are in no chunk yet are gone',
    'DELETE FROM open_readings WHERE id = (SELECT min(id) FROM open_readings)',
  ],
  [
    'a stream counts a chunk too many',
    'UPDATE stream SET chunks_waiting = chunks_waiting + 1 WHERE delivered_ms IS NULL',
  ],
])('the pages are sound and the sums do not fit the rows, so the queue is damaged: %s', (_, sql) => {
  const { path } = queueFile();
  expect(inspectQueue(path, null)).toBeNull();
  alterFile(path, sql);
  expect(inspectQueue(path, null)).toEqual({
    ...{ why: expect.stringMatching(/^the sums of stream \d+ do not fit its rows$/), hasForeignWal: false },
  });
});
