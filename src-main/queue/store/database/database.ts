// Opens the queue file so that a commit is on the disk when it returns, and proves it: the library falls back to
// synchronous=NORMAL after the first write, so the settings are asserted after one. EXCLUSIVE keeps the shared-memory
// file away (its creation fails on a full disk) and is the last line against a second writer.
//
// Opening has two halves, because a full or failing disk must not keep what is stored from being read: `connectDatabase`
// writes nothing to a queue that exists; `proveDatabase` writes, and until it has succeeded nobody else may.
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import SQLite, { type Database } from 'better-sqlite3';
import { AgentError } from '../../../model/agent-error.ts';
import { queueMigrations } from './schema.ts';
import { storeError } from './store-error.ts';
import { syncFolder } from './sync-file.ts';

/** Settings that the durability of a commit rests on, as SQLite reports them. */
const SAFE_MODE = { synchronous: 2, journal_mode: 'wal', locking_mode: 'exclusive' } as const;

/** Pages after which the write-ahead log is copied into the file: 2 MB, so that it fits into the reserve twice. */
const CHECKPOINT_PAGES = 500;
/** A write-ahead log that a large commit made larger than this is cut back at the next checkpoint, bytes. */
const WAL_LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * Make the file where there is none. Nobody but this user reads the queue; the write-ahead log takes over its rights.
 *
 * @returns true when it is new.
 */
function makeFile(path: string): boolean {
  const isNew = !existsSync(path);
  if (isNew) closeSync(openSync(path, 'a', 0o600));
  // Windows keeps the rights of the folder, which are the user's own.
  if (process.platform !== 'win32') chmodSync(path, 0o600);
  return isNew;
}

/**
 * Connect to the queue file, making it where there is none, and bring it to this program's version.
 *
 * @param path - the file's path.
 * @param onFile - what is done once the file exists and before it is opened.
 * @returns the one connection, set to safe mode but not yet proved.
 * @throws those of `storeError`; `store.outdated`, `store.newer`, `store.foreign`. Nothing is deleted or overwritten on any of them.
 */
export function connectDatabase(path: string, onFile: () => void = () => {}): Database {
  let database: Database | undefined;
  try {
    const isNew = makeFile(path);
    onFile();
    database = new SQLite(path, { timeout: 0 });
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('trusted_schema = OFF');
    database.pragma('cell_size_check = ON');
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma(`journal_size_limit = ${WAL_LIMIT_BYTES}`);
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    database.pragma('cache_size = -16000');
    queueMigrations.migrate(database);
    // The journal of the very first write must stay removed: found again after a power cut, it would undo the whole file.
    if (isNew) syncFolder(dirname(path));
    return database;
  } catch (thrown) {
    database?.close();
    throw storeError(thrown, path);
  }
}

/**
 * Prove that what this connection commits is on the disk when the commit returns.
 *
 * What a former connection left in the write-ahead log may never have reached the disk: its last sync may have failed,
 * and a system that has once reported that failure calls the same pages clean. So all of it is written again, into the
 * file, and synced there, before anything is built on it.
 *
 * @param database - a connection made by `connectDatabase`.
 * @throws SQLite's own, when the disk does not take the proof (call again later), `store.unsafe` when SQLite does not keep the
 *   safe mode.
 */
export function proveDatabase(database: Database): void {
  database.pragma('wal_checkpoint(FULL)');
  database.prepare("UPDATE meta SET value = value + 1 WHERE key = 'opened'").run();
  database.pragma('synchronous = FULL');
  database.prepare("UPDATE meta SET value = value + 0 WHERE key = 'opened'").run();
  assertSafeMode(database);
}

/**
 * Look at the settings that safety rests on.
 *
 * @param database - a connection that has written.
 * @throws `store.unsafe`, naming the setting that does not hold.
 */
export function assertSafeMode(database: Database): void {
  for (const [name, wanted] of Object.entries(SAFE_MODE)) {
    const found = database.pragma(name, { simple: true });
    if (found === wanted) continue;
    throw new AgentError({
      code: 'store.unsafe',
      message: `The queue is not opened in safe mode: ${name} is ${String(found)}, not ${String(wanted)}.`,
      hint: 'Keep the data folder on a local disk; a network or synced folder cannot be made safe.',
      retry: 'after-human',
    });
  }
}
