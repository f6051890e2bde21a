// A lab at work: many agents deliver at their own pace while one client reads ten million points and another searches, on each
// engine; then three services on one PostgreSQL, one of them killed each minute. What is said: errors, times of the requests,
// and an independent count of what the database holds: npm run test:long -- test/long/service/lab.test.ts
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { findPostgres, makeCluster } from '../../support/postgres/cluster.ts';
import { inDatabase, makeDatabase } from '../../support/postgres/database.ts';
import { type AskDatabase, type Load, startLoad } from '../../support/postgres/load.ts';
import { type AgentProcess, startAgent } from '../../support/processes/agent-process.ts';
import { fillService } from '../../support/rigs/fill-service.ts';
import { amount } from '../../support/run/effort.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const KEY = 'a-key-of-this-lab';
const AGENTS = amount(10, 10, 50);
const PACE = { channels: 10, everyMs: 2000 };
const WORK_MS = amount(6, 8, 600) * 1000;
const KILLS = amount(2, 2, 10);
const LONG_POINTS = amount(100_000, 300_000, 10_000_000);
const ENTRIES = amount(100, 300, 10_000);

interface Beside {
  /** Whole readings of the long series, and searches, that were answered. */
  readonly reads: () => number;
  readonly searches: () => number;
  /** What went wrong. */
  readonly errors: readonly string[];
  stop(): Promise<void>;
}

/** Read the long series as fast as it comes, and search, again and again. Takes whom to ask at each turn. */
function startReaders(url: () => string, streamId: string): Beside {
  const errors: string[] = [];
  let [isStopping, reads, searches] = [false, 0, 0];
  const end = new AbortController();
  const fetchAll = async (path: string) => {
    const answer = await fetch(`${url()}${path}`, { headers: { 'X-API-KEY': KEY }, signal: end.signal });
    let bytes = 0;
    for await (const part of answer.body ?? []) bytes += part.length;
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    return bytes;
  };
  const repeat = async (path: string, least: number, onDone: () => void, restMs: number) => {
    while (!isStopping) {
      try {
        const bytes = await fetchAll(path);
        if (bytes < least) throw new Error(`${path}: ${bytes} bytes are too few`);
        onDone();
      } catch (fault) {
        if (!isStopping) errors.push(String(fault));
      }
      await pause(restMs);
    }
  };
  const countRead = () => {
    reads += 1;
  };
  const countSearch = () => {
    searches += 1;
  };
  const running = [
    // 25 characters a point and more, the times in hundredths of a second and the values in tenths: one that is cut short is an error.
    repeat(`/metrology/${streamId}/timeseries/`, LONG_POINTS * 24, countRead, 50),
    repeat('/data_entries/?keywords=chamber&keywords=MBE-1&limit=1000', 1000, countSearch, 200),
  ];
  return {
    reads: () => reads,
    searches: () => searches,
    errors,
    stop: async () => {
      isStopping = true;
      end.abort();
      await Promise.all(running);
    },
  };
}

/** The figures of a run, as a line. */
function tell(name: string, load: Load, beside: Beside): void {
  const times = load.tookMs.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(times[Math.floor(times.length * part)] ?? 0);
  console.log(
    `${name}: ${AGENTS} agents, ${WORK_MS / 1000} s, ${load.confirmed()} points in ${times.length} requests, ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(0.99999)} ms; ${load.failed()} requests sent again; ` +
      `${beside.reads()} readings of ${LONG_POINTS} points, ${beside.searches()} searches, ${beside.errors.length} errors; ` +
      `load ${loadavg()[0]?.toFixed(1)}`,
  );
}

async function startService(words: readonly string[], port: number): Promise<AgentProcess> {
  const service = startAgent(['service', ...words, '--port', String(port)], { EPISTREAM_API_KEY: KEY });
  await service.waitFor(/Service at http/);
  return service;
}

/** One service, nothing killed: no error of anybody, nothing lost, nothing doubled. */
async function expectCalm(engine: string, place: string, words: readonly string[], ask: AskDatabase): Promise<void> {
  const { streamId } = await fillService(place, ENTRIES, LONG_POINTS);
  const port = await freePort();
  await startService(words, port);
  const url = () => `http://127.0.0.1:${port}`;
  const load = await startLoad([url], KEY, AGENTS, PACE);
  const beside = startReaders(url, streamId);
  await pause(WORK_MS);
  const stateOfReading = () => (beside.reads() > 0 ? 'read' : beside.errors.slice(0, 3).join('; '));
  await expect.poll(stateOfReading, { timeout: 120_000 }).toBe('read');
  await load.stop();
  await beside.stop();
  tell(engine, load, beside);
  expect([load.failed(), beside.errors]).toEqual([0, []]);
  expect(await load.compare(ask)).toEqual({ lost: 0, doubled: 0 });
  expect(load.confirmed()).toBeGreaterThan(0);
  expect(beside.searches()).toBeGreaterThan(0);
}

test('agents at their pace, a long reading and searches on SQLite: no error, nothing lost or doubled', async () => {
  const folder = tempFolder('lab');
  await expectCalm('SQLite', folder, ['--data', folder], async (sql) => {
    const db = new Database(join(folder, 'service.db'), { readonly: true });
    try {
      return db.prepare<[], Record<string, unknown>>(sql).all();
    } finally {
      db.close();
    }
  });
});

describe.skipIf(findPostgres() === null)('on PostgreSQL', () => {
  test('agents at their pace, a long reading and searches: no error, nothing lost or doubled', async () => {
    const cluster = makeCluster('/tmp');
    await cluster.start();
    try {
      const url = await makeDatabase(cluster.url('postgres'));
      await expectCalm('PostgreSQL', url, ['--database', url], (sql) => inDatabase(url, sql));
    } finally {
      await cluster.remove();
    }
  });

  test('three services, one killed each minute: nothing confirmed is lost or doubled', async () => {
    const cluster = makeCluster('/tmp');
    await cluster.start();
    try {
      const database = await makeDatabase(cluster.url('postgres'));
      const { streamId } = await fillService(database, ENTRIES, LONG_POINTS);
      const ports = [await freePort(), await freePort(), await freePort()];
      const words = ['--database', database];
      const services = await Promise.all(ports.map((port) => startService(words, port)));
      const urls = ports.map((port) => () => `http://127.0.0.1:${port}`);
      const load = await startLoad(urls, KEY, AGENTS, PACE);
      let turn = 0;
      const beside = startReaders(() => urls[turn++ % 3]?.() ?? '', streamId);
      for (let kill = 0; kill < KILLS; kill++) {
        await pause(WORK_MS / KILLS);
        const at = kill % 3;
        services[at]?.child.kill('SIGKILL');
        await services[at]?.ended;
        services[at] = await startService(words, ports[at] ?? 0);
      }
      const before = load.confirmed();
      await expect.poll(load.confirmed, { timeout: 60_000 }).toBeGreaterThan(before);
      await load.stop();
      await beside.stop();
      tell(`three services, ${KILLS} kills`, load, beside);
      expect(await load.compare((sql) => inDatabase(database, sql))).toEqual({ lost: 0, doubled: 0 });
    } finally {
      await cluster.remove();
    }
  });
});
