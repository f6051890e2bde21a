import { describe, expect, it } from 'vitest';
import { senderTo, serviceFault, shareServiceRig } from '../../support/rigs/service-rig.ts';

const openRig = shareServiceRig();

const channel = (values: number[], start = 1_780_000_000) => ({
  timestamps: values.map((_, at) => start + at / 8),
  values,
  units: 'C',
});

describe('4.1 POST /metrology/stream/chunk/multi', () => {
  it('answers 201 with one item per channel that counts the points stored', async () => {
    const { client } = await openRig();
    const { data_id } = await client.initializeStream({ points_per_chunk: 4 });
    const first = await client.ingestChunk({
      data_id,
      chunk_index: 0,
      channels: { cell: channel([1, 2, 3, 4]), plate: channel([5, 6, 7, 8]) },
    });
    expect(first).toEqual([
      { data_id, channel_name: 'cell', chunk_index: 0, total_points: 4 },
      { data_id, channel_name: 'plate', chunk_index: 0, total_points: 4 },
    ]);
    const last = await client.ingestChunk({ data_id, chunk_index: 1, channels: { cell: channel([9]) } });
    expect(last).toEqual([{ data_id, channel_name: 'cell', chunk_index: 1, total_points: 5 }]);
  });

  it('replaces the slice of a repeated chunk instead of adding to it', async () => {
    const { client } = await openRig();
    const { data_id } = await client.initializeStream({ points_per_chunk: 4 });
    await client.ingestChunk({ data_id, chunk_index: 0, channels: { cell: channel([1, 2]) } });
    const [again] = await client.ingestChunk({ data_id, chunk_index: 0, channels: { cell: channel([1, 2, 3]) } });
    expect(again?.total_points).toBe(3);
    expect((await client.readTimeSeries({ data_id }))?.properties.cell?.values).toEqual([1, 2, 3]);
  });

  it('stores chunks at their place whatever the order they come in', async () => {
    const { client } = await openRig();
    const { data_id } = await client.initializeStream({ points_per_chunk: 2 });
    await client.ingestChunk({ data_id, chunk_index: 1, channels: { cell: channel([3, 4], 1_780_000_001) } });
    await client.ingestChunk({ data_id, chunk_index: 0, channels: { cell: channel([1, 2]) } });
    expect((await client.readTimeSeries({ data_id }))?.properties.cell?.values).toEqual([1, 2, 3, 4]);
  });

  it('keeps names like __proto__ and 255 characters of Unicode as plain names', async () => {
    const { client } = await openRig();
    const { data_id } = await client.initializeStream({ points_per_chunk: 2 });
    const names = ['__proto__', 'constructor', 'é'.repeat(255), '温度 °C', '0'];
    const channels = Object.fromEntries(names.map((name) => [name, channel([1, 2])]));
    const answer = await client.ingestChunk({ data_id, chunk_index: 0, channels });
    expect(answer.map(({ channel_name }) => channel_name).sort()).toEqual([...names].sort());
    const series = await client.readTimeSeries({ data_id });
    expect(Object.keys(series?.properties ?? {}).sort()).toEqual([...names].sort());
  });

  it.each([
    ['a negative chunk_index', { chunk_index: -1 }, 'chunk_index'],
    ['a chunk_index with a fraction', { chunk_index: 0.5 }, 'chunk_index'],
    ['no channel at all', { channels: {} }, 'channels'],
    ['an empty channel', { channels: { cell: { timestamps: [], values: [] } } }, 'channels.cell.timestamps'],
    [
      'fewer values than timestamps',
      { channels: { cell: { timestamps: [1, 2], values: [1] } } },
      'channels.cell.values',
    ],
    ['more points than points_per_chunk', { channels: { cell: channel([1, 2, 3]) } }, 'channels.cell.values'],
    ['an empty name', { channels: { '': channel([1]) } }, 'channels.'],
    ['a name of 256 characters', { channels: { ['n'.repeat(256)]: channel([1]) } }, 'channels.n'],
    [
      'a null among the values',
      { channels: { cell: { timestamps: [1, 2], values: [1, null] } } },
      'channels.cell.values.1',
    ],
    [
      'an infinite value',
      '{"data_id":"D","chunk_index":0,"channels":{"cell":{"timestamps":[1],"values":[1e999]}}}',
      'channels.cell.values.0',
    ],
  ])('refuses %s with 422 and its place', async (_, change, place) => {
    const { client, service } = await openRig();
    const { data_id } = await client.initializeStream({ points_per_chunk: 2 });
    const sound = { data_id, chunk_index: 0, channels: { cell: channel([1, 2]) } };
    const isText = typeof change === 'string';
    const body = isText ? Buffer.from(change.replace('"D"', JSON.stringify(data_id))) : { ...sound, ...change };
    const answer = await senderTo(service)('POST', '/metrology/stream/chunk/multi', body);
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    const { detail } = (await answer.json()) as { detail: { loc: (string | number)[]; msg: string }[] };
    expect(detail[0]?.loc.join('.')).toContain(`body.${place}`);
    expect(await client.readTimeSeries({ data_id, return_null_if_missing: true })).toBeNull();
  });

  it('refuses a channel that changes its unit, and stores nothing of that request', async () => {
    const { client } = await openRig();
    const { data_id } = await client.initializeStream({ points_per_chunk: 2 });
    await client.ingestChunk({ data_id, chunk_index: 0, channels: { cell: channel([1, 2]) } });
    const fault = await serviceFault(
      client.ingestChunk({
        data_id,
        chunk_index: 1,
        channels: { a: channel([1]), cell: { ...channel([3]), units: 'K' } },
      }),
    );
    expect(fault.failure).toEqual({ kind: 'refused', isTooLarge: false });
    expect(fault.message).toContain('unit');
    expect(Object.keys((await client.readTimeSeries({ data_id }))?.properties ?? {})).toEqual(['cell']);
  });

  it('holds a chunk for a stream that does not exist', async () => {
    const { client } = await openRig();
    const fault = await serviceFault(
      client.ingestChunk({ data_id: crypto.randomUUID(), chunk_index: 0, channels: { cell: channel([1]) } }),
    );
    expect(fault.status).toBe(404);
    expect(fault.failure).toEqual({ kind: 'held', reason: 'target' });
  });
});

