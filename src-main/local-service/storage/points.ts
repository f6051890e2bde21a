// The points of streams, as they are read: a few chunks at a time.

import { type ChunkPoints, unpackChunk } from './chunk-bytes.ts';
import type { Engine } from './engine.ts';
import { all, first, type Script } from './script.ts';

/** Chunks read at a time. */
const CHUNKS_AT_ONCE = 256;
/** Points unpacked at a time: others are answered between, and wait some milliseconds at most. */
const POINTS_AT_ONCE = 16_384;

export interface StoredChannel {
  readonly id: number;
  readonly name: string;
  readonly units: string | null;
  /** Latest Unix time of a point, seconds; null: it has none. */
  readonly end: number | null;
}

/** A stream as it stands. */
export interface StoredSeries {
  /** Smallest Unix time that it ever held, seconds; null: it has no points yet. */
  readonly startTime: number | null;
  readonly channels: readonly StoredChannel[];
}

export interface StoredChunk extends ChunkPoints {
  readonly chunkIndex: number;
}

export interface Points {
  /** Find a stream by the number of its entry; one that is none has no channels. */
  series(entryId: number): Promise<StoredSeries>;
  /** Indexes of the first chunks of a channel. */
  indexes(channelId: number, most: number): Promise<readonly number[]>;
  /** Read a channel's chunks in their order, some at a time; with a time, only those that end after it, Unix seconds. */
  chunks(channelId: number, after: number | null): AsyncGenerator<readonly StoredChunk[]>;
}

interface ChunkRow {
  readonly chunk_index: number;
  readonly points: number;
  readonly codec: number;
  readonly data: Uint8Array;
}

function* readSeries(entryId: number): Script<StoredSeries> {
  const stream = yield* first<{ start_time: number | null }>(
    'SELECT start_time FROM stream WHERE entry_id = ?',
    entryId,
  );
  const rows = yield* all<{ id: number; name: string; units: string | null; end_time: number | null }>(
    `SELECT c.id, c.name, c.units, (SELECT max(k.max_time) FROM chunk k WHERE k.channel_id = c.id) AS end_time
     FROM channel c WHERE c.entry_id = ? ORDER BY c.id`,
    entryId,
  );
  const channels = rows.map(({ id, name, units, end_time }) => ({ id, name, units, end: end_time }));
  return { startTime: stream?.start_time ?? null, channels };
}

/** Unpack a row; throws where it does not hold what it says. */
function toChunk({ chunk_index, points, codec, data }: ChunkRow): StoredChunk {
  const { times, values } = unpackChunk(codec, data);
  if (times.length !== points) throw new Error('a stored chunk is damaged');
  return { chunkIndex: chunk_index, times, values };
}

/** Unpack rows, some points at a time; the next ones when they are asked for. */
function* unpacked(rows: readonly ChunkRow[]): Generator<readonly StoredChunk[]> {
  let some: StoredChunk[] = [];
  let points = 0;
  for (const row of rows) {
    some.push(toChunk(row));
    points += row.points;
    if (points < POINTS_AT_ONCE) continue;
    yield some;
    [some, points] = [[], 0];
  }
  if (some.length > 0) yield some;
}

/** Open the points. */
export function createPoints(engine: Engine): Points {
  const { read } = engine;

  /** Those of a channel from one index to another that end after a time. */
  const between = (channelId: number, from: number, to: number, after: number) =>
    read(() =>
      all<ChunkRow>(
        `SELECT chunk_index, points, codec, data FROM chunk
         WHERE channel_id = ? AND chunk_index >= ? AND chunk_index <= ? AND max_time > ? ORDER BY chunk_index`,
        channelId,
        from,
        to,
        after,
      ),
    );

  return {
    series: (entryId) => read(() => readSeries(entryId)),
    indexes: async (channelId, most) => {
      const sql = 'SELECT chunk_index FROM chunk WHERE channel_id = ? ORDER BY chunk_index LIMIT ?';
      const rows = await read(() => all<{ chunk_index: number }>(sql, channelId, most));
      return rows.map(({ chunk_index }) => chunk_index);
    },
    async *chunks(channelId, after) {
      if (after === null) {
        let last = -1;
        for (;;) {
          const rows = await read(() =>
            all<ChunkRow>(
              `SELECT chunk_index, points, codec, data FROM chunk WHERE channel_id = ? AND chunk_index > ?
               ORDER BY chunk_index LIMIT ${CHUNKS_AT_ONCE}`,
              channelId,
              last,
            ),
          );
          yield* unpacked(rows);
          if (rows.length < CHUNKS_AT_ONCE) return;
          last = rows.at(-1)?.chunk_index ?? last;
        }
      }
      const found = await read(() =>
        all<{ chunk_index: number }>(
          `SELECT chunk_index FROM chunk ${engine.byEnd} WHERE channel_id = ? AND max_time > ? ORDER BY chunk_index`,
          channelId,
          after,
        ),
      );
      for (let at = 0; at < found.length; at += CHUNKS_AT_ONCE) {
        const some = found.slice(at, at + CHUNKS_AT_ONCE);
        const rows = await between(channelId, some[0]?.chunk_index ?? 0, some.at(-1)?.chunk_index ?? 0, after);
        yield* unpacked(rows);
      }
    },
  };
}
