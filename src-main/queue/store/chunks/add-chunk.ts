// How a sealed chunk gets into the queue, whatever seals it. Called within a transaction of its own caller.
import type { Database } from 'better-sqlite3';
import type { NewChunk } from '../../../model/queue.ts';
import { pack } from '../../../platform/point-block.ts';
import { chunkChecksum } from '../blocks/checksums.ts';

/** Oldest and newest stamp of some rows, Unix milliseconds; stamps need not rise. */
export function spanOf({ rows, timesMs }: Pick<NewChunk, 'rows' | 'timesMs'>): { firstMs: number; lastMs: number } {
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const timeMs of timesMs.subarray(0, rows)) {
    if (timeMs < firstMs) firstMs = timeMs;
    if (timeMs > lastMs) lastMs = timeMs;
  }
  return { firstMs, lastMs };
}

/**
 * Prepare the adding of chunks.
 *
 * @param database - the open queue.
 * @returns a function that stores a chunk as sealed and counts it in its stream.
 */
export function openAddChunk(database: Database): (chunk: NewChunk) => void {
  const insert = database.prepare(
    'INSERT INTO chunk (stream, chunk_index, channels, rows, first_ms, last_ms, sha256, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const count = database.prepare(
    'UPDATE stream SET chunks_sealed = chunks_sealed + 1, chunks_waiting = chunks_waiting + 1 WHERE id = ?',
  );
  return (chunk) => {
    const channels = JSON.stringify(chunk.channelIds);
    const data = pack(chunk);
    const checksum = chunkChecksum(chunk.streamId, chunk.index, channels, data);
    const { firstMs, lastMs } = spanOf(chunk);
    insert.run(chunk.streamId, chunk.index, channels, chunk.rows, firstMs, lastMs, checksum, data);
    count.run(chunk.streamId);
  };
}
