// 4.3: the series of a stream. Times are relative to the smallest stamp of the stream. It moves back when a chunk with an
// earlier stamp arrives later; a reader who asks for what came after t seconds then gets points a second time, never too
// few. An incremental read finds the chunks that end after t by index and unpacks only those: it costs the new points,
// not the old ones.
//
// The answer is read and written a piece at a time: a long series is never in memory as text, and other callers are
// answered between two pieces, however fast the reader takes them. Each channel is read whole before its first number is
// written, so its three arrays always have the same length.
import { setImmediate as othersFirst } from 'node:timers/promises';
import { Problem } from '../requests/problem.ts';
import { nextPiece, textStream } from '../requests/text-stream.ts';
import { unpackChunk } from '../storage/chunk-bytes.ts';
import type { Handlers } from './handlers.ts';
import type { ServiceParts } from './service-parts.ts';

interface ChannelRow {
  id: number;
  name: string;
  units: string | null;
}

interface ChunkRow {
  chunk_index: number;
  points: number;
  data: Buffer;
}

/** Numbers written before the text is handed on. */
const PIECE_NUMBERS = 16_384;
/** Chunks read at a time. The statement ends before others are answered: an open one would hold up every writer. */
const CHUNKS_AT_ONCE = 256;
/** Sums of doubles near today's Unix time are off by less than this, seconds. */
const ROUNDING_S = 1e-5;

function* writeNumbers(numbers: Float64Array, toText: (value: number) => number): Generator<string> {
  for (let at = 0; at < numbers.length; at += PIECE_NUMBERS) {
    const piece = Array.from(numbers.subarray(at, at + PIECE_NUMBERS), toText);
    yield `${at > 0 ? ',' : ''}${piece}`;
  }
}

interface Points {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** Those points of some chunks that lie after a time, seconds since the start. */
function pointsAfter(chunks: readonly ChunkRow[], startTime: number, after: number): Points {
  const most = chunks.reduce((sum, { points }) => sum + points, 0);
  const times = new Float64Array(most);
  const values = new Float64Array(most);
  let kept = 0;
  for (const { data, points } of chunks) {
    const chunk = unpackChunk(data);
    if (chunk.times.length !== points) throw new Error('a stored chunk is damaged');
    for (let at = 0; at < points; at++) {
      const time = chunk.times[at] ?? 0;
      if (time - startTime <= after) continue;
      times[kept] = time;
      values[kept] = chunk.values[at] ?? 0;
      kept += 1;
    }
  }
  return { times: times.subarray(0, kept), values: values.subarray(0, kept) };
}

/** A time since the start, whole microseconds: the difference of two Unix times is no more exact than that. */
const secondsSince = (startTime: number, time: number) => Math.round((time - startTime) * 1e6) / 1e6;

function* writeProperty({ name, units }: ChannelRow, chunks: readonly Points[], startTime: number): Generator<string> {
  function* writeAll(of: 'times' | 'values', toText: (value: number) => number): Generator<string> {
    let isFirst = true;
    for (const { [of]: numbers } of chunks) {
      if (numbers.length === 0) continue;
      if (!isFirst) yield ',';
      isFirst = false;
      yield* writeNumbers(numbers, toText);
    }
  }
  yield `${JSON.stringify(name)}:{"relative_time_seconds":[`;
  yield* writeAll('times', (time) => secondsSince(startTime, time));
  yield '],"unix_timestamp_ms":[';
  yield* writeAll('times', (time) => Math.round(time * 1000));
  yield '],"values":[';
  yield* writeAll('values', (value) => value);
  yield `],"units":${JSON.stringify(units)}}`;
}

/** An answer from parts of text: whole when it is short, else as it is read. */
async function answerWith(texts: AsyncGenerator<string>): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  const { text, isLast } = await nextPiece(texts);
  return new Response(isLast ? text : textStream(texts, text), { headers });
}

