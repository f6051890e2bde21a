// What the embedded service costs on each engine, in one run: points taken in each second and processor time of the service and its
// database, bytes a point, a read of the last minute, then the way from the one to the other, killed once in the middle:
// `npx n24 test/bench/local-service-engines.ts [points in millions]` (after `npm run build`, with PostgreSQL installed).
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServiceClient } from '../../src-main/delivery/client/client.ts';
import { makeCluster } from '../support/postgres/cluster.ts';
import { inDatabase, makeDatabase } from '../support/postgres/database.ts';

const millions = Number(process.argv[2] ?? 1);
const [KEY, STREAMS, CHANNELS, POINTS] = ['a-key-of-the-bench', 8, 10, 1000];
const REQUESTS = Math.ceil((millions * 1e6) / STREAMS / CHANNELS / POINTS);
const CLI = join(import.meta.dirname, '../../dist/main/cli.js');
const TICKS_A_SECOND = 100;

/** Processor time of a process and all below it, seconds. */
function processorSeconds(pid: number): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8');
        const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
        // Own time, and that of children that have ended.
        const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
        return [{ pid: Number(name), parent: Number(fields[1]), ticks }];
      } catch {
        return [];
      }
    });
  const below = (of: number): number =>
    stats.filter(({ parent }) => parent === of).reduce((sum, child) => sum + child.ticks + below(child.pid), 0);
  return ((stats.find((stat) => stat.pid === pid)?.ticks ?? 0) + below(pid)) / TICKS_A_SECOND;
}

/** Numbers as a growth writes them: ten points a second with a jitter of milliseconds, values to a tenth. */
function makeChunk(k: number) {
  const at = (n: number) => k * POINTS + n;
  const timestamps = Array.from(
    { length: POINTS },
    (_, n) => (1_780_000_000_000 + at(n) * 100 + ((n * 7919) % 11)) / 1000,
  );
  const values = (c: number) =>
    timestamps.map((_, n) => Math.round(6000 + 400 * Math.sin(at(n) / 200 + c) + (n % 3)) / 10);
  return Object.fromEntries(Array.from({ length: CHANNELS }, (_, c) => [`c${c}`, { timestamps, values: values(c) }]));
}

function start(args: readonly string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [CLI, 'service', ...args, '--key', KEY, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve) => {
    child.stdout?.on('data', (text: Buffer) => {
      const [, url] = /Service at (\S+),/.exec(text.toString()) ?? [];
      if (url) resolve({ child, url });
    });
  });
}

const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve));

/** Take all points in, and read the last minute of a stream. Takes how to start, and what else takes processor time. */
async function measure(args: readonly string[], databasePid: number | null) {
  const { child, url } = await start(args);
  const client = createServiceClient({ baseUrl: url, apiKey: () => KEY });
  const seconds = () => processorSeconds(child.pid ?? 0) + (databasePid === null ? 0 : processorSeconds(databasePid));
  const latencies: number[] = [];
  const [beginMs, beginS] = [performance.now(), seconds()];
  const ids = await Promise.all(
    Array.from({ length: STREAMS }, async () => {
      const { data_id } = await client.initializeStream({ points_per_chunk: POINTS });
      for (let k = 0; k < REQUESTS; k++) {
        const sentMs = performance.now();
        await client.ingestChunk({ data_id, chunk_index: k, channels: makeChunk(k) });
        latencies.push(performance.now() - sentMs);
      }
      return data_id;
    }),
  );
  const [tookMs, tookS] = [performance.now() - beginMs, seconds() - beginS];
  const readMs = performance.now();
  const last = REQUESTS * POINTS * 0.1 - 60;
  const series = await client.readTimeSeries({ data_id: ids[0] ?? '', elapsed_seconds: last });
  const lastMinuteMs = performance.now() - readMs;
  if ((series?.properties.c0?.values.length ?? 0) < 590) throw new Error('the last minute is not there');
  await client.close();
  const gone = ended(child);
  child.kill('SIGTERM');
  await gone;
  latencies.sort((a, b) => a - b);
  const points = STREAMS * CHANNELS * POINTS * REQUESTS;
  return {
    points,
    'points/s': Math.round((points / tookMs) * 1000),
    'processor s/M points': Number((tookS / (points / 1e6)).toFixed(2)),
    'request p50 ms': Math.round(latencies[Math.floor(latencies.length / 2)] ?? 0),
    'request p99 ms': Math.round(latencies[Math.floor(latencies.length * 0.99)] ?? 0),
    'last minute ms': Math.round(lastMinuteMs),
  };
}

/** Bring a folder over, killed once when a half is there; returns seconds and chunks after the kill. */
async function migrate(folder: string, url: string) {
  const args = [CLI, 'service', 'migrate', '--from', folder, '--to', url];
  const count = async () => {
    const known = await inDatabase(url, `SELECT to_regclass('chunk') AS chunk`);
    if (known[0]?.chunk === null) return 0;
    return Number((await inDatabase(url, 'SELECT count(*)::int AS n FROM chunk'))[0]?.n);
  };
  const chunks = STREAMS * CHANNELS * REQUESTS;
  const beginMs = performance.now();
  const first = spawn(process.execPath, args, { stdio: 'ignore' });
  while ((await count()) < chunks / 2) await new Promise((resolve) => setTimeout(resolve, 50));
  const gone = ended(first);
  first.kill('SIGKILL');
  await gone;
  const afterKill = await count();
  const second = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  second.stdout.on('data', (text: Buffer) => {
    out += text.toString();
  });
  const code = await ended(second);
  const seconds = Math.round((performance.now() - beginMs) / 1000);
  return {
    code,
    seconds,
    chunks,
    afterKill,
    chunkLine: /^chunk\t.*$/m.exec(out)?.[0],
    isEqual: out.includes('and equal'),
  };
}

const folder = mkdtempSync(join(tmpdir(), 'service-engines-'));
const cluster = makeCluster('/tmp');
await cluster.start();
try {
  const sqlite = await measure(['--data', folder], null);
  const sqliteBytes = statSync(join(folder, 'service.db')).size / sqlite.points;
  const url = await makeDatabase(cluster.url('postgres'));
  const postgres = await measure(['--database', url], cluster.pid());
  const sizes = await inDatabase(url, `SELECT pg_database_size(current_database())::float8 AS size`);
  const postgresBytes = Number(sizes[0]?.size) / postgres.points;
  console.table({
    sqlite: { ...sqlite, 'bytes/point': sqliteBytes.toFixed(2) },
    postgres: { ...postgres, 'bytes/point': postgresBytes.toFixed(2) },
  });
  console.log(JSON.stringify(await migrate(folder, await makeDatabase(url))));
} finally {
  await cluster.remove();
  rmSync(folder, { recursive: true });
}
