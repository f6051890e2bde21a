// The way from SQLite to PostgreSQL: all tables in the order of their keys, some rows a transaction, so that one that was broken off
// goes on behind the last row it brought. Then both sides are read once more and compared, row by row and double by double. The
// source is only read.
import { createHash, type Hash } from 'node:crypto';
import { AgentError } from '../../model/agent-error.ts';
import { addAudit, hereActor } from '../storage/audit.ts';
import { unpackChunk } from '../storage/chunk-bytes.ts';
import type { Engine } from '../storage/engine.ts';
import { ensureLinkSecret } from '../storage/identity.ts';
import { isDatabase, openEngine } from '../storage/open-engine.ts';
import { all, first, run, type Script, type Value } from '../storage/script.ts';
import { type Table, tables } from './tables.ts';

/** Rows in one transaction; a chunk may have a million points. */
const ROWS_AT_ONCE = 50;
/** Setting of the target that names the source whose data it takes. */
const MARK = 'migrated from';

type Row = Readonly<Record<string, Value>>;

const columnsOf = ({ key, others }: Table) => [...key, ...others];

/** Rows of a table behind a key, in its order. */
function rowsAfter({ name, key, others }: Table, after: readonly Value[] | null): Script<readonly Row[]> {
  const order = key.join(', ');
  const where = after === null ? '' : `WHERE (${order}) > (${key.map(() => '?').join()})`;
  const sql = `SELECT ${[...key, ...others].join(', ')} FROM ${name} ${where} ORDER BY ${order} LIMIT ${ROWS_AT_ONCE}`;
  return all<Row>(sql, ...(after ?? []));
}

const keyOf = ({ key }: Table, row: Row): Value[] => key.map((column) => row[column] ?? null);

/** The last key that a table has; null: it is empty. */
function* lastKey(table: Table): Script<Value[] | null> {
  const order = table.key.map((column) => `${column} DESC`).join(', ');
  const row = yield* first<Row>(`SELECT ${table.key.join(', ')} FROM ${table.name} ORDER BY ${order} LIMIT 1`);
  return row ? keyOf(table, row) : null;
}

function* putRows(to: Engine, table: Table, rows: readonly Row[]): Script<void> {
  const columns = columnsOf(table);
  const group = `(${columns.map(() => '?').join()})`;
  const values = rows.flatMap((row) => columns.map((column) => row[column] ?? null));
  const sql = `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES ${rows.map(() => group).join()}`;
  yield* run(sql, ...values);
  if (table.name === 'entry') for (const row of rows) yield* to.index(Number(row.id));
}

/** Add what a row says, whatever way it is stored: equal rows give equal digests. */
function digest(hash: Hash, table: Table, row: Row): void {
  if (table.name !== 'chunk') {
    const plain = columnsOf(table).map((column) => {
      const value = row[column] ?? null;
      return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
    });
    hash.update(`${JSON.stringify(plain)}\n`);
    return;
  }
  const { channel_id, chunk_index, points, min_time, max_time, codec, data } = row;
  hash.update(`${JSON.stringify([channel_id, chunk_index, points, min_time, max_time])}\n`);
  const { times, values } = unpackChunk(Number(codec), data as Uint8Array);
  for (const column of [times, values])
    hash.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
}

/** Read a table whole, or as many of its rows. Returns how many these are and their SHA-256. */
async function digestOf(engine: Engine, table: Table, most = Infinity): Promise<{ rows: number; sha256: string }> {
  const hash = createHash('sha256');
  let count = 0;
  for (let after: Value[] | null = null; ; ) {
    const from = after;
    const found: readonly Row[] = await engine.read(() => rowsAfter(table, from));
    const rows = found.slice(0, most - count);
    for (const row of rows) digest(hash, table, row);
    count += rows.length;
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_AT_ONCE) return { rows: count, sha256: hash.digest('hex') };
    after = keyOf(table, last);
  }
}

function different(what: string): AgentError {
  return new AgentError({
    code: 'service.migrate-different',
    message: `What came over differs from its source: ${what}.`,
    hint: 'Stop every service on both sides, empty the database, and migrate again. The folder is as it was.',
    retry: 'after-human',
  });
}

