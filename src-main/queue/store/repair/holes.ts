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
function holesOf(spans: readonly Span[], firstIndex: number, whole: Hole): Hole[] {
  const holes: Hole[] = [];
  let wanted = firstIndex;
  let reachedMs = whole.fromMs;
  for (const span of spans) {
    if (span.chunk_index > wanted) holes.push({ fromMs: reachedMs, toMs: span.first_ms });
    wanted = span.chunk_index + 1;
    reachedMs = Math.max(reachedMs, span.last_ms);
  }
  if (reachedMs < whole.toMs) holes.push({ fromMs: reachedMs, toMs: whole.toMs });
  // Neighbours bound what is missing only where stamps rise from chunk to chunk.
  const isInOrder = spans.every(({ first_ms }, at) => first_ms >= (spans[at - 1]?.last_ms ?? whole.fromMs));
  return isInOrder || holes.length === 0 ? holes : [whole];
}

/** The time of a stream's readings by their own stamps: they may be years older than the wall time of its opening. */
function timeOf(database: Database, streamId: number): Hole {
  const stream = database
    .prepare(
      `SELECT opened_ms AS openedMs, coalesce(last_reading_ms, opened_ms) AS lastMs,
         (SELECT min(first_ms) FROM chunk WHERE stream = s.id) AS earliestMs,
         (SELECT max(last_ms) FROM chunk WHERE stream = s.id) AS latestMs,
         CASE WHEN typeof(first_reading_ms) IN ('real', 'integer') THEN first_reading_ms END AS firstMs
       FROM stream s WHERE id = ?`,
    )
    .get(streamId) as {
    openedMs: number;
    lastMs: number;
    earliestMs: number | null;
    latestMs: number | null;
    firstMs: number | null;
  };
  const { openedMs, lastMs, earliestMs, latestMs } = stream;
  const toMs = Math.max(lastMs, latestMs ?? lastMs);
  // A stream without a whole commit of readings, or whose note of the first one the disk altered.
  const firstMs = stream.firstMs ?? openedMs;
  return { fromMs: Math.min(firstMs, earliestMs ?? firstMs, toMs), toMs };
}

/**
 * Find when a stream lacks points. Takes the database, a stream that is known to lack some, how many, and from which chunk
 * on each channel was still open: rows of those are not numbered, so where the numbers do not account for all that is
 * missing, it may lie there.
 *
 * @returns the intervals, each once, in order of time; the stream's whole time when neither its numbers nor the order of its
 *   stamps tell.
 */
export function findHoles(
  database: Database,
  streamId: number,
  missing = 0,
  openFrom: ReadonlyMap<number, number> = new Map(),
): Hole[] {
  const whole = timeOf(database, streamId);
  const size = database.prepare('SELECT points_per_chunk FROM stream WHERE id = ?').pluck().get(streamId) as number;
  const channels = database.prepare('SELECT id, acknowledged FROM channel WHERE stream = ?').all(streamId) as {
    id: number;
    acknowledged: number;
  }[];
  const spansOf = database.prepare(
    `SELECT chunk_index, first_ms, last_ms FROM chunk
     WHERE stream = ? AND EXISTS (SELECT 1 FROM json_each(channels) WHERE value = ?) ORDER BY chunk_index`,
  );
  const found = new Map<string, Hole>();
  const open: Hole[] = [];
  let counted = 0;
  for (const { id, acknowledged } of channels) {
    const spans = spansOf.all(streamId, id) as Span[];
    // What was acknowledged may have been deleted after its time: numbering is looked at from there on.
    const firstIndex = Math.min(Math.floor(acknowledged / size), spans[0]?.chunk_index ?? Number.MAX_SAFE_INTEGER);
    for (const hole of holesOf(spans, firstIndex, whole)) found.set(`${hole.fromMs} ${hole.toMs}`, hole);
    const sealedTo = openFrom.get(id);
    if (sealedTo === undefined) continue;
    const sealed = spans.filter(({ chunk_index }) => chunk_index < sealedTo);
    counted += size * (sealedTo - firstIndex - new Set(sealed.map(({ chunk_index }) => chunk_index)).size);
    open.push({ fromMs: Math.max(whole.fromMs, ...sealed.map(({ last_ms }) => last_ms)), toMs: whole.toMs });
  }
  if (found.size === 0) return [whole];
  if (counted < missing) for (const hole of open) found.set(`${hole.fromMs} ${hole.toMs}`, hole);
  return [...found.values()].sort((a, b) => a.fromMs - b.fromMs);
}
