import { inject } from 'vitest';
import { makeDatabase } from './database.ts';
import './one-cluster.ts';

/** The database that a new service is to use; null where the tests run on SQLite. */
export async function testDatabase(): Promise<string | null> {
  const beside = inject('postgres') as string | undefined;
  return beside === undefined ? null : makeDatabase(beside);
}