/** Serve time series. */
export function serveSeries({ db, write, policy, own, accesses }: ServiceParts): Pick<Handlers, 'readTimeSeries'> {
  const findStart = db.prepare<[number], number | null>('SELECT start_time FROM stream WHERE entry_id = ?').pluck();
  const channels = db.prepare<[number], ChannelRow>(
    'SELECT id, name, units FROM channel WHERE entry_id = ? ORDER BY id',
  );
  const findEnd = db.prepare<[number], number | null>('SELECT max(max_time) FROM chunk WHERE channel_id = ?').pluck();
  const indexes = db.prepare<[number], number>('SELECT chunk_index FROM chunk WHERE channel_id = ?').pluck();
  const all = db.prepare<[number, number], ChunkRow>(
    `SELECT chunk_index, points, data FROM chunk WHERE channel_id = ? AND chunk_index > ?
     ORDER BY chunk_index LIMIT ${CHUNKS_AT_ONCE}`,
  );
  const later = db
    .prepare<[number, number], number>(
      `SELECT chunk_index FROM chunk INDEXED BY chunk_by_end WHERE channel_id = ? AND max_time > ? ORDER BY chunk_index`,
    )
    .pluck();
  const one = db.prepare<[number, number], ChunkRow>(
    'SELECT chunk_index, points, data FROM chunk WHERE channel_id = ? AND chunk_index = ?',
  );
  const fail = db.prepare(`UPDATE entry SET pipeline_status = 'error' WHERE id = ?`);

  /** A channel's chunks in their order, some at a time; with a time, only those that end after it, Unix seconds. */
  function* chunksOf(channelId: number, after: number | null): Generator<ChunkRow[]> {
    if (after === null) {
      let last = -1;
      for (;;) {
        const chunks = all.all(channelId, last);
        yield chunks;
        if (chunks.length < CHUNKS_AT_ONCE) return;
        last = chunks.at(-1)?.chunk_index ?? last;
      }
    }
    const found = later.all(channelId, after);
    for (let at = 0; at < found.length; at += CHUNKS_AT_ONCE) {
      yield found.slice(at, at + CHUNKS_AT_ONCE).flatMap((index) => one.get(channelId, index) ?? []);
    }
  }

  async function* writeSeries(
    rows: readonly ChannelRow[],
    startTime: number,
    elapsed: number | undefined,
  ): AsyncGenerator<string> {
    yield '{"properties":{';
    let end = Number.NEGATIVE_INFINITY;
    for (const [at, channel] of rows.entries()) {
      const points: Points[] = [];
      for (const chunks of chunksOf(channel.id, elapsed === undefined ? null : startTime + elapsed - ROUNDING_S)) {
        const visible = chunks.filter(({ chunk_index }) => policy.isVisible(channel.id, chunk_index));
        points.push(pointsAfter(visible, startTime, elapsed ?? Number.NEGATIVE_INFINITY));
        if (chunks.length === CHUNKS_AT_ONCE) await othersFirst();
      }
      if (at > 0) yield ',';
      yield* writeProperty(channel, points, startTime);
      end = Math.max(end, findEnd.get(channel.id) ?? end);
    }
    yield `},"series_max_time":${secondsSince(startTime, end)}}`;
  }

  /** Call the entry faulty whose data cannot be read, then fail. */
  async function* guarded(pieces: AsyncGenerator<string>, entryId: number): AsyncGenerator<string> {
    try {
      yield* pieces;
    } catch (fault) {
      void write(() => fail.run(entryId)).catch(() => undefined);
      throw fault;
    }
  }

  function hasVisible(channelId: number): boolean {
    for (const index of indexes.iterate(channelId)) if (policy.isVisible(channelId, index)) return true;
    return false;
  }

  return {
    readTimeSeries({ data_id, return_null_if_missing = false, elapsed_seconds }, caller) {
      const id = own.entry(data_id, caller);
      const startTime = findStart.get(id) ?? null;
      const rows = channels.all(id);
      const isThere = rows.some((row) => hasVisible(row.id));
      if (startTime === null || !isThere) {
        if (return_null_if_missing) return null;
        throw new Problem(404, `There is no time series for the data entry ${JSON.stringify(data_id)}.`);
      }
      accesses.note(id);
      return answerWith(guarded(writeSeries(rows, startTime, elapsed_seconds), id));
    },
  };
}
