// Part E, row 83: what a key may do. A look-up that is refused never stops sending; a right that is missing is named.
import { expect, test } from 'vitest';
import { CHUNK_PATH, type Deed, openMiddleman } from '../../support/faults/middleman.ts';
import { LogAgentHere } from '../../support/logs/log-agent.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';

const INITIALIZE_PATH = '/tool-state/stream/initialize';
const forbidden: Deed = {
  do: 'instead',
  answer: { status: 403, headers: { 'content-type': 'application/json' }, body: '{"detail":"not with this key"}' },
};

interface Rights {
  maySend: boolean;
  mayLook: boolean;
}

/** An agent with a key of these rights, which a test changes as it goes. */
async function rig(rights: Rights, repeat: 'append' | 'replace' = 'append') {
  const { service, client } = await openServiceRig({ bench: { repeat } });
  const middleman = await openMiddleman(service.url, ({ path }) => {
    const isSending = path === CHUNK_PATH || path.startsWith(INITIALIZE_PATH);
    return (isSending ? rights.maySend : rights.mayLook) ? 'pass' : forbidden;
  });
  const resend = repeat === 'append' ? 'verify' : 'repeat';
  const agent = new LogAgentHere({ url: middleman.url, key: service.apiKey, service: `resend: ${resend}` });
  const delivered = (rows: number) =>
    agent.until(
      `${rows} rows delivered`,
      ({ streams }) => streams.reduce((sum, { pointsAcknowledged }) => sum + pointsAcknowledged, 0) === rows,
    );
  return { agent, client, middleman, rights, delivered };
}

test.each(['append', 'replace'] as const)(
  '83: a key that may only send delivers a growth whole, over a restart (%s)',
  async (repeat) => {
    const { agent, client, delivered } = await rig({ maySend: true, mayLook: false }, repeat);
    agent.write(20);
    await agent.start();
    await delivered(20);
    agent.write(20);
    await delivered(40);
    await agent.stop();
    agent.write(20);
    await agent.start();
    const { journal } = await delivered(60);
    const told = journal.filter(({ code }) => code === 'upload.no-look-up');
    // Once in each run.
    expect(told).toHaveLength(2);
    expect(told[0]?.message).toContain('not with this key');
    expect(told[0]?.hint).toContain('the right to list entries and to read series');
    await agent.stop();
    await agent.expectDelivered(client);
  },
);

test('83: with a key that may only read, and with one that may nothing, all waits; with the right given back it is delivered', async () => {
  for (const mayLook of [true, false]) {
    const { agent, client, rights, delivered } = await rig({ maySend: false, mayLook });
    agent.write(20);
    await agent.start();
    const { sentence } = await agent.until('the key is refused', (seen) => seen.sentence.text.includes('403'));
    expect(sentence.tone).toBe('attention');
    rights.maySend = true;
    await agent.stop();
    await agent.start();
    await delivered(20);
    await agent.stop();
    await agent.expectDelivered(client);
  }
});

test('83: the right to look up is taken away in the middle and given back: sending goes on all the time', async () => {
  const { agent, client, rights, delivered } = await rig({ maySend: true, mayLook: true });
  agent.write(20);
  await agent.start();
  await delivered(20);
  rights.mayLook = false;
  agent.write(20);
  await delivered(40);
  rights.mayLook = true;
  agent.write(20);
  await delivered(60);
  await agent.stop();
  await agent.expectDelivered(client);
});
