// 4.1 and 4.2: tool-state streams.
import type { ChunkChannel } from '../../interface/resources.ts';
import { violation } from '../requests/problem.ts';
import { isDate, packChunk } from '../storage/chunk-bytes.ts';
import type { PackedChannel } from '../storage/chunks.ts';
import type { Handlers } from './handlers.ts';
import type { ServiceParts } from './service-parts.ts';

/** Check what can be checked of a channel's slice without knowing its stream, and make it ready to be stored. */
function toPacked(name: string, { timestamps, values, units }: ChunkChannel): PackedChannel {
  if (timestamps.length !== values.length) {
    throw violation(
      ['body', 'channels', name, 'values'],
      `${values.length} values stand beside ${timestamps.length} timestamps`,
    );
  }
  const unfit = timestamps.findIndex((time) => !isDate(time));
  if (unfit >= 0) {
    throw violation(['body', 'channels', name, 'timestamps', unfit], 'beyond every date (4714 BC to 275760)');
  }
  return { name, units: units ?? null, ...packChunk(timestamps, values) };
}

/** Serve the start of streams and their chunks. */
export function serveStreams({
  storage: { streams },
  nowMs,
}: ServiceParts): Pick<Handlers, 'ingestChunk' | 'initializeStream'> {
  return {
    async ingestChunk({ data_id, chunk_index, channels }, { organizationId }) {
      const packed = Object.entries(channels).map(([name, channel]) => toPacked(name, channel));
      const request = { dataId: data_id, organizationId, chunkIndex: chunk_index, channels: packed, nowMs: nowMs() };
      const stored = await streams.store(request);
      return packed.map(({ name }, at) => ({
        data_id,
        channel_name: name,
        chunk_index,
        total_points: stored[at] ?? 0,
      }));
    },

    async initializeStream({ points_per_chunk, stream_name, synth_source_id, physical_sample_id, project_id }, caller) {
      const now = nowMs();
      const { dataId, processedDataId } = await streams.start(
        {
          name: stream_name || `Tool state ${new Date(now).toISOString()}`,
          pointsPerChunk: points_per_chunk,
          synthSourceId: synth_source_id ?? null,
          sampleUuid: physical_sample_id,
          projectUuid: project_id,
          agent: caller.agent,
          nowMs: now,
        },
        caller,
      );
      return { data_id: dataId, processed_data_id: processedDataId };
    },
  };
}
