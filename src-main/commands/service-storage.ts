// Where the embedded service keeps its data, as its commands are told.
import { resolve } from 'node:path';
import { isDatabase } from '../local-service/admin.ts';
import { AgentError } from '../model/agent-error.ts';
import { type Option, requireOption, usageError } from './shared/options.ts';

export const DATABASE_OPTION = {
  value: 'URL',
  help: 'PostgreSQL database in place of a folder, such as postgres://epistream@db.lab.example/epistream; password: PGPASSWORD or ~/.pgpass',
} as const satisfies Option;

export interface Storage {
  /** Absolute; empty with a database. */
  readonly folder: string;
  /** Null: SQLite in the folder. */
  readonly database: string | null;
  /** The place as it may be shown: without a password. */
  readonly told: string;
}

/** Parameters of the address that are applied. The driver would pass over every other one, and leave the line unencrypted. */
const PARAMETERS: readonly string[] = [
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey'],
  ...['host', 'port', 'user', 'password', 'application_name', 'options'],
];

function addressFault(message: string, hint: string): AgentError {
  return new AgentError({ code: 'service.database-address', message, hint, retry: 'after-human' });
}

/** Read the address of a database: one that is taken for something else, or in part, would be another database or another line. */
function readAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !isDatabase(text) || url.pathname.length < 2) {
    throw addressFault(
      'The value of --database is not the address of a PostgreSQL database.',
      'For example: --database postgres://epistream@db.lab.example:5432/epistream',
    );
  }
  for (const [name, value] of url.searchParams) {
    const known = `It may have ${PARAMETERS.join(', ')}; for an encrypted line ?sslmode=verify-full&sslrootcert=FILE.`;
    if (!PARAMETERS.includes(name)) {
      throw addressFault(`The address of the database has the parameter "${name}", which is not known here.`, known);
    }
    if (value === '') throw addressFault(`The parameter ${name} in the address of the database has no value.`, known);
  }
  return url;
}

/**
 * Read `--data` or `--database`, one of which must be given.
 *
 * @throws AgentError `cli.usage`, `service.database-address`.
 */
export function readStorage(
  command: string,
  given: Readonly<Record<'data' | 'database', string | undefined>>,
): Storage {
  const { data, database } = given;
  if (database === undefined) {
    const folder = resolve(requireOption(command, 'data', data));
    return { folder, database: null, told: folder };
  }
  if (data !== undefined) throw usageError(command, 'Give --data or --database, not both.');
  const url = readAddress(database);
  return { folder: '', database, told: `${url.protocol}//${url.host}${url.pathname}` };
}
