import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLinkClient } from '../../../src-main/delivery/client/download.ts';
import { keepFile } from '../../support/keep-file.ts';
import { openServiceRig, serviceFault } from '../../support/rigs/service-rig.ts';
import { demoEntry, demoFile, useServiceWorld } from '../../support/rigs/service-world.ts';

const world = useServiceWorld();
const original = readFileSync(join(demoFile, '..', 'sto-112-survey.csv'));
const { data_id } = demoEntry('xps');

describe('4.9 GET /data_entries/raw_data/{data_id}', () => {
  it('gives the bytes of the file with its name and size', async () => {
    const saved = await world.owner.downloadRawData({ data_id }, {}, keepFile);
    expect(saved.name).toBe('sto-112-survey.csv');
    expect(saved.bytes.equals(original)).toBe(true);
    const size = await world.owner.downloadRawData({ data_id }, {}, async ({ sizeBytes }) => sizeBytes);
    expect(size).toBe(original.length);
  });

  it.each([
    ['url-download', /^attachment/],
    ['url-embed', /^inline/],
  ] as const)('gives %s as a link that opens without the key', async (return_as, disposition) => {
    const link = await world.owner.readRawData({ data_id, return_as });
    expect(link).toMatchObject({ file_name: 'sto-112-survey.csv', file_format: 'csv' });
    const answer = await fetch(link.url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toMatch(disposition);
    expect(Buffer.from(await answer.arrayBuffer()).equals(original)).toBe(true);
    const links = createLinkClient({ baseUrl: world.service.url });
    onTestFinished(() => links.close());
    const saved = await links.download(link, {}, keepFile);
    expect(saved.bytes.equals(original)).toBe(true);
  });

  it('signs links for one file, one way, a quarter of an hour', async () => {
    const { client, service } = await openServiceRig({ bench: {} });
    const stream = await client.initializeStream({ points_per_chunk: 1 });
    const other = await client.initializeStream({ points_per_chunk: 1 });
    const { url } = await client.readRawData({ data_id: stream.data_id, return_as: 'url-download' });
    const status = async (address: string) => (await fetch(address)).status;
    expect(await status(url)).toBe(200);
    expect(await status(url.replace('url-download', 'url-embed'))).toBe(403);
    expect(await status(url.replace(stream.data_id, other.data_id))).toBe(403);
    expect(await status(url.replace(/expires=(\d)/, 'expires=9$1'))).toBe(403);
    expect(await status(url.replace(/signature=.*/, ''))).toBe(403);
    await service.setBench({ clockOffsetMs: 14 * 60_000 });
    expect(await status(url)).toBe(200);
    await service.setBench({ clockOffsetMs: 16 * 60_000 });
    expect(await status(url)).toBe(403);
  });

  it('gives a stream as CSV, point by point, without a formula in it', async () => {
    const { client } = await openServiceRig();
    const stream = await client.initializeStream({ points_per_chunk: 2, stream_name: 'MBE-1 2026-11-20 19:40' });
    const cell = (values: number[], at: number) => ({
      timestamps: values.map((_, n) => at + n / 4),
      values,
      units: 'C',
    });
    await client.ingestChunk({
      data_id: stream.data_id,
      chunk_index: 0,
      channels: { '=cell, "a"': cell([-5.2, 1e-9], 100) },
    });
    await client.ingestChunk({ data_id: stream.data_id, chunk_index: 1, channels: { '=cell, "a"': cell([0.1], 101) } });
    const saved = await client.downloadRawData({ data_id: stream.data_id }, {}, keepFile);
    expect(saved.name).toBe('MBE-1 2026-11-20 19:40.csv');
    expect(saved.bytes.toString().split('\r\n')).toEqual([
      'channel,unix_time_seconds,value,units',
      `"'=cell, ""a""",100,-5.2,C`,
      `"'=cell, ""a""",100.25,1e-9,C`,
      `"'=cell, ""a""",101,0.1,C`,
      '',
    ]);
  });

  it('finds no file where there is none, and refuses another mode', async () => {
    const request = { data_id: demoEntry('raman').data_id, return_as: 'url-download' } as const;
    expect((await serviceFault(world.owner.readRawData(request))).status).toBe(404);
    for (const search of ['', '?return_as=file']) {
      expect((await world.send('GET', `/data_entries/raw_data/${data_id}${search}`)).status).toBe(422);
    }
  });
});
