// Which acknowledged chunks go, and when. A read-back at a stream's end compares every point with what is kept here, so
// what it still needs goes last.
//
//  1. By age: chunks of streams that were delivered more than KEEP_ACKNOWLEDGED_MS ago and then confirmed. Those of other
//     streams stay: open, not delivered, not read back yet, or found different (what is here may be the only right copy).
//  2. When acknowledged chunks take more than KEEP_ACKNOWLEDGED_BYTES, or when the disk is full: those of confirmed streams
//     first, whatever their age, then the oldest of all others. Their streams can then be confirmed by count only.
//  3. At most SWEEP_CHUNKS at a time, so that no sweep holds up a commit. What is not acknowledged never goes.
import type { Database } from 'better-sqlite3';

/** Acknowledged data stays here this long, for plots and for a service that was restored from a backup. */
const KEEP_ACKNOWLEDGED_MS = 7 * 24 * 3_600_000;
const KEEP_ACKNOWLEDGED_BYTES = 2 * 1024 ** 3;
const SWEEP_CHUNKS = 200;

/**
 * Prepare the deletion of acknowledged chunks.
 */
export function openSweep(database: Database) {
  const deleteChunks = (ids: string) =>
    database.prepare(`DELETE FROM chunk WHERE id IN (${ids} LIMIT ${SWEEP_CHUNKS}) RETURNING length(data)`).pluck();
  const sql = {
    keptBytes: database.prepare("SELECT value FROM meta WHERE key = 'acknowledged_bytes'").pluck(),
    addKeptBytes: database.prepare("UPDATE meta SET value = value + ? WHERE key = 'acknowledged_bytes'"),
    // Stream by stream: one look-up for each that has nothing left, however many chunks of others are kept.
    confirmed: deleteChunks(
      `SELECT c.id FROM confirmation f CROSS JOIN stream s ON s.id = f.stream CROSS JOIN chunk c ON c.stream = s.id
       WHERE f.outcome <> 'differs' AND s.delivered_ms < ? AND c.state = 'acknowledged'`,
    ),
    oldest: deleteChunks("SELECT id FROM chunk WHERE state = 'acknowledged' AND settled_ms < ? ORDER BY settled_ms"),
  };

  const remove = database.transaction((chunks: typeof sql.oldest, beforeMs: number): number => {
    const gone = chunks.all(beforeMs) as number[];
    sql.addKeptBytes.run(-gone.reduce((sum, bytes) => sum + bytes, 0));
    return gone.length;
  });

  function dropAcknowledged(): number {
    return remove.immediate(sql.confirmed, Number.MAX_VALUE) || remove.immediate(sql.oldest, Number.MAX_VALUE);
  }

  return {
    /**
     * Delete acknowledged chunks past their time.
     *
     * @returns how many went; call again while it is not 0.
     */
    sweep(nowMs: number): number {
      const isOver = (sql.keptBytes.get() as number) > KEEP_ACKNOWLEDGED_BYTES;
      return isOver ? dropAcknowledged() : remove.immediate(sql.confirmed, nowMs - KEEP_ACKNOWLEDGED_MS);
    },
    /**
     * Delete acknowledged chunks whatever their age: on a full disk they give way to what was not sent yet.
     *
     * @returns how many went.
     */
    dropAcknowledged,
  };
}
