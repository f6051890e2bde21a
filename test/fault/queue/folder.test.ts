// Part A, rows 18, 19, 22: the data folder lies where no database may lie, another program holds the queue, the process has
// no handles left. The real agent as a process of its own.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openQueue } from '../../../src-main/queue/store/queue.ts';
import { FaultyDisk, findShimObstacle } from '../../support/faults/fault-shim.ts';
import { findMountObstacle } from '../../support/faults/small-disk.ts';
import { LogAgent } from '../../support/logs/log-agent.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const mountObstacle = findMountObstacle();
const shimObstacle = findShimObstacle();
for (const [row, obstacle] of [
  ['18', mountObstacle],
  ['19', shimObstacle],
]) {
  if (obstacle) console.error(`row ${row} of the fault matrix: ${obstacle}`);
}
const pause = (durationMs: number) => new Promise((resolve) => setTimeout(resolve, durationMs));

/** An agent whose data folder lies in this folder. */
function agentIn(folder: string): LogAgent {
  const agent = new LogAgent({ url: 'https://127.0.0.1:9', key: 'a-key-0123456789', folder });
  agent.write(3);
  return agent;
}

/** It ends at once, says why in one message with a local folder to use, and has made nothing. */
async function expectRefused(agent: LogAgent, why: RegExp, through: readonly string[] = [], env = {}): Promise<void> {
  const { code, err } = await agent.launch(env, through).ended;
  expect(err).toMatch(why);
  expect(err).toMatch(/^epistream: The data folder must be on a disk of this PC: /);
  expect(err).toMatch(/hint: .*Use --data \/.*epistream/);
  expect(err).toContain('code: data.not-local');
  expect(code).toBe(1);
  expect(existsSync(agent.data)).toBe(false);
}

describe('18: a data folder that is not on a disk of this PC is refused, and nothing is made there', () => {
  // How each kind of them is known: test/unit/platform/local-disk.test.ts.
  test('a link that leads into a synchronized folder', async () => {
    const top = tempFolder('synced');
    mkdirSync(join(top, 'Nextcloud'));
    symlinkSync(join(top, 'Nextcloud'), join(top, 'local'));
    await expectRefused(agentIn(join(top, 'local')), /Nextcloud is a folder that is synchronized/);
  });

  test.skipIf(mountObstacle !== null)('a mount of another machine, as the kernel lists it', async () => {
    const folder = tempFolder('mounted');
    const list = join(tempFolder(), 'mountinfo');
    const line = `999 25 0:99 / ${folder} rw,relatime - nfs4 server:/export rw`;
    writeFileSync(list, `${readFileSync('/proc/self/mountinfo', 'utf8')}${line}\n`);
    // In a mount namespace of its own the agent sees this list in the place of the kernel's.
    const see = `mount --bind '${list}' /proc/$$/mountinfo && exec "$@"`;
    const through = ['unshare', '-m', 'sh', '-c', see, 'sh'];
    await expectRefused(agentIn(folder), /is on another machine \(nfs4, server:\/export\)/, through);
  });
});

describe.skipIf(shimObstacle !== null)('19: another program holds the queue', () => {
  /** An agent that has stored something, and a disk on which its queue is held from now on. */
  async function held() {
    const { service, client } = await openServiceRig();
    const agent = new LogAgent({ url: service.url, service: 'resend: repeat', key: service.apiKey });
    agent.write(12);
    expect((await agent.drain()).code).toBe(0);
    const disk = new FaultyDisk(tempFolder('held'), { match: 'queue.db', skip: '.reserve' });
    disk.set('open errno 13');
    agent.write(8);
    return { agent, client, disk };
  }

  test('for some seconds at a start, as a virus scanner does: nothing is said, and all goes on', async () => {
    const { agent, client, disk } = await held();
    const drained = agent.drain(disk.env);
    await pause(4000);
    disk.heal();
    const { code, out, err } = await drained;
    expect(err).toBe('');
    expect(out).not.toContain('warning');
    expect(code).toBe(0);
    await agent.expectDelivered(client);
  });

  test('for good: the start fails and says what may hold it, and the queue is as it was', async () => {
    const { agent, client, disk } = await held();
    const before = readFileSync(join(agent.data, 'queue.db'));
    const { code, err } = await agent.drain(disk.env);
    expect(code).toBe(1);
    expect(err).toContain('code: store.cannot-open');
    expect(err).toMatch(/hint: .*no other program holds the file/);
    expect(err).not.toMatch(/damage/);
    expect(readFileSync(join(agent.data, 'queue.db')).equals(before)).toBe(true);
    disk.heal();
    expect((await agent.drain()).code).toBe(0);
    await agent.expectDelivered(client);
  });
});

test.skipIf(process.platform !== 'linux')(
  '22: an agent that has no handle left names the source it cannot read, goes on with the others, and recovers by itself',
  async () => {
    const { service, client } = await openServiceRig();
    const sources = ['{ id: tool, kind: simulator, interval: 100ms }'];
    const agent = new LogAgent({ url: service.url, service: 'resend: repeat', key: service.apiKey, sources });
    agent.write(10);
    const running = await agent.start();
    await agent.until('the log is read', ({ sources: [log] }) => log?.rowsRead === 10);
    const limit = (count: number) =>
      void execFileSync('prlimit', ['--pid', String(running.child.pid), `--nofile=${count}:4096`]);
    // Fewer than it holds: what it has stays open, and nothing can be opened any more.
    expect(readdirSync(`/proc/${running.child.pid}/fd`).length).toBeGreaterThan(8);
    limit(8);
    agent.write(10);
    await running.waitFor(/EMFILE/);
    limit(4096);
    const seen = await agent.until('the log is read on', ({ sources: [log] }) => {
      return log?.id === 'log' && log.state === 'running' && log.rowsRead === 20;
    });
    expect(seen.sources.find(({ id }) => id === 'tool')?.state).toBe('running');
    await agent.stop(running);
    const queue = openQueue(join(agent.data, 'queue.db'));
    expect(queue.listGaps(10)).toEqual([]);
    queue.close();
    expect((await agent.drain()).code).toBe(0);
    await agent.expectDelivered(client);
  },
);

describe.skipIf(shimObstacle !== null)('9: a disk that does not answer at the start', () => {
  test('is waited for: the agent says so, tries again, and records when it does', async () => {
    const agent = agentIn(tempFolder('late-disk'));
    const disk = new FaultyDisk(tempFolder('late'), { match: 'queue.db', skip: '.reserve' });
    disk.set('write errno 5');
    const running = agent.launch(disk.env);
    await running.waitFor(/Recording has not started: .*tried again every/);
    disk.heal();
    await running.waitFor(/Recording of T started/);
    await agent.until('3 rows are stored', ({ streams }) => streams.some(({ pointsStored }) => pointsStored >= 3));
    expect((await agent.stop(running)).code).toBe(0);
  });

  test('is waited for until the agent is asked to end; that is a fault', async () => {
    const agent = agentIn(tempFolder('late-disk'));
    const disk = new FaultyDisk(tempFolder('late'), { match: 'queue.db', skip: '.reserve' });
    disk.set('write errno 5');
    const running = agent.launch(disk.env);
    await running.waitFor(/Recording has not started/);
    running.child.kill('SIGTERM');
    const { code, err } = await running.ended;
    expect([code, err]).toEqual([1, expect.stringContaining('code: store.disk-fault')]);
  });
});
