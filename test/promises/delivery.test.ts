// Promises 1 and 2, from outside: the built agent as a process, a real service, and what happens to both.
import { expect } from 'vitest';
import { runHere } from '../support/command.ts';
import { CHUNK_PATH, openMiddleman } from '../support/faults/middleman.ts';
import { freePort } from '../support/free-port.ts';
import { LogAgent } from '../support/logs/log-agent.ts';
import { posixTest } from '../support/posix.ts';
import { openServiceRig } from '../support/rigs/service-rig.ts';
import { tempFolder } from '../support/temp-folder.ts';

const KEY = 'promise-test-key-0123456789abcdef';

posixTest('a killed growth loses and doubles nothing, and continues after the next start', async () => {
  const { service, client } = await openServiceRig({ key: KEY });
  const tool = new LogAgent({ url: service.url, service: 'resend: repeat', key: KEY });
  const first = await tool.start();
  const begun = await runHere(['growth', 'start', '--name', 'A1', '--data', tool.data]);
  expect(begun.out).toContain('Growth "A1"');
  tool.write(400);
  await tool.until('a part is delivered', ({ streams }) => streams.some((one) => one.pointsAcknowledged > 0));
  tool.write(400);
  first.child.kill('SIGKILL');
  await first.ended;
  // The tool keeps writing while the agent is down.
  tool.write(200);
  const second = await tool.start();
  await tool.until('the growth is known again', ({ growth }) => growth?.name === 'A1');
  await runHere(['growth', 'continue', '--data', tool.data]);
  tool.write(5);
  await tool.until('all is stored', ({ streams }) => sum(streams, 'pointsStored') === tool.rows);
  await runHere(['growth', 'end', '--data', tool.data]);
  await tool.stop(second);
  expect(await tool.drain()).toMatchObject({ code: 0, err: '' });
  await tool.expectDelivered(client);
});

posixTest(
  'a night without the service is stored while the tool runs, and delivered once and in order when it is back',
  async () => {
    const [port, folder] = [await freePort(), tempFolder('service')];
    const tool = new LogAgent({
      url: `http://127.0.0.1:${port}`,
      service: 'resend: repeat',
      key: KEY,
      pointsPerChunk: 400,
    });
    const agent = await tool.start();
    // Eight hours at a row a second.
    tool.write(28_800);
    const night = await tool.until('all is stored', ({ store }) => store?.waitingPoints === 28_800);
    expect(night.sentence.text).not.toMatch(/delivered/i);
    expect(night.service?.state).not.toBe('connected');
    const { client } = await openServiceRig({ port, folder, key: KEY });
    const morning = await tool.until('all is acknowledged', ({ store }) => store?.waitingPoints === 0);
    expect(sum(morning.streams, 'pointsAcknowledged')).toBe(28_800);
    await tool.stop(agent);
    await tool.expectDelivered(client);
  },
);

posixTest(
  'an answer that is lost on the way doubles nothing, and a service that hangs never holds up what is captured',
  async () => {
    const { service, client } = await openServiceRig({ key: KEY });
    const between = await openMiddleman(service.url);
    const tool = new LogAgent({ url: between.url, key: KEY });
    const agent = await tool.start();
    tool.write(10);
    await tool.until('a chunk is delivered', ({ streams }) => streams.some((one) => one.pointsAcknowledged > 0));
    let lost = 0;
    between.meet = ({ path }) => {
      if (path !== CHUNK_PATH) return 'pass';
      lost += 1;
      return lost === 1 ? { do: 'lose-answer', how: 'reset' } : { do: 'lose-request', how: 'hang' };
    };
    tool.write(10);
    await tool.until('an answer is lost', () => lost >= 1);
    tool.write(80);
    await tool.until('all is stored', ({ streams }) => sum(streams, 'pointsStored') === 100);
    between.meet = () => 'pass';
    await tool.until('all is acknowledged', ({ store }) => store?.waitingPoints === 0);
    await tool.stop(agent);
    await tool.expectDelivered(client);
  },
);

posixTest('reports a rejected key and keeps capturing; the right key delivers all', async () => {
  const { service, client } = await openServiceRig({ key: KEY });
  const tool = new LogAgent({ url: service.url, key: 'an-unknown-key-0123456789abcdef' });
  const agent = await tool.start();
  tool.write(60);
  const held = await tool.until('the key is refused', ({ service, store }) => {
    return service?.needsKey === true && store?.waitingPoints === 60;
  });
  expect(held.sentence.tone).toBe('attention');
  await tool.stop(agent);
  expect(await tool.drain({ EPISTREAM_API_KEY: KEY })).toMatchObject({ code: 0, err: '' });
  await tool.expectDelivered(client);
});

function sum<K extends 'pointsStored' | 'pointsAcknowledged'>(streams: readonly Record<K, number>[], key: K): number {
  return streams.reduce((total, stream) => total + stream[key], 0);
}
