// A lab of two machines, by the commands that the page prints: on one PostgreSQL and the service behind TLS, on the other a tool's
// PC, each in a network of its own with a cable between. Then the backup and its restore, by the commands printed too.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import { codeBlocks, readPage } from '../../support/docs.ts';
import { SmallCa } from '../../support/faults/small-ca.ts';
import { freePort } from '../../support/free-port.ts';
import { LogAgent } from '../../support/logs/log-agent.ts';
import { type Cluster, findPostgres, makeCluster } from '../../support/postgres/cluster.ts';
import { inDatabase } from '../../support/postgres/database.ts';
import { startLoad } from '../../support/postgres/load.ts';
import { startAgent } from '../../support/processes/agent-process.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const DAY_MS = 86_400_000;
const KEY = 'a-key-of-this-lab';
const LAB = '10.213.77.1';
const TOOL = '10.213.77.2';

const blocks = codeBlocks(readPage('resources/docs/service.md').text, 'sh');
const blockWith = (text: string) => blocks.find((block) => block.includes(text)) ?? '';

/** Words of the line of a block that holds a text, without `sudo -u postgres` and what stands before the command itself. */
function wordsOf(block: string, text: string): string[] {
  const line =
    block
      .replaceAll('\\\n', ' ')
      .split('\n')
      .find((one) => one.includes(text)) ?? '';
  const words = line
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll("'", ''));
  if (words[0] === 'sudo') return words.slice(3);
  return words.slice(words.indexOf('--') + 1);
}

const mayMakeNetworks = () => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['-n', 'ip', 'link', 'add', 'v0', 'type', 'veth', 'peer', 'name', 'v1'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
};
const isPossible = findPostgres() !== null && mayMakeNetworks();
if (!isPossible) console.error('two machines: needs Linux, root, iproute2 and PostgreSQL');

/** Two networks with a cable between. Returns what runs a program in each. */
function cable() {
  const [lab, tool] = [`lab-${process.pid}`, `tool-${process.pid}`];
  const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' });
  onTestFinished(() => {
    for (const one of [lab, tool]) {
      try {
        ip('netns', 'del', one);
      } catch {
        // It was not made.
      }
    }
  });
  for (const one of [lab, tool]) ip('netns', 'add', one);
  ip('link', 'add', `l${process.pid}`, 'netns', lab, 'type', 'veth', 'peer', 'name', `t${process.pid}`, 'netns', tool);
  for (const [one, link, address] of [
    [lab, 'l', LAB],
    [tool, 't', TOOL],
  ] as const) {
    ip('-n', one, 'address', 'add', `${address}/24`, 'dev', `${link}${process.pid}`);
    for (const up of ['lo', `${link}${process.pid}`]) ip('-n', one, 'link', 'set', up, 'up');
  }
  const hosts = join(tempFolder('hosts'), 'hosts');
  writeFileSync(hosts, `127.0.0.1 localhost\n${LAB} lab.example\n`);
  const seeing = ['unshare', '-m', 'sh', '-c', `mount --bind ${hosts} /etc/hosts && exec "$@"`, 'sh'];
  return { onLab: ['ip', 'netns', 'exec', lab], onTool: ['ip', 'netns', 'exec', tool, ...seeing] };
}

async function startCluster(): Promise<Cluster> {
  const cluster = makeCluster();
  onTestFinished(() => cluster.remove());
  await cluster.start();
  const making = blockWith('createuser');
  const [createUser = '', ...userWords] = wordsOf(making, 'createuser');
  cluster.tool(createUser, userWords, 'the-password\nthe-password\n');
  const [createDatabase = '', ...databaseWords] = wordsOf(making, 'createdb');
  cluster.tool(createDatabase, databaseWords);
  return cluster;
}

/** The address that the page prints, of a database of the test. */
const urlOf = (cluster: Pick<Cluster, 'url'>) => cluster.url('epistream').replace('postgres@', 'epistream@');

