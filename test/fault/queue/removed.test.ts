// Part A: the data folder is removed, moved away or exchanged under a running agent. The real agent as a process of its own.
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { openQueue } from '../../../src-main/queue/store/queue.ts';
import { LogAgent } from '../../support/logs/log-agent.ts';
import { whileHalted } from '../../support/processes/agent-process.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';

const AWAY = 'https://127.0.0.1:9';

const sum = ({ streams }: Snapshot, of: 'pointsStored' | 'pointsAcknowledged') =>
  streams.reduce((total, stream) => total + stream[of], 0);

async function rig() {
  const { service, client } = await openServiceRig();
  const agent = new LogAgent({ url: AWAY, key: service.apiKey });
  agent.write(12);
  /** Let it deliver all that it has, and look what the service holds. */
  const deliver = async () => {
    agent.configure(service.url, 'resend: repeat');
    expect((await agent.drain()).code).toBe(0);
    await agent.expectDelivered(client);
  };
  const stored = (rows: number) =>
    agent.until(`${rows} rows are stored`, (snapshot) => sum(snapshot, 'pointsStored') >= rows);
  return { service, client, agent, deliver, stored };
}

describe('the data folder of a running agent', () => {
  test('is removed: it is put back, said, nobody else gets in, and after a kill nothing is lost or doubled', async () => {
    const { agent, deliver, stored } = await rig();
    const running = await agent.start();
    await stored(12);
    await whileHalted(running, () => rmSync(agent.data, { recursive: true }));
    await running.waitFor(/was removed while in use and was put back whole/);
    agent.write(8);
    await agent.until('it tells of it', ({ journal }) => journal.some(({ code }) => code === 'store.put-back'));
    await stored(20);
    const second = await agent.launch().ended;
    expect([second.code, second.err]).toEqual([1, expect.stringContaining('code: data.in-use')]);
    running.child.kill('SIGKILL');
    await running.ended;
    await deliver();
  });

  test('is moved away: nothing is sent, capture goes on, and all is sent once when it is back', async () => {
    const { agent, service, client, stored } = await rig();
    agent.configure(service.url, 'resend: repeat');
    const running = await agent.start();
    await agent.until('10 rows are delivered', (snapshot) => sum(snapshot, 'pointsAcknowledged') >= 10);
    renameSync(agent.data, `${agent.data}.old`);
    await running.waitFor(/was moved away from/);
    agent.write(8);
    renameSync(`${agent.data}.old`, agent.data);
    await running.waitFor(/is where it was opened again/);
    await stored(20);
    await agent.stop(running);
    expect((await agent.drain()).code).toBe(0);
    await agent.expectDelivered(client);
  });

  test('is exchanged: the agent ends, says why, leaves the new one alone and keeps what it held', async () => {
    const { agent, stored } = await rig();
    const running = await agent.start();
    await stored(12);
    await whileHalted(running, () => {
      rmSync(agent.data, { recursive: true });
      mkdirSync(agent.data);
      openQueue(join(agent.data, 'queue.db'), { reserveBytes: 0 }).close();
    });
    const { code, err } = await running.ended;
    expect(code).toBe(1);
    expect(err).toContain('code: store.replaced');
    const names = readdirSync(agent.data);
    const [kept = ''] = names.filter((name) => name.startsWith('queue.db.removed.'));
    const former = openQueue(join(agent.data, kept), { reserveBytes: 0 });
    expect(former.tally(5).waitingPoints).toBe(12);
    former.close();
    const other = openQueue(join(agent.data, 'queue.db'), { reserveBytes: 0 });
    expect(other.tally(5).streamsTotal).toBe(0);
    other.close();
  });
});
