// 4.1 and 4.2: tool-state streams. Chunk k of a channel holds the points from k x points_per_chunk on; a chunk that comes
// again replaces its slice. `total_points` counts the points stored, so a repeated chunk does not raise it.
import { randomUUID } from 'node:crypto';
import type { Statement } from 'better-sqlite3';
import type { ChunkChannel, ChunkReceipt } from '../../interface/resources.ts';
import { notFound, Problem, violation } from '../requests/problem.ts';
import { createEntryAdder } from '../storage/add-entry.ts';
import { hasMillisecond, packChunk } from '../storage/chunk-bytes.ts';
import type { ChunkPolicy } from '../storage/chunk-policy.ts';
import type { Caller } from '../storage/identity.ts';
import type { ServiceDatabase } from '../storage/sqlite/database.ts';
import type { Handlers } from './handlers.ts';
import type { ServiceParts } from './service-parts.ts';

interface StreamRow {
  entry_id: number;
  points_per_chunk: number;
  start_time: number | null;
  finalized_ms: number | null;
}

interface ChannelRow {
  id: number;
  units: string | null;
  points: number;
}

interface Statements {
  stream: Statement<[string, number], StreamRow>;
  channel: Statement<[number, string], ChannelRow>;
  addChannel: Statement<[number, string, string | null]>;
  held: Statement<[number, number], number>;
  last: Statement<[number, number], number | null>;
  store: Statement<[number, number, number, number, number, Buffer]>;
  count: Statement<[number, string | null, number]>;
  touch: Statement<[number, number, number]>;
  running: Statement<[number]>;
}

function prepare(db: ServiceDatabase): Statements {
  return {
    stream: db.prepare(
      `SELECT s.entry_id, s.points_per_chunk, s.start_time, s.finalized_ms FROM stream s JOIN entry e ON e.id = s.entry_id
       WHERE e.data_id = ? AND e.organization_id = ?`,
    ),
    channel: db.prepare('SELECT id, units, points FROM channel WHERE entry_id = ? AND name = ?'),
    addChannel: db.prepare('INSERT INTO channel (entry_id, name, units, points) VALUES (?, ?, ?, 0)'),
    held: db
      .prepare<[number, number], number>('SELECT points FROM chunk WHERE channel_id = ? AND chunk_index = ?')
      .pluck(),
    last: db
      .prepare<[number, number], number | null>(
        'SELECT max(chunk_index) FROM chunk WHERE channel_id = ? AND chunk_index >= ?',
      )
      .pluck(),
    store: db.prepare(
      `INSERT INTO chunk (channel_id, chunk_index, points, min_time, max_time, data) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (channel_id, chunk_index) DO UPDATE SET
         points = excluded.points, min_time = excluded.min_time, max_time = excluded.max_time, data = excluded.data`,
    ),
    count: db.prepare('UPDATE channel SET points = ?, units = ? WHERE id = ?'),
    touch: db.prepare('UPDATE stream SET last_chunk_ms = ?, start_time = ? WHERE entry_id = ?'),
    running: db.prepare(`UPDATE entry SET pipeline_status = 'running' WHERE id = ? AND pipeline_status <> 'running'`),
  };
}

/** Smallest and largest of some numbers. */
function spanOf(times: readonly number[]): [number, number] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const time of times) {
    if (time < min) min = time;
    if (time > max) max = time;
  }
  return [min, max];
}

/** Chunks appended by the test bench stand behind all others: their indexes begin here. */
const APPENDED_FROM = 2 ** 40;

function checkChannel(
  name: string,
  { timestamps, values }: ChunkChannel,
  pointsPerChunk: number,
  policy: ChunkPolicy,
): void {
  if (timestamps.length !== values.length) {
    throw violation(
      ['body', 'channels', name, 'values'],
      `${values.length} values stand beside ${timestamps.length} timestamps`,
    );
  }
  const unfit = timestamps.findIndex((time) => !hasMillisecond(time));
  if (unfit >= 0) {
    throw violation(['body', 'channels', name, 'timestamps', unfit], 'beyond every date that is told in milliseconds');
  }
  if (values.length > pointsPerChunk && policy.longChunk === 'refuse') {
    throw violation(
      ['body', 'channels', name, 'values'],
      `${values.length} points are more than points_per_chunk, which is ${pointsPerChunk}`,
    );
  }
  if (values.length < pointsPerChunk && policy.shortChunk === 'refuse') {
    throw violation(
      ['body', 'channels', name, 'values'],
      `fewer points than points_per_chunk, which is ${pointsPerChunk}`,
    );
  }
}

