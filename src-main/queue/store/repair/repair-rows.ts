// What a salvage makes of rows that no checksum covers: what the disk altered or lost there costs at most what depends on it,
// never the sound chunks beside it, and nothing goes out under the name of something else.
import type { Database } from 'better-sqlite3';
import { POINTS_PER_CHUNK_MAX } from '../../../model/queue.ts';

/** Which channel stands in which lane. */
const PLACES = `place AS (SELECT l.id AS lane, l.stream, j.value AS channel, j.type,
    EXISTS (SELECT 1 FROM channel c WHERE c.id = j.value AND c.stream <> l.stream) AS is_elsewhere FROM lane l
  JOIN json_each(CASE WHEN typeof(l.channels) = 'text' AND json_valid(l.channels) THEN l.channels ELSE '[]' END) j
  WHERE l.channels LIKE '[%')`;

/** Lanes that cannot be: without channels, or with one that is no id, of another stream, or in two places. */
const ALTERED_LANES = `SELECT id FROM lane WHERE id NOT IN (SELECT lane FROM place)
  UNION SELECT lane FROM place WHERE type <> 'integer' OR is_elsewhere
    OR channel IN (SELECT channel FROM place WHERE NOT is_elsewhere GROUP BY channel HAVING count(*) > 1)`;

/** True for a number of the last commit to which one can be added: a next one of the same number would change nothing. */
export function isSequence(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** True of a stream whose size of chunks is none; not fixed yet is none of these. */
const HAS_NO_SIZE = "points_per_chunk IS NOT NULL AND (typeof(points_per_chunk) <> 'integer' OR points_per_chunk < 1)";

/** True of a position that was JSON and is none any more: its file counts as not read, and what of it was sent is left out. */
const IS_NO_POSITION = "(typeof(value) <> 'text' OR (value LIKE '{%' AND NOT json_valid(value)))";

/** Say what of a queue cannot be, where no checksum tells; null when nothing is found. */
export function findFault(database: Database): string | null {
  const sequence = database.prepare("SELECT value FROM meta WHERE key = 'last_sequence'").pluck().get();
  if (!isSequence(sequence)) return 'the number of its last commit is not one';
  const noSize = database.prepare(`SELECT 1 FROM stream WHERE delivered_ms IS NULL AND ${HAS_NO_SIZE} LIMIT 1`).get();
  if (noSize) return 'a stream has chunks of no size';
  const noPosition = database.prepare(`SELECT 1 FROM source_position WHERE ${IS_NO_POSITION} LIMIT 1`).get();
  if (noPosition) return 'a position in a file cannot be read';
  const isAltered = `EXISTS (${ALTERED_LANES}) OR EXISTS (SELECT 1 FROM place p WHERE NOT EXISTS (SELECT 1 FROM channel c WHERE c.id = p.channel))`;
  const hasAltered = database.prepare(`WITH ${PLACES} SELECT ${isAltered}`).pluck().get() === 1;
  return hasAltered ? 'open readings stand under channels that are not theirs' : null;
}

const width = (table: string) =>
  `CASE WHEN json_valid(${table}.channels) THEN json_array_length(${table}.channels) ELSE 0 END`;
/** Points that a stream has in chunks that wait, and in readings that are not in a chunk yet. */
const WAITING_POINTS = `(SELECT coalesce(sum(c.rows * ${width('c')}), 0) FROM chunk c WHERE c.stream = s.id AND c.state = 'sealed')
  + (SELECT coalesce(sum(o.rows * ${width('l')}), 0) FROM lane l JOIN open_readings o ON o.lane = l.id WHERE l.stream = s.id)`;

/**
 * Say whether the sums of a queue that was not closed in order fit its rows; null when they do. Each page may be sound, and the
 * file another one than the write-ahead log was written over: an older copy of it, say.
 */
export function findWrongSum(database: Database): string | null {
  const wrong = database
    .prepare(
      `SELECT s.id FROM stream s WHERE s.delivered_ms IS NULL
         AND (s.chunks_waiting <> (SELECT count(*) FROM chunk c WHERE c.stream = s.id AND c.state = 'sealed')
           OR s.points - s.points_acknowledged - s.points_refused <> ${WAITING_POINTS}) LIMIT 1`,
    )
    .pluck()
    .get();
  return wrong === undefined ? null : `the sums of stream ${wrong} do not fit its rows`;
}

/**
 * Repair the rows of a queue that was copied from a damaged one.
 *
 * @param target - the copy, in a transaction, its chunks all sound.
 * @param nowMs - the wall time. Chunks, channels and open readings whose stream or name is lost get one that says so: what was
 *   measured still goes out. Open readings whose channels are not known are left out, and so counted as lost.
 */
export function repairRows(target: Database, nowMs: number): void {
  target.exec(`WITH ${PLACES} DELETE FROM lane WHERE id IN (${ALTERED_LANES})`);
  const nameless = target
    .prepare(
      `SELECT id, min(stream) AS stream FROM (
         SELECT j.value AS id, c.stream FROM chunk c JOIN json_each(c.channels) j WHERE c.state <> 'acknowledged'
         UNION ALL SELECT j.value, l.stream FROM lane l JOIN json_each(l.channels) j)
       WHERE id NOT IN (SELECT id FROM channel) GROUP BY id`,
    )
    .all() as { id: number; stream: number }[];
  const addChannel = target.prepare("INSERT INTO channel (id, stream, name, unit) VALUES (?, ?, ?, '')");
  for (const { id, stream } of nameless) addChannel.run(id, stream, `channel ${id}`);
  target
    .prepare(
      `INSERT INTO stream (id, source, period, nonce, name, opened_ms, closed_ms, points_per_chunk, chunks_sealed)
         SELECT stream, 'recovered', 'recovered', 'recovered-' || stream, 'recovered stream ' || stream, min(first_ms), ?,
           max(rows), count(*)
         FROM chunk WHERE stream NOT IN (SELECT id FROM stream) GROUP BY stream`,
    )
    .run(nowMs);
  target.exec(`DELETE FROM source_position WHERE ${IS_NO_POSITION}`);
  target.exec('DELETE FROM channel WHERE stream NOT IN (SELECT id FROM stream)');
  for (const table of ['lane', 'source_span', 'confirmation']) {
    target.exec(`DELETE FROM ${table} WHERE stream NOT IN (SELECT id FROM stream)`);
  }
  // Chunks are full but for the last: the largest tells their size.
  target.exec(`UPDATE stream SET points_per_chunk = (SELECT max(c.rows) FROM chunk c WHERE c.stream = stream.id)
    WHERE (${HAS_NO_SIZE}) OR points_per_chunk > ${POINTS_PER_CHUNK_MAX}`);
  // What is delivered is closed, and nothing of it waits.
  target.exec(`UPDATE stream SET delivered_ms = NULL WHERE delivered_ms IS NOT NULL AND (closed_ms IS NULL
    OR EXISTS (SELECT 1 FROM chunk c WHERE c.stream = stream.id AND c.state = 'sealed'))`);
}
