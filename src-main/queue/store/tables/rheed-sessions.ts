// RHEED sessions: one row each, whole, as the model says. Written before anything of it goes out.
//
// Bounds: all that are not done are told, and of the newest NEWEST (50) also those that are. None is ever deleted.
import type { Database } from 'better-sqlite3';
import { RheedSession } from '../../../model/rheed-session.ts';

/** Sessions told beside those that are not done. */
const NEWEST = 50;

/** Prepare the keeping of sessions. */
export function openRheedSessions(database: Database) {
  const put = database.prepare(
    `INSERT INTO rheed_session (nonce, source, started_ms, is_done, data) VALUES (:nonce, :source, :startedMs, :isDone, :data)
       ON CONFLICT (nonce) DO UPDATE SET is_done = excluded.is_done, data = excluded.data`,
  );
  const list = database
    .prepare(
      `SELECT data FROM rheed_session WHERE is_done = 0 OR id IN (SELECT id FROM rheed_session ORDER BY id DESC LIMIT ${NEWEST})
       ORDER BY id`,
    )
    .pluck();
  const entries = database.prepare(
    `SELECT json_extract(data, '$.dataId') AS dataId, json_extract(data, '$.name') AS name FROM rheed_session ORDER BY id`,
  );
  return {
    /** Entry (null: not known) and name of every session that there ever was, oldest first. */
    rheedEntries: () => entries.all() as { dataId: string | null; name: string }[],
    /** Keep a session as it is now. The nonce says which; a new one is added. */
    putRheedSession(session: RheedSession): void {
      const { nonce, sourceId: source, startedMs, isDone } = session;
      put.run({ nonce, source, startedMs, isDone: isDone ? 1 : 0, data: JSON.stringify(session) });
    },
    /** Sessions that are not done, and the newest of the others; oldest first. */
    rheedSessions: (): RheedSession[] => list.all().map((data) => RheedSession.parse(JSON.parse(data as string))),
  };
}