describe('4.2 POST /tool-state/stream/initialize', () => {
  it('answers the two UUIDs and puts the stream into the catalogue', async () => {
    const { client } = await openRig();
    const { data_id, processed_data_id } = await client.initializeStream({
      points_per_chunk: 10,
      stream_name: 'MBE-1 k7f3q',
    });
    expect(data_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(processed_data_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await client.listDataEntries({ keywords: ['k7f3q'] })).toMatchObject([
      { data_id, raw_name: 'MBE-1 k7f3q', char_source_type: 'tool_state', pipeline_status: 'pending' },
    ]);
  });

  it.each([0, -1, 1.5])('refuses points_per_chunk of %s', async (points_per_chunk) => {
    const { service } = await openRig();
    const answer = await senderTo(service)('POST', '/tool-state/stream/initialize', { points_per_chunk });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ detail: [{ loc: ['body', 'points_per_chunk'] }] });
  });

  it('refuses a growth instrument that is not of the organization', async () => {
    const { client } = await openRig();
    const fault = await serviceFault(client.initializeStream({ points_per_chunk: 1, synth_source_id: 4711 }));
    expect(fault.status).toBe(422);
    expect(fault.message).toContain('synth_source_id');
  });

  it('finds no sample and no project that the organization does not have', async () => {
    const { client } = await openRig();
    const id = crypto.randomUUID();
    expect((await serviceFault(client.initializeStream({ points_per_chunk: 1, physical_sample_id: id }))).status).toBe(
      404,
    );
    expect((await serviceFault(client.initializeStream({ points_per_chunk: 1, project_id: id }))).status).toBe(404);
  });
});

