// Which engine keeps the data: SQLite in a folder, or PostgreSQL where the place is the address of a database.
import type { AgentError } from '../../model/agent-error.ts';
import type { Engine } from './engine.ts';
import { openSqlite } from './sqlite/sqlite-engine.ts';

/** Whether a place is the address of a database. */
export const isDatabase = (place: string) => /^postgres(ql)?:\/\//.test(place);

/**
 * Open the storage at a place.
 *
 * @param place - a folder, made when missing; or the address of a database.
 * @param onNote - told what is not as it should be, but does not stand in the way.
 * @throws AgentError of the engine.
 */
export async function openEngine(place: string, onNote: (note: AgentError) => void = () => undefined): Promise<Engine> {
  if (!isDatabase(place)) return openSqlite(place);
  // Loaded where it is used alone: most services have no such database.
  const { openPostgres } = await import('./postgres/postgres-engine.ts');
  return openPostgres(place, onNote);
}
