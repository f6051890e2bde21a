// Where in time chunks are missing: a channel's chunks are numbered 0, 1, 2, ... without a hole, so a hole in the numbers is
// a loss, and it lies between the spans of its neighbours.
import type { Database } from 'better-sqlite3';

/** An interval in which points are missing, Unix milliseconds. */
export interface Hole {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Span {
  chunk_index: number;
  first_ms: number;
  last_ms: number;
}

/** The holes in the numbers of one channel's chunks, and what is missing after the last of them. */
function holesOf(spans: readonly Span[], firstIndex: number, openedMs: number, lastMs: number) {
  const holes: Hole[] = [];
  let wanted = firstIndex;
  let reachedMs = openedMs;
  for (const span of spans) {
    if (span.chunk_index > wanted) holes.push({ fromMs: reachedMs, toMs: span.first_ms });
    wanted = span.chunk_index + 1;
    reachedMs = Math.max(reachedMs, span.last_ms);
  }
  if (reachedMs < lastMs) holes.push({ fromMs: reachedMs, toMs: lastMs });
  return holes;
}

/**
 * Find when a stream lacks points.
 *
 * **Takes**: the database and a stream that is known to lack some. **Gives**: the intervals, each once, in order of time;
 * the stream's whole time when its numbers do not tell.
 */
export function findHoles(database: Database, streamId: number): Hole[] {
  const stream = database
    .prepare('SELECT opened_ms, last_reading_ms, points_per_chunk AS size FROM stream WHERE id = ?')
    .get(streamId) as { opened_ms: number; last_reading_ms: number | null; size: number };
  const earliest = database.prepare('SELECT min(first_ms) FROM chunk WHERE stream = ?').pluck().get(streamId);
  const openedMs = Math.min(
    stream.opened_ms,
    (earliest as number | null) ?? stream.last_reading_ms ?? stream.opened_ms,
  );
  const lastMs = stream.last_reading_ms ?? openedMs;
  const channels = database.prepare('SELECT id, acknowledged FROM channel WHERE stream = ?').all(streamId) as {
    id: number;
    acknowledged: number;
  }[];
  const spansOf = database.prepare(
    `SELECT chunk_index, first_ms, last_ms FROM chunk
     WHERE stream = ? AND EXISTS (SELECT 1 FROM json_each(channels) WHERE value = ?) ORDER BY chunk_index`,
  );
  const found = new Map<string, Hole>();
  for (const { id, acknowledged } of channels) {
    const spans = spansOf.all(streamId, id) as Span[];
    // What was acknowledged may have been deleted after its time: numbering is looked at from there on.
    const firstIndex = Math.min(
      Math.floor(acknowledged / stream.size),
      spans[0]?.chunk_index ?? Number.MAX_SAFE_INTEGER,
    );
    for (const hole of holesOf(spans, firstIndex, openedMs, lastMs)) found.set(`${hole.fromMs} ${hole.toMs}`, hole);
  }
  if (found.size === 0) return [{ fromMs: openedMs, toMs: lastMs }];
  return [...found.values()].sort((a, b) => a.fromMs - b.fromMs);
}
