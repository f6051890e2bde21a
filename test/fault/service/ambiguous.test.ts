// Part E, rows 75 to 79, 81, 85, 93, 99, 102: the outcome of a request is not known, or not believable.
import { describe, expect, test } from 'vitest';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import type { BenchFault, BenchSettings } from '../../support/bench/bench-settings.ts';
import { type Asked, chunkOf, openMiddleman } from '../../support/faults/middleman.ts';
import { readDelivered } from '../../support/rigs/delivered.ts';
import { Engine, type EngineOptions } from '../../support/rigs/engine.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';

/**
 * What arrives late arrives within the hold-off, 300 ms of real time: timers of one thread ring in the order in which they
 * are due, however busy the machine is, and the service runs in the thread of the engine.
 */
const LATE_MS = 100;
const MEANINGS = ['replace', 'reject', 'ignore', 'append'] as const;

/** A service on the bench, and the engine before it, which gives a request up after seconds: a service that is slow for a moment is not away. */
async function rig(bench: BenchSettings, options: Partial<EngineOptions> = {}) {
  const { service } = await openServiceRig({ bench: {} });
  const client = createServiceClient({
    baseUrl: service.url,
    apiKey: () => service.apiKey,
    timeouts: { headersMs: 3000, bodyMs: 3000, totalMs: 4000 },
  });
  const engine = await Engine.open({ client, ...options });
  await service.setBench(bench);
  const entries = async () => client.listDataEntries({});
  return { service, engine, entries };
}

const onChunks = (fault: BenchFault, more: object = {}): BenchSettings => ({
  rules: [{ fault, endpoint: 'ingestChunk', ...more }],
});

/** What happens to a chunk, one after the other; the row of the matrix first. */
const FAULTS: readonly (readonly [string, BenchFault])[] = [
  ['75 the answer is lost by a reset', { kind: 'lost-after', how: 'reset' }],
  ['75 the answer is lost by a close', { kind: 'lost-after', how: 'close' }],
  ['75 half of the answer comes', { kind: 'lost-after', how: 'cut' }],
  ['99 the request is lost by a reset', { kind: 'lost-before', how: 'reset' }],
  ['99 the request is lost by a close', { kind: 'lost-before', how: 'close' }],
  ['78 a part of the chunk is stored', { kind: 'partial', channels: 1 }],
  ['76 the request arrives after it was given up', { kind: 'late-commit', how: 'reset', delayMs: LATE_MS }],
  ['81 201 with broken JSON', { kind: 'answer', status: 201, body: '[{"data_id":', isStored: true }],
  ['81 201 with an array of the wrong length', { kind: 'answer', status: 201, body: '[]', isStored: true }],
  ['89 a burst of 500', { kind: 'answer', status: 500 }],
  ['85 a 409 although nothing is there', { kind: 'answer', status: 409 }],
];

/** Waited for until the client gives up, so where a second sending would do most harm alone. */
const HANGS = ['75 the answer hangs', { kind: 'lost-after', how: 'hang' }] as const;

test.each(MEANINGS)(
  '102: where a repeated chunk means %s, nothing is lost and nothing doubled, whatever happens to a request',
  async (repeat) => {
    const { engine, service } = await rig({ repeat });
    for (const [name, fault] of repeat === 'append' ? [...FAULTS, HANGS] : FAULTS) {
      await service.setBench({ repeat, ...onChunks(fault, { times: 1 }) });
      await engine.capture(5);
      await engine.until(`settled after: ${name}`, async () => (await engine.store.tally(1)).waitingPoints === 0);
      const { hits } = (await service.runBench({ kind: 'report' })) as { hits: readonly number[] };
      expect(hits, name).toEqual([1]);
    }
    await service.setBench({ repeat });
    await engine.deliverAll();
    await engine.expectDelivered();
  },
);

test('77: a read-back that lags behind the writes is void and never leads to a second sending', async () => {
  const { engine, service } = await rig({
    repeat: 'append',
    readLagMs: 150,
    ...onChunks({ kind: 'lost-after', how: 'reset' }, { times: 3 }),
  });
  for (let i = 0; i < 4; i++) await engine.capture(7);
  await engine.deliverAll();
  await service.setBench({});
  await engine.expectDelivered();
});

