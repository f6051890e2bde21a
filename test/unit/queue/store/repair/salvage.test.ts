import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../../../../src-main/queue/store/database/ledger.ts';
import { openQueue, type Queue } from '../../../../../src-main/queue/store/queue.ts';
import { completeSwap, salvageQueue } from '../../../../../src-main/queue/store/repair/salvage.ts';
import { expectMode } from '../../../../support/posix.ts';
import { OPENED_MS as NOW, queueFile, waiting } from '../../../../support/rigs/sample-queue.ts';
import { alterFile, openUntilEnd } from '../../../../support/rigs/small-queue.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const damage = { why: 'test', hasForeignWal: false };

test('a sound file comes over whole: every waiting point, open ones as the last chunk of a stream that is then closed', () => {
  const { folder, path } = queueFile();
  const before = readFileSync(path);
  expect(salvageQueue(path, damage, null, NOW)).toMatchObject({
    pointsLost: 0,
    aside: 'queue.db.damaged.20261121T000000000Z',
  });
  expect(readFileSync(join(folder, 'queue.db.damaged.20261121T000000000Z')).equals(before)).toBe(true);
  const queue = openUntilEnd(path);
  expect(queue.tally(5)).toMatchObject({ waitingPoints: 634, streamsTotal: 2 });
  expect(queue.tally(5).streams.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  expect(queue.load().streams).toEqual([]);
  expect(queue.positions('chamber-log')).toEqual(new Map([['f', '125']]));
  expect(queue.listEvents(1)).toMatchObject([
    { code: 'store.salvaged', message: expect.stringContaining('634 points') },
  ]);
});

test('what came out of a damaged file is looked for at the service before it is sent', () => {
  const { path } = queueFile();
  const areInDoubt = (queue: Queue) =>
    queue.uploadStreams().map(({ id }) => {
      const stream = queue.uploadStream(id);
      return stream?.mayBeHeld || stream?.mayHoldMore;
    });
  const sound = openQueue(path, { reserveBytes: 0 });
  expect(areInDoubt(sound)).toContain(false);
  sound.close();
  salvageQueue(path, damage, null, NOW);
  const queue = openQueue(path, { reserveBytes: 0 });
  expect(areInDoubt(queue)).toEqual([true, true]);
  queue.close();
});

test('a column that this program does not know is left behind', () => {
  const { path } = queueFile();
  alterFile(path, 'ALTER TABLE chunk ADD COLUMN of_another_program');
  expect(salvageQueue(path, damage, null, NOW)).toMatchObject({ pointsLost: 0 });
});

test('goes out in the order and numbering that it had', () => {
  const { path } = queueFile();
  const sealedBefore = waiting(queueFile().path);
  salvageQueue(path, damage, null, NOW);
  const after = waiting(path);
  expect(after.slice(0, 8)).toEqual(sealedBefore.slice(0, 8));
  expect(after.length).toBeGreaterThan(sealedBefore.length);
});

test('a chunk that is missing leaves a hole in the numbers, and its time is a gap', () => {
  const { path } = queueFile();
  const raw = new SQLite(path);
  const [lost] = raw
    .prepare("SELECT * FROM chunk WHERE state = 'sealed' AND stream = 2 AND chunk_index = 2 ORDER BY id")
    .all() as {
    id: number;
    rows: number;
    channels: string;
    first_ms: number;
    last_ms: number;
  }[];
  raw.prepare('UPDATE chunk SET data = zeroblob(9) WHERE id = ?').run(lost?.id);
  raw.close();
  const points = (lost?.rows ?? 0) * (JSON.parse(lost?.channels ?? '[]') as number[]).length;
  expect(salvageQueue(path, damage, null, NOW)).toMatchObject({ pointsLost: points });
  const queue = openUntilEnd(path);
  const gaps = queue.listGaps(50).filter(({ cause }) => cause.includes('damaged'));
  expect(gaps.some((gap) => gap.fromMs <= (lost?.first_ms ?? 0) && gap.toMs >= (lost?.last_ms ?? 0))).toBe(true);
  expect(queue.tally(5).waitingPoints).toBe(634 - points);
});

describe('commits and names', () => {
  const entry = (sequence: number): LedgerEntry => ({
    ...{ state: 'open', queueId: 'a'.repeat(32), sequence, atMs: NOW - 1000, walSalt: null, sinceMs: null },
  });
  /** What a queue knows of itself after its salvage; `change` is made before it, in the last version of the file. */
  function salvaged(change: string, known: LedgerEntry | null) {
    const { path } = queueFile();
    openQueue(path, { reserveBytes: 0 }).close();
    rmSync(`${path}.ledger`, { force: true });
    const raw = new SQLite(path);
    raw.exec(change);
    const before = raw.prepare("SELECT value FROM meta WHERE key = 'queue_id'").pluck().get();
    raw.close();
    const { pointsLost } = salvageQueue(path, damage, known, NOW);
    const made = new SQLite(path);
    const meta = new Map(made.prepare('SELECT key, value FROM meta').raw().all() as [string, unknown][]);
    const gaps = made.prepare("SELECT source, from_ms AS fromMs, to_ms AS toMs FROM gap WHERE cause = 'test'").all();
    const { message } = made.prepare('SELECT message FROM event ORDER BY id DESC').get() as { message: string };
    const bytes = made.prepare("SELECT sum(length(data)) FROM chunk WHERE state = 'acknowledged'").pluck().get();
    const unfit = made.pragma('foreign_key_check');
    made.close();
    expect([meta.get('acknowledged_bytes'), unfit]).toEqual([bytes, []]);
    return { sequence: meta.get('last_sequence'), id: meta.get('queue_id'), before, gaps, pointsLost, message };
  }
  const LOST = [
    { source: 'chamber-log', fromMs: 1795154425400, toMs: NOW - 1000 },
    { source: 'pyrometer', fromMs: 1795154450400, toMs: NOW - 1000 },
  ];
  const none = 'SELECT 1';

  test.each([
    ['no ledger', none, null, 50, 0],
    ['a ledger that knows the same', none, entry(50), 50, 0],
    ['a ledger that knows less', none, entry(49), 50, 0],
    ['a ledger that knows more', none, entry(53), 53, 2],
    ['no number, no ledger', "DELETE FROM meta WHERE key = 'last_sequence'", null, 0, 2],
    ['no number', "DELETE FROM meta WHERE key = 'last_sequence'", entry(53), 53, 2],
    ['a number that is text', "UPDATE meta SET value = 'x' WHERE key = 'last_sequence'", entry(53), 53, 2],
    ['a number to which none can be added', "UPDATE meta SET value = 9e99 WHERE key = 'last_sequence'", null, 0, 2],
    ['a number below none', "UPDATE meta SET value = -1 WHERE key = 'last_sequence'", null, 0, 2],
    ['a broken number', "UPDATE meta SET value = 50.5 WHERE key = 'last_sequence'", null, 0, 2],
  ])('%s: what is not there is a gap of every source, and numbers go on behind the last that is known', (...row) => {
    const [, change, known, sequence, gaps] = row;
    const after = salvaged(change, known);
    const isKnown = change === none;
    expect([after.sequence, after.pointsLost]).toEqual([sequence, isKnown ? 0 : null]);
    expect(after.message).toContain(isKnown ? ', 0 are lost;' : ', how many are lost is not known;');
    expect(after.message).toContain('; the damaged file is kept as queue.db.damaged.20261121T000000000Z.');
    expect(after.gaps).toHaveLength(gaps);
    if (known && gaps > 0) expect(after.gaps).toEqual(LOST);
  });

  test.each([
    ['its own', none, 'own'],
    ['the one of the ledger, where its own is gone', "DELETE FROM meta WHERE key = 'queue_id'", 'ledger'],
    ...["'x'", '5', `'${'a'.repeat(33)}'`, `'${'g'.repeat(32)}'`, `'-${'a'.repeat(32)}'`, `'${'a'.repeat(31)}'`].map(
      (id) => [
        `the one of the ledger, where it is ${id}`,
        `UPDATE meta SET value = ${id} WHERE key = 'queue_id'`,
        'ledger',
      ],
    ),
  ])('the queue keeps its name: %s', (_, change, name) => {
    const { id, before } = salvaged(change as string, entry(50));
    expect(id).toBe(name === 'own' ? before : 'a'.repeat(32));
    const alone = salvaged(change as string, null);
    expect(alone.id).toMatch(/^[0-9a-f]{32}$/);
    if (name === 'own') expect(alone.id).toBe(alone.before);
  });

  test('of channels, lanes and notes of a stream that is lost with its chunks nothing is left', () => {
    const lost = `PRAGMA foreign_keys = OFF; DELETE FROM chunk WHERE stream = 2;
      INSERT INTO source_span SELECT 2, 'f', 0, 9, 'p', 'sha'; INSERT INTO confirmation SELECT 2, 1, 'counted', 1, 1, '[]';
      DELETE FROM stream WHERE id = 2`;
    expect(salvaged(lost, null).gaps).toEqual([]);
  });

  test('a file that is gone leaves a gap of the queue itself up to the last commit; what stood in a log beside it is kept', () => {
    for (const [log, aside] of [
      [false, null],
      [true, 'queue.db.damaged.20261121T000000000Z'],
    ] as const) {
      const { folder, path } = queueFile();
      rmSync(path);
      if (log) writeFileSync(`${path}-wal`, 'a log');
      expect(salvageQueue(path, damage, entry(7), NOW)).toEqual({ chunks: 0, points: 0, pointsLost: null, aside });
      expect(readdirSync(folder).sort()).toEqual(['queue.db', ...(log ? [`${aside}-wal`] : [])]);
      const queue = openUntilEnd(path);
      expect(queue.listGaps(9)).toEqual([{ sourceId: 'queue', fromMs: NOW - 1000, toMs: NOW - 1000, cause: 'test' }]);
      const kept = log ? `the damaged file is kept as ${aside}.` : 'there was no file to keep.';
      expect(queue.listEvents(1)).toMatchObject([{ message: expect.stringContaining(`not known; ${kept}`) }]);
      expect(queue.load().lastSequence).toBe(7);
    }
  });
});

test('a fault on the way leaves the damaged file where and as it was, and nothing beside it', () => {
  const { folder, path } = queueFile();
  const before = readFileSync(path);
  // Nothing can be copied to there.
  mkdirSync(`${path}.reading`);
  expect(() => salvageQueue(path, { ...damage, hasForeignWal: true }, null, NOW)).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^store\./) }),
  );
  expect(readdirSync(folder).sort()).toEqual(['queue.db', 'queue.db.reading']);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('what an earlier try left beside the new file does not get into it, and nobody else may read it', () => {
  const { folder, path } = queueFile();
  for (const end of ['', '-wal', '-shm', '-journal']) writeFileSync(`${path}.new${end}`, 'half of a new queue');
  salvageQueue(path, damage, null, NOW);
  expect(readdirSync(folder).filter((name) => name.includes('.new'))).toEqual([]);
  expectMode(path, 0o600);
});

