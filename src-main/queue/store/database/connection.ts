// The one connection to the queue, together with handles that tell whether the paths still lead to what it works on.
import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { HeldFile } from '../../../platform/held-file.ts';
import { connectDatabase } from './database.ts';

export interface Connection<C> {
  readonly database: Database;
  readonly calls: C;
  readonly held: HeldFile;
  /** Its write-ahead log; null before there is one. */
  wal: HeldFile | null;
  /** The safe mode was proved on this connection. */
  isProved: boolean;
}

/**
 * Connect to the queue. The handle is there before the database is opened: a file that is exchanged between the two is
 * noticed at the first look.
 *
 * @param makeCalls - what makes the calls.
 * @throws those of `connectDatabase`.
 */
export function connect<C>(path: string, makeCalls: (database: Database) => C): Connection<C> {
  const files: HeldFile[] = [];
  try {
    const database = connectDatabase(path, () => files.push(new HeldFile(path)));
    return { database, calls: makeCalls(database), held: files[0] as HeldFile, wal: null, isProved: false };
  } catch (thrown) {
    for (const file of files) file.close();
    throw thrown;
  }
}

/** Hold the write-ahead log, which is there once something was written. */
export function holdLog(connection: Connection<unknown>, path: string): void {
  if (existsSync(`${path}-wal`)) connection.wal = new HeldFile(`${path}-wal`);
}

/** POSIX drops the locks of a process on a file with any handle that it closes: the database goes first. */
export function disconnect({ database, held, wal }: Connection<unknown>): void {
  database.close();
  held.close();
  wal?.close();
}

/** Copy the log into the file where that is possible now. */
export function checkpoint(database: Database): void {
  try {
    database.pragma('wal_checkpoint(PASSIVE)');
  } catch {
    // The commit stands in the log all the same; the next checkpoint takes it along.
  }
}
