// Part E, rows 80 to 104 that are no ambiguity: what the service or somebody in its place answers, and the network itself.
import { describe, expect, test } from 'vitest';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import type { BenchFault, BenchRule, BenchSettings } from '../../support/bench/bench-settings.ts';
import { freePort } from '../../support/free-port.ts';
import { readDelivered } from '../../support/rigs/delivered.ts';
import { Engine, type EngineOptions } from '../../support/rigs/engine.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';

async function rig(bench: BenchSettings = {}, options: Partial<EngineOptions> = {}, { port = 0, totalMs = 4000 } = {}) {
  const { service } = await openServiceRig({ bench: {}, port });
  let key: string | null = service.apiKey;
  const client = createServiceClient({
    baseUrl: service.url,
    apiKey: () => key,
    timeouts: { headersMs: 3000, bodyMs: 3000, totalMs },
  });
  const engine = await Engine.open({ client, ...options });
  await service.setBench(bench);
  const setKey = (next: string | null) => {
    key = next;
  };
  return { service, engine, setKey };
}

const rule = (fault: BenchFault, more: Partial<BenchRule> = {}): BenchSettings => ({
  rules: [{ fault, endpoint: 'ingestChunk', ...more }],
});
const answer = (status: number, body = '', headers: Record<string, string> = {}): BenchFault => ({
  kind: 'answer',
  status,
  body,
  headers,
});
const requests = async (service: Awaited<ReturnType<typeof rig>>['service']) =>
  (await service.runBench({ kind: 'report' })) as { requests: Record<string, number>; hits: readonly number[] };

describe('80: something else answers in the place of the service', () => {
  test.each([
    ['a page with 200', answer(200, '<html>log in first</html>', { 'content-type': 'text/html' })],
    ['a page with 201', answer(201, '<!doctype html><p>proxy</p>', { 'content-type': 'text/html' })],
    ['a redirect to a log-in page', answer(302, '', { location: 'http://login.example/' })],
  ])('%s: nothing counts as delivered, everything arrives once it is the service again', async (_, fault) => {
    const { engine, service } = await rig(rule(fault));
    await engine.capture(12);
    await engine.until('the line says so', () => engine.uploader.lineFault?.trouble === 'foreign');
    expect((await engine.streams())[0]?.pointsAcknowledged).toBe(0);
    await service.setBench({});
    await engine.deliverAll();
    await engine.expectDelivered();
  });

  test.each(['ingestChunk', 'initializeStream'] as const)(
    'a page of a filter that let %s through: it is looked up, and nothing is there twice',
    async (endpoint) => {
      const page = answer(200, '<html>blocked</html>', { 'content-type': 'text/html' });
      const fault = { ...page, isStored: true } as BenchFault;
      const { engine, service } = await rig({ repeat: 'append', rules: [{ fault, endpoint, times: 1 }] });
      await engine.capture(12);
      await engine.until('the line says so', () => engine.uploader.lineFault?.trouble === 'foreign');
      await engine.deliverAll();
      await engine.expectDelivered();
      expect((await requests(service)).requests.initializeStream).toBe(1);
    },
  );
});

test('82: a key that is revoked midway holds everything with one try each five minutes, and a new key lets it go on', async () => {
  const { engine, service, setKey } = await rig();
  const rightKey = service.apiKey;
  await engine.capture(10);
  await engine.until('first chunks', async () => ((await engine.streams())[0]?.pointsAcknowledged ?? 0) > 0);
  setKey('revoked-key-0123456789');
  await engine.capture(20);
  await engine.until('the key is refused', () => engine.uploader.lineFault?.trouble === 'key');
  await service.setBench({});
  // The next try is minutes away by the engine's clock, and new data start none.
  expect((engine.uploader.lineFault?.untilMs ?? 0) - engine.clock.nowMs()).toBeGreaterThan(60_000);
  await engine.capture(5);
  expect((await requests(service)).requests.ingestChunk ?? 0).toBe(0);
  setKey(rightKey);
  engine.uploader.release();
  await engine.deliverAll();
  await engine.expectDelivered();
});

test('83: a stream that alone is forbidden is held with one try each five minutes, the others run', async () => {
  const { engine, service } = await rig();
  await engine.capture(5, 'one');
  await engine.until('the first stream is there', async () => (await engine.streams())[0]?.pointsAcknowledged === 15);
  const [first] = await engine.streams();
  const forbidden = answer(403, JSON.stringify({ detail: 'not yours' }));
  await service.setBench({ rules: [{ fault: forbidden, dataId: first?.dataId ?? '' }] });
  await engine.capture(10, 'one');
  expect(await engine.untilBlocked()).toBe('service.key-refused');
  expect(engine.failures.at(-1)?.message).toContain('not yours');
  await engine.capture(10, 'two');
  await engine.until('the other is delivered', async () =>
    (await engine.streams()).some(
      ({ sourceId, pointsAcknowledged }) => sourceId === 'two' && pointsAcknowledged === 30,
    ),
  );
  expect(engine.uploader.lineFault).toBeNull();
  expect((await engine.streams()).find(({ sourceId }) => sourceId === 'one')).toMatchObject({
    pointsAcknowledged: 15,
    chunksWaiting: 2,
  });
  const one = [...engine.uploader.views().values()].find(({ state }) => state.kind === 'blocked');
  expect(one?.state.kind === 'blocked' && (one.state.untilMs ?? 0) - engine.clock.nowMs()).toBeGreaterThan(60_000);

  await service.setBench({});
  engine.uploader.release();
  await engine.deliverAll();
  const values = (await readDelivered(engine.client)).get('a')?.map(({ value }) => value) ?? [];
  expect(values.toSorted((p, q) => p - q)).toEqual(Array.from({ length: 25 }, (_, n) => n));
});

