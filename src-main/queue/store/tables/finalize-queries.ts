// Which streams are to be ended on the service, and what came of it: the last that is said of a stream there.
import type { Database } from 'better-sqlite3';

/**
 * Ended last of all: delivered whole, nothing refused that might still be repaired and sent again here, and not found
 * different when it was read back.
 */
const TO_FINALIZE = `finalize = 'due' AND delivered_ms IS NOT NULL AND points_refused = points_resent AND data_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM confirmation c WHERE c.stream = stream.id AND c.outcome = 'differs')`;

/**
 * Prepare the queries of streams that are to be ended.
 */
export function openFinalizeQueries(database: Database) {
  const sql = {
    one: database.prepare(`SELECT data_id AS dataId, service FROM stream WHERE id = ? AND ${TO_FINALIZE}`),
    all: database.prepare(`SELECT id FROM stream WHERE ${TO_FINALIZE} ORDER BY id`).pluck(),
    set: database.prepare("UPDATE stream SET finalize = ? WHERE id = ? AND finalize = 'due'"),
  };
  return {
    /** Entry and service of a stream whose end the service shall be told now; null when that is not so. */
    streamToFinalize: (id: number): { dataId: string; service: string } | null =>
      (sql.one.get(id) as { dataId: string; service: string } | undefined) ?? null,
    /** Ids of all such streams, oldest first. */
    streamsToFinalize: (): number[] => sql.all.all() as number[],
    /** The service was told, and agreed (words null) or refused. */
    setFinalized: (id: number, words: string | null): void =>
      void sql.set.run(words === null ? 'done' : `refused: ${words}`, id),
  };
}
