// Part E, rows 86 and 87, to their end: what the service refused is corrected and sent again, once and whole.
import { describe, expect, test } from 'vitest';
import { confirmStream } from '../../../src-main/delivery/receipt/confirm-stream.ts';
import type { Resent } from '../../../src-main/model/resend.ts';
import type { BenchFault, BenchSettings } from '../../support/bench/bench-settings.ts';
import { kill, resend } from '../../support/faults/kills.ts';
import { type DeliveredPoint, readDelivered } from '../../support/rigs/delivered.ts';
import { Engine, type EngineOptions } from '../../support/rigs/engine.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';

async function rig(options: Partial<EngineOptions> = {}) {
  const { service, client } = await openServiceRig({ bench: {} });
  const engine = await Engine.open({ client, ...options });
  return { service, engine };
}

const detail = JSON.stringify({ detail: [{ loc: ['body', 'b'], msg: 'not calibrated' }] });
const poison: BenchFault = { kind: 'answer', status: 422, body: detail };
/** Channel b is refused, or only its first chunk: in the chunk of all channels, and then on its own. */
const refuseB = (times?: number): BenchSettings => ({
  rules: [{ fault: poison, endpoint: 'ingestChunk', channel: 'b', ...(times === undefined ? {} : { times }) }],
});

async function again(engine: Engine, streamId = 1): Promise<Resent> {
  const resent = await engine.store.sendAgain({ streamId, chunkIds: null, channel: null });
  await engine.uploader.notify([streamId]);
  return resent;
}

async function asNew(engine: Engine, pointsPerChunk: number, channel: string | null = null): Promise<Resent> {
  const selection = { streamId: 1, chunkIds: null, channel };
  const correction = { pointsPerChunk, unit: null, rename: channel && `${channel} corrected` };
  const ids = engine.recorder.takeIds(3);
  const resent = await engine.store.sendAsNew(selection, correction, ids, `n${ids.stream}`, engine.clock.nowMs());
  await engine.uploader.notify(resent.stream ? [resent.stream.id] : []);
  return resent;
}

/** The points of a channel over all entries, in the order of time. */
async function pointsOf(engine: Engine, channel: string): Promise<DeliveredPoint[]> {
  return ((await readDelivered(engine.client)).get(channel) ?? []).toSorted((p, q) => p.timeMs - q.timeMs);
}

const truth = (rows: number) => Array.from({ length: rows }, (_, n) => ({ timeMs: n * 10, value: n }));

async function expectConfirmed(engine: Engine, streamId: number, points: number): Promise<void> {
  const parts = { store: engine.store, service: engine.client, clock: engine.clock };
  const confirmation = await confirmStream(streamId, parts, new AbortController().signal);
  expect(confirmation).toMatchObject({ outcome: 'confirmed', pointsCompared: points, notes: [] });
}

