// The embedded service's own SQLite file. A lab may live on it: every commit is on disk before its request is answered.
// It is not locked exclusively, since users, keys and imports must work while the service runs.
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AgentError } from '../../../model/agent-error.ts';
import { storageMissing } from '../engine.ts';
import { migrations } from './schema.ts';

export type ServiceDatabase = Database.Database;

const FILE_NAME = 'service.db';
/** What `PRAGMA synchronous` gives for FULL. */
const FULL = 2;

function migrate(db: ServiceDatabase, path: string): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version > migrations.length) {
    throw new AgentError({
      code: 'service.database-newer',
      message: `${path} was written by a newer version (${version}, this one knows ${migrations.length}).`,
      hint: 'Update Epistream, or give another folder.',
      retry: 'after-human',
    });
  }
  migrations.slice(version).forEach((sql, at) => {
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${version + at + 1}`);
    }).immediate();
  });
}

/**
 * Open the service's database, made on first use.
 *
 * @param folder - the data folder of the service.
 * @param mustExist - whether a folder without one is refused, and left as it is.
 * @returns a connection in WAL mode whose commits are on disk.
 * @throws AgentError `service.storage-missing`, `service.database-unsafe` when the connection would not be durable, `service.database-newer` when a later
 *   version wrote it; SQLite's own faults as they are.
 */
export function openDatabase(folder: string, mustExist = false): ServiceDatabase {
  const path = join(folder, FILE_NAME);
  if (mustExist && !existsSync(path)) {
    throw storageMissing(`${folder} is not the folder of a service: it holds no ${FILE_NAME}.`);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const db = new Database(path);
  chmodSync(path, 0o600);
  db.pragma('journal_mode = WAL');
  db.pragma('busy_timeout = 5000');
  db.pragma('foreign_keys = ON');
  db.pragma('journal_size_limit = 67108864');
  migrate(db, path);
  // The library is built to fall back to NORMAL after the first write in WAL mode, so: write, set, then look.
  db.transaction(() => db.pragma(`user_version = ${migrations.length}`)).immediate();
  db.pragma('synchronous = FULL');
  db.transaction(() => db.pragma(`user_version = ${migrations.length}`)).immediate();
  if (db.pragma('synchronous', { simple: true }) !== FULL) {
    db.close();
    throw new AgentError({
      code: 'service.database-unsafe',
      message: `${path} could not be opened so that every commit is on disk.`,
      hint: 'This is a bug; please report it.',
    });
  }
  return db;
}
