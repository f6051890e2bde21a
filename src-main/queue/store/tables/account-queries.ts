// Whose the queue is: for each service a mark of the key that was last in use there, entries that can bear witness, and what
// a person chose for what still waits for a service that the settings no longer name.
// It keeps how limits of channels stand, too, one text.
// Bounds: one mark and one choice a service, the newest WITNESSES entries (20).
import type { Database } from 'better-sqlite3';
import type { FormerChoice, FormerWaiting } from '../../../model/queue.ts';

/** Entries that are asked for; one that is seen is enough, and some may have been deleted meanwhile. */
const WITNESSES = 20;
const LIMITS = 'limits';

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
    former: database.prepare(
      `SELECT service, count(*) AS streams, sum(points - points_acknowledged - points_refused) AS points,
         min(first_reading_ms) AS firstMs, max(last_reading_ms) AS lastMs, json_group_array(id) AS streamIds
       FROM stream WHERE delivered_ms IS NULL AND service IS NOT NULL AND service <> ? GROUP BY service ORDER BY min(id)`,
    ),
    forget: database.prepare('DELETE FROM meta WHERE key = ?'),
  };
  const choiceOf = (service: string) => `former ${service}`;
  const keyOf = (service: string) => `account ${service}`;
  return {
    /** The mark kept for a service (null: none yet), and the newest entries that were begun there. */
    account: (service: string): { mark: string | null; dataIds: string[] } => ({
      mark: (sql.mark.get(keyOf(service)) as string | undefined) ?? null,
      dataIds: sql.dataIds.all(service) as string[],
    }),
    setAccountMark: (service: string, mark: string): void => void sql.setMark.run(keyOf(service), mark),
    /** How limits of channels stand, as their watch wrote it; null: it never did. */
    limitStates: (): string | null => (sql.mark.get(LIMITS) as string | undefined) ?? null,
    putLimitStates: (states: string): void => void sql.setMark.run(LIMITS, states),
    /** What waits for other services than the one that the settings name, the oldest first. */
    formerServices: (named: string): FormerWaiting[] =>
      (sql.former.all(named) as (Omit<FormerWaiting, 'choice' | 'streamIds'> & { streamIds: string })[]).map((row) => ({
        ...row,
        streamIds: JSON.parse(row.streamIds) as number[],
        choice: (sql.mark.get(choiceOf(row.service)) as FormerChoice | undefined) ?? null,
      })),
    /** Note what becomes of what waits for a service (null: nobody has said). */
    chooseFormer: (service: string, choice: FormerChoice | null): void =>
      void (choice === null ? sql.forget.run(choiceOf(service)) : sql.setMark.run(choiceOf(service), choice)),
  };
}