test('points whose stream and channels are lost still go out, under names that say so', () => {
  const { path } = queueFile();
  alterFile(path, 'DELETE FROM stream WHERE id = 2; DELETE FROM channel WHERE stream = 2');
  salvageQueue(path, damage, null, NOW);
  const queue = openUntilEnd(path);
  expect(queue.uploadStream(2)).toMatchObject({
    name: 'recovered stream 2',
    sourceId: 'recovered',
    isClosed: true,
    dataId: null,
  });
  expect(queue.nextChunk(2)?.channels.map(({ name }) => name)).toContain('channel 4');
});

test.each([
  ['none', 'SELECT 1', []],
  ['one', 'DELETE FROM stream WHERE id = 2', ['1 stream is']],
  ['all', 'DELETE FROM stream', ['2 streams are']],
])('streams whose row is lost, %s of them, are a gap of the queue', (_, change, lost) => {
  const { path } = queueFile();
  alterFile(path, change);
  salvageQueue(path, damage, null, NOW);
  const queue = openUntilEnd(path);
  expect(queue.listGaps(50).filter(({ sourceId }) => sourceId === 'queue')).toEqual(
    lost.map((words) => ({
      ...{ sourceId: 'queue', fromMs: NOW, toMs: NOW },
      cause: `test: ${words} not known any more; what was found of them is kept`,
    })),
  );
});

