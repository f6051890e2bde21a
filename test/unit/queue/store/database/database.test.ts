import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import {
  assertSafeMode,
  connectDatabase,
  proveDatabase,
} from '../../../../../src-main/queue/store/database/database.ts';
import { storeError } from '../../../../../src-main/queue/store/database/store-error.ts';
import { alterFile, askFile } from '../../../../support/rigs/small-queue.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const hash = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const coded = (code: string) => expect.objectContaining({ code });

function openDatabase(path: string): SQLite.Database {
  const database = connectDatabase(path);
  proveDatabase(database);
  return database;
}

test('a commit is on the disk when it returns: the safe mode holds after writes, and is asserted', () => {
  const database = openDatabase(join(tempFolder(), 'q.db'));
  database.prepare("INSERT INTO gap (source, from_ms, to_ms, cause) VALUES ('s', 0, 1, 'c')").run();
  expect(() => assertSafeMode(database)).not.toThrow();
  database.pragma('synchronous = NORMAL');
  expect(() => assertSafeMode(database)).toThrow(coded('store.unsafe'));
  database.close();
});

test('a second one on the same queue is refused, and gets it once the first has closed', () => {
  const path = join(tempFolder(), 'q.db');
  const first = openDatabase(path);
  expect(() => openDatabase(path)).toThrow(coded('store.in-use'));
  first.close();
  openDatabase(path).close();
});

test('a queue of a newer program is refused and not touched', () => {
  const path = join(tempFolder(), 'q.db');
  openDatabase(path).close();
  alterFile(path, 'PRAGMA user_version = 99');
  const before = hash(path);
  expect(() => openDatabase(path)).toThrow(coded('store.newer'));
  expect(hash(path)).toBe(before);
});

test("another program's database is refused and keeps its tables", () => {
  const path = join(tempFolder(), 'q.db');
  alterFile(path, 'CREATE TABLE theirs (x)');
  expect(() => openDatabase(path)).toThrow(coded('store.foreign'));
  expect(askFile(path, 'SELECT group_concat(name) FROM sqlite_schema')).toBe('theirs');
});

test('a file that is no database is called damaged and stays as it is', () => {
  const path = join(tempFolder(), 'q.db');
  writeFileSync(path, 'this was a queue once, and it is longer than a header of a database would be. '.repeat(20));
  const before = hash(path);
  expect(() => openDatabase(path)).toThrow(coded('store.damaged'));
  expect(hash(path)).toBe(before);
});

test.each([
  ['SQLITE_FULL', 'store.disk-full'],
  ['SQLITE_BUSY', 'store.in-use'],
  ['SQLITE_CANTOPEN', 'store.cannot-open'],
  ['SQLITE_READONLY', 'store.cannot-open'],
  ['SQLITE_IOERR_FSYNC', 'store.disk-fault'],
  ['SQLITE_IOERR_SHMSIZE', 'store.disk-fault'],
  ['SQLITE_CORRUPT', 'store.damaged'],
  ['SQLITE_NOTADB', 'store.damaged'],
])('%s is told as %s', (code, ours) => {
  const error = storeError(Object.assign(new Error('x'), { code }), '/q.db');
  expect(error).toMatchObject({ code: ours, retry: ours === 'store.damaged' ? 'after-human' : 'later' });
  expect(error.hint.length).toBeGreaterThan(10);
});

test('a folder that does not exist is a file that cannot be opened, not damage', () => {
  expect(() => openDatabase(join(tempFolder(), 'no', 'q.db'))).toThrow(coded('store.cannot-open'));
});
