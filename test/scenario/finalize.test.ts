// Where the settings name a path for it, the service is told that a stream has ended: once everything was acknowledged,
// and last of all.
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createServiceClient } from '../../src-main/delivery/client/client.ts';
import { untilHungUp } from '../support/processes/until-hung-up.ts';
import { Engine } from '../support/rigs/engine.ts';
import { openServiceRig } from '../support/rigs/service-rig.ts';
import { tempFolder } from '../support/temp-folder.ts';

const FINALIZE = '/tool-state/stream/{data_id}/finalize';

/** Everything goes through to the service; `onEnd` hears each finalize and may cut its answer. */
async function between(url: string, onEnd: (count: number) => 'answer' | 'cut') {
  let ends = 0;
  const pass = untilHungUp(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = parts.length > 0 ? Buffer.concat(parts) : null;
    const answer = await fetch(`${url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { 'X-API-KEY': String(request.headers['x-api-key']), 'Content-Type': 'application/json' },
      body,
    });
    const text = await answer.text();
    if (request.url?.endsWith('/finalize')) {
      ends += 1;
      if (onEnd(ends) === 'cut') return void response.destroy();
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  const server = createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, ends: () => ends };
}

async function rig(
  options: { hasEndings?: boolean; onEnd?: (count: number) => 'answer' | 'cut'; folder?: string } = {},
) {
  const { service, client } = await openServiceRig({ hasEndings: options.hasEndings ?? true });
  const proxy = await between(service.url, options.onEnd ?? (() => 'answer'));
  const through = createServiceClient({ baseUrl: proxy.url, apiKey: () => service.apiKey });
  onTestFinished(() => through.close());
  const folder = options.folder ?? tempFolder('finalize');
  const open = (finalizePath: string | undefined, from = 0) =>
    Engine.open({ client: through, folder, from, ...(finalizePath === undefined ? {} : { finalizePath }) });
  const statuses = async () => (await client.listDataEntries({})).map((entry) => entry.pipeline_status);
  return { open, ends: proxy.ends, statuses };
}

const due = async (engine: Engine) => (await engine.store.streamsToFinalize()).length;

test('a delivered stream is ended once, after all of it was acknowledged', async () => {
  const { open, ends, statuses } = await rig();
  const engine = await open(FINALIZE);
  await engine.capture(12);
  await engine.until('all full chunks are there', async () => (await engine.streams())[0]?.pointsAcknowledged === 30);
  expect(ends()).toBe(0);
  await engine.deliverAll();
  await engine.until('it is ended', async () => (await statuses())[0] === 'success' && (await due(engine)) === 0);
  expect(ends()).toBe(1);
  await engine.expectDelivered();
});

test('nothing is ended where no path is named', async () => {
  const { open, ends, statuses } = await rig();
  const engine = await open(undefined);
  await engine.capture(12);
  await engine.deliverAll();
  await engine.close();
  expect([ends(), await statuses()]).toEqual([0, ['running']]);
});

test('a lost answer is asked for again', async () => {
  const { open, ends } = await rig({ onEnd: (count) => (count === 1 ? 'cut' : 'answer') });
  const engine = await open(FINALIZE);
  await engine.capture(5);
  await engine.deliverAll();
  await engine.until('it is settled', async () => (await due(engine)) === 0);
  expect(ends()).toBe(2);
  expect(engine.failures.map(({ code }) => code)).toEqual(['service.ambiguous']);
});

test('a service that does not know the path is asked once, and the stream stays delivered', async () => {
  const { open, ends } = await rig({ hasEndings: false });
  const engine = await open(FINALIZE);
  await engine.capture(5);
  await engine.deliverAll();
  await engine.until('it is settled', async () => (await due(engine)) === 0);
  expect(ends()).toBe(1);
  expect(engine.failures.map(({ code }) => code)).toEqual(['service.target-gone']);
  expect((await engine.streams())[0]?.isDelivered).toBe(true);
});

test('a stream delivered just before a stop is ended after the next start', async () => {
  let isCut = true;
  const { open, ends } = await rig({ onEnd: () => (isCut ? 'cut' : 'answer') });
  const first = await open(FINALIZE);
  await first.capture(5);
  await first.deliverAll();
  await first.until('it was tried', () => ends() > 0);
  await first.close();
  isCut = false;
  const second = await open(FINALIZE, 5);
  expect(await due(second)).toBe(1);
  for (const id of await second.store.streamsToFinalize()) await second.uploader.end(id);
  expect(await due(second)).toBe(0);
});