describe('4.3 GET /metrology/{data_id}/timeseries/', () => {
  it('gives values, units and both times of every channel', async () => {
    const { client } = await openRig();
    const { data_id } = await client.initializeStream({ points_per_chunk: 3 });
    await client.ingestChunk({ data_id, chunk_index: 0, channels: { cell: channel([1.5, -2e-8, 0]) } });
    expect(await client.readTimeSeries({ data_id })).toEqual({
      properties: {
        cell: {
          relative_time_seconds: [0, 0.125, 0.25],
          unix_timestamp_ms: [1_780_000_000_000, 1_780_000_000_125, 1_780_000_000_250],
          values: [1.5, -2e-8, 0],
          units: 'C',
        },
      },
      series_max_time: 0.25,
    });
  });

  it('gives only what came after elapsed_seconds', async () => {
    const { client } = await openRig();
    const { data_id } = await client.initializeStream({ points_per_chunk: 2 });
    for (const k of [0, 1, 2]) {
      const at = 1_780_000_000 + k / 4;
      await client.ingestChunk({ data_id, chunk_index: k, channels: { cell: channel([2 * k, 2 * k + 1], at) } });
    }
    const series = await client.readTimeSeries({ data_id, elapsed_seconds: 0.25 });
    expect(series?.properties.cell?.values).toEqual([3, 4, 5]);
    expect(series?.series_max_time).toBe(0.625);
  });

  it('counts seconds from the smallest time, in any order of the chunks', async () => {
    const { client } = await openRig();
    const { data_id } = await client.initializeStream({ points_per_chunk: 2 });
    await client.ingestChunk({ data_id, chunk_index: 1, channels: { cell: channel([3, 4], 1_780_000_000.1) } });
    await client.ingestChunk({ data_id, chunk_index: 0, channels: { cell: channel([1, 2], 1_779_999_999) } });
    expect(await client.readTimeSeries({ data_id })).toMatchObject({
      // Whole microseconds: 1.1, not 1.0999999046325684.
      properties: { cell: { relative_time_seconds: [0, 0.125, 1.1, 1.225] } },
      series_max_time: 1.225,
    });
    const later = await client.readTimeSeries({ data_id, elapsed_seconds: 0 });
    expect(later?.properties.cell?.values).toEqual([2, 3, 4]);
  });

  it.each(['series', 'raw file'])('answers others while one client reads a long %s at full speed', async (what) => {
    const { client, service } = await openRig();
    const points = 50_000;
    const { data_id } = await client.initializeStream({ points_per_chunk: points });
    for (let k = 0; k < 12; k++) {
      const values = Array.from({ length: points }, (_, at) => at / 8);
      await client.ingestChunk({ data_id, chunk_index: k, channels: { cell: channel(values, 1e9 + k * points) } });
    }
    let isRead = false;
    let [answers, bytes] = [0, 0];
    const path =
      what === 'series' ? `metrology/${data_id}/timeseries/` : `data_entries/raw_data/${data_id}?return_as=bytes`;
    const reading = (async () => {
      const answer = await senderTo(service)('GET', `/${path}`);
      for await (const piece of answer.body ?? []) bytes += piece.length;
      isRead = true;
    })();
    while (!isRead) {
      await client.listDataEntries({ limit: 1 });
      answers += 1;
    }
    await reading;
    expect(bytes).toBeGreaterThan(12 * points * 20);
    expect(answers).toBeGreaterThan(8);
  });

  it('answers null or an error when there is no series, as asked', async () => {
    const { client } = await openRig();
    const { data_id } = await client.initializeStream({ points_per_chunk: 2 });
    expect(await client.readTimeSeries({ data_id, return_null_if_missing: true })).toBeNull();
    expect((await serviceFault(client.readTimeSeries({ data_id }))).status).toBe(404);
    const unknown = { data_id: crypto.randomUUID(), return_null_if_missing: true };
    expect((await serviceFault(client.readTimeSeries(unknown))).failure).toEqual({ kind: 'held', reason: 'target' });
  });
});
