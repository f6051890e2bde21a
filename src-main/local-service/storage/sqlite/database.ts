// The embedded service's own SQLite file. A lab may live on it: every commit is on disk before its request is answered.
// It is not locked exclusively, since users, keys and imports must work while the service runs.
//
// `application_id` says whose file it is: "EPSV", set before anything else is written. Programs before 0.1.0 set none, and
// counted their versions from 1 to 5; a file of theirs is refused by its first bytes, before a connection could change it.
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AgentError } from '../../../model/agent-error.ts';
import { readApplicationId } from '../../../platform/application-id.ts';
import { storageMissing } from '../engine.ts';
import { STEPS } from './schema.ts';

export type ServiceDatabase = Database.Database;

const FILE_NAME = 'service.db';
/** What `PRAGMA synchronous` gives for FULL. */
const FULL = 2;

/** "EPSV". */
const APPLICATION_ID = 0x45505356;

function outdated(path: string): AgentError {
  return new AgentError({
    code: 'service.database-outdated',
    message: `${path} was written by an Epistream before 0.1.0 or by another program, and this one cannot read it.`,
    hint: 'Keep it for the Epistream that wrote it, and give another folder. Nothing was changed.',
    retry: 'after-human',
  });
}

/**
 * Refuse a file of another program before a connection changes it. While a rollback journal lies beside the file, its first
 * bytes may be undone at opening, so `claim` decides.
 */
function refuseOutdated(path: string): void {
  const id = readApplicationId(path);
  if (id !== null && id !== APPLICATION_ID && !existsSync(`${path}-journal`)) throw outdated(path);
}

/** Mark an empty file as one of this program; a kill before the mark leaves it empty. */
function claim(db: ServiceDatabase): void {
  if (db.pragma('application_id', { simple: true }) === APPLICATION_ID) return;
  if (db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() !== 0) {
    db.close();
    throw outdated(db.name);
  }
  // In the file itself, not in a write-ahead log that a kill may leave behind.
  db.pragma(`application_id = ${APPLICATION_ID}`);
}

/**
 * Bring a service's database forward by numbered steps; a step and its number, `user_version`, are one transaction.
 *
 * @param steps - SQL of each step; step n makes version n of version n - 1.
 * @throws AgentError `service.database-newer` when a program with more steps wrote it.
 */
export function migrate(db: ServiceDatabase, steps: readonly string[]): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version > steps.length) {
    throw new AgentError({
      code: 'service.database-newer',
      message: `${db.name} was written by a newer version (${version}, this one knows ${steps.length}).`,
      hint: 'Update Epistream, or give another folder.',
      retry: 'after-human',
    });
  }
  steps.slice(version).forEach((sql, at) => {
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
 * @throws AgentError `service.storage-missing`, `service.database-outdated` when a program before 0.1.0 wrote it,
 *   `service.database-newer` when a later version did, `service.database-unsafe` when the connection would not be durable; SQLite's own faults as they are.
 */
export function openDatabase(folder: string, mustExist = false): ServiceDatabase {
  const path = join(folder, FILE_NAME);
  if (mustExist && !existsSync(path)) {
    throw storageMissing(`${folder} is not the folder of a service: it holds no ${FILE_NAME}.`);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  refuseOutdated(path);
  const db = new Database(path);
  chmodSync(path, 0o600);
  db.pragma('busy_timeout = 5000');
  claim(db);
  db.pragma('journal_mode = WAL');
  db.pragma('foreign_keys = ON');
  db.pragma('journal_size_limit = 67108864');
  migrate(db, STEPS);
  // The library is built to fall back to NORMAL after the first write in WAL mode, so: write, set, then look.
  db.transaction(() => db.pragma(`user_version = ${STEPS.length}`)).immediate();
  db.pragma('synchronous = FULL');
  db.transaction(() => db.pragma(`user_version = ${STEPS.length}`)).immediate();
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
