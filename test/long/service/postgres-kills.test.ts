// PostgreSQL and the services on it are killed under load, again and again: what was confirmed is there, once.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { type Cluster, findPostgres, makeCluster } from '../../support/postgres/cluster.ts';
import { inDatabase, makeDatabase } from '../../support/postgres/database.ts';
import { startLoad } from '../../support/postgres/load.ts';
import { type AgentProcess, startAgent } from '../../support/processes/agent-process.ts';
import { amount } from '../../support/run/effort.ts';

const KEY = 'a-key-of-this-lab';
const KILLS = amount(3, 3, 20);
const WRITERS = 8;

describe.skipIf(findPostgres() === null)('nothing confirmed is lost or doubled', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = makeCluster();
    await cluster.start();
  });
  afterAll(() => cluster.remove());

  async function startService(database: string, port: number): Promise<AgentProcess> {
    const service = startAgent(['service', '--database', database, '--port', String(port), '--key', KEY]);
    await service.waitFor(/Service at http/);
    return service;
  }

  /** Wait until so many more points were confirmed. */
  async function more(load: Awaited<ReturnType<typeof startLoad>>, points: number): Promise<void> {
    const from = load.confirmed();
    await expect.poll(load.confirmed, { timeout: 120_000 }).toBeGreaterThan(from + points);
  }

  it(`while PostgreSQL is killed ${KILLS} times`, async () => {
    const database = await makeDatabase(cluster.url('postgres'));
    const port = await freePort();
    await startService(database, port);
    const load = await startLoad([() => `http://127.0.0.1:${port}`], KEY, WRITERS);
    for (let kill = 0; kill < KILLS; kill++) {
      await more(load, 2_000);
      await pause(Math.random() * 200);
      cluster.kill();
      await pause(Math.random() * 200);
      await cluster.start();
    }
    await more(load, 2_000);
    await load.stop();
    expect(await load.compare((sql) => inDatabase(database, sql))).toEqual({ lost: 0, doubled: 0 });
    console.log(`${KILLS} kills, ${load.confirmed()} points confirmed, ${load.failed()} requests sent again`);
    expect(load.failed()).toBeGreaterThan(0);
  });

  it(`while of three services one is killed, ${KILLS} times`, async () => {
    const database = await makeDatabase(cluster.url('postgres'));
    const ports = [await freePort(), await freePort(), await freePort()];
    const services: AgentProcess[] = [];
    for (const port of ports) services.push(await startService(database, port));
    const urls = ports.map((port) => () => `http://127.0.0.1:${port}`);
    const load = await startLoad(urls, KEY, WRITERS);
    for (let kill = 0; kill < KILLS; kill++) {
      await more(load, 2_000);
      const at = kill % 3;
      services[at]?.child.kill('SIGKILL');
      await services[at]?.ended;
      services[at] = await startService(database, ports[at] ?? 0);
    }
    await more(load, 2_000);
    await load.stop();
    expect(await load.compare((sql) => inDatabase(database, sql))).toEqual({ lost: 0, doubled: 0 });
    console.log(`${KILLS} kills, ${load.confirmed()} points confirmed, ${load.failed()} requests sent again`);
    expect(load.failed()).toBeGreaterThan(0);
  });
});
