// What programs that mean harm, or are merely wrong, can send: it is refused with its place, or answered soundly.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { importFile } from '../../../src-main/local-service/import/import-file.ts';
import { keepFile } from '../../support/keep-file.ts';
import { inDatabase } from '../../support/postgres/database.ts';
import { openServiceRig, senderTo, serviceFault } from '../../support/rigs/service-rig.ts';
import { demo, demoEntry, useServiceWorld } from '../../support/rigs/service-world.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const world = useServiceWorld();
const place = async (answer: Response) => {
  const { detail } = (await answer.json()) as { detail: { loc: (string | number)[] }[] };
  return [answer.status, detail[0]?.loc?.join('.')];
};

describe('a search', () => {
  it.each(['\u0000', '\u0000sto', 'sto\u0000112', 'sto\u0000'])('for %j finds, and is no fault', async (keyword) => {
    const answer = await world.send('GET', `/data_entries/?keywords=${encodeURIComponent(keyword)}`);
    expect(answer.status).toBe(200);
    const expected = keyword.includes('sto') ? 4 : demo.data_entries.length;
    expect(await answer.json()).toHaveLength(expected);
  });

  it('takes a thousand ids', async () => {
    const { data_id } = demoEntry('xps');
    const ids = Array.from({ length: 1000 }, () => crypto.randomUUID());
    expect(await world.owner.listDataEntries({ data_ids: [...ids, data_id] })).toMatchObject([{ data_id }]);
    const rheed = demoEntry('rheed_video').data_id;
    expect(await world.owner.readRheedMetadata({ data_ids: Array(1000).fill(rheed) })).toHaveLength(1000);
  });

  it.each(['limit=0x10', 'limit=%2010', 'offset=0b1', 'limit=1_0'])('takes no number written as %s', async (search) => {
    expect(await place(await world.send('GET', `/data_entries/?${search}`))).toEqual([
      422,
      `query.${search.split('=')[0]}`,
    ]);
  });
});

describe('a chunk', () => {
  it.each([1e306, -1.7e308, 9.1e12, 8.7e12, -2.2e11])(
    'with the stamp %s, which is no date, is refused',
    async (stamp) => {
      const { data_id } = await world.owner.initializeStream({ points_per_chunk: 2 });
      const channels = { cell: { timestamps: [1_780_000_000, stamp], values: [1, 2] } };
      const answer = await world.send('POST', '/metrology/stream/chunk/multi', { data_id, chunk_index: 0, channels });
      expect(await place(answer)).toEqual([422, 'body.channels.cell.timestamps.1']);
      expect(await world.owner.readTimeSeries({ data_id, return_null_if_missing: true })).toBeNull();
    },
  );

  it('that replaces the first one with earlier times moves the start of the series', async () => {
    const { data_id } = await world.owner.initializeStream({ points_per_chunk: 1 });
    for (const timestamps of [[100], [50]]) {
      await world.owner.ingestChunk({ data_id, chunk_index: 0, channels: { cell: { timestamps, values: [1] } } });
    }
    expect(await world.owner.readTimeSeries({ data_id })).toMatchObject({
      properties: { cell: { relative_time_seconds: [0] } },
      series_max_time: 0,
    });
  });
});

describe('half of a surrogate pair', () => {
  // Written as UTF-8 it would become another character: what was stored would not be what was sent.
  it.each([
    ['/tool-state/stream/initialize', { points_per_chunk: 1, stream_name: 'x\ud800' }, 'body.stream_name'],
    ['/rheed/stream/', { data_item_name: '\udfff', fps_capture_rate: 1 }, 'body.data_item_name'],
    ['/projects/', { name: 'a', notes: '\ud83d' }, 'body.notes'],
    ['/instruments/synthesis/', { name: 'a', label: '\ud83d', type: 'mbe' }, 'body.label'],
  ])('is refused by %s', async (path, body, where) => {
    expect(await place(await world.send('POST', path, body))).toEqual([422, where]);
  });

  it('is refused as a unit and within a map', async () => {
    const { data_id } = await world.owner.initializeStream({ points_per_chunk: 1 });
    const channels = { cell: { timestamps: [1], values: [1], units: '\ud800' } };
    const chunk = await world.send('POST', '/metrology/stream/chunk/multi', { data_id, chunk_index: 0, channels });
    expect(await place(chunk)).toEqual([422, 'body.channels.cell.units']);
    const layer = { layer_id: 1, sample_id: 1, element_dict: { '\ud800': 1 } };
    expect(await place(await world.send('PATCH', '/target-materials/layers/', layer))).toEqual([
      422,
      'body.element_dict.\ud800',
    ]);
  });

  it('is told from a whole pair, written as escapes too', async () => {
    const body = Buffer.from('{"points_per_chunk":1,"stream_name":"\\ud83d\\ude00"}');
    const answer = await world.send('POST', '/tool-state/stream/initialize', body);
    const { data_id } = (await answer.json()) as { data_id: string };
    expect(await world.owner.listDataEntries({ data_ids: [data_id] })).toMatchObject([{ raw_name: '\ud83d\ude00' }]);
  });
});

