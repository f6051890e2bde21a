// Which engine keeps the data: SQLite in a folder, unless the place is the address of a database.
import type { Engine } from './engine.ts';
import { openSqlite } from './sqlite/sqlite-engine.ts';

/**
 * Open the storage at a place.
 *
 * @param place - a folder, made when missing.
 * @throws AgentError of the engine.
 */
export async function openEngine(place: string): Promise<Engine> {
  return openSqlite(place);
}