test.skipIf(!isPossible)(
  'a tool on another machine delivers over TLS to a service on PostgreSQL, as printed',
  async () => {
    const { onLab, onTool } = cable();
    const database = urlOf(await startCluster());
    const ca = new SmallCa('Growth Lab');
    const { cert, key } = ca.sign(Date.now() - DAY_MS, Date.now() + 30 * DAY_MS, 'lab.example');
    const folder = tempFolder('certificates');
    writeFileSync(join(folder, 'lab-cert.pem'), cert);
    writeFileSync(join(folder, 'lab-key.pem'), key);
    const printed = wordsOf(blockWith('--listen'), '--listen');
    expect(printed.slice(0, 3)).toEqual(['service', '--data', 'lab']);
    const rest = printed.slice(3).map((word) => (word.endsWith('.pem') ? join(folder, word) : word));
    const words = ['service', '--database', database, ...rest];
    const service = startAgent(words, { EPISTREAM_API_KEY: KEY, PGPASSWORD: 'the-password' }, onLab);
    await service.waitFor(/Service at https:\/\/lab\.example:4320/);

    const agent = new LogAgent({ url: 'https://lab.example:4320', service: `ca_file: '${ca.file}'`, key: KEY });
    agent.write(200);
    const { code, out, err } = await agent.launch({}, onTool, ['--drain-and-exit']).ended;
    expect(code, out + err).toBe(0);
    const rows = await inDatabase(database, 'SELECT name, points::int FROM channel');
    expect(rows).toEqual([{ name: 'x', points: 200 }]);
    const audit = await inDatabase(database, `SELECT subject FROM audit WHERE action = 'service started'`);
    expect(audit[0]?.subject).toContain('https://lab.example:4320');

    // Who does not know the lab's authority sends nothing, its key least of all.
    const stranger = new LogAgent({ url: 'https://lab.example:4320', key: KEY });
    stranger.write(5);
    const running = stranger.launch({}, onTool);
    await running.waitFor(/The certificate of lab\.example:4320 is not trusted: it is signed by "Growth Lab"/);
    running.child.kill('SIGTERM');
    await running.ended;
    expect(await inDatabase(database, 'SELECT count(*)::int AS streams FROM stream')).toEqual([{ streams: 1 }]);
  },
);

test.skipIf(findPostgres() === null)(
  'a backup that was made while agents deliver is restored, as printed',
  async () => {
    const cluster = await startCluster();
    const database = urlOf(cluster);
    const port = await freePort();
    const env = { EPISTREAM_API_KEY: KEY };
    const service = startAgent(['service', '--database', database, '--port', String(port)], env);
    await service.waitFor(/Service at http/);
    const load = await startLoad([() => `http://127.0.0.1:${port}`], KEY, 4);
    await expect.poll(load.confirmed).toBeGreaterThan(2_000);
    const before = load.confirmed();

    const inFolder = (words: readonly string[]) => words.map((word) => word.replace('/backup', cluster.folder));
    const backup = blockWith('pg_basebackup');
    for (const text of ['pg_basebackup', 'pg_verifybackup']) {
      const [program = '', ...words] = inFolder(wordsOf(backup, text));
      cluster.tool(program, words);
    }
    await expect.poll(load.confirmed).toBeGreaterThan(before + 1_000);
    await load.stop();
    service.child.kill('SIGKILL');
    await service.ended;
    cluster.kill();

    const restoring = blockWith('pg_ctl');
    const [, ...copying] = inFolder(wordsOf(restoring, 'cp -a'));
    execFileSync('cp', copying);
    const restored = cluster.beside(join(cluster.folder, 'restored'));
    expect(inFolder(wordsOf(restoring, 'pg_ctl')).join(' ')).toContain(`--pgdata=${join(cluster.folder, 'restored')} `);
    expect(wordsOf(restoring, 'pg_ctl')).toContain('5433');
    await restored.start();
    const words = wordsOf(restoring, '--database').map((word) =>
      word.startsWith('postgres://') ? urlOf(restored) : word === '4321' ? '0' : word,
    );
    expect(urlOf(restored)).toContain(':5433/');
    const again = startAgent(words, env);
    const [, url = ''] = await again.waitFor(/Service at (\S+),/);
    const client = createServiceClient({ baseUrl: url, apiKey: () => KEY });
    onTestFinished(() => client.close());
    const entries = await client.listDataEntries({});
    let points = 0;
    for (const { data_id } of entries) {
      const series = await client.readTimeSeries({ data_id });
      for (const { values } of Object.values(series?.properties ?? {})) points += values.length;
    }
    expect(points).toBeGreaterThanOrEqual(before);
    expect(points).toBeLessThanOrEqual(load.confirmed() + 4 * 100);
  },
);
