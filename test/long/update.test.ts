// Version after version over a queue that waits: each finds the log, the settings and the queue of the one before, changes the
// queue's form, and records on while the service is away. Then the service comes, and holds each point once. The versions are the
// built product with steps of migration behind its own: what a later Epistream will have.
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createServiceClient } from '../../src-main/delivery/client/client.ts';
import { startLocalService } from '../../src-main/local-service/local-service.ts';
import { freePort } from '../support/free-port.ts';
import { type AgentProcess, readStatus, startAgent } from '../support/processes/agent-process.ts';
import { readDelivered } from '../support/rigs/delivered.ts';
import { amount } from '../support/run/effort.ts';
import { tempFolder } from '../support/temp-folder.ts';

const top = join(import.meta.dirname, '../..');
const UPDATES = amount(2, 2, 5);
const CHANNELS = Array.from({ length: 10 }, (_, n) => `c${n}`);
const ROWS_FIRST = amount(5_000, 5_000, 100_000);
const ROWS_EACH = 500;
const KEY = 'update-test-key-0123456789abcdef';
const START_S = Date.UTC(2026, 10, 20, 6) / 1000;
/** What can be recorded and delivered in this time on a busy machine. */
const POLL = { timeout: 1_800_000, interval: 500 };

const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => from + i)
    .map((n) => `${START_S + n / 4},${CHANNELS.map((_, c) => n * 10 + c).join(',')}\n`)
    .join('');

/** The command line of a version so many steps later than the built one. */
function makeVersion(folder: string, later: number): string {
  const home = join(folder, `version-${later}`);
  mkdirSync(home);
  symlinkSync(join(top, 'resources'), join(home, 'resources'));
  cpSync(join(top, 'dist'), join(home, 'dist'), { recursive: true, filter: (path) => !path.endsWith('.map') });
  const file = join(home, 'dist/main/store-worker.js');
  const steps = Array.from({ length: later }, (_, n) => `'CREATE TABLE later_${n} (id INTEGER) STRICT'`);
  const program = readFileSync(file, 'utf8');
  const changed = program.replace(
    /function createMigrations\((\w+)\)\{/,
    (begin, given: string) => `${begin}${given}=[...${given},${steps.join(',')}];`,
  );
  expect(changed).not.toBe(program);
  writeFileSync(file, changed);
  return join(home, 'dist/main/cli.js');
}

test(`${UPDATES} updates over a queue that waits: nothing is lost or doubled, and each older version is refused by name`, async () => {
  // Below the packages that the product takes from node_modules.
  mkdirSync(join(top, 'node_modules/.cache'), { recursive: true });
  const versions = mkdtempSync(join(top, 'node_modules/.cache/versions-'));
  onTestFinished(() => rmSync(versions, { recursive: true, force: true }));
  const folder = tempFolder('update');
  const [log, config, data] = ['logs/growth.csv', 'epistream.yaml', 'data'].map((path) => join(folder, path)) as [
    string,
    string,
    string,
  ];
  mkdirSync(join(folder, 'logs'));
  writeFileSync(log, `time,${CHANNELS.join(',')}\n`);
  const port = await freePort();
  writeFileSync(
    config,
    `version: 1
service: { url: 'http://127.0.0.1:${port}' }
tool: { name: T, time_zone: UTC }
stream_defaults: { points_per_chunk: 1000 }
sources: [{ id: log, kind: log, path: '${folder}/logs', match: '*.csv', backfill: all }]
`,
  );
  const words = ['run', '--config', config, '--data', data];
  const start = (script: string, ...more: string[]) =>
    startAgent([...words, ...more], { EPISTREAM_API_KEY: KEY }, [], script);
  const count = async (of: 'pointsStored' | 'pointsAcknowledged') =>
    (await readStatus(data).catch(() => ({ streams: [] }))).streams.reduce((sum, stream) => sum + stream[of], 0);

  let written = 0;
  const write = (more: number) => {
    appendFileSync(log, rows(written, written + more));
    written += more;
  };
  const record = async (script: string, more: number, end: 'SIGTERM' | 'SIGKILL') => {
    write(more);
    const agent: AgentProcess = start(script);
    await expect.poll(() => count('pointsStored'), POLL).toBe(written * CHANNELS.length);
    expect(await count('pointsAcknowledged')).toBe(0);
    agent.child.kill(end);
    await agent.ended;
  };

  const scripts = Array.from({ length: UPDATES + 1 }, (_, later) => makeVersion(versions, later));
  for (const [later, script] of scripts.entries()) {
    // Some are ended in order before the update, some by a power cut.
    await record(script, later === 0 ? ROWS_FIRST : ROWS_EACH, later % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
    if (later === 0) continue;
    const older = await start(scripts[later - 1] as string).ended;
    expect(older.code).not.toBe(0);
    expect(older.out + older.err).toMatch(
      /The queue was written by a newer Epistream \(queue version \d+, this program knows \d+\)\./,
    );
    expect(older.out + older.err).toContain('Start the newer version. Nothing was changed.');
  }

  const service = await startLocalService({ folder: join(folder, 'service'), key: KEY, port });
  const client = createServiceClient({ baseUrl: service.url, apiKey: () => KEY });
  onTestFinished(async () => {
    await client.close();
    await service.stop();
  });
  expect(await start(scripts.at(-1) as string, '--drain-and-exit').ended).toMatchObject({ code: 0, err: '' });
  const delivered = await readDelivered(client);
  let doubled = 0;
  let lost = 0;
  for (const [c, name] of CHANNELS.entries()) {
    const values = (delivered.get(name) ?? []).map(({ value }) => value);
    const found = new Set(values);
    doubled += values.length - found.size;
    for (let n = 0; n < written; n++) lost += found.has(n * 10 + c) ? 0 : 1;
  }
  console.log(`${UPDATES} updates, ${written * CHANNELS.length} points: ${lost} lost, ${doubled} doubled`);
  expect([lost, doubled]).toEqual([0, 0]);
  expect([...delivered.keys()].sort()).toEqual([...CHANNELS].sort());
});
