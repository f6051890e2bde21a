// 4.3: the series of a stream. Times are relative to the smallest stamp of the first chunk that arrived; that start never
// moves, so that a reader who asks for what came after t seconds means the same at every call. An incremental read finds
// the chunks that end after t by index and unpacks only those: it costs the new points, not the old ones.
//
// The answer is written as text, a piece at a time: a long series is never in memory as text, and while a slow reader
// takes it the service stores chunks in between. Each channel is read whole before its first number is written, so its
// three arrays always have the same length.

import { Problem } from '../requests/problem.ts';
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
/** Below this an answer is sent whole, characters. */
const WHOLE_MAX = 1_000_000;
/** Sums of doubles near today's Unix time are off by less than this, seconds. */
const ROUNDING_S = 1e-5;

function* writeNumbers(numbers: Float64Array, toText: (value: number) => number): Generator<string> {
  for (let at = 0; at < numbers.length; at += PIECE_NUMBERS) {
    const piece = Array.from(numbers.subarray(at, at + PIECE_NUMBERS), toText);
    yield `${at > 0 ? ',' : ''}${piece}`;
  }
}

/** The points of some chunks that lie after a time, as two arrays. */
function collect(
  chunks: readonly ChunkRow[],
  startTime: number,
  after: number,
): { times: Float64Array; values: Float64Array } {
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

function* writeProperty(
  { name, units }: ChannelRow,
  { times, values }: { times: Float64Array; values: Float64Array },
  startTime: number,
): Generator<string> {
  yield `${JSON.stringify(name)}:{"relative_time_seconds":[`;
  yield* writeNumbers(times, (time) => time - startTime);
  yield '],"unix_timestamp_ms":[';
  yield* writeNumbers(times, (time) => Math.round(time * 1000));
  yield '],"values":[';
  yield* writeNumbers(values, (value) => value);
  yield `],"units":${JSON.stringify(units)}}`;
}

/** An answer from pieces of text: whole when it is short, else as it is read. */
function answerWith(pieces: Generator<string>): Response {
  const headers = { 'Content-Type': 'application/json' };
  const nextText = () => {
    let text = '';
    while (text.length < WHOLE_MAX) {
      const { done, value } = pieces.next();
      if (done) return { text, isLast: true };
      text += value;
    }
    return { text, isLast: false };
  };
  const first = nextText();
  if (first.isLast) return new Response(first.text, { headers });
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(first.text)),
    pull: (controller) => {
      const { text, isLast } = nextText();
      controller.enqueue(encoder.encode(text));
      if (isLast) controller.close();
    },
  });
  return new Response(body, { headers });
}

/** Serve time series. */
export function serveSeries({ db, write, policy, own, accesses }: ServiceParts): Pick<Handlers, 'readTimeSeries'> {
  const findStart = db.prepare<[number], number | null>('SELECT start_time FROM stream WHERE entry_id = ?').pluck();
  const channels = db.prepare<[number], ChannelRow>(
    'SELECT id, name, units FROM channel WHERE entry_id = ? ORDER BY id',
  );
  const findEnd = db.prepare<[number], number | null>('SELECT max(max_time) FROM chunk WHERE channel_id = ?').pluck();
  const indexes = db.prepare<[number], number>('SELECT chunk_index FROM chunk WHERE channel_id = ?').pluck();
  const all = db.prepare<[number], ChunkRow>(
    'SELECT chunk_index, points, data FROM chunk WHERE channel_id = ? ORDER BY chunk_index',
  );
  const later = db.prepare<[number, number], ChunkRow>(
    `SELECT chunk_index, points, data FROM chunk INDEXED BY chunk_by_end
     WHERE channel_id = ? AND max_time > ? ORDER BY chunk_index`,
  );
  const fail = db.prepare(`UPDATE entry SET pipeline_status = 'error' WHERE id = ?`);

  function* writeSeries(
    rows: readonly ChannelRow[],
    startTime: number,
    elapsed: number | undefined,
  ): Generator<string> {
    yield '{"properties":{';
    let end = Number.NEGATIVE_INFINITY;
    for (const [at, channel] of rows.entries()) {
      const chunks =
        elapsed === undefined ? all.all(channel.id) : later.all(channel.id, startTime + elapsed - ROUNDING_S);
      const visible = chunks.filter(({ chunk_index }) => policy.isVisible(channel.id, chunk_index));
      const points = collect(visible, startTime, elapsed ?? Number.NEGATIVE_INFINITY);
      if (at > 0) yield ',';
      yield* writeProperty(channel, points, startTime);
      end = Math.max(end, findEnd.get(channel.id) ?? end);
    }
    yield `},"series_max_time":${end - startTime}}`;
  }

  /** Call the entry faulty whose data cannot be read, then fail. */
  function* guarded(pieces: Generator<string>, entryId: number): Generator<string> {
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
