// Growths: one row each, whole, as the model says. They are written with the commits of the recorder, so that the row of a
// growth is on disk before any reading of it.
//
// Bounds: a growth tells STREAMS_MAX of its streams (2,000), the oldest; a page of growths is as long as is asked for. None
// is ever deleted.
import type { Database } from 'better-sqlite3';
import { Growth, type GrowthPage, type GrowthStream } from '../../../model/growth.ts';

/** Streams of one growth that are told at most. */
const STREAMS_MAX = 2000;

const parse = (data: unknown) => Growth.parse(JSON.parse(data as string));

/**
 * Prepare the writing of growths.
 *
 * @returns `apply`, to be called inside the transaction of the commit.
 */
export function openGrowthsWriter(database: Database) {
  const put = database.prepare(
    `INSERT INTO growth (nonce, started_ms, ended_ms, data) VALUES (:id, :startedMs, :endedMs, :data)
       ON CONFLICT (nonce) DO UPDATE SET ended_ms = excluded.ended_ms, data = excluded.data`,
  );
  return {
    apply(growths: readonly Growth[] = []): void {
      for (const growth of growths) {
        const { id, startedMs, endedMs } = growth;
        put.run({ id, startedMs, endedMs, data: JSON.stringify(growth) });
      }
    },
  };
}

/** Prepare the questions for growths. Reading only; every answer is bounded. */
export function openGrowthQueries(database: Database) {
  const page = database.prepare('SELECT id, data FROM growth WHERE id < ? ORDER BY id DESC LIMIT ?');
  const one = database.prepare('SELECT data FROM growth WHERE nonce = ?').pluck();
  const streams = database.prepare(
    `SELECT id, growth AS part, source AS sourceId, name, data_id AS dataId, service,
       initialize_sent = 1 OR data_id IS NOT NULL AS isSent, closed_ms IS NOT NULL AS isClosed,
       delivered_ms IS NOT NULL AS isDelivered, points, points_acknowledged AS pointsAcknowledged,
       points_refused AS pointsRefused, points_resent AS pointsResent,
       first_reading_ms AS firstReadingMs, last_reading_ms AS lastReadingMs
     FROM stream WHERE growth IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ${STREAMS_MAX}`,
  );
  return {
    /**
     * Growths, newest first.
     *
     * @param before - where the former page ended (null: the beginning).
     * @param limit - how many.
     */
    growths(before: number | null, limit: number): GrowthPage {
      const rows = page.all(before ?? Number.MAX_SAFE_INTEGER, limit + 1) as { id: number; data: string }[];
      const shown = rows.slice(0, limit);
      return {
        growths: shown.map(({ data }) => parse(data)),
        next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
      };
    },
    /** One growth; null when there is none of this id. */
    growth(id: string): Growth | null {
      const data = one.get(id);
      return data === undefined ? null : parse(data);
    },
    /** The streams that belong to some parts, oldest first. */
    growthStreams(parts: readonly string[]): GrowthStream[] {
      type Row = Omit<GrowthStream, 'isSent' | 'isClosed' | 'isDelivered'> & Record<string, unknown>;
      return (streams.all(JSON.stringify(parts)) as Row[]).map((row) => ({
        ...row,
        isSent: row.isSent === 1,
        isClosed: row.isClosed === 1,
        isDelivered: row.isDelivered === 1,
      }));
    },
  };
}
