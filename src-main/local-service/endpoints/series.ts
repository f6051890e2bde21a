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
import { type ChunkPoints, tellValue } from '../storage/chunk-bytes.ts';
import { labPolicy } from '../storage/chunk-policy.ts';
import type { StoredChannel, StoredChunk, StoredSeries } from '../storage/points.ts';
import type { Handlers } from './handlers.ts';
import type { ServiceParts } from './service-parts.ts';

/** Numbers written before the text is handed on. */
const PIECE_NUMBERS = 4_096;
/** Sums of doubles near today's Unix time are off by less than this, seconds. */
const ROUNDING_S = 1e-5;

function* writeNumbers(numbers: Float64Array, toText: (value: number) => number | string): Generator<string> {
  for (let at = 0; at < numbers.length; at += PIECE_NUMBERS) {
    const piece = Array.from(numbers.subarray(at, at + PIECE_NUMBERS), toText);
    yield `${at > 0 ? ',' : ''}${piece}`;
  }
}

/** Those points of some chunks that lie after a time, seconds since the start. */
function pointsAfter(chunks: readonly StoredChunk[], startTime: number, after: number): ChunkPoints {
  const most = chunks.reduce((sum, { times }) => sum + times.length, 0);
  const times = new Float64Array(most);
  const values = new Float64Array(most);
  let kept = 0;
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.times.length; at++) {
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

function* writeProperty(
  { name, units }: StoredChannel,
  chunks: readonly ChunkPoints[],
  startTime: number,
): Generator<string> {
  function* writeAll(of: 'times' | 'values', toText: (value: number) => number | string): Generator<string> {
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
  yield* writeAll('values', tellValue);
  yield `],"units":${JSON.stringify(units)}}`;
}

/** An answer from parts of text: whole when it is short, else as it is read. */
async function answerWith(texts: AsyncGenerator<string>): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  const { text, isLast } = await nextPiece(texts);
  return new Response(isLast ? text : textStream(texts, text), { headers });
}

/** Serve time series. */
export function serveSeries({
  storage: { catalogue, points, accesses },
  policy,
}: ServiceParts): Pick<Handlers, 'readTimeSeries'> {
  async function* writeSeries(
    { channels }: StoredSeries,
    startTime: number,
    elapsed: number | undefined,
  ): AsyncGenerator<string> {
    yield '{"properties":{';
    let end = Number.NEGATIVE_INFINITY;
    for (const [at, channel] of channels.entries()) {
      const found: ChunkPoints[] = [];
      const after = elapsed === undefined ? null : startTime + elapsed - ROUNDING_S;
      for await (const chunks of points.chunks(channel.id, after)) {
        const visible = chunks.filter(({ chunkIndex }) => policy.isVisible(channel.id, chunkIndex));
        found.push(pointsAfter(visible, startTime, elapsed ?? Number.NEGATIVE_INFINITY));
        await othersFirst();
      }
      if (at > 0) yield ',';
      yield* writeProperty(channel, found, startTime);
      end = Math.max(end, channel.end ?? end);
      for (const { times } of found) for (const time of times) if (time > end) end = time;
    }
    yield `},"series_max_time":${secondsSince(startTime, end)}}`;
  }

  /** Call the entry faulty whose data cannot be read, then fail. */
  async function* guarded(pieces: AsyncGenerator<string>, entryId: number): AsyncGenerator<string> {
    try {
      yield* pieces;
    } catch (fault) {
      if (!(fault instanceof Problem)) void catalogue.fail(entryId).catch(() => undefined);
      throw fault;
    }
  }

  /** Whether a read shows a chunk of it; only the test bench hides some. */
  async function hasVisible({ channels }: StoredSeries): Promise<boolean> {
    for (const { id } of channels) {
      const indexes = await points.indexes(id, policy === labPolicy ? 1 : Number.MAX_SAFE_INTEGER);
      if (indexes.some((index) => policy.isVisible(id, index))) return true;
    }
    return false;
  }

  return {
    async readTimeSeries({ data_id, return_null_if_missing = false, elapsed_seconds }, caller) {
      const id = await catalogue.find(data_id, caller);
      const series = await points.series(id);
      if (series.startTime === null || !(await hasVisible(series))) {
        if (return_null_if_missing) return null;
        throw new Problem(404, `There is no time series for the data entry ${JSON.stringify(data_id)}.`);
      }
      accesses.note(id);
      return answerWith(guarded(writeSeries(series, series.startTime, elapsed_seconds), id));
    },
  };
}
