// How a chunk is stored: chunk k of a channel holds the points from k x points_per_chunk on; one that comes again replaces its slice.
// The points of a channel are counted as stored, so a repeated chunk does not raise them.
import { notFound, Problem, violation } from '../requests/problem.ts';
import type { PackedChunk } from './chunk-bytes.ts';
import type { ChunkPolicy } from './chunk-policy.ts';
import { first, run, type Script } from './script.ts';

/** The slice of one channel, ready to be stored. */
export interface PackedChannel extends PackedChunk {
  readonly name: string;
  readonly units: string | null;
}

export interface ChunkRequest {
  readonly dataId: string;
  readonly organizationId: number;
  readonly chunkIndex: number;
  /** With at least a channel; no name stands twice. */
  readonly channels: readonly PackedChannel[];
  readonly nowMs: number;
}

/** Points that each channel now has, in the order of the request. */
export type ChunkStored = readonly number[];

/** How a chunk is refused, whatever the engine. */
export const refusals = {
  unknown: (dataId: string) => notFound('stream', dataId),
  finalized: () => new Problem(422, 'The stream is finalized and takes no more data.'),
  long: (name: string, points: number, most: number) =>
    violation(
      ['body', 'channels', name, 'values'],
      `${points} points are more than points_per_chunk, which is ${most}`,
    ),
  short: (name: string, least: number) =>
    violation(['body', 'channels', name, 'values'], `fewer points than points_per_chunk, which is ${least}`),
  // Taking the new unit would give the values stored before another meaning.
  units: (name: string, had: string, given: string) =>
    violation(
      ['body', 'channels', name, 'units'],
      `the channel has the unit ${JSON.stringify(had)}; a stream cannot change it to ${JSON.stringify(given)}`,
    ),
};

/** Chunks appended by the test bench stand behind all others: their indexes begin here. */
const APPENDED_FROM = 2 ** 40;

interface ChannelRow {
  readonly id: number;
  readonly units: string | null;
  readonly points: number;
}

/** Add a channel to a stream. Returns its number. */
export function* addChannel(entryId: number, name: string, units: string | null): Script<number> {
  const sql = 'INSERT INTO channel (entry_id, name, units, points) VALUES (?, ?, ?, 0) RETURNING id';
  return (yield* first<{ id: number }>(sql, entryId, name, units))?.id ?? 0;
}

/** Put a slice into its place; what was there is replaced. The channel's count of points is the caller's business. */
export function* putChunk(channelId: number, chunkIndex: number, chunk: PackedChunk): Script<void> {
  yield* run(
    `INSERT INTO chunk (channel_id, chunk_index, points, min_time, max_time, value_min, value_max, value_sum, codec, data)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (channel_id, chunk_index) DO UPDATE SET
       points = excluded.points, min_time = excluded.min_time, max_time = excluded.max_time,
       value_min = excluded.value_min, value_max = excluded.value_max, value_sum = excluded.value_sum,
       codec = excluded.codec, data = excluded.data`,
    channelId,
    chunkIndex,
    chunk.points,
    chunk.minTime,
    chunk.maxTime,
    chunk.valueMin,
    chunk.valueMax,
    chunk.valueSum,
    chunk.codec,
    chunk.data,
  );
}

/** Say how many points a channel has, and its unit where it had none. */
export function* countChannel(channelId: number, points: number, units: string | null): Script<void> {
  yield* run('UPDATE channel SET points = ?, units = ? WHERE id = ?', points, units, channelId);
}

function* storeChannel(entryId: number, chunkIndex: number, slice: PackedChannel, policy: ChunkPolicy): Script<number> {
  const { name, units } = slice;
  const known = yield* first<ChannelRow>(
    'SELECT id, units, points FROM channel WHERE entry_id = ? AND name = ?',
    entryId,
    name,
  );
  const channel = known ?? { id: yield* addChannel(entryId, name, units), units, points: 0 };
  if (units !== null && channel.units !== null && channel.units !== units)
    throw refusals.units(name, channel.units, units);
  const held = yield* first<{ points: number }>(
    'SELECT points FROM chunk WHERE channel_id = ? AND chunk_index = ?',
    channel.id,
    chunkIndex,
  );
  if (held && policy.repeat === 'reject') {
    throw new Problem(409, `Chunk ${chunkIndex} of channel ${JSON.stringify(name)} is stored already.`);
  }
  if (held && policy.repeat === 'ignore') return channel.points;
  let place = chunkIndex;
  const isAppended = held !== undefined && policy.repeat === 'append';
  if (isAppended) {
    const last = yield* first<{ last: number | null }>(
      'SELECT max(chunk_index) AS last FROM chunk WHERE channel_id = ? AND chunk_index >= ?',
      channel.id,
      APPENDED_FROM,
    );
    place = (last?.last ?? APPENDED_FROM - 1) + 1;
  }
  policy.onStored(channel.id, place);
  yield* putChunk(channel.id, place, slice);
  const points = channel.points - (isAppended ? 0 : (held?.points ?? 0)) + slice.points;
  yield* countChannel(channel.id, points, channel.units ?? units);
  return points;
}

/** Store a chunk of several channels; all of it or nothing. Returns the points that each now has. */
export function* storeChunk(request: ChunkRequest, policy: ChunkPolicy): Script<ChunkStored> {
  const { dataId, organizationId, chunkIndex, channels, nowMs } = request;
  const stream = yield* first<{
    entry_id: number;
    points_per_chunk: number;
    start_time: number | null;
    finalized_ms: number | null;
  }>(
    `SELECT s.entry_id, s.points_per_chunk, s.start_time, s.finalized_ms FROM stream s JOIN entry e ON e.id = s.entry_id
     WHERE e.data_id = ? AND e.organization_id = ?`,
    dataId,
    organizationId,
  );
  if (!stream) throw refusals.unknown(dataId);
  if (stream.finalized_ms !== null) throw refusals.finalized();
  const { entry_id: entryId, points_per_chunk: most } = stream;
  for (const { name, points } of channels) {
    if (points > most && policy.longChunk === 'refuse') throw refusals.long(name, points, most);
    if (points < most && policy.shortChunk === 'refuse') throw refusals.short(name, most);
  }
  const stored: number[] = [];
  for (const channel of channels) stored.push(yield* storeChannel(entryId, chunkIndex, channel, policy));
  const begun = channels.reduce((least, { minTime }) => Math.min(least, minTime), stream.start_time ?? Infinity);
  yield* run('UPDATE stream SET last_chunk_ms = ?, start_time = ? WHERE entry_id = ?', nowMs, begun, entryId);
  yield* run(`UPDATE entry SET pipeline_status = 'running' WHERE id = ? AND pipeline_status <> 'running'`, entryId);
  return stored;
}
