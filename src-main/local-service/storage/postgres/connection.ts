// How statements reach PostgreSQL, and what its faults mean. A transaction is run again when it met a chunk; a database that
// is not there is the caller's "not now", never a lost answer: nothing is confirmed before its commit.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { Turn } from '../../../model/turn.ts';
import { Problem } from '../../requests/problem.ts';
import type { Script, Step, Value } from '../script.ts';
import { decodeText, encodeText } from './text.ts';

/** Connections of one service at most; a database has a hundred as it comes. */
const CONNECTIONS_MAX = 10;
const CONNECT_MS = 5_000;
/** A statement that takes longer is ended by the database, milliseconds. */
const STATEMENT_MS = 60_000;
/** Times that a transaction is run again after a conflict. */
const CONFLICTS_MAX = 12;
const RETRY_AFTER_S = 2;

/** Held by the one who writes; any number that nobody else takes. */
const WRITER_LOCK = 8_703_156_215;
/** SQLSTATE of a conflict between transactions: serialization failure, deadlock, two that made the same row. */
const CONFLICTS: readonly unknown[] = ['40001', '40P01', '23505'];
/** SQLSTATE, or its class, of a database that takes nothing now: no connection, full, starting or ending, read only, gone. */
const NOT_NOW = /^(08|53|57|58|28|3D|25006)/;

/** The types of PostgreSQL that the tables use, by their numbers. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  20: Number,
  25: decodeText,
  114: (text) => JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? decodeText(value) : value)),
};

const typeParser = (oid: number, format?: 'text' | 'binary') =>
  (format === 'binary' ? undefined : PARSERS[oid]) ?? pg.types.getTypeParser(oid, format as 'text');

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    application_name: 'epistream-service',
    keepAlive: true,
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
  });
  // A connection that ends tells so twice: to the statement under way, and as an event, which would end the service unheard. The
  // next request gets another one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

/** Whether a fault of the driver says that a transaction met another one: nothing of it was committed. */
function isConflict(fault: unknown): boolean {
  return fault instanceof pg.DatabaseError && CONFLICTS.includes(fault.code);
}

/**
 * Whether a fault of the driver says that the database takes nothing now. The connection that told so is not used again: it may be
 * about to end, and the next request would break off with it. One that was refused in order is as good as before.
 */
function isNotNow(fault: unknown): boolean {
  if (fault instanceof pg.DatabaseError) return NOT_NOW.test(fault.code ?? '');
  // All else that the driver throws is about the connection, but for what only a wrong program meets.
  return !(fault instanceof TypeError || fault instanceof RangeError);
}

/**
 * What a fault of the driver is to the caller. `Retry-After` promises that nothing was stored; where the connection broke while a
 * commit was under way nobody knows, and the caller has to look.
 */
function toProblem({ cause, isDecided }: DriverFault): unknown {
  if (!isConflict(cause) && !isNotNow(cause)) return cause;
  if (!isDecided) return new Problem(503, 'The database of this service broke off: look whether this was stored.');
  const why = 'The database of this service cannot be used now: nothing was stored. Try again.';
  return new Problem(503, why, { 'Retry-After': String(RETRY_AFTER_S) });
}

const prepared = (value: Value): unknown =>
  typeof value === 'string'
    ? encodeText(value)
    : Array.isArray(value)
      ? value.map((item: unknown) => (typeof item === 'string' ? encodeText(item) : item))
      : value;

/** Ask one statement; `?` stands for a value. Throws those of the driver. */
async function ask(client: pg.ClientBase | pg.Pool, { sql, values }: Step): Promise<readonly unknown[]> {
  let at = 0;
  const numbered = sql.replace(/\?/g, () => `$${++at}`);
  const { rows } = await client.query(numbered, (values as readonly Value[]).map(prepared));
  return rows as unknown[];
}

/** Run a script over a connection, statement by statement. What the script throws comes as it is, a fault of the driver as a cause. */
async function follow<T>(client: pg.ClientBase | pg.Pool, script: Script<T>): Promise<T> {
  let step = script.next();
  while (!step.done) step = script.next(await driven(ask(client, step.value)));
  return step.value;
}

/** A fault of the driver, told from what a script throws. */
class DriverFault extends Error {
  /** Whether it is sure that nothing was committed. */
  readonly isDecided: boolean;

  constructor(cause: unknown, isDecided: boolean) {
    super('the database refused', { cause });
    this.isDecided = isDecided;
  }
}

async function driven<T>(asked: Promise<T>, isDecided = true): Promise<T> {
  try {
    return await asked;
  } catch (cause) {
    throw new DriverFault(cause, isDecided);
  }
}

/** Do something that may meet another transaction, again until it does not. Faults of the driver become what they are to the caller. */
async function settled<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (fault) {
      if (!(fault instanceof DriverFault)) throw fault;
      if (!isConflict(fault.cause) || attempt === CONFLICTS_MAX) throw toProblem(fault);
      await pause(Math.random() * Math.min(200, 2 ** attempt));
    }
  }
}

/** Connections to a database, opened as they are needed. */
export interface Connections {
  readonly pool: pg.Pool;
  /** Run a script that only looks; each statement sees what is committed. */
  read<T>(script: () => Script<T>): Promise<T>;
  /**
   * Run a script in a transaction, alone: of all services on the database one writes at a time, as SQLite has it by itself. Chunks,
   * which are nearly all that is written, do not come this way. Fulfilled when it is committed.
   */
  write<T>(script: () => Script<T>): Promise<T>;
  /** Ask one statement that is a transaction of its own. */
  once(step: Step): Promise<readonly unknown[]>;
}

async function askOnce(pool: pg.Pool, step: Step): Promise<readonly unknown[]> {
  const client = await driven(pool.connect());
  let fault: unknown = null;
  try {
    return await driven(ask(client, step), false);
  } catch (thrown) {
    fault = thrown;
    throw thrown;
  } finally {
    client.release(fault instanceof DriverFault && isNotNow(fault.cause));
  }
}

async function writeOnce<T>(client: pg.PoolClient, script: Script<T>): Promise<T> {
  let hasEnded = false;
  try {
    await driven(client.query(`BEGIN; SELECT pg_advisory_xact_lock(${WRITER_LOCK})`));
    const value = await follow(client, script);
    await driven(client.query('COMMIT'), false);
    hasEnded = true;
    return value;
  } finally {
    // A connection whose transaction cannot be taken back is not used again.
    const isSound =
      hasEnded ||
      (await client.query('ROLLBACK').then(
        () => true,
        () => false,
      ));
    client.release(!isSound);
  }
}

/** Open connections to a database. Takes its address. */
export function openConnections(url: string): Connections {
  const pool = openPool(url);
  // Of one service, too, one writes at a time: those who wait hold no connection that a chunk could have.
  const turn = new Turn();
  let failed: { readonly fault: unknown; readonly atMs: number } | null = null;
  const connect = async () => {
    // Those who waited behind one that found no database would find none either, each after its own wait.
    if (failed && performance.now() - failed.atMs < 1000) throw failed.fault;
    try {
      const client = await driven(pool.connect());
      failed = null;
      return client;
    } catch (fault) {
      failed = { fault, atMs: performance.now() };
      throw fault;
    }
  };
  return {
    pool,
    read: (script) => settled(() => follow(pool, script())),
    write: (script) => settled(() => turn.take(async () => writeOnce(await connect(), script()))),
    once: (step) => settled(() => askOnce(pool, step)),
  };
}
