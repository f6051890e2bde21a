// PostgreSQL 15 or later, for a lab with many tools: as many services as wanted keep nothing of their own and share one database.
// Scripts that write run under a lock that one writer has at a time: of 200 streams that began at once serializable transactions
// refused 26. The driver is `pg`, since it alone sends bytes as bytes; each slice is a parameter of its own. There is no object
// mapper, and no embedded PostgreSQL: those on npm are betas without pg_basebackup.
import type pg from 'pg';
import { AgentError } from '../../../model/agent-error.ts';
import { labPolicy } from '../chunk-policy.ts';
import { type ChunkRequest, type ChunkStored, refusals, storeChunk } from '../chunks.ts';
import { type Engine, storageMissing } from '../engine.ts';
import { type Connections, openConnections } from './connection.ts';
import { createDatabaseBytes } from './database-bytes.ts';
import { STEPS } from './schema.ts';
import { indexEntry, readPage } from './search.ts';

const VERSION_MIN = 150_000;
/** Holds the number of the last step that was taken. */
const VERSIONS = 'epistream_version';
/** Held while tables are made; any number that nobody else takes. */
const LOCK = 8_703_156_214;
/** A statement has 65,535 values at most; a chunk of more channels goes in many steps. */
const CHANNELS_AT_ONCE = 10_000;

/** An address without what is secret in it. */
function toldUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

const UNKNOWN_AUTHORITY =
  'Its certificate is not signed by an authority that is known here: name the file of the authority (PEM) in the address, ?sslmode=verify-full&sslrootcert=FILE.';

/** What helps, by the code of PostgreSQL, of the line to it, or of the system. */
function hintOf(code: unknown): string {
  const hints: Readonly<Record<string, string>> = {
    '3D000': 'Make it first with PostgreSQL: CREATE DATABASE.',
    '42501':
      'Make the role of the service the owner of the database, or let an administrator make the schema grafana for it.',
    SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
    DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
    ERR_TLS_CERT_ALTNAME_INVALID:
      'Its certificate is for another name: give the database by a name that stands in it, or let one be made for this name.',
    CERT_HAS_EXPIRED: 'Its certificate has expired, or the clock of this PC is wrong: have it renewed.',
    ENOENT: 'Check the files that the address names (sslrootcert, sslcert, sslkey), or the folder of the socket.',
  };
  return (
    hints[String(code)] ??
    'Check that PostgreSQL runs, with ssl = on where the address has sslmode, and that the address, the user and the password are right.'
  );
}

function unreachable(url: string, cause: unknown): AgentError {
  return new AgentError({
    code: 'service.database-unreachable',
    message: `The database ${toldUrl(url)} cannot be opened: ${(cause as Error).message || String(cause)}`,
    hint: hintOf((cause as { code?: unknown }).code),
    retry: 'later',
    cause,
  });
}

function unfit(code: 'newer' | 'older' | 'outdated' | 'unsafe', url: string, what: string, hint: string): AgentError {
  const message = `The database ${toldUrl(url)} ${what}.`;
  return new AgentError({ code: `service.database-${code}`, message, hint, retry: 'after-human' });
}

/** Begin what only one service does at a time, however long it takes. */
async function begin(client: pg.ClientBase): Promise<void> {
  await client.query('BEGIN');
  await client.query('SET LOCAL statement_timeout = 0');
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
}

/** Check that a commit is on disk, and that the tables, where there are any, are those of this program's kind. */
async function checkDatabase(client: pg.ClientBase, url: string, mustExist: boolean): Promise<void> {
  const show = async (name: string) => String((await client.query(`SHOW ${name}`)).rows[0]?.[name]);
  const version = await show('server_version_num');
  if (Number(version) < VERSION_MIN) {
    throw unfit('older', url, `is PostgreSQL ${await show('server_version')}`, 'PostgreSQL 15 or later is needed.');
  }
  for (const name of ['fsync', 'synchronous_commit']) {
    if ((await show(name)) === 'off') {
      throw unfit('unsafe', url, `would lose confirmed data when its PC fails: ${name} is off`, `Set ${name} = on.`);
    }
  }
  const isThere = async (table: string) =>
    Boolean((await client.query('SELECT to_regclass($1) IS NOT NULL AS here', [table])).rows[0]?.here);
  if (await isThere(VERSIONS)) return;
  // Programs before 0.1.0 kept their numbers, from 1 to 3, in a table of another name.
  if (await isThere('schema_version')) {
    const what = 'was filled by an Epistream before 0.1.0 or by another program, and this one cannot read it';
    throw unfit(
      'outdated',
      url,
      what,
      'Keep it for the Epistream that filled it, and give another database. Nothing was changed.',
    );
  }
  if (mustExist)
    throw storageMissing(`The database ${toldUrl(url)} is not that of a service: it holds no tables of one.`);
}

/**
 * Bring a database forward by numbered steps, all of them and their number in one transaction.
 *
 * @param steps - SQL of each step; step n makes version n of version n - 1.
 * @throws AgentError `service.database-newer` when a program with more steps filled it.
 */