describe('a compressed body', () => {
  const send = (encoding: string, body: Uint8Array<ArrayBuffer>) =>
    world.send('POST', '/projects/', body, { 'Content-Encoding': encoding });
  const plain = new TextEncoder().encode('{"name":"a"}');

  it.each([
    ['gzip', new Uint8Array(gzipSync(plain))],
    ['deflate', new Uint8Array(deflateSync(plain))],
    ['br, gzip', plain],
    // What is announced counts, whatever the bytes are.
    ['gzip', plain],
  ])('with %s is refused as such, with the encodings that are taken', async (encoding, body) => {
    const answer = await send(encoding, body);
    expect([answer.status, answer.headers.get('accept-encoding')]).toEqual([415, 'identity']);
    const { detail } = (await answer.json()) as { detail: string };
    expect(detail).toContain(`not with Content-Encoding: ${encoding}; identity is`);
  });

  it('is told from a plain one that is announced as such', async () => {
    expect((await send('identity', plain)).status).toBe(200);
  });
});

describe('lists of the same id', () => {
  it('cost what one of it costs', async () => {
    const { data_id } = demoEntry('sem');
    const tag = demo.tags.at(-1)?.tag_id ?? '';
    // Pair by pair these would be 10^10 removals.
    const request = { data_ids: Array(100_000).fill(data_id), tag_ids: Array(100_000).fill(tag) };
    expect(await world.owner.removeTags(request)).toEqual({});
    expect((await world.owner.listDataEntries({ data_ids: [data_id] }))[0]?.tags).toEqual([]);
  });
});

describe('a raw file', () => {
  it('of a stream with the longest name can be fetched', async () => {
    const { data_id } = await world.owner.initializeStream({
      points_per_chunk: 1,
      stream_name: '\u{1f600}'.repeat(500),
    });
    const saved = await world.owner.downloadRawData({ data_id }, {}, keepFile);
    expect(saved.name).toMatch(/^(\u{1f600}){10,}\.csv$/u);
  });

  it.each(['missing', 'cut'])(
    'that is %s on the disk is a fault that the catalogue tells, never half a file',
    async (how) => {
      const { place, folder, service, client } = await openServiceRig();
      const data_id = crypto.randomUUID();
      const source = tempFolder('import');
      writeFileSync(join(source, 'a.csv'), 'x,y\r\n1,2\r\n');
      const entry = { data_id, raw_name: 'a.csv', char_source_type: 'sem', upload_datetime: '2026-11-20T10:00:00Z' };
      writeFileSync(join(source, 'i.json'), JSON.stringify({ data_entries: [{ ...entry, raw_file: 'a.csv' }] }));
      await importFile(place, join(source, 'i.json'));
      if (place !== folder) {
        const sql = how === 'missing' ? 'DELETE FROM file_part' : `UPDATE file_part SET data = 'x,y'`;
        await inDatabase(place, sql);
      } else if (how === 'missing') rmSync(join(folder, 'files', data_id));
      else writeFileSync(join(folder, 'files', data_id), 'x,y');
      const answer = await senderTo(service)('GET', `/data_entries/raw_data/${data_id}?return_as=bytes`);
      expect(answer.status).toBe(500);
      const status = async () => (await client.listDataEntries({ data_ids: [data_id] }))[0]?.pipeline_status;
      await expect.poll(status).toBe('error');
    },
  );

  it('is not opened by a signature with something behind it', async () => {
    const { url } = await world.owner.readRawData({ data_id: demoEntry('xps').data_id, return_as: 'url-download' });
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(`${url}zz`)).status).toBe(403);
  });
});

describe('a RHEED session', () => {
  it('whose frames a turn are no number is refused', async () => {
    const body = { data_item_name: 'x', fps_capture_rate: 120, rotational_period: 1e308 };
    expect(await place(await world.send('POST', '/rheed/stream/', body))).toEqual([422, 'body.rotational_period']);
  });
});

describe('an id that is a step of a path', () => {
  it.each(['.', '..'])('is refused before %j leads to another row', async (data_id) => {
    const calls = [
      () => world.owner.readRawData({ data_id, return_as: 'url-embed' }),
      () => world.owner.readXps({ data_id }),
      () => world.owner.updateProjectSamples({ project_id: data_id, physical_sample_ids: [] }),
      () => world.owner.downloadRawData({ data_id }, {}, keepFile),
    ];
    for (const call of calls) expect((await serviceFault(call())).code).toBe('service.unfit-request');
  });
});
