// Saves the content of a queue whose file was removed while it was open: the handle still reads all of it.
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { syncFile, syncFolder } from '../database/sync-file.ts';
import { completeSwap, markSwap } from './salvage.ts';

function copyInto(database: Database, file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(file + end, { force: true });
  database.prepare('VACUUM INTO ?').run(file);
  if (process.platform !== 'win32') chmodSync(file, 0o600);
  syncFile(file);
}

/**
 * Put the content of a removed queue back to its path, whole and synced; its folder is made again where it is gone. What is
 * left of the old file's write-ahead log is removed: it is part of the content. Takes the connection to the removed file,
 * and the path, to which no file leads.
 *
 * @returns false when another file came there meanwhile; nothing was done then.
 * @throws those of SQLite and of the file system.
 */
export function putBack(database: Database, path: string): boolean {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  copyInto(database, `${path}.new`);
  if (existsSync(path)) {
    rmSync(`${path}.new`);
    return false;
  }
  const aside = `${path}.removed`;
  markSwap(path, basename(aside));
  completeSwap(path);
  for (const end of ['-wal', '-journal']) rmSync(aside + end, { force: true });
  syncFolder(dirname(folder));
  return true;
}

/**
 * Save the content of a removed queue beside the file that took its place.
 *
 * @param database - the connection.
 * @param nowMs - the wall time.
 * @returns the name of the copy.
 * @throws as `putBack`.
 */
export function saveBeside(database: Database, path: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '');
  const file = `${path}.removed.${stamp}`;
  copyInto(database, file);
  syncFolder(dirname(path));
  return basename(file);
}
