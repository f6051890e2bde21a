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

/** How faults of SQLite are told: the first row whose names fit. A full, busy or missing file is never called damaged. */
const FAULTS: readonly {
  readonly names: readonly string[];
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly retry: 'later' | 'after-human';
}[] = [
  {
    names: ['SQLITE_FULL'],
    code: 'store.disk-full',
    message: 'The disk is full: the queue cannot take more.',
    hint: 'Free space on this disk. What was stored is safe; storing goes on as soon as there is room.',
    retry: 'later',
  },
  {
    names: ['SQLITE_BUSY', 'SQLITE_LOCKED'],
    code: 'store.in-use',
    message: 'The queue is open in another program.',
    hint: 'Close the other Epistream that uses this data folder, or choose another folder.',
    retry: 'later',
  },
  {
    // The library itself refuses a folder that does not exist, with a TypeError that has no code.
    names: ['SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PERM', 'TypeError'],
    code: 'store.cannot-open',
    message: 'The queue cannot be opened or written.',
    hint: 'Check that the folder exists and that this user may write there.',
    retry: 'later',
  },
  {
    names: ['SQLITE_IOERR'],
    code: 'store.disk-fault',
    message: 'The disk refuses to store data.',
    hint: 'Check the disk and its cable; what was stored before is kept.',
    retry: 'later',
  },
  {
    names: ['SQLITE_CORRUPT', 'SQLITE_NOTADB'],
    code: 'store.damaged',
    message: 'The queue is damaged.',
    hint: 'Nothing was deleted. Copy the file away before anything else, then start with another data folder.',
    retry: 'after-human',
  },
];

/**
 * Turn a fault of SQLite into an AgentError.
 *
 * **Takes**: whatever better-sqlite3 threw, and the file concerned. **Gives**: `store.disk-full`, `store.in-use`,
 * `store.cannot-open`, `store.disk-fault` (all of which may pass), `store.damaged` (which does not), else `store.fault`.
 */
export function storeError(thrown: unknown, path: string): AgentError {
  if (thrown instanceof AgentError) return thrown;
  const { code, name, message: detail = String(thrown) } = thrown as { code?: string; name?: string; message?: string };
  const what = code ?? name ?? '';
  const fault = FAULTS.find(({ names }) => names.some((prefix) => what.startsWith(prefix)));
  return new AgentError({
    code: fault?.code ?? 'store.fault',
    message: `${fault?.message ?? 'The queue failed.'} (${path}: ${what === '' ? detail : `${what}, ${detail}`})`,
    hint: fault?.hint ?? 'Please report this with the journal; what was stored before is kept.',
    retry: fault?.retry ?? 'later',
    context: { path },
    cause: thrown,
  });
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
