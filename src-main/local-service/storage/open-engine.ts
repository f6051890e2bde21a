// Which engine keeps the data: SQLite in a folder, or PostgreSQL where the place is the address of a database.
import type { AgentError } from '../../model/agent-error.ts';
import type { Engine } from './engine.ts';
import { openSqlite } from './sqlite/sqlite-engine.ts';

/** Whether a place is the address of a database. */
export const isDatabase = (place: string) => /^postgres(ql)?:\/\//.test(place);

interface OpenOptions {
  /** Told what is not as it should be, but does not stand in the way. */
  readonly onNote?: (note: AgentError) => void;
  /** Whether a place without a service is refused; default: one is made there. */
  readonly mustExist?: boolean;
}

/**
 * Open the storage at a place: a folder, or the address of a database.
 *
 * @throws AgentError `service.storage-missing`, those of the engine.
 */
export async function openEngine(
  place: string,
  { onNote = () => undefined, mustExist = false }: OpenOptions = {},
): Promise<Engine> {
  if (!isDatabase(place)) return openSqlite(place, mustExist);
  // Loaded where it is used alone: most services have no such database.
  const { openPostgres } = await import('./postgres/postgres-engine.ts');
  return openPostgres(place, onNote, mustExist);
}
