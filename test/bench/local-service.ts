// What reading costs the embedded service as it grows: 4.8 with each filter and 4.3 incremental, over HTTP, at 1,000
// entries with 100,000 points and at 100,000 entries with 10 million points: `npx n24 test/bench/local-service.ts`.
// Prints a table, then one line of JSON.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bench } from 'tinybench';
import { createServiceClient, type ServiceClient } from '../../src-main/delivery/client/client.ts';
import { startLocalService } from '../../src-main/local-service/local-service.ts';
import { type Filled, fillService } from './parts/local-service-fill.ts';

const sizes = [
  { entries: 1_000, points: 100_000 },
  { entries: 100_000, points: 10_000_000 },
];
const ROUNDS = 200;

type Reads = Record<string, () => Promise<unknown[]>>;

function readsOf(client: ServiceClient, { dataIds, sampleUuid, streamId, endS }: Filled): Reads {
  const list = (request: Parameters<ServiceClient['listDataEntries']>[0]) => () => client.listDataEntries(request);
  const middle = Math.floor(dataIds.length / 2);
  const series = (elapsed_seconds: number) => async () => {
    const answer = await client.readTimeSeries({ data_id: streamId, elapsed_seconds });
    return Object.values(answer?.properties ?? {}).flatMap(({ values }) => values);
  };
  return {
    '4.8 newest 50': list({ limit: 50 }),
    '4.8 ten data_ids': list({ data_ids: dataIds.slice(middle, middle + 10) }),
    '4.8 one physical_sample_id': list({ physical_sample_ids: [sampleUuid] }),
    '4.8 data_type, 50': list({ data_type: 'xps', limit: 50 }),
    '4.8 status error, 50': list({ status: 'error', limit: 50 }),
    '4.8 keyword, a nonce': list({ keywords: [`${middle.toString(36).padStart(5, '0')}q`] }),
    '4.8 keyword in all, 50': list({ keywords: ['chamber'], limit: 50 }),
    '4.8 keyword of 2 letters, 50': list({ keywords: ['g3'], limit: 50 }),
    '4.8 tag, 50': list({ keywords: ['in situ'], limit: 50 }),
    '4.8 data_type and status, 50': list({ data_type: 'tool_state', status: 'error', limit: 50 }),
    '4.8 keyword and data_type, 50': list({ keywords: ['chamber'], data_type: 'xps', limit: 50 }),
    '4.8 own only, 50': list({ include_organization_data: false, limit: 50 }),
    '4.8 offset in the middle, 50': list({ limit: 50, offset: middle }),
    '4.3 the last second (1,000 points)': series(endS - 1),
    '4.3 nothing new': series(endS),
  };
}

interface Figure {
  medianMs: number;
  p99Ms: number;
  answered: number;
}

async function measure({ entries, points }: (typeof sizes)[number]): Promise<Record<string, Figure>> {
  const folder = mkdtempSync(join(tmpdir(), 'service-bench-'));
  const filled = await fillService(folder, entries, points);
  const service = await startLocalService({ folder });
  const client = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey });
  const figures: Record<string, Figure> = {};
  try {
    for (const [name, read] of Object.entries(readsOf(client, filled))) {
      const answered = (await read()).length;
      const bench = new Bench({ iterations: ROUNDS, time: 0, warmupIterations: 20, warmupTime: 0 });
      bench.add(name, async () => void (await read()));
      await bench.run();
      const { result } = bench.tasks[0] ?? {};
      if (!result || !('latency' in result)) throw new Error(`${name} could not be measured`);
      figures[name] = { medianMs: result.latency.p50, p99Ms: result.latency.p99, answered };
    }
  } finally {
    await client.close();
    await service.stop();
    rmSync(folder, { recursive: true });
  }
  return figures;
}

const results = [];
for (const size of sizes) results.push({ ...size, figures: await measure(size) });
const [small, large] = results;
const text = (ms: number | undefined) => (ms ?? 0).toFixed(2);
console.table(
  Object.fromEntries(
    Object.entries(large?.figures ?? {}).map(([name, figure]) => {
      const before = small?.figures[name];
      return [
        name,
        {
          answered: figure.answered,
          [`median ms at ${small?.entries}`]: text(before?.medianMs),
          [`median ms at ${large?.entries}`]: text(figure.medianMs),
          'p99 ms': text(figure.p99Ms),
          growth: `x ${text(figure.medianMs / (before?.medianMs ?? 1))}`,
        },
      ];
    }),
  ),
);
console.log(JSON.stringify(results));