export async function migrate(client: pg.ClientBase, url: string, steps: readonly string[]): Promise<void> {
  await begin(client);
  await client.query(`CREATE TABLE IF NOT EXISTS ${VERSIONS} (version integer NOT NULL)`);
  const { rows } = await client.query(`SELECT version FROM ${VERSIONS}`);
  const known = Number(rows[0]?.version ?? 0);
  if (known > steps.length) {
    const what = `was written by a newer version (${known}, this one knows ${steps.length})`;
    throw unfit('newer', url, what, 'Update Epistream, or give another database.');
  }
  for (const sql of steps.slice(known)) await client.query(sql);
  if (rows.length === 0) await client.query(`INSERT INTO ${VERSIONS} VALUES ($1)`, [steps.length]);
  else if (known < steps.length) await client.query(`UPDATE ${VERSIONS} SET version = $1`, [steps.length]);
  await client.query('COMMIT');
}

/** Make the indexes of keywords, where they are not there and the database allows the extension they need. */
async function indexWords(client: pg.ClientBase): Promise<AgentError | null> {
  try {
    await begin(client);
    const { rowCount } = await client.query("SELECT 1 FROM pg_indexes WHERE indexname = 'entry_by_word'");
    if (rowCount === 0) {
      await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
      await client.query('CREATE INDEX entry_by_part ON entry USING gin (part gin_trgm_ops)');
      await client.query('CREATE INDEX entry_by_word ON entry USING gin (word gin_trgm_ops)');
    }
    await client.query('COMMIT');
    return null;
  } catch (cause) {
    await client.query('ROLLBACK');
    return new AgentError({
      code: 'service.search-slow',
      message: `Keywords are found without an index, slowly in a large catalogue: ${(cause as Error).message}.`,
      hint: 'Let an administrator of the database run CREATE EXTENSION pg_trgm in it, then start the service again.',
      cause,
    });
  }
}

/** Store a chunk in one round trip. */
async function ingest({ write, once }: Connections, request: ChunkRequest): Promise<ChunkStored> {
  const { dataId, organizationId, chunkIndex, channels, nowMs } = request;
  if (channels.length > CHANNELS_AT_ONCE) return write(() => storeChunk(request, labPolicy));
  const column = <K extends keyof (typeof channels)[number]>(name: K) => channels.map((channel) => channel[name]);
  // Each slice is a value of its own: within an array the driver would send it as text of twice its length.
  const sql = `SELECT refusal, place, told, stored FROM store_chunk(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
    ARRAY[${channels.map(() => '?').join()}]::bytea[])`;
  const rows = (await once({
    sql,
    values: [
      ...[dataId, organizationId, chunkIndex, nowMs, column('name'), column('units') as readonly string[]],
      ...[column('points'), column('minTime'), column('maxTime'), column('valueMin'), column('valueMax')],
      ...[column('valueSum'), column('codec'), ...column('data')],
    ],
  })) as readonly { refusal: string | null; place: number; told: string; stored: number }[];
  const [{ refusal, place, told } = { refusal: null, place: 0, told: '' }] = rows;
  if (refusal === null) return rows.map(({ stored }) => stored);
  const channel = channels[place - 1];
  if (refusal === 'unknown') throw refusals.unknown(dataId);
  if (refusal === 'finalized') throw refusals.finalized();
  if (refusal === 'long') throw refusals.long(channel?.name ?? '', channel?.points ?? 0, Number(told));
  throw refusals.units(channel?.name ?? '', told, channel?.units ?? '');
}

/**
 * Open a database; its tables are made on first use, unless they must exist.
 *
 * @param url - its address, such as `postgres://service:secret@db.lab.example/epistream`.
 * @param onNote - told what is not as it should be, but does not stand in the way.
 * @throws AgentError `service.storage-missing`, `service.database-unreachable`, `service.database-older`, `service.database-outdated`,
 *   `service.database-newer`, `service.database-unsafe`.
 */
export async function openPostgres(
  url: string,
  onNote: (note: AgentError) => void,
  mustExist = false,
): Promise<Engine> {
  const connections = openConnections(url);
  const { pool, read, write, once } = connections;
  try {
    const client = await pool.connect();
    try {
      await checkDatabase(client, url, mustExist);
      await migrate(client, url, STEPS);
      const note = await indexWords(client);
      if (note) onNote(note);
    } finally {
      client.release();
    }
  } catch (fault) {
    await pool.end();
    throw fault instanceof AgentError ? fault : unreachable(url, fault);
  }
  return {
    write,
    read,
    index: indexEntry,
    // Its words lie in its row.
    *unindex() {},
    page: readPage,
    byEnd: '',
    ingest: (request) => ingest(connections, request),
    bytes: createDatabaseBytes(connections),
    sizeBytes: async () => {
      const rows = await once({ sql: 'SELECT pg_database_size(current_database()) AS size', values: [] });
      return (rows[0] as { size: number }).size;
    },
    // Each call says so itself.
    whyGone: async () => null,
    close: () => pool.end(),
  };
}
