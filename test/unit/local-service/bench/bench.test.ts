import { describe, expect, it } from 'vitest';
import type { BenchFault, BenchRule, BenchSettings } from '../../../support/bench/bench-settings.ts';
import { openServiceRig, serviceFault, shareServiceRig } from '../../../support/rigs/service-rig.ts';

const cell = (values: number[], start = 1_780_000_000) => ({
  timestamps: values.map((_, at) => start + at),
  values,
  units: 'C',
});

const openRig = shareServiceRig();

async function openStream(bench: BenchSettings = {}) {
  const rig = await openRig(bench);
  const { data_id } = await rig.client.initializeStream({ points_per_chunk: 2 });
  const send = (chunk_index: number, values = [1, 2], totalMs = 20_000) =>
    rig.client.ingestChunk(
      { data_id, chunk_index, channels: { cell: cell(values), plate: cell(values) } },
      { totalMs },
    );
  const stored = async () => {
    const series = await rig.client.readTimeSeries({ data_id, return_null_if_missing: true });
    return series?.properties.cell?.values ?? null;
  };
  return { ...rig, data_id, send, stored };
}

const hitOnce = (fault: BenchFault, more: Partial<BenchRule> = {}): BenchSettings => ({
  rules: [{ endpoint: 'ingestChunk', times: 1, fault, ...more }],
});

