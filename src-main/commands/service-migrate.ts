// `epistream service migrate`: from a folder to a PostgreSQL database, when a lab has outgrown it.
import { resolve } from 'node:path';
import { migrate } from '../local-service/migrate/migrate.ts';
import { readStorage } from './service-storage.ts';
import { EXIT } from './shared/exit.ts';
import { type Option, readOptions, requireOption } from './shared/options.ts';

const OPTIONS = {
  from: { value: 'D', help: 'folder of the service; it stays as it is' },
  to: { value: 'URL', help: 'empty PostgreSQL database, such as postgres://epistream@db.lab.example/epistream' },
} as const satisfies Record<string, Option>;

const COMMAND = 'service migrate';

/**
 * Migrate; broken off, it goes on at the next call.
 *
 * @returns exit code 0, when all was copied and found equal.
 * @throws AgentError `cli.usage`, those of `migrate`.
 */
export async function runMigrate(args: readonly string[]): Promise<number> {
  const summary = 'Bring all that a service keeps in a folder into PostgreSQL. Stop the service first.';
  const read = readOptions(COMMAND, summary, OPTIONS, args);
  if (!read) return EXIT.done;
  const folder = resolve(requireOption(COMMAND, 'from', read.values.from));
  const database = requireOption(COMMAND, 'to', read.values.to);
  const { told } = readStorage(COMMAND, { data: undefined, database });
  await migrate(folder, database, (name, rows, sha256) => console.log(`${name}\t${rows}\t${sha256}`));
  console.log(`All of ${folder} is in ${told}, and equal. Start the service there with --database.`);
  return EXIT.done;
}
