// SQLite, in a file of the service's folder: the engine that needs nothing else. A script runs at one go, so nobody sees half of it.
import type { Statement } from 'better-sqlite3';
import { HeldFile } from '../../../platform/held-file.ts';
import type { Engine } from '../engine.ts';
import type { Script, Step } from '../script.ts';
import { openDatabase, type ServiceDatabase } from './database.ts';
import { createFolderBytes } from './folder-bytes.ts';
import { readPage } from './page.ts';
import { indexEntry, unindexEntry } from './search.ts';
import { createWriter } from './writer.ts';

/**
 * Make what runs scripts at once.
 *
 * @returns a function that runs a script to its end, within the transaction of the caller. A statement is prepared once.
 */
function createRunner(db: ServiceDatabase): <T>(script: Script<T>) => T {
  const statements = new Map<string, Statement<unknown[]>>();
  const rowsOf = ({ sql, values }: Step): readonly unknown[] => {
    const known = statements.get(sql);
    const statement = known ?? db.prepare<unknown[]>(sql);
    if (!known) statements.set(sql, statement);
    const given = Array.isArray(values) ? values : [values];
    if (statement.reader) return statement.all(...given);
    statement.run(...given);
    return [];
  };
  return (script) => {
    let step = script.next();
    while (!step.done) {
      let rows: readonly unknown[];
      try {
        rows = rowsOf(step.value);
      } catch (fault) {
        step = script.throw(fault);
        continue;
      }
      step = script.next(rows);
    }
    return step.value;
  };
}

/**
 * Open the service's database, made on first use unless it must exist, with the folder of its raw files.
 *
 * @throws as `openDatabase`.
 */
export function openSqlite(folder: string, mustExist = false): Engine {
  const db = openDatabase(folder, mustExist);
  const held = new HeldFile(db.name);
  const runScript = createRunner(db);
  const write = createWriter(db);
  return {
    write: (script) => write(() => runScript(script())),
    read: async (script) => runScript(script()),
    index: indexEntry,
    unindex: unindexEntry,
    page: readPage,
    byEnd: 'INDEXED BY chunk_by_end',
    bytes: createFolderBytes(folder),
    sizeBytes: async () => {
      const size = db.prepare<[], number>('SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()');
      return size.pluck().get() ?? 0;
    },
    // What is confirmed must be found tomorrow: nothing is, while nobody would find the file.
    whyGone: async () =>
      held.place === 'here'
        ? null
        : `The storage of this service, ${db.name}, was removed, moved or exchanged while in use: nothing is taken. Put it back, or start the service again.`,
    close: async () => {
      // POSIX drops the database's locks with any handle to its file that is closed: the database goes first.
      db.close();
      held.close();
    },
  };
}
