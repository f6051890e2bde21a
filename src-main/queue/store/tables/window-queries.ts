// A window near the end of a stream, for reading back only what matters: a day's stream is millions of points, and the
// question is about the last chunk.
import type { Database } from 'better-sqlite3';
import { unpack } from '../../../platform/point-block.ts';

/** Streams with fewer acknowledged points are read back whole. */
const WHOLE_POINTS_MAX = 100_000;
/** Acknowledged chunks that the window reaches back over, so that the read shows points that are known to be there. */
const CHUNKS_BACK = 4;
/** No stamp may lie this close to the window's edge, milliseconds: the service rounds stamps. */
const EDGE_MS = 2;
/** How far before a stamp an edge is tried, milliseconds: widest first, down to what fits between readings 5 ms apart. */
const EDGES_BEFORE_MS = [500, 50, 5, 2.5] as const;
/** Chunks that are unpacked to count a window; with more of them the stamps went back too far for a window. */
const COUNTED_CHUNKS_MAX = 500;

/** Points after `fromMs` of a stream whose first stamp is `startMs`, Unix milliseconds. */
export interface ReadWindow {
  readonly startMs: number;
  readonly fromMs: number;
}

/**
 * Prepare the window side of the queue.
 */
export function openWindowQueries(database: Database) {
  const sql = {
    stream: database.prepare('SELECT points_acknowledged FROM stream WHERE id = ?').pluck(),
    start: database.prepare('SELECT min(first_ms) FROM chunk WHERE stream = ?').pluck(),
    back: database
      .prepare(
        `SELECT min(first_ms) FROM (SELECT first_ms FROM chunk WHERE stream = ? AND state = 'acknowledged' ORDER BY id DESC LIMIT ${CHUNKS_BACK})`,
      )
      .pluck(),
    after: database.prepare(
      `SELECT channels, data FROM chunk WHERE stream = ? AND last_ms > ? AND state = 'acknowledged' LIMIT ${COUNTED_CHUNKS_MAX + 1}`,
    ),
    name: database.prepare('SELECT name FROM channel WHERE id = ?').pluck(),
  };

  /** Points acknowledged after `fromMs`, by channel name; null when that is too many chunks, or a stamp is at the edge. */
  function countAfter(streamId: number, fromMs: number): Map<string, number> | null {
    const rows = sql.after.all(streamId, fromMs - EDGE_MS) as { channels: string; data: Uint8Array }[];
    if (rows.length > COUNTED_CHUNKS_MAX) return null;
    const counts = new Map<number, number>();
    for (const row of rows) {
      const { timesMs } = unpack(row.data);
      if (timesMs.some((timeMs) => Math.abs(timeMs - fromMs) < EDGE_MS)) return null;
      const points = timesMs.filter((timeMs) => timeMs > fromMs).length;
      for (const id of JSON.parse(row.channels) as number[]) counts.set(id, (counts.get(id) ?? 0) + points);
    }
    return new Map([...counts].map(([id, points]) => [sql.name.get(id) as string, points]));
  }

  return {
    /** A window worth reading instead of the whole stream; null when the whole is small or no window fits. */
    readWindow(streamId: number): ReadWindow | null {
      if (((sql.stream.get(streamId) as number | undefined) ?? 0) < WHOLE_POINTS_MAX) return null;
      const firstMs = sql.back.get(streamId) as number | null;
      const startMs = sql.start.get(streamId) as number | null;
      if (firstMs === null || startMs === null) return null;
      for (const beforeMs of EDGES_BEFORE_MS) {
        const fromMs = firstMs - beforeMs;
        if (fromMs > startMs && countAfter(streamId, fromMs)) return { startMs, fromMs };
      }
      return null;
    },
    /** Points acknowledged behind an instant (Unix ms), by channel name; null when it cannot be told, as above. */
    countAcknowledgedAfter: countAfter,
  };
}