test('84: a target that was deleted is held with everything that waits for it, never dropped', async () => {
  const { engine, service } = await rig();
  await engine.capture(5);
  await engine.until('delivered', async () => (await engine.streams())[0]?.pointsAcknowledged === 15);
  const [stream] = await engine.streams();
  await service.runBench({ kind: 'delete-entry', dataId: stream?.dataId ?? '' });
  await engine.capture(10);
  expect(await engine.untilBlocked()).toMatch(/gone|target/);
  expect(await engine.store.tally(1)).toMatchObject({ waitingPoints: 30, waitingChunks: 2 });
});

test('86: one channel is refused for ever; it is kept with the words of the service, others and later data go on', async () => {
  const poison = answer(422, JSON.stringify({ detail: [{ loc: ['body', 'b'], msg: 'out of range' }] }));
  const { engine, service } = await rig({ rules: [{ fault: poison, channel: 'b', times: 2 }] });
  await engine.capture(20);
  await engine.deliverAll();
  const [stream] = await engine.streams();
  expect(stream).toMatchObject({ pointsStored: 60, pointsAcknowledged: 55, pointsRefused: 5 });
  await service.setBench({});
  await engine.expectDelivered(['a', 'c']).catch(() => undefined);
  expect(engine.failures.some(({ message }) => message.includes('out of range'))).toBe(true);
});

test('87: a body that is too large goes out channel by channel, never cut by position', async () => {
  const { engine, service } = await rig({ bodyMaxBytes: 700 }, { pointsPerChunk: 25 });
  await engine.capture(50);
  await engine.deliverAll();
  await service.setBench({});
  await engine.expectDelivered();
});

test.each([
  ['5', 5000],
  ['1000000000', 600_000],
  ['soon', 0],
  ['a date', 10_000],
])('88: Retry-After: %s is kept, capped at ten minutes, and costs no data', async (words, leastMs) => {
  const header = words === 'a date' ? new Date(Date.now() + 60_000).toUTCString() : words;
  const { engine, service } = await rig(rule(answer(429, '', { 'retry-after': header }), { times: 1 }));
  await engine.capture(5);
  await engine.until('asked to wait', () => engine.uploader.lineFault?.trouble === 'asked');
  const { sinceMs = 0, untilMs = 0 } = engine.uploader.lineFault ?? {};
  expect(untilMs - sinceMs).toBeGreaterThanOrEqual(leastMs);
  expect(untilMs - sinceMs).toBeLessThanOrEqual(660_000);
  await service.setBench({});
  engine.uploader.release();
  await engine.deliverAll();
  await engine.expectDelivered();
});

test('91: nobody listens: one stream probes while all wait, and everything goes out when the service is back', async () => {
  const port = await freePort();
  const { service, engine } = await rig({}, {}, { port });
  await service.stop();
  for (const source of ['one', 'two', 'three']) await engine.capture(5, source);
  await engine.until('a probe failed too', () => (engine.uploader.lineFault?.failures ?? 0) >= 2);
  expect([...engine.uploader.views().values()].filter(({ isOnLine }) => isOnLine).length).toBeLessThanOrEqual(1);
  expect(await engine.store.tally(1)).toMatchObject({ waitingPoints: 45 });
  const again = await openServiceRig({ port, key: service.apiKey });
  await engine.deliverAll();
  // Three entries, in whatever order the catalogue lists them.
  for (const points of (await readDelivered(again.client)).values()) {
    expect(points.map(({ value }) => value).sort((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, n) => n));
  }
});

test.each<[string, BenchFault]>([
  ['an answer that dribbles in ends by the deadline', { kind: 'dribble', everyMs: 50 }],
  ['an answer without end is cut at its limit', { kind: 'endless' }],
])('95 and 96: %s, and is settled like any other lost answer', async (_, fault) => {
  const { engine, service } = await rig({ repeat: 'append', ...rule(fault, { times: 1 }) }, {}, { totalMs: 2000 });
  await engine.capture(10);
  await engine.deliverAll();
  await service.setBench({});
  await engine.expectDelivered();
});

test('101: a service that lost points which it had acknowledged gets them again, and the journal says both', async () => {
  const { engine, service } = await rig();
  await engine.capture(10);
  await engine.until('delivered', async () => (await engine.streams())[0]?.pointsAcknowledged === 30);
  const [stream] = await engine.streams();
  await service.runBench({ kind: 'drop-chunks', dataId: stream?.dataId ?? '', fromIndex: 1 });
  await engine.capture(5);
  await engine.deliverAll();
  const told = engine.failures.map(({ code, message }) => `${code}: ${message}`).join('\n');
  expect(told).toContain('expected 15 points, the service says 10');
  expect(told).toContain('it had acknowledged. 15 points in the chunks that it lost are sent again.');
  await engine.expectDelivered();
});