test.each([1, -1])(
  '79: a total that is off by %i is read back, and goes on where the service miscounted',
  async (by) => {
    const { engine, service } = await rig(onChunks({ kind: 'wrong-count', by }, { times: 1 }));
    await engine.capture(12);
    await engine.deliverAll();
    expect(engine.failures.map(({ code }) => code)).toEqual(['upload.count-differs', 'upload.miscounted']);
    expect(engine.failures[0]?.message).toContain(`expected 5 points, the service says ${5 + by}`);
    await service.setBench({});
    await engine.expectDelivered();
  },
);

test('76: a request that arrives after the hold-off and doubles is detected and shown', async () => {
  const { service } = await openServiceRig({ bench: { repeat: 'append' } });
  const middleman = await openMiddleman(service.url);
  const client = createServiceClient({ baseUrl: middleman.url, apiKey: () => service.apiKey });
  const engine = await Engine.open({ client });
  let late: Asked | undefined;
  middleman.meet = (asked) => {
    if (late || !chunkOf(asked)) return 'pass';
    late = asked;
    return { do: 'lose-request', how: 'reset' };
  };
  await engine.capture(5);
  await engine.until(
    'the chunk was sent again',
    async () => ((await engine.streams())[0]?.pointsAcknowledged ?? 0) === 15,
  );
  // Only now the first one gets there.
  const headers = { 'x-api-key': service.apiKey, 'content-type': 'application/json' };
  const arrived = await fetch(`${service.url}${late?.path}`, { method: 'POST', headers, body: late?.body ?? '' });
  expect(arrived.status).toBe(201);
  expect((await readDelivered(client)).get('a')).toHaveLength(10);
  await engine.capture(5);
  // This engine does not know what others have sent, so a person has to look.
  expect(await engine.untilBlocked()).toBe('upload.holds-more');
  expect(engine.failures.at(-2)?.message).toContain('expected 10 points, the service says 15');
  expect(engine.failures.at(-1)?.message).toContain('holds 5 points of channel "a"');
  await client.close();
});

describe('93: the answer to initialize is lost', () => {
  test.each<[string, BenchFault]>([
    ['after it was made', { kind: 'lost-after', how: 'reset' }],
    ['before it was made', { kind: 'lost-before', how: 'reset' }],
    ['and it is made late', { kind: 'late-commit', how: 'close', delayMs: LATE_MS }],
  ])('%s: one entry, found again by its nonce', async (_, fault) => {
    const { engine, service, entries } = await rig({ rules: [{ fault, endpoint: 'initializeStream', times: 1 }] });
    await engine.capture(12);
    await engine.deliverAll();
    await service.setBench({});
    expect(await entries()).toHaveLength(1);
    await engine.expectDelivered();
  });
});

test('under repeat, where the service replaces by position, it is looked up without a hold-off', async () => {
  const { engine, service } = await rig(onChunks({ kind: 'lost-after', how: 'reset' }, { times: 3 }), {
    policy: { resend: 'repeat' },
  });
  for (let i = 0; i < 4; i++) await engine.capture(7);
  await engine.deliverAll();
  await service.setBench({});
  await engine.expectDelivered();
});

test('a long stream is read back from a window near its end, not whole, and the window decides the same', async () => {
  const { service } = await openServiceRig({ bench: {} });
  const client = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey });
  const asked: (number | undefined)[] = [];
  const observed: typeof client = {
    ...client,
    readTimeSeries: (query, options) => {
      asked.push(query.elapsed_seconds);
      return client.readTimeSeries(query, options);
    },
  };
  const engine = await Engine.open({ client: observed, pointsPerChunk: 1000 });
  await service.setBench({
    repeat: 'append',
    ...onChunks({ kind: 'lost-after', how: 'reset' }, { skip: 36, times: 2 }),
  });
  for (let i = 0; i < 40; i++) await engine.capture(1000);
  await engine.deliverAll();
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.every((elapsedS) => elapsedS !== undefined && elapsedS > 200)).toBe(true);
  await service.setBench({});
  await engine.expectDelivered();
});
