// Reads what can be read of a table in a damaged file: rows by id, halving the range at each fault until the fault is a
// single id. Nothing that is read is believed because it could be read: the caller checks it.
import { closeSync, copyFileSync, existsSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import SQLite, { type Database } from 'better-sqlite3';
import { storeError } from '../database/store-error.ts';

/** Look-ups that one table may cost (about 0.3 s); what is then still only failing is given up. */
const TRIES_MAX = 20_000;
const PAGE_BYTES = 4096;
const HEADER_BYTES = 100;

export type Row = Record<string, unknown>;

/** A damaged file that can be read from; `close` leaves the file as it was. */
export interface DamagedFile {
  readonly database: Database;
  close(): void;
}

function isDamage(thrown: unknown): boolean {
  const { code } = storeError(thrown, '');
  // Text that does not fit its type and the like are the library's own words for damage in a row.
  return code === 'store.damaged' || code === 'store.fault';
}

/** Write a header over the copy's own: that of a new queue, with the number of pages that the file has. */
function repairHeader(copy: string, template: Uint8Array): void {
  const header = Buffer.from(template.subarray(0, HEADER_BYTES));
  header.writeUInt32BE(Math.floor(statSync(copy).size / PAGE_BYTES), 28);
  // No list of free pages: those that it names may hold anything.
  header.writeUInt32BE(0, 32);
  header.writeUInt32BE(0, 36);
  const file = openSync(copy, 'r+');
  try {
    writeSync(file, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(file);
  }
}

/**
 * Open a damaged queue for reading.
 *
 * @param isWithoutWal - whether its write-ahead log is to be left out.
 * @param template - the first bytes of a sound queue in case its own cannot be used.
 * @returns a connection to the file or to a copy of it; null when nothing can be read at all.
 * @throws those of `storeError` but `store.damaged`, for example when there is no room for a copy.
 */
export function openDamaged(path: string, isWithoutWal: boolean, template: Uint8Array): DamagedFile | null {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < PAGE_BYTES) return null;
  const copy = `${path}.reading`;
  const drop = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true });
    rmSync(`${path}-shm`, { force: true });
  };
  drop();
  const tries = isWithoutWal ? ['copy', 'repaired'] : ['itself', 'copy', 'repaired'];
  for (const attempt of tries) {
    let database: Database | undefined;
    try {
      const file = attempt === 'itself' ? path : copy;
      if (attempt === 'copy') copyFileSync(path, copy);
      if (attempt === 'copy' && !isWithoutWal && existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
      if (attempt === 'repaired') repairHeader(copy, template);
      database = new SQLite(file, { readonly: attempt === 'itself', timeout: 0 });
      database.pragma('trusted_schema = OFF');
      if (attempt === 'repaired') database.pragma('writable_schema = RESET');
      const tables = database
        .prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
        .pluck();
      if ((tables.get() as number) === 0) throw Object.assign(new Error('no table'), { code: 'SQLITE_CORRUPT' });
      const open = database;
      return {
        database,
        close: () => {
          open.close();
          drop();
        },
      };
    } catch (thrown) {
      database?.close();
      // The file itself may be kept from being read as it is by a journal that would have to be applied to it first.
      const mayRetry = attempt === 'itself' && storeError(thrown, path).code === 'store.cannot-open';
      if (isDamage(thrown) || mayRetry) continue;
      drop();
      throw storeError(thrown, path);
    }
  }
  drop();
  return null;
}

/** Columns that a table has in the file as it is; empty when there is no such table. */
function columnsOf(database: Database, table: string): string[] {
  try {
    const isTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table);
    return isTable ? (database.pragma(`table_info('${table}')`) as { name: string }[]).map(({ name }) => name) : [];
  } catch (thrown) {
    if (isDamage(thrown)) return [];
    throw thrown;
  }
}

function lastId(database: Database, table: string, fallback: number): number {
  try {
    return Number(database.prepare(`SELECT coalesce(max(id), 0) FROM ${table}`).pluck().get());
  } catch (thrown) {
    if (isDamage(thrown)) return fallback;
    throw thrown;
  }
}

/**
 * Read every row of a table with an integer id that can be read.
 *
 * @param database - the damaged database.
 * @param table - a table with a column `id`.
 * @param idFallback - the highest id to look for where the table itself does not tell.
 * @returns row after row, in no promised order, each once; nothing when there is no such table.
 * @throws what SQLite throws that is no damage, such as a disk that fails: then the rest is not known.
 */
export function* readRows(database: Database, table: string, idFallback: number): Generator<Row> {
  if (!columnsOf(database, table).includes('id')) return;
  const select = database.prepare(`SELECT * FROM ${table} WHERE id BETWEEN ? AND ? ORDER BY id`);
  // Large ranges come before small ones, so that what can be read anywhere is read before the tries run out.
  const ranges: [number, number][] = [[1, Math.max(lastId(database, table, idFallback), 1)]];
  for (let tries = 0; tries < Math.min(ranges.length, TRIES_MAX); tries++) {
    const [from, to] = ranges[tries] as [number, number];
    let next = from;
    try {
      for (const row of select.iterate(from, to) as IterableIterator<Row>) {
        next = Number(row.id) + 1;
        yield row;
      }
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      if (next > to || from === to) continue;
      const middle = Math.floor((next + to) / 2);
      ranges.push([next, middle]);
      if (middle < to) ranges.push([middle + 1, to]);
    }
  }
}

/**
 * Read the rows of a table that has no integer id, from both of its ends up to the first fault.
 *
 * @param database - the damaged database.
 * @param key - the columns of its key.
 * @returns the rows; some may come twice.
 * @throws as `readRows`.
 */
export function* readKeyedRows(database: Database, table: string, key: readonly string[]): Generator<Row> {
  if (columnsOf(database, table).length === 0) return;
  for (const direction of ['ASC', 'DESC']) {
    const order = key.map((column) => `${column} ${direction}`).join(', ');
    try {
      yield* database.prepare(`SELECT * FROM ${table} ORDER BY ${order}`).iterate() as IterableIterator<Row>;
      return;
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
    }
  }
}
