// What screen, receipt and plots ask of the queue. Reading only; every answer is bounded.
import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { toAgentError } from '../../../model/agent-error.ts';
import type { GapRow, QueueTally } from '../../../model/queue.ts';
import { type Block, unpack } from '../../../platform/point-block.ts';
import { STREAM_COLUMNS, type StreamTallyRow, toStreamTally } from './stream-tally.ts';

/** Chunks that one plot request unpacks at most; beyond it the oldest are left out. */
const PLOT_CHUNKS_MAX = 400;
/** Gaps that a tally lists. */
const GAPS_LISTED = 20;
/** Points of one channel in the order they were captured. */
export interface ChannelPoints {
  readonly unit: string;
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
}

interface PackedRow {
  channels: string;
  data: Uint8Array;
}

/** A block for a plot; null for one that the disk altered: it is a hole in the line, and reported where it is sent. */
function readBlock(data: Uint8Array): Block | null {
  try {
    return unpack(data);
  } catch (thrown) {
    if (toAgentError(thrown).code === 'store.chunk-damaged') return null;
    throw thrown;
  }
}

/**
 * Prepare the looking side of the queue.
 *
 * @param database - the open queue file.
 * @returns tallies, gaps, channel list and points for plots.
 */
export function openTallyQueries(database: Database, path: string) {
  const sql = {
    streams: database.prepare(
      `SELECT ${STREAM_COLUMNS}
       FROM stream s ORDER BY (s.closed_ms IS NULL) DESC,
         (s.delivered_ms IS NULL OR s.points_refused > s.points_resent) DESC, s.id DESC LIMIT ?`,
    ),
    total: database.prepare('SELECT count(*) FROM stream').pluck(),
    waiting: database.prepare(
      `SELECT coalesce(sum(points - points_acknowledged - points_refused), 0) AS points, coalesce(sum(chunks_waiting), 0) AS chunks
       FROM stream WHERE delivered_ms IS NULL`,
    ),
    channels: database.prepare(
      `SELECT s.source AS sourceId, c.name AS channel, max(c.unit) AS unit FROM channel c JOIN stream s ON s.id = c.stream
       WHERE s.id > (SELECT coalesce(max(id), 0) - 200 FROM stream) GROUP BY s.source, c.name ORDER BY min(c.id) LIMIT 5000`,
    ),
    channelIds: database.prepare(
      `SELECT c.id, c.stream, c.unit FROM channel c JOIN stream s ON s.id = c.stream
       WHERE s.source = ? AND c.name = ? AND s.last_reading_ms >= ? ORDER BY s.id DESC LIMIT 50`,
    ),
    chunks: database.prepare(
      `SELECT channels, data FROM chunk WHERE stream = ? AND last_ms >= ? AND first_ms <= ? AND resent_in IS NULL AND state <> 'damaged' ORDER BY coalesce(place, id) DESC, id DESC LIMIT ${PLOT_CHUNKS_MAX}`,
    ),
    open: database.prepare(
      `SELECT l.channels, r.data FROM lane l JOIN open_readings r ON r.lane = l.id WHERE l.stream = ? ORDER BY r.id`,
    ),
    gaps: database.prepare(
      'SELECT source AS sourceId, from_ms AS fromMs, to_ms AS toMs, cause FROM gap ORDER BY id DESC LIMIT ?',
    ),
    newestGaps: database.prepare(
      `SELECT id, source AS sourceId, from_ms AS fromMs, to_ms AS toMs, cause FROM gap ORDER BY id DESC LIMIT ${GAPS_LISTED}`,
    ),
    gapsAfter: database.prepare('SELECT count(*) AS count, coalesce(max(id), :id) AS lastId FROM gap WHERE id > :id'),
  };

  /** The points of one channel in a packed block that lie in [fromMs, toMs], appended. */
  function collect(row: PackedRow, channelId: number, fromMs: number, toMs: number, times: number[], values: number[]) {
    const column = (JSON.parse(row.channels) as number[]).indexOf(channelId);
    if (column < 0) return;
    const block = readBlock(row.data);
    if (!block) return;
    for (let i = 0; i < block.rows; i++) {
      const timeMs = block.timesMs[i] as number;
      if (timeMs < fromMs || timeMs > toMs) continue;
      times.push(timeMs);
      values.push(block.values[column * block.rows + i] as number);
    }
  }

  // Gaps are never deleted and their ids rise, so only the new ones are counted.
  const gaps = { count: 0, lastId: 0 };
  function countGaps(): number {
    const { count, lastId } = sql.gapsAfter.get({ id: gaps.lastId }) as { count: number; lastId: number };
    gaps.count += count;
    gaps.lastId = lastId;
    return gaps.count;
  }

  return {
    /** The queue and its newest streams. Costs the number of streams, never the number of waiting chunks. */
    tally(streamLimit: number): QueueTally {
      const streams = (sql.streams.all(streamLimit) as StreamTallyRow[]).map(toStreamTally);
      const waiting = sql.waiting.get() as { points: number; chunks: number };
      const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      return {
        streams,
        streamsTotal: sql.total.get() as number,
        waitingPoints: waiting.points,
        waitingChunks: waiting.chunks,
        fileBytes: sizeOf(path) + sizeOf(`${path}-wal`),
        gaps: sql.newestGaps.all() as QueueTally['gaps'],
        gapsTotal: countGaps(),
      };
    },

    /** Channels of the newest 200 streams, at most 5,000, each with a unit that it had there. */
    listChannels: () => sql.channels.all() as { sourceId: string; channel: string; unit: string }[],

    /** Points of a channel whose stamp lies in [fromMs, toMs], stream after stream, sealed ones before open ones. */
    readPoints(sourceId: string, channel: string, fromMs: number, toMs: number): ChannelPoints {
      const rows = sql.channelIds.all(sourceId, channel, fromMs) as { id: number; stream: number; unit: string }[];
      const times: number[] = [];
      const values: number[] = [];
      for (const { id, stream } of rows.toReversed()) {
        const chunks = sql.chunks.all(stream, fromMs, toMs) as PackedRow[];
        for (const row of chunks.toReversed()) collect(row, id, fromMs, toMs, times, values);
        for (const row of sql.open.all(stream) as PackedRow[]) collect(row, id, fromMs, toMs, times, values);
      }
      return { unit: rows[0]?.unit ?? '', timesMs: Float64Array.from(times), values: Float64Array.from(values) };
    },

    /** Intervals that could not be captured or were lost here, the newest first. */
    listGaps: (limit: number): GapRow[] => sql.gaps.all(limit) as GapRow[],
  };
}
