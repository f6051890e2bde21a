// Part E, row 100: the service is reached through a lab's proxy, which wants a log-in, or is away. The real agent, a real
// proxy that opens tunnels, a real TLS server behind it.
import { expect, test } from 'vitest';
import { openConnectProxy } from '../../support/faults/connect-proxy.ts';
import { openMiddleman } from '../../support/faults/middleman.ts';
import { SmallCa } from '../../support/faults/small-ca.ts';
import { LogAgentHere } from '../../support/logs/log-agent.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';

const DAY_MS = 86_400_000;
/** A name that nobody can look up here: only the proxy knows the way. */
const HOST = 'service.lab.example';
const NO_PROXY = { HTTPS_PROXY: '', https_proxy: '', ALL_PROXY: '', all_proxy: '', NO_PROXY: '', no_proxy: '' };

async function rig() {
  const ca = new SmallCa('Lab');
  const { service, client } = await openServiceRig();
  const certificate = ca.sign(Date.now() - DAY_MS, Date.now() + 30 * DAY_MS, HOST);
  const front = await openMiddleman(service.url, () => 'pass', certificate);
  return { ca, client, front, port: Number(new URL(front.url).port), key: service.apiKey };
}

test('100: a proxy that asks for a log-in is named, with what to do; with name and password all goes out', async () => {
  const { ca, client, port, key } = await rig();
  const proxy = await openConnectProxy(port, 'lab:p@ss');
  const agent = new LogAgentHere({ url: `https://${HOST}`, service: `ca_file: '${ca.file}'`, key });
  agent.write(12);
  await agent.start({ ...NO_PROXY, HTTPS_PROXY: proxy.url });
  const { sentence } = await agent.until('the proxy asks', (seen) => seen.service?.state === 'held');
  expect(sentence.text).toContain(`The proxy on the way to ${HOST} asks for a log-in`);
  expect(sentence.hint).toContain('HTTPS_PROXY=http://name:password@host:port');
  agent.write(3);
  await agent.until('capture goes on', ({ store }) => store?.waitingPoints === 15);
  await agent.stop();

  const withLogin = proxy.url.replace('http://', 'http://lab:p%40ss@');
  const drained = await agent.drain({ ...NO_PROXY, HTTPS_PROXY: withLogin });
  expect(drained.code).toBe(0);
  expect(drained.out + drained.err).not.toContain('p%40ss');
  await agent.expectDelivered(client);
});

test('100: an unreachable proxy is distinguished from an unreachable service; a reachable one passes everything on and reads neither key nor data', async () => {
  const { ca, client, front, port, key } = await rig();
  const agent = new LogAgentHere({
    url: `https://${HOST}`,
    service: `ca_file: '${ca.file}', proxy: 'http://127.0.0.1:9'`,
    key,
  });
  agent.write(12);
  await agent.start();
  const { service } = await agent.until('the proxy is away', (seen) => seen.service?.state === 'offline');
  expect(service?.message).toContain(`There is no way to ${HOST} through the proxy`);
  expect(service?.message).toContain('127.0.0.1:9 cannot be reached');
  await agent.stop();

  const proxy = await openConnectProxy(port);
  agent.configure(`https://${HOST}`, `ca_file: '${ca.file}', proxy: '${proxy.url}'`);
  expect((await agent.drain()).code).toBe(0);
  await agent.expectDelivered(client);
  expect(front.asked.length).toBeGreaterThan(0);
  expect(new Set(proxy.asked)).toEqual(new Set([`${HOST}:443`]));
  expect(proxy.seen()).not.toContain(key);
  expect(proxy.seen()).not.toContain('data_id');
});