test('a copy that was read in place of the file, whose log is foreign, does not stay', () => {
  const { folder, path } = queueFile();
  salvageQueue(path, { ...damage, hasForeignWal: true }, null, NOW);
  expect(readdirSync(folder).sort()).toEqual(['queue.db', 'queue.db.damaged.20261121T000000000Z']);
});

test.each(['before the first rename', 'after the first rename', 'after the last rename'])(
  'a change of places that was cut off %s is completed at the next start',
  (moment) => {
    const { folder, path } = queueFile();
    const old = readFileSync(path);
    const made = join(tempFolder(), 'queue.db');
    copyFileSync(queueFile().path, made);
    salvageQueue(made, damage, null, NOW);
    copyFileSync(made, `${path}.new`);
    writeFileSync(`${path}.swap`, 'queue.db.damaged.x');
    writeFileSync(`${path}-wal`, '');
    if (moment !== 'before the first rename') renameSync(path, join(folder, 'queue.db.damaged.x'));
    if (moment === 'after the last rename') {
      renameSync(`${path}-wal`, join(folder, 'queue.db.damaged.x-wal'));
      renameSync(`${path}.new`, path);
    }
    completeSwap(path);
    completeSwap(path);
    expect(readFileSync(join(folder, 'queue.db.damaged.x')).equals(old)).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['queue.db', 'queue.db.damaged.x', 'queue.db.damaged.x-wal']);
    const queue = openUntilEnd(path);
    expect(queue.tally(5).waitingPoints).toBe(634);
  },
);

test('a new file that was not finished is made again', () => {
  const { folder, path } = queueFile();
  writeFileSync(`${path}.new`, 'half of a new queue');
  salvageQueue(path, damage, null, NOW);
  expect(existsSync(`${path}.new`)).toBe(false);
  expect(readdirSync(folder).filter((name) => name.endsWith('.reading'))).toEqual([]);
  rmSync(folder, { recursive: true });
});
