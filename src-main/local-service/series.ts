// 4.3: the series of a stream. Times are relative to the smallest stamp of the first chunk that arrived; that start never
// moves, so that a reader who asks for what came after t seconds means the same at every call. An incremental read finds
// the chunks that end after t by index and unpacks only those: it costs the new points, not the old ones. The answer is
// written as text here, number by number: building it as objects first would cost a long series twice.

import { unpackChunk } from './chunk-bytes.ts';
import type { ChunkPolicy } from './chunk-policy.ts';
import type { ServiceDatabase } from './database.ts';
import type { Handlers } from './handlers.ts';
import { createOwnership } from './ownership.ts';
import { Problem } from './problem.ts';

interface ChunkRow {
  channel_id: number;
  chunk_index: number;
  data: Buffer;
}

/** The arrays of one property, as they grow. */
class Columns {
  readonly times: string[] = [];
  readonly stamps: string[] = [];
  readonly values: string[] = [];

  add(data: Buffer, startTime: number, after: number): void {
    const { times, values } = unpackChunk(data);
    for (let at = 0; at < times.length; at++) {
      const time = times[at] ?? 0;
      const relative = time - startTime;
      if (relative <= after) continue;
      this.times.push(String(relative));
      this.stamps.push(String(Math.round(time * 1000)));
      this.values.push(String(values[at]));
    }
  }

  write(units: string | null): string {
    const { times, stamps, values } = this;
    return `{"relative_time_seconds":[${times}],"unix_timestamp_ms":[${stamps}],"values":[${values}],"units":${JSON.stringify(units)}}`;
  }
}

/** Serve time series. */
export function serveSeries(db: ServiceDatabase, policy: ChunkPolicy): Pick<Handlers, 'readTimeSeries'> {
  const own = createOwnership(db);
  const start = db.prepare<[number], number | null>('SELECT start_time FROM stream WHERE entry_id = ?').pluck();
  const channels = db.prepare<[number], { id: number; name: string; units: string | null }>(
    'SELECT id, name, units FROM channel WHERE entry_id = ? ORDER BY id',
  );
  const end = db.prepare<[number], number>('SELECT max(max_time) FROM chunk WHERE entry_id = ?').pluck();
  const all = db.prepare<[number], ChunkRow>(
    `SELECT k.channel_id, k.chunk_index, k.data FROM channel c JOIN chunk k ON k.channel_id = c.id
     WHERE c.entry_id = ? ORDER BY c.id, k.chunk_index`,
  );
  const later = db.prepare<[number, number], ChunkRow>(
    `SELECT channel_id, chunk_index, data FROM chunk INDEXED BY chunk_by_end
     WHERE entry_id = ? AND max_time > ? ORDER BY channel_id, chunk_index`,
  );

  return {
    readTimeSeries({ data_id, return_null_if_missing = false, elapsed_seconds }, caller) {
      const { id } = own.entry(data_id, caller);
      const missing = () => {
        if (return_null_if_missing) return null;
        throw new Problem(404, `There is no time series for the data entry ${JSON.stringify(data_id)}.`);
      };
      const startTime = start.get(id) ?? null;
      if (startTime === null) return missing();
      const after = elapsed_seconds ?? Number.NEGATIVE_INFINITY;
      const columns = new Map(channels.all(id).map((channel) => [channel.id, { ...channel, columns: new Columns() }]));
      const chunks = elapsed_seconds === undefined ? all.iterate(id) : later.iterate(id, startTime + elapsed_seconds);
      let isEmpty = elapsed_seconds === undefined;
      for (const { channel_id, chunk_index, data } of chunks) {
        if (!policy.isVisible(channel_id, chunk_index)) continue;
        isEmpty = false;
        columns.get(channel_id)?.columns.add(data, startTime, after);
      }
      if (isEmpty) return missing();
      const properties = [...columns.values()].map(({ name, units, columns }) => {
        return `${JSON.stringify(name)}:${columns.write(units)}`;
      });
      const seriesMaxTime = (end.get(id) ?? startTime) - startTime;
      return new Response(`{"properties":{${properties}},"series_max_time":${seriesMaxTime}}`, {
        headers: { 'Content-Type': 'application/json' },
      });
    },
  };
}
