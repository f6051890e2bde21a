// What an export asks of the queue: the stored points of some streams between two instants, whatever the order in which they
// were sealed. Reading only.
//
// Bounds: a question names the points that it can take. The span is halved until an estimate fits, down to SPAN_MIN_MS; the
// estimate takes the rows of a chunk as evenly spread over its span.
import type { Database } from 'better-sqlite3';
import type { SpanOfPoints, StoredSpan } from '../../../model/export.ts';
import { unpack } from '../../../platform/point-block.ts';
import { chunkChecksum, openReadingsChecksum } from '../blocks/checksums.ts';

/** A span is not cut further than this, milliseconds. */
const SPAN_MIN_MS = 1;

interface Row {
  readonly stream: number;
  readonly place: number;
  readonly channels: string;
  readonly rows: number;
  readonly data: Uint8Array;
}

type ChunkRow = Row & { readonly sha256: Uint8Array };
type OpenRow = Row & { readonly lane: number; readonly crc: number };

/** Prepare the export side of the queue. */
export function openExportQueries(database: Database) {
  const inSpan = `stream IN (SELECT value FROM json_each(:streams)) AND last_ms >= :fromMs AND first_ms < :toMs
    AND state <> 'damaged' AND (resent_in IS NULL OR resent_in NOT IN (SELECT value FROM json_each(:streams)))`;
  const sql = {
    estimate: database
      .prepare(
        `SELECT coalesce(sum(rows * json_array_length(channels) *
           CASE WHEN last_ms > first_ms THEN (min(last_ms, :toMs) - max(first_ms, :fromMs)) / (last_ms - first_ms) ELSE 1 END), 0)
         FROM chunk WHERE ${inSpan}`,
      )
      .pluck(),
    chunks: database.prepare(
      `SELECT stream, chunk_index AS place, channels, rows, sha256, data FROM chunk WHERE ${inSpan} ORDER BY coalesce(place, id), id`,
    ),
    open: database.prepare(
      `SELECT l.stream, l.next_index AS place, l.channels, r.rows, r.data, r.lane, r.crc
       FROM lane l JOIN open_readings r ON r.lane = l.id
       WHERE l.stream IN (SELECT value FROM json_each(?)) ORDER BY r.id`,
    ),
    inChunks: database
      .prepare(
        `SELECT coalesce(sum(rows * json_array_length(channels)), 0) FROM chunk
         WHERE stream = ? AND state <> 'damaged' AND (resent_in IS NULL OR resent_in NOT IN (SELECT value FROM json_each(?)))`,
      )
      .pluck(),
    inOpen: database
      .prepare(
        `SELECT coalesce(sum(r.rows * json_array_length(l.channels)), 0) FROM lane l JOIN open_readings r ON r.lane = l.id
         WHERE l.stream = ?`,
      )
      .pluck(),
    streams: database
      .prepare('SELECT id FROM stream WHERE last_reading_ms >= ? AND first_reading_ms < ? ORDER BY id LIMIT 2000')
      .pluck(),
  };

  const readSpan = database.transaction((ids: readonly number[], fromMs: number, toMs: number, maxPoints: number) => {
    const streams = JSON.stringify(ids);
    let end = toMs;
    while (end - fromMs > SPAN_MIN_MS && (sql.estimate.get({ streams, fromMs, toMs: end }) as number) > maxPoints) {
      end = fromMs + (end - fromMs) / 2;
    }
    const spans: SpanOfPoints[] = [];
    let damagedPoints = 0;
    const take = ({ stream, channels, rows, data }: Row, isSound: boolean) => {
      const channelIds = JSON.parse(channels) as number[];
      try {
        if (!isSound) throw new Error('altered');
        const block = unpack(data);
        const picked: number[] = [];
        for (let row = 0; row < block.rows; row++) {
          const timeMs = block.timesMs[row] as number;
          if (timeMs >= fromMs && timeMs < end) picked.push(row);
        }
        if (picked.length === 0) return;
        const values = new Float64Array(picked.length * channelIds.length);
        for (let column = 0, at = 0; column < channelIds.length; column++) {
          for (const row of picked) values[at++] = block.values[column * block.rows + row] as number;
        }
        const timesMs = Float64Array.from(picked, (row) => block.timesMs[row] as number);
        spans.push({ streamId: stream, channelIds, timesMs, values });
      } catch {
        damagedPoints += rows * channelIds.length;
      }
    };
    for (const row of sql.chunks.iterate({ streams, fromMs, toMs: end }) as Iterable<ChunkRow>) {
      take(row, chunkChecksum(row.stream, row.place, row.channels, row.data).equals(row.sha256));
    }
    for (const row of sql.open.iterate(streams) as Iterable<OpenRow>) {
      take(row, row.crc === openReadingsChecksum(row.lane, row.data));
    }
    return { toMs: end, spans, damagedPoints } satisfies StoredSpan;
  });

  return {
    /**
     * Read the stored points of some streams that lie in [fromMs, toMs), a point that was sent again in one of them once.
     *
     * @param ids - the streams.
     * @param fromMs - Unix milliseconds.
     * @param toMs - Unix milliseconds.
     * @param maxPoints - about how many points may come.
     * @returns the points up to `toMs`, which is earlier than was asked for where there are too many.
     */
    storedSpan: (ids: readonly number[], fromMs: number, toMs: number, maxPoints: number): StoredSpan =>
      readSpan(ids, fromMs, toMs, maxPoints),
    /** Points of a stream that are kept here; those that another of `ids` took a copy of are not counted. */
    keptPoints: (streamId: number, ids: readonly number[]): number =>
      (sql.inChunks.get(streamId, JSON.stringify(ids)) as number) + (sql.inOpen.get(streamId) as number),
    /** Streams that have readings in [fromMs, toMs); at most 2,000, the oldest. */
    streamsIn: (fromMs: number, toMs: number): number[] => sql.streams.all(fromMs, toMs) as number[],
  };
}