/** Copy what the target lacks of a table. Returns how many rows that were. */
async function copyTable(from: Engine, to: Engine, table: Table): Promise<number> {
  let count = 0;
  for (let after = await to.read(() => lastKey(table)); ; ) {
    const begin = after;
    const rows = await from.read(() => rowsAfter(table, begin));
    const last = rows.at(-1);
    if (!last) return count;
    await to.write(() => putRows(to, table, rows));
    count += rows.length;
    after = keyOf(table, last);
  }
}

async function bytesOf(engine: Engine, fileUuid: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of engine.bytes.read(fileUuid)) parts.push(part);
  return Buffer.concat(parts);
}

/** Copy the bytes of files, and compare them. Returns how many files there are. */
async function copyFiles(from: Engine, to: Engine): Promise<number> {
  const files = await from.read(() => all<{ file_uuid: string }>('SELECT file_uuid FROM file ORDER BY file_uuid'));
  for (const { file_uuid: fileUuid } of files) {
    const bytes = await bytesOf(from, fileUuid);
    if ((await to.bytes.size(fileUuid)) !== bytes.length) await to.bytes.add(fileUuid, bytes);
    if (!bytes.equals(await bytesOf(to, fileUuid))) throw different(`the file ${fileUuid}`);
  }
  return files.length;
}

/** Let a database take data from one source alone: one that holds anything else already is refused. */
function* markTarget(source: string): Script<void> {
  const mark = yield* first<{ value: string }>('SELECT value FROM setting WHERE name = ?', MARK);
  if (mark?.value === source) return;
  if (mark || (yield* first('SELECT id FROM organization LIMIT 1'))) {
    throw new AgentError({
      code: 'service.migrate-not-empty',
      message: 'The database holds other data already.',
      hint: 'Give one that is empty, and start no service on it before the migration is done.',
      retry: 'after-human',
    });
  }
  yield* run('INSERT INTO setting (name, value) VALUES (?, ?)', MARK, source);
}

/** Write down that all was brought; not again where nothing was missing. */
function* noteDone(folder: string, hasBrought: boolean): Script<void> {
  const [action, subject] = ['data brought over', `from ${folder}`];
  const isNoted = yield* first('SELECT id FROM audit WHERE action = ? AND subject = ?', action, subject);
  if (hasBrought || !isNoted) yield* addAudit(hereActor(), action, subject);
}

/**
 * Bring all that a service keeps in a folder into a database; no service may run on either meanwhile. One that was broken off
 * is called again.
 *
 * @param folder - the folder; it stays as it is.
 * @param url - address of an empty PostgreSQL database, or of one that an earlier call began to fill.
 * @param onTable - told each table that was copied and found equal, with its rows.
 * @throws AgentError `service.storage-missing`, `service.migrate-not-empty`, `service.migrate-different`, those of the engines.
 */
export async function migrate(
  folder: string,
  url: string,
  onTable: (name: string, rows: number, sha256: string) => void,
): Promise<void> {
  if (!isDatabase(url)) throw new TypeError('not the address of a database');
  const from = await openEngine(folder, { mustExist: true });
  const to = await openEngine(url).catch(async (fault: unknown) => {
    await from.close();
    throw fault;
  });
  try {
    const source = await from.write(ensureLinkSecret);
    await to.write(() => markTarget(createHash('sha256').update(source).digest('hex')));
    let brought = 0;
    for (const table of tables) brought += await copyTable(from, to, table);
    const files = await copyFiles(from, to);
    for (const { name, hasSequence } of tables) {
      if (!hasSequence) continue;
      const last = `coalesce((SELECT max(id) FROM ${name}), 0) + 1`;
      await to.write(() => run(`SELECT setval(pg_get_serial_sequence('${name}', 'id'), ${last}, false)`));
    }
    for (const table of tables) {
      const here = await digestOf(from, table);
      const there = await digestOf(to, table, table.goesOn ? here.rows : Infinity);
      if (here.rows !== there.rows || here.sha256 !== there.sha256) {
        throw different(`the table ${table.name} (${here.rows} and ${there.rows} rows)`);
      }
      onTable(table.name.replaceAll('"', ''), here.rows, here.sha256);
    }
    onTable('files', files, '');
    await to.write(() => noteDone(folder, brought > 0));
  } finally {
    await to.close();
    await from.close();
  }
}
