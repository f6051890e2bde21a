// What the embedded service costs as it grows, on each engine: bytes a point, 4.3 of the last minute, 4.8, at some sizes; then 4.8 on a
// million entries of PostgreSQL: `npx n24 test/bench/local-service-growth.ts 1 10 100` (millions of points; with PostgreSQL installed).
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServiceClient } from '../../src-main/delivery/client/client.ts';
import { startLocalService } from '../../src-main/local-service/local-service.ts';
import { makeCluster } from '../support/postgres/cluster.ts';
import { inDatabase, makeDatabase } from '../support/postgres/database.ts';
import { type Filled, fillService } from './parts/local-service-fill.ts';

const given = process.argv.slice(2).map(Number);
const sizes = given.length > 0 ? given : [1, 10];
const ROUNDS = 30;
const KEY = 'a-key-of-the-bench';
/** Entries of the catalogue at each size; the last step multiplies them. */
const ENTRIES = 1_000;

async function medianMs(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const beganMs = performance.now();
    await read();
    times.push(performance.now() - beganMs);
  }
  return Number((times.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0).toFixed(1));
}

async function readings(place: { folder: string; database: string | null }, { streamId, endS }: Filled) {
  const service = await startLocalService({ ...place, key: KEY });
  const client = createServiceClient({ baseUrl: service.url, apiKey: () => KEY });
  try {
    return {
      'last minute ms': await medianMs(() => client.readTimeSeries({ data_id: streamId, elapsed_seconds: endS - 60 })),
      'newest 50 ms': await medianMs(() => client.listDataEntries({ limit: 50 })),
      'keyword ms': await medianMs(() => client.listDataEntries({ keywords: ['chamber', '000a'], limit: 50 })),
      'all 10000 ms': await medianMs(() => client.listDataEntries({})),
    };
  } finally {
    await client.close();
    await service.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'service-growth-'));
const cluster = makeCluster('/tmp');
await cluster.start();
try {
  const database = await makeDatabase(cluster.url('postgres'));
  const inChunks = async () =>
    Number((await inDatabase(database, `SELECT pg_total_relation_size('chunk')::float8 AS size`))[0]?.size);
  let [before, filled] = [0, null as Filled | null];
  for (const millions of sizes) {
    const points = (millions - before) * 1e6;
    before = millions;
    for (const [engine, place, size] of [
      ['SQLite', { folder, database: null }, async () => statSync(join(folder, 'service.db')).size],
      ['PostgreSQL', { folder: '', database }, inChunks],
    ] as const) {
      const beganMs = performance.now();
      filled = await fillService(place.database ?? folder, ENTRIES, points);
      const fillS = Math.round((performance.now() - beganMs) / 1000);
      const bytes = (await size()) / (millions * 1e6);
      const row = { 'bytes/point': Number(bytes.toFixed(2)), fillS, ...(await readings(place, filled)) };
      console.log(JSON.stringify({ engine, millions, ...row, load: loadavg()[0]?.toFixed(1) }));
    }
  }
  await inDatabase(
    database,
    `INSERT INTO entry (organization_id, user_id, data_id, raw_name, char_source_type, pipeline_status, upload_ms, accessed_ms,
       sample_id, part, word)
     SELECT organization_id, user_id, gen_random_uuid()::text, raw_name || n, char_source_type, pipeline_status, upload_ms,
       accessed_ms, sample_id, part || n, word || n
     FROM (SELECT * FROM entry WHERE part IS NOT NULL ORDER BY id LIMIT ${ENTRIES}) e CROSS JOIN generate_series(1, 1000) n`,
  );
  await inDatabase(database, 'ANALYZE entry');
  const entries = (await inDatabase(database, 'SELECT count(*)::int AS n FROM entry'))[0]?.n;
  if (filled)
    console.log(
      JSON.stringify({ engine: 'PostgreSQL', entries, ...(await readings({ folder: '', database }, filled)) }),
    );
} finally {
  await cluster.remove();
  rmSync(folder, { recursive: true });
}
