// Whose the queue is: for each service a mark of the key that was last in use there, and entries that can bear witness.
// Bounds: one mark a service, the newest WITNESSES entries (20).
import type { Database } from 'better-sqlite3';

/** Entries that are asked for; one that is seen is enough, and some may have been deleted meanwhile. */
const WITNESSES = 20;

/**
 * Prepare the account side of the queue.
 */
export function openAccountQueries(database: Database) {
  const sql = {
    mark: database.prepare('SELECT value FROM meta WHERE key = ?').pluck(),
    setMark: database.prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'),
    dataIds: database
      .prepare(
        `SELECT data_id FROM stream WHERE service = ? AND data_id IS NOT NULL ORDER BY id DESC LIMIT ${WITNESSES}`,
      )
      .pluck(),
  };
  const keyOf = (service: string) => `account ${service}`;
  return {
    /** The mark kept for a service (null: none yet), and the newest entries that were begun there. */
    account: (service: string): { mark: string | null; dataIds: string[] } => ({
      mark: (sql.mark.get(keyOf(service)) as string | undefined) ?? null,
      dataIds: sql.dataIds.all(service) as string[],
    }),
    setAccountMark: (service: string, mark: string): void => void sql.setMark.run(keyOf(service), mark),
  };
}
