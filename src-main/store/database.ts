// Opens the queue file so that a commit is on the disk when it returns, and proves it: the library falls back to
// synchronous=NORMAL after the first write, so the settings are asserted after one. EXCLUSIVE keeps the shared-memory
// file away (its creation fails on a full disk) and is the last line against a second writer.
import SQLite, { type Database } from 'better-sqlite3';
import { AgentError } from '../model/agent-error.ts';
import { migrate } from './migrations.ts';

/** Settings that the durability of a commit rests on, as SQLite reports them. */
const SAFE_MODE = { synchronous: 2, journal_mode: 'wal', locking_mode: 'exclusive' } as const;

/** A write-ahead log larger than this is cut back at the next checkpoint, bytes. */
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;

/**
 * Turn a fault of SQLite into an AgentError.
 *
 * **Takes**: whatever better-sqlite3 threw, and the file concerned. **Gives**: code `store.disk-full`, `store.in-use`,
 * `store.cannot-open`, `store.disk-fault` (all of which may pass) or `store.damaged` (which does not), else `store.fault`.
 * A full, busy or missing file is never called damaged.
 */
export function storeError(thrown: unknown, path: string): AgentError {
  if (thrown instanceof AgentError) return thrown;
  const code = (thrown as { code?: unknown }).code;
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  const name = typeof code === 'string' ? code : '';
  const make = (ours: string, message: string, hint: string, retry: 'later' | 'after-human') =>
    new AgentError({
      code: ours,
      message: `${message} (${name || detail})`,
      hint,
      retry,
      context: { path },
      cause: thrown,
    });
  if (name === 'SQLITE_FULL')
    return make(
      'store.disk-full',
      'The disk is full: the queue cannot take more.',
      'Free space on this disk. What was stored is safe; capture goes on as soon as there is room.',
      'later',
    );
  if (name.startsWith('SQLITE_BUSY') || name.startsWith('SQLITE_LOCKED'))
    return make(
      'store.in-use',
      `The queue ${path} is open in another program.`,
      'Close the other Epistream that uses this data folder, or choose another folder.',
      'later',
    );
  if (name.startsWith('SQLITE_CANTOPEN') || name.startsWith('SQLITE_READONLY') || name.startsWith('SQLITE_PERM'))
    return make(
      'store.cannot-open',
      `The queue ${path} cannot be opened or written.`,
      'Check that the folder exists and that this user may write there.',
      'later',
    );
  if (name.startsWith('SQLITE_IOERR'))
    return make(
      'store.disk-fault',
      'The disk refuses to store data.',
      'Check the disk and its cable; what was stored before is kept.',
      'later',
    );
  if (name.startsWith('SQLITE_CORRUPT') || name === 'SQLITE_NOTADB')
    return make(
      'store.damaged',
      `The queue ${path} is damaged.`,
      'Nothing was deleted. Copy the file away before anything else, then start with another data folder.',
      'after-human',
    );
  return make(
    'store.fault',
    `The queue failed: ${detail}`,
    'Please report this with the journal; what was stored before is kept.',
    'later',
  );
}

/**
 * Open the queue file, making it where there is none.
 *
 * **Takes**: the file's path. **Gives**: the one connection, in safe mode, proved after a write, at this program's
 * queue version.
 * **Errors**: those of `storeError`; `store.unsafe` when SQLite does not keep the safe mode; `store.newer`,
 * `store.foreign`. Nothing is deleted or overwritten on any of them.
 */
export function openDatabase(path: string): Database {
  let database: Database | undefined;
  try {
    database = new SQLite(path, { timeout: 0 });
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('trusted_schema = OFF');
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma(`journal_size_limit = ${WAL_LIMIT_BYTES}`);
    database.pragma('cache_size = -16000');
    migrate(database);
    database.prepare("UPDATE meta SET value = value + 1 WHERE key = 'opened'").run();
    database.pragma('synchronous = FULL');
    database.prepare("UPDATE meta SET value = value + 0 WHERE key = 'opened'").run();
    assertSafeMode(database);
    return database;
  } catch (thrown) {
    database?.close();
    throw storeError(thrown, path);
  }
}

/**
 * Prove that a commit of this connection is on the disk when it returns.
 *
 * **Takes**: a connection that has written. **Errors**: `store.unsafe`, naming the setting that does not hold.
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
