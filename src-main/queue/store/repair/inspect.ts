// Looks at a queue file before it is opened for writing, and alters nothing of it: SQLite copies the write-ahead log into
// the file when the last writer closes, so a writer that finds damage has already changed what it found.
import { copyFileSync, existsSync, rmSync, statSync } from 'node:fs';
import SQLite, { type Database } from 'better-sqlite3';
import { AgentError } from '../../../model/agent-error.ts';
import { type LedgerEntry, readWalSalt } from '../database/ledger.ts';
import { queueMigrations } from '../database/schema.ts';
import { storeError } from '../database/store-error.ts';
import { findFault, findWrongSum } from './repair-rows.ts';

/** After an unclean end files up to this size are checked with their indexes (about 0.3 s), */
const CHECKED_DEEPLY_BYTES = 64 * 1024 * 1024;
/** at any start up to this size without them (about 0.1 s), larger ones only where there are no chunks. */
const CHECKED_WHOLE_BYTES = 256 * 1024 * 1024;
/** Each chunk has a checksum of its own, which is checked before it is sent. */
const SMALL_TABLES = ['meta', 'stream', 'channel', 'lane', 'open_readings', 'source_position'];
/** Salts rise by one each time the log restarts; this many times in one run is more than years. */
const SALTS_A_RUN = 2 ** 24;

/** What is wrong with the file, in half a sentence, and whether its write-ahead log is its own. */
export interface Damage {
  readonly why: string;
  readonly hasForeignWal: boolean;
}

/** True when the write-ahead log beside the queue belongs to another run or another queue than the ledger knows. */
function hasForeignWal(path: string, entry: LedgerEntry | null): boolean {
  if (!entry || entry.state === 'closed' || entry.walSalt === null) return false;
  const salt = readWalSalt(path);
  return salt !== null && (salt - entry.walSalt) >>> 0 > SALTS_A_RUN;
}

function checksFor(sizeBytes: number, isClosed: boolean): string[] {
  if (sizeBytes <= CHECKED_DEEPLY_BYTES && !isClosed) return ['integrity_check(1)'];
  if (sizeBytes <= CHECKED_WHOLE_BYTES) return ['quick_check(1)'];
  return SMALL_TABLES.map((table) => `quick_check('${table}')`);
}

function checkPages(database: Database, checks: readonly string[], isClosed: boolean): string | null {
  for (const check of checks) {
    const found = String(database.pragma(check, { simple: true }));
    if (found !== 'ok') return found.replaceAll('\n', ' ');
  }
  const isMade = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'lane'").get() !== undefined;
  if (!isMade) return null;
  return findFault(database) ?? (isClosed ? null : findWrongSum(database));
}

/** True when the file without its write-ahead log is a sound queue: where both together are none, the log was written over another state. */
function isSoundAlone(path: string): boolean {
  if (!existsSync(`${path}-wal`)) return false;
  const alone = `${path}.alone`;
  let database: Database | undefined;
  try {
    copyFileSync(path, alone);
    database = new SQLite(alone, { timeout: 0 });
    return checkPages(database, ['integrity_check(1)'], false) === null;
  } catch {
    // No room for a copy, or no queue at all.
    return false;
  } finally {
    database?.close();
    for (const end of ['', '-wal', '-shm']) rmSync(alone + end, { force: true });
  }
}

/**
 * Check an open queue from inside.
 *
 * @param database - a connection.
 * @param isClosed - whether it was closed in order before.
 * @throws `store.damaged`.
 */
export function checkOpen(database: Database, isClosed: boolean): void {
  const why = checkPages(database, checksFor(statSync(database.name).size, isClosed), isClosed);
  if (why !== null) throw damageError(database.name, { why, hasForeignWal: false });
}

/**
 * Look inside.
 *
 * @returns what is wrong; null when nothing is; `unseen` when that cannot be said without writing.
 */
function look(path: string, sizeBytes: number, entry: LedgerEntry | null): { why: string } | 'unseen' | null {
  let database: Database | undefined;
  try {
    database = new SQLite(path, { readonly: true, fileMustExist: true, timeout: 0 });
    database.pragma('trusted_schema = OFF');
    database.pragma('cell_size_check = ON');
    queueMigrations.check(database);
    const isClosed = entry?.state === 'closed';
    const why = checkPages(database, checksFor(sizeBytes, isClosed), isClosed);
    return why === null ? null : { why };
  } catch (thrown) {
    const error = storeError(thrown, path);
    if (error.code === 'store.damaged') return { why: error.message };
    // A file that this program has worked on in this place, and whose header or schema is now another: altered.
    if (error.code === 'store.foreign' && entry !== null && entry.sequence > 0 && isOurs(error, database))
      return { why: error.message };
    if (['store.foreign', 'store.newer', 'store.outdated'].includes(error.code)) throw error;
    // Held, full, not readable now, or to be rolled back first: opening it will say so, and none of that is damage.
    return 'unseen';
  } finally {
    database?.close();
    rmSync(`${path}-shm`, { force: true });
  }
}

/** True when what stands there is a queue of ours with faults; a trigger or a view is nobody's fault but an intent. */
function isOurs(error: AgentError, database: Database | undefined): boolean {
  const names = database
    ?.prepare("SELECT count(*) FROM sqlite_schema WHERE name IN ('stream', 'lane', 'chunk')")
    .pluck();
  return error.context.isHostile !== true && (names?.get() as number) >= 2;
}

/**
 * Inspect a queue file.
 *
 * @param entry - what the ledger says (null: nothing).
 * @returns the damage found; null when the file is sound or there is none yet; `unseen` when it cannot be looked at now: to be
 *   checked once it is open.
 * @throws `store.outdated`, `store.newer`, `store.foreign` for a file that is not this program's to open; nothing is altered.
 */
export function inspectQueue(path: string, entry: LedgerEntry | null): Damage | 'unseen' | null {
  const sizeBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (sizeBytes === 0) {
    const isExpected = !existsSync(`${path}-wal`) && (entry === null || entry.sequence === 0);
    // SQLite would delete a log whose file is empty, with all that is in it.
    return isExpected
      ? null
      : { why: existsSync(path) ? 'the file is empty' : 'the file is gone', hasForeignWal: false };
  }
  if (hasForeignWal(path, entry)) return { why: 'its -wal file belongs to another queue or run', hasForeignWal: true };
  if (entry?.state === 'suspect') return { why: 'SQLite found damage while it was in use', hasForeignWal: false };
  const seen = look(path, sizeBytes, entry);
  return typeof seen === 'object' && seen ? { ...seen, hasForeignWal: isSoundAlone(path) } : seen;
}

/** Turn damage into the error that says so, for those who may not repair it. */
export function damageError(path: string, { why }: Damage): AgentError {
  return new AgentError({
    code: 'store.damaged',
    message: `The queue ${path} is damaged: ${why}.`,
    hint: 'Start Epistream again: the damaged file is then set aside whole and what can be read of it is kept.',
    retry: 'after-human',
    context: { path },
  });
}
