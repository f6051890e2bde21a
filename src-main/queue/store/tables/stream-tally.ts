// A stream as screen and receipt see it, read from its one row; what is asked of other tables is found by an index.
import type { StreamTally } from '../../../model/queue.ts';
import { DELIVERED_COLUMNS, type DeliveredFacts, deliveredUpTo } from './delivered.ts';

/** What `STREAM_COLUMNS` gives. */
export type StreamTallyRow = Omit<StreamTally, 'isClosed' | 'isDelivered' | 'deliveredUpToMs'> &
  DeliveredFacts & { readonly isClosed: number; readonly isDelivered: number };

/** The columns of a tally, of a stream `s`. */
export const STREAM_COLUMNS = `s.id, s.source AS sourceId, s.name, s.data_id AS dataId, s.closed_ms IS NOT NULL AS isClosed,
  s.delivered_ms IS NOT NULL AS isDelivered, s.points_per_chunk AS pointsPerChunk,
  (SELECT count(*) FROM channel WHERE stream = s.id) AS channels, s.rows_read AS rowsRead, s.points AS pointsStored,
  s.points_acknowledged AS pointsAcknowledged, s.points_refused AS pointsRefused, s.points_resent AS pointsResent,
  s.cells_refused AS cellsRefused,
  s.chunks_sealed AS chunksSealed, s.chunks_waiting AS chunksWaiting, s.last_reading_ms AS lastStoredMs, ${DELIVERED_COLUMNS}`;

/** Make a tally of a row that holds these columns, and perhaps more. */
export function toStreamTally(row: StreamTallyRow): StreamTally {
  const { id, sourceId, name, dataId, pointsPerChunk, channels, rowsRead, pointsStored, pointsAcknowledged } = row;
  const { pointsRefused, pointsResent, cellsRefused, chunksSealed, chunksWaiting, oldestStoredMs, lastStoredMs } = row;
  return {
    id,
    sourceId,
    name,
    dataId,
    pointsPerChunk,
    channels,
    rowsRead,
    pointsStored,
    pointsAcknowledged,
    pointsRefused,
    pointsResent,
    cellsRefused,
    chunksSealed,
    chunksWaiting,
    oldestStoredMs,
    lastStoredMs,
    isClosed: row.isClosed === 1,
    isDelivered: row.isDelivered === 1,
    deliveredUpToMs: deliveredUpTo(row),
  };
}