describe('86: a channel that was refused is sent again once the service takes it', () => {
  test('the delivered stream goes on, its refused chunks land in their place, and all of it is read back', async () => {
    const { engine, service } = await rig();
    await service.setBench(refuseB());
    await engine.capture(23);
    await engine.deliverAll();
    const refused = await engine.store.refusedChunks(1);
    expect(refused.map(({ channel, index }) => `${channel}${index}`)).toEqual(['b0', 'b1', 'b2', 'b3', 'b4']);
    for (const { words } of refused) expect(words).toContain('not calibrated');

    await service.setBench({});
    expect(await again(engine)).toMatchObject({ chunks: 5, points: 23 });
    await engine.until('delivered', async () => (await engine.streams())[0]?.isDelivered === true);
    expect((await engine.streams())[0]).toMatchObject({ pointsStored: 69, pointsAcknowledged: 69, pointsRefused: 0 });
    await engine.expectDelivered();
    await expectConfirmed(engine, 1, 69);
    expect(await again(engine)).toMatchObject({ chunks: 0, points: 0 });
  });

  test('also while the stream is still written, and while the service refuses it again', async () => {
    const { engine, service } = await rig();
    await service.setBench(refuseB());
    await engine.capture(20);
    const refused = async () => (await engine.streams())[0]?.pointsRefused ?? 0;
    await engine.until('refused', async () => (await refused()) === 20);
    await again(engine);
    await engine.until('refused again', async () => (await refused()) === 20);
    await engine.capture(15);
    await service.setBench({});
    await again(engine);
    await engine.capture(4);
    await engine.deliverAll();
    await again(engine);
    await engine.until('delivered', async () => (await engine.streams())[0]?.isDelivered === true);
    await engine.expectDelivered();
  });

  test.each(['append', 'reject'] as const)(
    'answers that are lost on the way double nothing and lose nothing, with a service that takes a repeat by: %s',
    async (repeat) => {
      const { engine, service } = await rig();
      await service.setBench({ repeat, ...refuseB() });
      await engine.capture(40);
      await engine.deliverAll();
      const fault = { kind: 'lost-after', how: 'reset' } as const;
      await service.setBench({ repeat, seed: 5, rules: [{ fault, endpoint: 'ingestChunk', chance: 0.4 }] });
      await again(engine);
      await engine.until('delivered', async () => (await engine.streams())[0]?.isDelivered === true);
      await service.setBench({ repeat });
      await engine.expectDelivered();
      await expectConfirmed(engine, 1, 120);
    },
  );

  test('a chunk from the beginning of a long stream whose answer is lost is found there, not sent twice', async () => {
    const { engine, service } = await rig({ pointsPerChunk: 1000 });
    await service.setBench({ repeat: 'append', ...refuseB(2) });
    await engine.capture(1000);
    await engine.until('refused', async () => (await engine.streams())[0]?.pointsRefused === 1000);
    await engine.capture(35_000);
    await engine.deliverAll();
    expect((await engine.streams())[0]).toMatchObject({ pointsAcknowledged: 107_000, pointsRefused: 1000 });
    expect(await engine.store.readWindow(1)).not.toBeNull();
    const fault = { kind: 'lost-after', how: 'close' } as const;
    await service.setBench({ repeat: 'append', rules: [{ fault, endpoint: 'ingestChunk', times: 1 }] });
    await again(engine);
    await engine.until('delivered', async () => (await engine.streams())[0]?.isDelivered === true);
    expect(await pointsOf(engine, 'b')).toEqual(truth(36_000));
    await expectConfirmed(engine, 1, 108_000);
  });

  test('a chunk that may be on its way when the refused ones are put back is settled first', async () => {
    const { engine, service } = await rig();
    await service.setBench({ repeat: 'append', ...refuseB(2) });
    await engine.capture(5);
    await engine.until('refused', async () => (await engine.streams())[0]?.pointsRefused === 5);
    const fault = { kind: 'lost-after', how: 'reset' } as const;
    await service.setBench({ repeat: 'append', rules: [{ fault, endpoint: 'ingestChunk', times: 1 }] });
    await engine.capture(5);
    await engine.until('the answer is lost', () =>
      [...engine.uploader.views().values()].some(({ state }) => state.kind === 'waiting' && state.isHoldOff),
    );
    await again(engine);
    await engine.deliverAll();
    await engine.expectDelivered();
  });

  test('as a corrected stream: under another name, once, and the original is confirmed without it', async () => {
    const { engine, service } = await rig();
    await service.setBench(refuseB());
    await engine.capture(23);
    await engine.deliverAll();
    expect(await asNew(engine, 5, 'b')).toMatchObject({ points: 23, stream: { id: 2 } });
    expect(await asNew(engine, 5, 'b')).toMatchObject({ points: 0, resentIn: [2] });
    await engine.capture(3);
    await engine.deliverAll();
    expect(await pointsOf(engine, 'b corrected')).toEqual(truth(23));
    const [third, second, first] = (await engine.streams()).toSorted((p, q) => q.id - p.id);
    expect(first).toMatchObject({ id: 1, pointsAcknowledged: 46, pointsRefused: 23, pointsResent: 23 });
    expect(second).toMatchObject({ id: 2, pointsAcknowledged: 23, isDelivered: true });
    expect(third).toMatchObject({ pointsStored: 9, isDelivered: true });
    await expectConfirmed(engine, 1, 46);
    await expectConfirmed(engine, 2, 23);
  });
});

// More kills: test/long/fault-kills.test.ts.
test('86: killed at any moment while refused chunks are sent again, each point is there once and the sums hold', () =>
  kill(resend(), 2));

test('87: one channel that alone is too large goes out as a new stream with smaller chunks, whole and once', async () => {
  const { engine, service } = await rig({ pointsPerChunk: 100 });
  await service.setBench({ bodyMaxBytes: 900 });
  await engine.capture(250);
  await engine.deliverAll();
  const [stream] = await engine.streams();
  expect(stream?.pointsRefused).toBeGreaterThan(0);
  expect(await asNew(engine, 20)).toMatchObject({ points: stream?.pointsRefused, left: 0 });
  await engine.deliverAll();
  expect((await engine.streams()).find(({ id }) => id === 2)).toMatchObject({ pointsRefused: 0, pointsPerChunk: 20 });
  for (const channel of engine.channels) expect(await pointsOf(engine, channel)).toEqual(truth(250));
});
