import { hash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMigrations } from '../../../../../src-main/queue/store/database/migrations.ts';
import { queueMigrations, STEPS } from '../../../../../src-main/queue/store/database/schema.ts';
import { openQueue } from '../../../../../src-main/queue/store/queue.ts';
import { LATER_STEPS, laterMigrations as later } from '../../../../support/rigs/later-queue.ts';
import { queueFile } from '../../../../support/rigs/sample-queue.ts';
import { alterFile } from '../../../../support/rigs/small-queue.ts';

const FIXTURE = join(import.meta.dirname, '../../../../fixtures/queue/before-0.1.0.db');

function open(path: string) {
  const database = new SQLite(path);
  onTestFinished(() => void database.close());
  return database;
}

/** All rows of the queue's own tables. */
function contents(database: SQLite.Database) {
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'note'")
    .pluck()
    .all() as string[];
  return new Map(tables.map((table) => [table, database.prepare(`SELECT * FROM ${table}`).all()]));
}

/** Every file of a folder with what its bytes are. */
const filesOf = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, hash('sha256', readFileSync(join(folder, name)))]));

describe('a queue is brought forward', () => {
  test('over two steps, with all that it holds; a second opening changes nothing', () => {
    const { path } = queueFile();
    const database = open(path);
    const before = contents(database);
    expect(queueMigrations.check(database)).toBe(1);
    expect(later.migrate(database)).toBe(3);
    expect(contents(database)).toEqual(before);
    expect(database.prepare('SELECT text FROM note ORDER BY stream').pluck().all()).toEqual([
      'MBE-1 chamber-log 2026-11-20 06:00:01 f1xt0 of chamber-log',
      'MBE-1 pyrometer 2026-11-20 06:00:26 f1xt1 of pyrometer',
    ]);
    const schema = database.prepare('SELECT * FROM sqlite_schema').all();
    expect(later.migrate(database)).toBe(3);
    expect(database.prepare('SELECT * FROM sqlite_schema').all()).toEqual(schema);
  });

  test('as far as the steps go that can be taken: a step that fails changes nothing, and is taken at the next start', () => {
    const { path } = queueFile();
    const database = open(path);
    const failing = createMigrations([...STEPS, LATER_STEPS[0], `${LATER_STEPS[1]} INSERT INTO nowhere VALUES (1);`]);
    expect(() => failing.migrate(database)).toThrow('nowhere');
    expect(database.pragma('user_version', { simple: true })).toBe(2);
    expect(later.check(database)).toBe(2);
    expect(database.prepare("SELECT count(*) FROM stream WHERE note <> ''").pluck().get()).toBe(2);
    expect(later.migrate(database)).toBe(3);
  });

  test('and refused by the program of before, which changes nothing', () => {
    const { path } = queueFile();
    const database = new SQLite(path);
    later.migrate(database);
    database.close();
    const before = readFileSync(path);
    expect(() => openQueue(path, { reserveBytes: 0 })).toThrow(
      expect.objectContaining({
        code: 'store.newer',
        message: expect.stringContaining('queue version 3, this program knows 1'),
        hint: 'Start the newer version. Nothing was changed.',
      }),
    );
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

test.each([
  ['a table is missing', 'DROP TABLE refusal'],
  ['a table was altered', 'ALTER TABLE gap ADD COLUMN more'],
  ['a trigger was added', 'CREATE TRIGGER t AFTER DELETE ON gap BEGIN SELECT 1; END'],
])('refuses a file in which %s, and does not touch it', (_, sql) => {
  const { path } = queueFile();
  alterFile(path, sql);
  const before = readFileSync(path);
  expect(() => queueMigrations.migrate(open(path))).toThrow(expect.objectContaining({ code: 'store.foreign' }));
  expect(readFileSync(path).equals(before)).toBe(true);
});

describe('a queue that an Epistream before 0.1.0 wrote is refused, and nothing of its folder is changed', () => {
  /** Takes what is done to the folder before the queue is opened. */
  function expectRefused(prepare: (folder: string, path: string) => void, end = ''): void {
    // Beside it lies what a program that worked on it leaves: a ledger that knows a queue in this place.
    const { folder, path } = queueFile();
    openQueue(path, { reserveBytes: 0 }).close();
    copyFileSync(FIXTURE, path);
    prepare(folder, path);
    const before = filesOf(folder);
    expect(() => openQueue(path)).toThrow(
      expect.objectContaining({
        code: 'store.outdated',
        message: `The queue ${path}${end} was written by an Epistream before 0.1.0, and this one cannot read it.`,
        hint: expect.stringMatching(
          /let it finish its upload, or start with a new data folder \(--data\)\. Nothing was changed\.$/,
        ),
      }),
    );
    expect(filesOf(folder)).toEqual(before);
    expect(Object.keys(before)).toContain('queue.db.ledger');
  }

  test.each([1, 2, 14])('as it was closed, with the number %i of that time', (version) =>
    expectRefused((_, path) => {
      alterFile(path, `PRAGMA user_version = ${version}`);
    }),
  );

  test('with commits that stand in its write-ahead log alone, as a kill leaves them', () =>
    expectRefused((folder, path) => {
      const writer = new SQLite(path);
      writer.pragma('journal_mode = WAL');
      writer.exec("INSERT INTO event VALUES (99, 1, 'info', 'a', 'b', 'c')");
      for (const end of ['', '-wal']) copyFileSync(path + end, join(folder, `copy${end}`));
      writer.close();
      for (const end of ['', '-wal']) renameSync(join(folder, `copy${end}`), path + end);
    }));

  test('with a change of places that a kill left between its two renames', () =>
    expectRefused((_, path) => {
      renameSync(path, `${path}.new`);
      writeFileSync(`${path}.swap`, 'queue.db.damaged.1');
    }, '.new'));

  test('with a change of places that a kill left half done', () =>
    expectRefused((folder, path) => {
      copyFileSync(path, `${path}.new`);
      copyFileSync(path, join(folder, 'queue.db.swap'));
    }));
});

test('of an old queue that was killed before anything came into the file itself the log tells', () => {
  const { path } = queueFile();
  const writer = new SQLite(path);
  onTestFinished(() => void writer.close());
  writer.pragma('journal_mode = WAL');
  const id = readFileSync(FIXTURE).readUInt32BE(68);
  writer.pragma(`application_id = ${id}`);
  expect(readFileSync(path).readUInt32BE(68)).not.toBe(id);
  expect(() => queueMigrations.check(writer)).toThrow(expect.objectContaining({ code: 'store.outdated' }));
});
