// Ends every stream that is open, after something of the queue was lost: what stands in open lanes becomes their last,
// short chunk. New readings then begin new streams, so nothing is ever numbered into a place whose former content is not
// known. Afterwards the sums of each stream agree again with the chunks that are there.
import type { Database } from 'better-sqlite3';
import { POINTS_PER_CHUNK_MAX } from '../../../model/queue.ts';
import { type Block, pack, unpack } from '../../../platform/point-block.ts';
import { chunkChecksum, openReadingsChecksum } from '../blocks/checksums.ts';

interface LaneRow {
  id: number;
  stream: number;
  channels: string;
  next_index: number;
  points_per_chunk: number | null;
}

/** The open rows of a lane that can still be read, as one block. */
function readLane(database: Database, lane: LaneRow): Block {
  const columns = (JSON.parse(lane.channels) as number[]).length;
  const blocks: Block[] = [];
  const rows = database.prepare('SELECT data, crc FROM open_readings WHERE lane = ? ORDER BY id').all(lane.id);
  for (const { data, crc } of rows as { data: Uint8Array; crc: number }[]) {
    try {
      if (crc !== openReadingsChecksum(lane.id, data)) continue;
      const block = unpack(data);
      if (block.values.length === block.rows * columns) blocks.push(block);
    } catch {
      // Not readable: its points are missing from the sum that is made afterwards, and so counted as lost.
    }
  }
  return joinBlocks(blocks, columns);
}

function joinBlocks(blocks: readonly Block[], columns: number): Block {
  const rows = blocks.reduce((sum, block) => sum + block.rows, 0);
  const timesMs = new Float64Array(rows);
  const values = new Float64Array(rows * columns);
  let at = 0;
  for (const block of blocks) {
    timesMs.set(block.timesMs, at);
    for (let c = 0; c < columns; c++) {
      values.set(block.values.subarray(c * block.rows, (c + 1) * block.rows), c * rows + at);
    }
    at += block.rows;
  }
  return { rows, timesMs, values };
}

/** True when chunks of the lane's channels are there that are newer than the lane: its open rows stand in them already. */
function isOutdated(database: Database, lane: LaneRow): boolean {
  const later = database.prepare(
    `SELECT 1 FROM chunk c, json_each(c.channels) j WHERE c.stream = ? AND c.chunk_index >= ?
       AND j.value IN (SELECT value FROM json_each(?)) LIMIT 1`,
  );
  return later.get(lane.stream, lane.next_index, lane.channels) !== undefined;
}

function sealLane(database: Database, lane: LaneRow, pointsPerChunk: number): void {
  if (isOutdated(database, lane)) return;
  const whole = readLane(database, lane);
  const columns = (JSON.parse(lane.channels) as number[]).length;
  const insert = database.prepare(
    'INSERT INTO chunk (stream, chunk_index, channels, rows, first_ms, last_ms, sha256, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  for (let from = 0, index = lane.next_index; from < whole.rows; from += pointsPerChunk, index++) {
    const rows = Math.min(pointsPerChunk, whole.rows - from);
    const timesMs = whole.timesMs.slice(from, from + rows);
    const values = new Float64Array(rows * columns);
    for (let c = 0; c < columns; c++) {
      const start = c * whole.rows + from;
      values.set(whole.values.subarray(start, start + rows), c * rows);
    }
    const data = pack({ rows, timesMs, values });
    const checksum = chunkChecksum(lane.stream, index, lane.channels, data);
    const [first, last] = [Math.min(...timesMs), Math.max(...timesMs)];
    insert.run(lane.stream, index, lane.channels, rows, first, last, checksum, data);
  }
}

/** What the end of all streams brought to light. */
export interface EndedStreams {
  /** How many points each stream lacks, by stream. */
  readonly missing: ReadonlyMap<number, number>;
  /** Index of the first chunk that was made of open readings, by channel: of what is missing from there on no number tells. */
  readonly openFrom: ReadonlyMap<number, number>;
}

/**
 * End all open streams and make the sums of all unfinished ones agree with their chunks.
 *
 * @param database - a database inside a transaction.
 * @param nowMs - the wall time.
 */
export function endStreams(database: Database, nowMs: number): EndedStreams {
  const lanes = database
    .prepare('SELECT l.*, s.points_per_chunk FROM lane l JOIN stream s ON s.id = l.stream WHERE s.closed_ms IS NULL')
    .all() as LaneRow[];
  for (const lane of lanes) sealLane(database, lane, lane.points_per_chunk ?? POINTS_PER_CHUNK_MAX);
  database.exec('DELETE FROM lane; DELETE FROM open_readings');
  database
    .prepare(
      `UPDATE stream SET closed_ms = coalesce(closed_ms, ?), points_per_chunk = coalesce(points_per_chunk, ${POINTS_PER_CHUNK_MAX})
       WHERE delivered_ms IS NULL`,
    )
    .run(nowMs);
  const channelsOf = ({ channels, next_index: index }: LaneRow) =>
    (JSON.parse(channels) as number[]).map((id) => [id, index] as const);
  return { missing: recount(database, nowMs), openFrom: new Map(lanes.flatMap(channelsOf)) };
}

/** Points of a row of chunk or lane; none where the disk altered its list of channels. */
const WIDTH = 'CASE WHEN json_valid(channels) THEN json_array_length(channels) ELSE 0 END';

/**
 * Make the sums of all unfinished streams agree with the chunks and open readings that are there.
 *
 * @param database - a database inside a transaction.
 * @param nowMs - the wall time.
 * @returns how many points each stream lacks, by stream.
 */
export function recount(database: Database, nowMs: number): ReadonlyMap<number, number> {
  const pointsIn = (state: string, more = '') =>
    `(SELECT coalesce(sum(rows * ${WIDTH}), 0) FROM chunk WHERE stream = s.id AND state = '${state}' ${more})`;
  const pointsOpen = `(SELECT coalesce(sum(r.rows * ${WIDTH}), 0) FROM lane l JOIN open_readings r ON r.lane = l.id WHERE l.stream = s.id)`;
  const streams = database
    .prepare(
      `SELECT id, points, points_acknowledged + ${pointsIn('refused')} + ${pointsIn('sealed')} + ${pointsOpen} AS there,
         ${pointsIn('refused')} AS refused, ${pointsIn('refused', 'AND resent_in IS NOT NULL')} AS resent, (SELECT count(*) FROM chunk WHERE stream = s.id AND state = 'sealed') AS waiting
       FROM stream s WHERE delivered_ms IS NULL`,
    )
    .all() as { id: number; points: number; there: number; refused: number; resent: number; waiting: number }[];
  const update = database.prepare(
    `UPDATE stream SET points = :there, points_refused = :refused, points_resent = :resent, chunks_waiting = :waiting,
       chunks_sealed = max(chunks_sealed, :waiting),
       delivered_ms = CASE WHEN :waiting = 0 AND closed_ms IS NOT NULL THEN :nowMs END
     WHERE id = :id`,
  );
  const missing = new Map<number, number>();
  for (const { id, points, there, refused, resent, waiting } of streams) {
    update.run({ id, there, refused, resent, waiting, nowMs });
    if (points > there) missing.set(id, points - there);
  }
  return missing;
}
