// Where the embedded service keeps its data, as its commands are told.
import { resolve } from 'node:path';
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
  const url = URL.canParse(database) ? new URL(database) : null;
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2) {
    throw new AgentError({
      code: 'service.database-address',
      message: 'The value of --database is not the address of a PostgreSQL database.',
      hint: 'For example: --database postgres://epistream@db.lab.example:5432/epistream',
      retry: 'after-human',
    });
  }
  return { folder: '', database, told: `${url.protocol}//${url.host}${url.pathname}` };
}
