// What plots ask of refused cells. Reading only.
import type { Database } from 'better-sqlite3';

/** A cell that was no finite number, by the time it was read. */
export interface RefusedCellRow {
  readonly id: number;
  readonly sourceId: string;
  readonly channel: string;
  /** When it was read, Unix milliseconds. */
  readonly timeMs: number;
  readonly text: string;
  readonly reason: string;
}

/** Prepare it. Streams without a reading in or after the span are skipped, so old ledgers cost nothing. */
export function openRefusalQueries(database: Database) {
  const inSpan = database.prepare(
    `SELECT r.id, r.source AS sourceId, r.channel, r.at_ms AS timeMs, r.text, r.reason
     FROM stream s CROSS JOIN refusal r INDEXED BY refusal_of_stream ON r.stream = s.id
     WHERE s.source = ? AND coalesce(s.closed_ms, ?) >= ? AND r.at_ms >= ? AND r.at_ms <= ? ORDER BY r.id LIMIT ?`,
  );
  return {
    /** Refused cells of a source that were read in a span, oldest first. */
    listRefusedCells: (sourceId: string, fromMs: number, toMs: number, limit: number): RefusedCellRow[] =>
      inSpan.all(sourceId, fromMs, fromMs, fromMs, toMs, limit) as RefusedCellRow[],
  };
}
