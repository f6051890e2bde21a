// The chunks that are still being filled, as far as they stand on disk: for a service that shows them before they are full.
//
// Invariants: nothing here changes a chunk. None is given while a sealed chunk of its stream waits, so what goes out early
// never passes what is in order. Bounds: one chunk a lane, of fewer rows than a full one has.
import type { Database } from 'better-sqlite3';
import type { SealedChunk } from '../../../model/queue.ts';
import { unpack } from '../../../platform/point-block.ts';
import { openReadingsChecksum } from '../blocks/checksums.ts';
import { REFUSED_AHEAD } from './chunk-queue.ts';

interface LaneRow {
  id: number;
  channels: string;
  next_index: number;
}

/**
 * Prepare the queries of open chunks.
 */
export function openOpenChunks(database: Database) {
  const sql = {
    lanes: database.prepare(
      `SELECT l.id, l.channels, l.next_index FROM lane l JOIN stream s ON s.id = l.stream
       WHERE s.id = ? AND s.chunks_waiting = 0 ORDER BY l.id`,
    ),
    readings: database.prepare('SELECT data, crc FROM open_readings WHERE lane = ? ORDER BY id'),
    channel: database.prepare(
      `SELECT id, name, unit, acknowledged, ${REFUSED_AHEAD} AS besides FROM channel WHERE id = ?`,
    ),
    setAhead: database.prepare('UPDATE stream SET ahead = ? WHERE id = ?'),
  };

  function readLane(streamId: number, lane: LaneRow): SealedChunk | null {
    const blocks = (sql.readings.all(lane.id) as { data: Uint8Array; crc: number }[]).map(({ data, crc }) =>
      crc === openReadingsChecksum(lane.id, data) ? unpack(data) : null,
    );
    const rows = blocks.reduce((sum, block) => sum + (block?.rows ?? 0), 0);
    // What the disk altered is told and taken out when the queue is loaded; until then the lane is not shown early.
    if (rows === 0 || blocks.includes(null)) return null;
    const ids = JSON.parse(lane.channels) as number[];
    const timesMs = new Float64Array(rows);
    const columns = ids.map(() => new Float64Array(rows));
    let at = 0;
    for (const block of blocks) {
      if (!block) continue;
      timesMs.set(block.timesMs, at);
      for (const [c, column] of columns.entries()) {
        column.set(block.values.subarray(c * block.rows, (c + 1) * block.rows), at);
      }
      at += block.rows;
    }
    const channels = ids.map((id, c) => ({
      ...(sql.channel.get(id) as Omit<SealedChunk['channels'][number], 'values'>),
      values: columns[c] as Float64Array,
    }));
    return { id: lane.id, streamId, index: lane.next_index, isOfBurst: false, rows, timesMs, channels };
  }

  return {
    /** The chunks of a stream that are being filled, as they would go out now; `id` is the lane's. None while a sealed one waits. */
    openChunks: (streamId: number): SealedChunk[] =>
      (sql.lanes.all(streamId) as LaneRow[]).flatMap((lane) => readLane(streamId, lane) ?? []),
    /** Note whether an open chunk of the stream was sent ahead, or may still be on its way. */
    setAhead: (streamId: number, ahead: 'settled' | 'under-way'): void =>
      void sql.setAhead.run(ahead === 'under-way' ? 2 : 1, streamId),
  };
}
