// How many points a second the embedded service takes in over HTTP, client and service in one process:
// `npx n24 test/bench/local-service-ingest.ts [channels] [points per chunk] [streams] [requests per stream]`.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServiceClient } from '../../src-main/delivery/client/client.ts';
import { startLocalService } from '../../src-main/local-service/local-service.ts';

const [channelCount = 100, points = 1000, streamCount = 2, requestCount = 20] = process.argv.slice(2).map(Number);

function makeChunk(index: number) {
  const start = 1_780_000_000 + index * points * 0.001;
  const timestamps = Array.from({ length: points }, (_, at) => Math.round((start + at * 0.001) * 1000) / 1000);
  const names = Array.from({ length: channelCount }, (_, at) => `channel ${at}`);
  const values = (at: number) => timestamps.map((time) => Math.round((at + Math.sin(time)) * 1e6) / 1e6);
  return Object.fromEntries(names.map((name, at) => [name, { timestamps, values: values(at), units: 'C' }]));
}

const folder = mkdtempSync(join(tmpdir(), 'service-bench-'));
const service = await startLocalService({ folder });
const client = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey });
const latenciesMs: number[] = [];
const chunks = Array.from({ length: requestCount }, (_, at) => makeChunk(at));
const startMs = performance.now();
await Promise.all(
  Array.from({ length: streamCount }, async () => {
    const { data_id } = await client.initializeStream({ points_per_chunk: points });
    for (const [chunk_index, channels] of chunks.entries()) {
      const sentMs = performance.now();
      await client.ingestChunk({ data_id, chunk_index, channels });
      latenciesMs.push(performance.now() - sentMs);
    }
  }),
);
const seconds = (performance.now() - startMs) / 1000;
const total = channelCount * points * streamCount * requestCount;
latenciesMs.sort((a, b) => a - b);
const at = (part: number) => Math.round(latenciesMs[Math.floor(part * (latenciesMs.length - 1))] ?? 0);
await client.close();
await service.stop();
console.log(
  JSON.stringify({
    points: total,
    pointsPerSecond: Math.round(total / seconds),
    requestMedianMs: at(0.5),
    requestP99Ms: at(0.99),
    bytesPerPoint: Math.round((10 * statSync(join(folder, 'service.db')).size) / total) / 10,
  }),
);
rmSync(folder, { recursive: true });
