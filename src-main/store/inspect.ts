// Looks at a queue file before it is opened for writing, and alters nothing of it: SQLite copies the write-ahead log into
// the file when the last writer closes, so a writer that finds damage has already changed what it found.
import { existsSync, rmSync, statSync } from 'node:fs';
import SQLite, { type Database } from 'better-sqlite3';
import { AgentError } from '../model/agent-error.ts';
import { type LedgerEntry, readWalSalt } from './ledger.ts';
import { checkSchema } from './migrations.ts';
import { storeError } from './store-error.ts';

/** Files up to this size are checked whole at each start (about 0.1 s), larger ones only where there are no chunks. */
const CHECKED_WHOLE_BYTES = 256 * 1024 * 1024;
/** Each chunk has a checksum of its own, which is checked before it is sent. */
const SMALL_TABLES = ['meta', 'stream', 'channel', 'lane', 'open_readings', 'source_position'];
/** Salts rise by one each time the log starts anew; this many times in one run is more than years. */
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

function quickCheck(database: Database, sizeBytes: number): string | null {
  const checks =
    sizeBytes <= CHECKED_WHOLE_BYTES ? ['quick_check(1)'] : SMALL_TABLES.map((table) => `quick_check('${table}')`);
  for (const check of checks) {
    const found = String(database.pragma(check, { simple: true }));
    if (found !== 'ok') return found.replaceAll('\n', ' ');
  }
  return null;
}

/** Look inside. **Gives**: what is wrong, null when nothing is. */
function look(path: string, sizeBytes: number, entry: LedgerEntry | null): string | null {
  let database: Database | undefined;
  try {
    database = new SQLite(path, { readonly: true, fileMustExist: true, timeout: 0 });
    database.pragma('trusted_schema = OFF');
    database.pragma('cell_size_check = ON');
    checkSchema(database);
    return quickCheck(database, sizeBytes);
  } catch (thrown) {
    const error = storeError(thrown, path);
    if (error.code === 'store.damaged') return error.message;
    // A file that this program has worked on in this place, and whose header or schema is now another: altered.
    if (error.code === 'store.foreign' && entry !== null && entry.sequence > 0 && isOurs(error, database))
      return error.message;
    if (error.code === 'store.foreign' || error.code === 'store.newer') throw error;
    // Held, full, not readable now: opening it will say so, and none of that is damage.
    return null;
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
 * **Takes**: its path and what the ledger says (null: nothing). **Gives**: the damage found; null when the file is sound,
 * when there is none yet, or when it cannot be looked at now.
 * **Errors**: `store.newer`, `store.foreign` for a file that is not this program's to open. Nothing is altered on any of
 * them.
 */
export function inspectQueue(path: string, entry: LedgerEntry | null): Damage | null {
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
  const why = look(path, sizeBytes, entry);
  return why === null ? null : { why, hasForeignWal: false };
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
