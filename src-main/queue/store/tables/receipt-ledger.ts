// What a commit leaves behind for receipts. Called within the commit's own transaction, so a receipt never speaks of
// bytes whose readings are not stored, or the other way round.
//
// Bounds: of each stream the first REFUSALS_A_STREAM refused cells are kept with their text, over all streams
// REFUSALS_KEPT; the counts go on. A span is one row however far it grows.
import type { Database } from 'better-sqlite3';
import type { Commit, RefusalRow } from '../../../model/queue.ts';

export const REFUSALS_A_STREAM = 1000;
const REFUSALS_KEPT = 100_000;

/**
 * Prepare the ledger.
 *
 * @param database - the open queue.
 * @returns `apply`, to be called inside a transaction.
 */
export function openReceiptLedger(database: Database) {
  const sql = {
    addRefusal: database.prepare(
      'INSERT INTO refusal (source, stream, at_ms, place, line, byte, channel, text, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    countRefusals: database.prepare('SELECT count(*) FROM refusal WHERE stream = ?').pluck(),
    trimRefusals: database.prepare(`DELETE FROM refusal WHERE id <= (SELECT max(id) - ${REFUSALS_KEPT} FROM refusal)`),
    putSpan: database.prepare(
      `INSERT INTO source_span (stream, file, from_byte, to_byte, place, sha256) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (stream, file, from_byte)
       DO UPDATE SET to_byte = excluded.to_byte, place = excluded.place, sha256 = excluded.sha256`,
    ),
    setFirst: database.prepare(
      'UPDATE stream SET first_reading_ms = min(coalesce(first_reading_ms, :firstMs), :firstMs) WHERE id = :id',
    ),
  };

  function addRefusals(refusals: readonly RefusalRow[]): void {
    const counts = new Map<number, number>();
    for (const r of refusals) {
      const streamId = r.streamId ?? null;
      if (streamId !== null) {
        const count = counts.get(streamId) ?? (sql.countRefusals.get(streamId) as number);
        if (count >= REFUSALS_A_STREAM) continue;
        counts.set(streamId, count + 1);
      }
      sql.addRefusal.run(r.sourceId, streamId, r.atMs, r.place, r.line, r.byte, r.channel, r.text, r.reason);
    }
    if (refusals.length > 0) sql.trimRefusals.run();
  }

  return {
    apply({ changes, refusals, sourceSpans = [] }: Commit): void {
      for (const { id, firstReadingMs } of changes) {
        if (firstReadingMs !== undefined) sql.setFirst.run({ id, firstMs: firstReadingMs });
      }
      addRefusals(refusals);
      for (const s of sourceSpans) sql.putSpan.run(s.streamId, s.file, s.fromByte, s.toByte, s.place, s.sha256);
    },
  };
}