describe('the test bench', () => {
  it.each([
    ['reset', { kind: 'lost-before', how: 'reset' }, null],
    ['closed', { kind: 'lost-before', how: 'close' }, null],
    ['reset after the commit', { kind: 'lost-after', how: 'reset' }, [1, 2]],
    ['closed after the commit', { kind: 'lost-after', how: 'close' }, [1, 2]],
    ['cut in the middle of the answer', { kind: 'lost-after', how: 'cut' }, [1, 2]],
    ['silent after the commit', { kind: 'lost-after', how: 'hang' }, [1, 2]],
    ['answered without end', { kind: 'endless' }, [1, 2]],
    ['stored in part', { kind: 'partial', channels: 1 }, [1, 2]],
    ['answered 500', { kind: 'answer', status: 500 }, null],
    ['answered 503 without a time', { kind: 'answer', status: 503 }, null],
    ['answered 409', { kind: 'answer', status: 409 }, null],
    ['answered with broken JSON', { kind: 'answer', status: 201, body: '[{"data_id"', isStored: true }, [1, 2]],
    ['answered with another shape', { kind: 'answer', status: 201, body: '[{"data_id":1}]', isStored: true }, [1, 2]],
    ['answered 202', { kind: 'answer', status: 202, body: '[]' }, null],
  ] as [string, BenchFault, number[] | null][])('leaves the client in doubt when it is %s', async (_, fault, after) => {
    const { service, send, stored } = await openStream();
    await service.setBench(hitOnce(fault));
    expect((await serviceFault(send(0, [1, 2], 700))).failure).toEqual({ kind: 'ambiguous' });
    // On a slow disk the client may have given up before the commit.
    await expect.poll(stored).toEqual(after);
    const [receipt] = await send(0);
    expect(receipt?.total_points).toBe(2);
    expect((await service.runBench({ kind: 'report' })).hits).toEqual([1]);
  });

  it.each([
    [
      'a page of HTML',
      { kind: 'answer', status: 200, headers: { 'content-type': 'text/html' }, body: '<html>log in</html>' },
    ],
    [
      'a page with the right status',
      { kind: 'answer', status: 201, headers: { 'content-type': 'text/html' }, body: '<html>' },
    ],
    ['a redirect', { kind: 'answer', status: 302, headers: { location: 'https://portal.example/login' } }],
    ['a proxy that wants a log-in', { kind: 'answer', status: 407 }],
  ] as [string, BenchFault][])('is not taken for the service when it gives %s', async (_, fault) => {
    const { service, send } = await openStream();
    await service.setBench(hitOnce(fault));
    const failed = await serviceFault(send(0));
    expect(failed.failure).toEqual({ kind: 'not-the-service' });
    expect(failed.hint).toContain('log in');
  });

  it.each([
    [401, { kind: 'held', reason: 'key' }],
    [403, { kind: 'held', reason: 'key' }],
    [404, { kind: 'held', reason: 'target' }],
    [410, { kind: 'held', reason: 'target' }],
    [413, { kind: 'refused', isTooLarge: true }],
    [400, { kind: 'refused', isTooLarge: false }],
    [422, { kind: 'refused', isTooLarge: false }],
  ])('gives %s as what it means', async (status, failure) => {
    const { service, send } = await openStream();
    const body = JSON.stringify({ detail: [{ loc: ['body', 'channels', 'cell'], msg: 'not liked', type: 'x' }] });
    await service.setBench(hitOnce({ kind: 'answer', status, body }));
    const failed = await serviceFault(send(0));
    expect(failed.failure).toEqual(failure);
    expect(failed.status).toBe(status);
    expect(failed.message).toContain('body.channels.cell: not liked');
    expect(failed.body).toBe(body);
  });

  it.each([
    ['5', 5_000],
    ['1000000000', 600_000],
    ['in a while', null],
    ['-3', null],
  ])('asks with 429 to wait %s', async (header, afterMs) => {
    const { service, send } = await openStream();
    await service.setBench(hitOnce({ kind: 'answer', status: 429, headers: { 'retry-after': header } }));
    expect((await serviceFault(send(0))).failure).toEqual({ kind: 'busy', afterMs });
  });

  it("reads a date of Retry-After against the service's own clock", async () => {
    const { service, send } = await openStream();
    const headers = { 'retry-after': 'Fri, 20 Nov 2020 19:40:07 GMT', date: 'Fri, 20 Nov 2020 19:40:00 GMT' };
    await service.setBench(hitOnce({ kind: 'answer', status: 503, headers }));
    expect((await serviceFault(send(0))).failure).toEqual({ kind: 'busy', afterMs: 7_000 });
  });

  it('counts wrong when told to', async () => {
    const { service, send } = await openStream();
    await service.setBench(hitOnce({ kind: 'wrong-count', by: -1 }));
    expect((await send(0)).map(({ total_points }) => total_points)).toEqual([1, 1]);
    expect((await send(1)).map(({ total_points }) => total_points)).toEqual([4, 4]);
  });

  it.each([
    ['replace', [3, 4]],
    ['ignore', [1, 2]],
    ['append', [1, 2, 3, 4]],
  ] as const)('treats a repeated chunk as %s', async (repeat, after) => {
    const { send, stored } = await openStream({ repeat });
    await send(0);
    expect((await send(0, [3, 4]))[0]?.total_points).toBe(after.length);
    expect(await stored()).toEqual(after);
  });

  it('refuses a repeated chunk with 409 when told to, and keeps the first', async () => {
    const { send, stored } = await openStream({ repeat: 'reject' });
    await send(0);
    const failed = await serviceFault(send(0, [3, 4]));
    expect([failed.status, failed.failure.kind]).toEqual([409, 'ambiguous']);
    expect(await stored()).toEqual([1, 2]);
  });

  it('lets reads lag behind writes', async () => {
    const { service, send, stored, client, data_id } = await openStream();
    await send(0);
    await service.setBench({ readLagMs: 60_000 });
    await send(1, [3, 4]);
    expect(await stored()).toEqual(null);
    const isListed = async () => (await client.listDataEntries({})).some((entry) => entry.data_id === data_id);
    expect(await isListed()).toBe(false);
    await service.setBench({ readLagMs: 0 });
    expect(await stored()).toEqual([1, 2, 3, 4]);
    expect(await isListed()).toBe(true);
  });

  it('takes longer and refuses shorter chunks when told to', async () => {
    const { send } = await openStream({ longChunk: 'accept', shortChunk: 'refuse' });
    expect((await send(0, [1, 2, 3]))[0]?.total_points).toBe(3);
    expect((await serviceFault(send(1, [1]))).failure).toEqual({ kind: 'refused', isTooLarge: false });
  });

  it('refuses bodies above the bound it is given with 413', async () => {
    const { send } = await openStream({ bodyMaxBytes: 150 });
    expect((await serviceFault(send(0, [1, 2]))).failure).toEqual({ kind: 'refused', isTooLarge: true });
  });

  it('hits one stream, one channel, and lets the first requests pass', async () => {
    const { service, client, data_id, send } = await openStream();
    const other = await client.initializeStream({ points_per_chunk: 2 });
    const refusal = { kind: 'answer', status: 403 } as const;
    await service.setBench({ rules: [{ fault: refusal, dataId: data_id, endpoint: 'ingestChunk', skip: 1 }] });
    await send(0);
    expect((await serviceFault(send(1))).status).toBe(403);
    await client.ingestChunk({ data_id: other.data_id, chunk_index: 0, channels: { cell: cell([1]) } });
    await service.setBench({ rules: [{ fault: { kind: 'answer', status: 422 }, channel: 'plate' }] });
    expect((await serviceFault(send(1))).status).toBe(422);
    await client.ingestChunk({ data_id, chunk_index: 1, channels: { cell: cell([1]) } });
  });

  it('loses chunks as a restored backup does, and counts what is left', async () => {
    const { service, data_id, send, stored } = await openStream();
    for (const k of [0, 1, 2]) await send(k);
    await service.runBench({ kind: 'drop-chunks', dataId: data_id, fromIndex: 1 });
    expect(await stored()).toEqual([1, 2]);
    expect((await send(1))[0]?.total_points).toBe(4);
    await service.runBench({ kind: 'delete-entry', dataId: data_id });
    expect((await serviceFault(send(2))).failure).toEqual({ kind: 'held', reason: 'target' });
  });

  it('does not exist in a service that was started without it', async () => {
    const { service } = await openServiceRig();
    await expect(service.setBench({ readLagMs: 1 })).rejects.toThrow('without an interposer');
  });
});
