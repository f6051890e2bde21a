// A service that gives up a path of the interface while an agent delivers: the settings name where it has moved to.
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import { ServiceError } from '../../../src-main/delivery/client/service-error.ts';
import type { AgentError } from '../../../src-main/model/agent-error.ts';
import { LogAgent } from '../../support/logs/log-agent.ts';
import { untilHungUp } from '../../support/processes/until-hung-up.ts';
import { openServiceRig, serviceFault } from '../../support/rigs/service-rig.ts';

const NEW = { chunk: '/tool-state/stream/chunk/multi', series: '/tool-state/{data_id}/timeseries/' };
const OLD = { chunk: '/metrology/stream/chunk/multi', series: '/metrology/{data_id}/timeseries/' };

const isDelivered =
  (rows: number) =>
  ({ sources: [log], store }: Snapshot) =>
    log?.rowsRead === rows && store?.waitingPoints === 0;

/** A service whose chunks and series lie at the old paths, at the new ones, or at neither; it counts what it was asked for. */
async function movingService() {
  const { service, client } = await openServiceRig();
  const at: { now: 'old' | 'new' | 'neither' } = { now: 'old' };
  const asked: string[] = [];
  const pass = untilHungUp(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const path = request.url ?? '';
    asked.push(path);
    const isMoved = /^\/tool-state\/(stream\/chunk|[^/]+\/timeseries)/.test(path);
    const isOld = path.startsWith('/metrology/');
    if ((isMoved && at.now !== 'new') || (isOld && at.now !== 'old')) {
      return void response
        .writeHead(isOld ? 410 : 404, { 'content-type': 'application/json' })
        .end('{"detail":"gone"}');
    }
    const answer = await fetch(`${service.url}${isMoved ? path.replace('/tool-state/', '/metrology/') : path}`, {
      method: request.method ?? 'GET',
      headers: { 'X-API-KEY': String(request.headers['x-api-key']), 'Content-Type': 'application/json' },
      body: parts.length > 0 ? Buffer.concat(parts) : null,
    });
    const body = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  });
  const server = createServer(pass);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return { url, key: service.apiKey, client, at, asked };
}

test('an agent goes on at the new paths when the old ones are given up, says so once, and asks no more at the old ones', async () => {
  const { url, key, client, at, asked } = await movingService();
  const paths = `paths: { chunk: ['${OLD.chunk}', '${NEW.chunk}'], series: ['${OLD.series}', '${NEW.series}'] }`;
  const agent = new LogAgent({ url, key, service: paths });
  const process = await agent.start();
  agent.write(20);
  await agent.until('the first rows are there', isDelivered(20));
  at.now = 'new';
  agent.write(40);
  await agent.until('all rows are there', isDelivered(60));
  const { out, err } = await agent.stop(process);
  const said = `${out}${err}`;
  await agent.expectDelivered(client);
  expect(said.match(/no longer answers at POST \/metrology\/stream\/chunk\/multi; \/tool-state\/stream/g)).toHaveLength(
    1,
  );
  expect(said).toContain('service.paths.chunk');
  const refused = asked.indexOf(NEW.chunk);
  expect(asked.slice(refused).filter((path) => path === OLD.chunk).length).toBeLessThanOrEqual(1);
});

test('a series is read at the path where it is, and a stream that is nowhere is told with every path that was tried', async () => {
  const { url, key, at } = await movingService();
  const told: AgentError[] = [];
  const paths = { readTimeSeries: [OLD.series, NEW.series], ingestChunk: [NEW.chunk, OLD.chunk] };
  const moving = createServiceClient({
    baseUrl: url,
    apiKey: () => key,
    paths,
    onPathMoved: (note) => told.push(note),
  });
  const plain = createServiceClient({ baseUrl: url, apiKey: () => key });
  onTestFinished(async () => void (await Promise.all([moving.close(), plain.close()])));
  const { data_id } = await moving.initializeStream({ points_per_chunk: 2 });
  const channels = { x: { timestamps: [1, 2], values: [3, 4] } };
  await moving.ingestChunk({ data_id, chunk_index: 0, channels });
  at.now = 'new';
  await moving.ingestChunk({ data_id, chunk_index: 0, channels });
  expect(await moving.readTimeSeries({ data_id })).toMatchObject({ properties: { x: { values: [3, 4] } } });
  const numbers: number[] = [];
  const listener = {
    onNumbers: (_: string, of: string, __: number, n: Float64Array) => void (of === 'values' && numbers.push(...n)),
    onProperty: () => undefined,
  };
  await moving.scanTimeSeries({ data_id }, listener);
  expect(numbers).toEqual([3, 4]);
  expect(told.map(({ code, message }) => [code, message.split(' ').at(-7)])).toEqual([
    ['service.path-moved', `${NEW.chunk};`],
    ['service.path-moved', `${OLD.chunk};`],
    ['service.path-moved', `${OLD.series};`],
  ]);

  at.now = 'neither';
  const gone = await serviceFault(moving.ingestChunk({ data_id, chunk_index: 1, channels }));
  expect(gone).toMatchObject({ code: 'service.target-gone', status: 404, failure: { kind: 'held', reason: 'target' } });
  expect(gone.message).toMatch(new RegExp(`^POST ${NEW.chunk}.*nor at ${OLD.chunk}`));
  const alone = await serviceFault(plain.ingestChunk({ data_id, chunk_index: 1, channels }));
  expect(alone).toBeInstanceOf(ServiceError);
  expect(alone.hint).toContain('name the new one in service.paths.chunk');
  expect(told).toHaveLength(3);
});

test('only a path that says that nothing is there leads on: a chunk that is refused is not offered a second time', async () => {
  const { url, key, asked } = await movingService();
  const paths = { ingestChunk: [OLD.chunk, NEW.chunk] };
  const client = createServiceClient({ baseUrl: url, apiKey: () => key, paths });
  onTestFinished(() => client.close());
  const { data_id } = await client.initializeStream({ points_per_chunk: 1 });
  const channels = { x: { timestamps: [1, 2], values: [3, 4] } };
  expect(await serviceFault(client.ingestChunk({ data_id, chunk_index: 0, channels }))).toMatchObject({ status: 422 });
  expect(asked.filter((path) => path.includes('/chunk/'))).toEqual([OLD.chunk]);
});
