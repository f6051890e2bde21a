// Part A, rows 12 to 14 and 30: the queue file is damaged, emptied, exchanged, or somebody else's.
import { Buffer } from 'node:buffer';
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ReadingsTable } from '../../../src-main/queue/store/chunks/readings-table.ts';
import { openQueue } from '../../../src-main/queue/store/queue.ts';
import { Chance } from '../../simulation/random.ts';
import {
  asides,
  expectHonest,
  filled,
  hash,
  noise,
  open,
  options,
  overwrite,
  overwritePages,
  rounds,
  turnBitsAnywhere,
  turnBitsOfPoints,
} from '../../support/faults/damaged-queue.ts';
import { amount } from '../../support/run/effort.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { judgeQueue, nextRow } from '../../torture/truth.ts';
import { writeRows } from '../../torture/write-rows.ts';
import { WriterProcess } from '../../torture/writer-process.ts';

/** How often in each way; many more: test/long/fault-damage.test.ts. */
const ROUNDS = { pages: 3, pointBits: 30, bits: 25 };

describe('damage in the file', () => {
  test('12: sets a damaged file aside whole, keeps what can be read of it, and lists what is lost', () =>
    overwritePages(ROUNDS.pages));

  test('12: one bit that turned over in a point that waits is always found: never sent, and a gap', () =>
    turnBitsOfPoints(ROUNDS.pointBits));

  test('12: a chunk whose state is altered, and which an index goes on to name as waiting, is set aside with its gap', async () => {
    await rounds(1, (path, _chance, rows) => {
      const file = readFileSync(path);
      // In a row, not between the quotes of the tables' own text.
      const states = [...file.toString('latin1').matchAll(/(?<!')sealed/g)].map(({ index }) => index);
      overwrite(path, states.at(-1) as number, Buffer.from('sealeD'));
      const queue = open(path);
      queue.load();
      const taken = new Set<number>();
      for (const { id } of queue.uploadStreams()) {
        for (let next = queue.nextChunk(id); next; next = queue.nextChunk(id)) {
          expect(taken).not.toContain(next.id);
          taken.add(next.id);
          queue.acknowledge(next.id, 1);
        }
      }
      expect(taken.size).toBeGreaterThan(10);
      expect(judgeQueue(queue, rows)).toMatchObject({ altered: 0, doubled: 0 });
      expect(queue.listGaps(10)).toHaveLength(1);
    });
  });

  test('12: an altered row that is not sent yet leaves together with its gap, or not at all', async () => {
    await rounds(1, (path) => {
      const raw = new SQLite(path);
      onTestFinished(() => void raw.close());
      const readings = new ReadingsTable(raw);
      const count = raw.prepare('SELECT count(*) FROM open_readings').pluck();
      const before = count.get() as number;
      raw.exec(`UPDATE open_readings SET data = zeroblob(length(data)) WHERE id = (SELECT max(id) FROM open_readings);
        CREATE TRIGGER full BEFORE INSERT ON gap BEGIN SELECT raise(ABORT, 'the disk is full'); END`);
      expect(() => readings.load()).toThrow('the disk is full');
      expect(count.get()).toBe(before);
      raw.exec('DROP TRIGGER full');
      readings.load();
      expect(count.get()).toBe(before - 1);
      expect(raw.prepare('SELECT count(*) FROM gap').pluck().get()).toBe(1);
    });
  });

  test('12: one bit that turned over anywhere doubles nothing, and what cannot be opened is said and not touched', () =>
    turnBitsAnywhere(ROUNDS.bits));

  test.each<[string, (path: string) => void]>([
    ['whose header was overwritten', (path) => overwrite(path, 0, noise(new Chance(1), 100))],
    ['that is text', (path) => writeFileSync(path, 'this was a queue once. '.repeat(500))],
    ['that is empty', (path) => truncateSync(path, 0)],
  ])('13: a file %s is set aside, and a new queue says so', async (what, spoil) => {
    const { folder, path, rows } = await filled();
    spoil(path);
    const before = hash(path);
    const queue = open(path);
    const { lost } = expectHonest(queue, rows);
    if (what.includes('header')) expect(lost).toBe(0);
    expect(asides(folder).map((name) => hash(join(folder, name)))).toEqual([before]);
    expect(queue.listEvents(1)[0]?.message).toContain(asides(folder)[0]);
  });

  test('13: a queue file that is gone is missed', async () => {
    const { path, rows } = await filled();
    rmSync(path);
    const queue = open(path);
    expect(queue.listEvents(1)[0]).toMatchObject({ level: 'error', code: 'store.salvaged' });
    expect(expectHonest(queue, rows).lost).toBeGreaterThan(0);
  });
});

/** Rows that a queue file holds without its write-ahead log. */
function rowsWithoutLog(path: string): number {
  const copy = join(tempFolder('copy'), 'queue.db');
  copyFileSync(path, copy);
  const queue = openQueue(copy, options);
  try {
    return nextRow(queue);
  } finally {
    queue.close();
  }
}

/** A queue as a kill leaves it: beside it a write-ahead log with confirmed rows that are nowhere else. */
async function killed(seed: number): Promise<{ folder: string; path: string; rows: number }> {
  for (;;) {
    const folder = tempFolder('killed');
    const path = join(folder, 'queue.db');
    const writer = new WriterProcess().begin({ path, seed, captures: null, ...options });
    await writer.more(200);
    await writer.kill();
    // A kill right behind a checkpoint leaves a log that holds nothing of its own, or only what nobody was told is stored.
    if (writer.confirmed > rowsWithoutLog(path)) return { folder, path, rows: writer.confirmed };
  }
}

describe('a write-ahead log', () => {
  test('14: that was removed is missed: the commits it held are counted and become gaps', async () => {
    const { path, rows } = await killed(141);
    rmSync(`${path}-wal`);
    const queue = open(path);
    const { lost } = judgeQueue(queue, rows);
    expect(lost).toBeGreaterThan(0);
    expect(queue.listEvents(1)[0]).toMatchObject({
      level: 'error',
      message: expect.stringMatching(/lacks its last \d+ commits/),
    });
    expect(queue.listGaps(10).length).toBeGreaterThan(0);
  });

  test('14: of another queue is never mixed in: the file is set aside with it, and nothing foreign is there', async () => {
    const one = await killed(142);
    const other = await killed(143);
    const swap = join(one.folder, 'swap');
    renameSync(`${one.path}-wal`, swap);
    renameSync(`${other.path}-wal`, `${one.path}-wal`);
    renameSync(swap, `${other.path}-wal`);
    for (const { path, rows, folder } of [one, other]) {
      const wal = hash(`${path}-wal`);
      const queue = open(path);
      const { doubled, lost } = judgeQueue(queue, rows);
      expect(doubled).toBe(0);
      expect(lost).toBeGreaterThan(0);
      expect(queue.listEvents(1)[0]).toMatchObject({
        code: 'store.salvaged',
        message: expect.stringContaining('-wal'),
      });
      expect(hash(join(folder, `${asides(folder)[0]}-wal`))).toBe(wal);
    }
  });

  test('14: of a later state of the same queue is noticed: what the older file lacks is counted, and is a gap', async () => {
    for (let seed = 144; seed < 144 + amount(4, 4, 40); seed++) {
      const path = join(tempFolder('older-file'), 'queue.db');
      const older = join(tempFolder('copy'), 'queue.db');
      const writer = new WriterProcess().begin({ path, seed, captures: null, ...options });
      await writer.more(200);
      copyFileSync(path, older);
      await writer.more(new Chance(seed).between(50, 1500));
      await writer.kill();
      const isSame = hash(path) === hash(older);
      copyFileSync(older, path);
      const queue = open(path);
      const { lost } = expectHonest(queue, writer.confirmed);
      expect(lost === 0 || !isSame, `seed ${seed}`).toBe(true);
    }
  });

  test('15: a queue file put back from an older copy is noticed', async () => {
    const { folder, path } = await filled(40);
    copyFileSync(path, join(folder, 'backup.db'));
    let rows = 0;
    await writeRows(path, { seed: 2, captures: 40, ...options, onStored: (stored) => (rows = stored) });
    copyFileSync(join(folder, 'backup.db'), path);
    const queue = open(path);
    expect(judgeQueue(queue, rows).lost).toBeGreaterThan(0);
    expect(queue.listEvents(1)[0]).toMatchObject({ code: 'store.rolled-back' });
    expect(queue.tally(10).streams.every(({ isClosed }) => isClosed)).toBe(true);
  });
});

describe('a file made to harm', () => {
  test.each([
    ['a trigger', 'CREATE TRIGGER evil AFTER INSERT ON event BEGIN DELETE FROM chunk; END'],
    ['a view', 'CREATE VIEW evil AS SELECT * FROM chunk'],
    ['a table of its own', 'CREATE TABLE evil (x)'],
    ['an index with an expression', 'CREATE INDEX evil ON chunk (abs(rows))'],
    ['a column of its own', 'ALTER TABLE chunk ADD COLUMN evil GENERATED ALWAYS AS (zeroblob(1000000000)) VIRTUAL'],
  ])('30: %s in it keeps it from being opened, and nothing of it is touched', async (_, sql) => {
    const { folder, path } = await filled(5);
    const raw = new SQLite(path);
    raw.exec(sql);
    raw.close();
    rmSync(`${path}.ledger`);
    const before = hash(path);
    expect(() => openQueue(path, options)).toThrow(expect.objectContaining({ code: 'store.foreign' }));
    expect(hash(path)).toBe(before);
    expect(readdirSync(folder).filter((name) => name.includes('damaged'))).toEqual([]);
  });

  test('30: a connection of ours loads no extension and trusts no schema', async () => {
    const { path } = await filled(5);
    const { connectDatabase } = await import('../../../src-main/queue/store/database/database.ts');
    const database = connectDatabase(path);
    expect(database.pragma('trusted_schema', { simple: true })).toBe(0);
    expect(() => database.prepare("SELECT load_extension('x')").get()).toThrow();
    database.close();
  });
});