/** Serve the start of streams and their chunks. */
export function serveStreams({
  db,
  write,
  nowMs,
  policy,
  own,
}: ServiceParts): Pick<Handlers, 'ingestChunk' | 'initializeStream'> {
  const sql = prepare(db);
  const addEntry = createEntryAdder(db);
  const addStream = db.prepare(
    'INSERT INTO stream (entry_id, processed_data_id, points_per_chunk, synth_source_id) VALUES (?, ?, ?, ?)',
  );

  /**
   * Store one channel's slice.
   *
   * @returns the points the channel now has.
   */
  function storeChannel(
    entryId: number,
    chunkIndex: number,
    name: string,
    { timestamps, values, units }: ChunkChannel,
  ) {
    const channel = sql.channel.get(entryId, name) ?? {
      id: Number(sql.addChannel.run(entryId, name, units ?? null).lastInsertRowid),
      units: units ?? null,
      points: 0,
    };
    if (units != null && channel.units !== null && channel.units !== units) {
      // Taking the new unit would give the values stored before another meaning.
      throw violation(
        ['body', 'channels', name, 'units'],
        `the channel has the unit ${JSON.stringify(channel.units)}; a stream cannot change it to ${JSON.stringify(units)}`,
      );
    }
    const held = sql.held.get(channel.id, chunkIndex);
    const [minTime, maxTime] = spanOf(timestamps);
    if (held !== undefined && policy.repeat === 'reject') {
      throw new Problem(409, `Chunk ${chunkIndex} of channel ${JSON.stringify(name)} is stored already.`);
    }
    if (held !== undefined && policy.repeat === 'ignore') return { points: channel.points, minTime };
    const isAppended = held !== undefined && policy.repeat === 'append';
    const place = isAppended ? (sql.last.get(channel.id, APPENDED_FROM) ?? APPENDED_FROM - 1) + 1 : chunkIndex;
    const heldBefore = isAppended ? 0 : (held ?? 0);
    policy.onStored(channel.id, place);
    sql.store.run(channel.id, place, values.length, minTime, maxTime, packChunk(timestamps, values));
    const points = channel.points - heldBefore + values.length;
    sql.count.run(points, channel.units ?? units ?? null, channel.id);
    return { points, minTime };
  }

  return {
    ingestChunk({ data_id, chunk_index, channels }, caller: Caller) {
      return write(() => {
        const stream = sql.stream.get(data_id, caller.organizationId);
        if (!stream) throw notFound('stream', data_id);
        if (stream.finalized_ms !== null) throw new Problem(422, 'The stream is finalized and takes no more data.');
        const named = Object.entries(channels);
        for (const [name, channel] of named) checkChannel(name, channel, stream.points_per_chunk, policy);
        let firstTime = Number.POSITIVE_INFINITY;
        const receipts: ChunkReceipt[] = named.map(([channel_name, channel]) => {
          const { points, minTime } = storeChannel(stream.entry_id, chunk_index, channel_name, channel);
          if (minTime < firstTime) firstTime = minTime;
          return { data_id, channel_name, chunk_index, total_points: points };
        });
        sql.touch.run(nowMs(), Math.min(stream.start_time ?? firstTime, firstTime), stream.entry_id);
        sql.running.run(stream.entry_id);
        return receipts;
      });
    },

    initializeStream({ points_per_chunk, stream_name, synth_source_id, physical_sample_id, project_id }, caller) {
      return write(() => {
        if (synth_source_id != null && !own.hasInstrument(synth_source_id, caller)) {
          throw violation(['body', 'synth_source_id'], `your organization has no growth instrument ${synth_source_id}`);
        }
        const sampleId = own.sample(physical_sample_id, caller);
        const projectId = own.project(project_id, caller);
        const now = nowMs();
        const processedDataId = randomUUID();
        const { entryId, dataId } = addEntry({
          ...caller,
          rawName: stream_name || `Tool state ${new Date(now).toISOString()}`,
          charSourceType: 'tool_state',
          pipelineStatus: 'pending',
          uploadMs: now,
          sampleId,
          projectIds: projectId === null ? [] : [projectId],
        });
        addStream.run(entryId, processedDataId, points_per_chunk, synth_source_id ?? null);
        return { data_id: dataId, processed_data_id: processedDataId };
      });
    },
  };
}
