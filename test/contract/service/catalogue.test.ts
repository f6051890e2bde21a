import { describe, expect, it } from 'vitest';
import { openServiceRig, senderTo, serviceFault } from '../../support/rigs/service-rig.ts';
import { demo, demoEntry, useServiceWorld } from '../../support/rigs/service-world.ts';

const world = useServiceWorld();
const names = async (request: Parameters<typeof world.owner.listDataEntries>[0]) =>
  (await world.owner.listDataEntries(request)).map(({ raw_name }) => raw_name);

describe('4.8 GET /data_entries/', () => {
  it('gives every field of an entry, newest entry first', async () => {
    const [newest] = await world.owner.listDataEntries({});
    expect(newest?.raw_name).toBe(demo.data_entries.at(-1)?.raw_name);
    const [xps] = await world.owner.listDataEntries({ data_ids: [demoEntry('xps').data_id] });
    expect(xps).toEqual({
      data_id: demoEntry('xps').data_id,
      raw_name: 'sto-112-survey.csv',
      char_source_type: 'xps',
      pipeline_status: 'success',
      upload_datetime: '2026-11-17T12:22:00.000Z',
      last_accessed_datetime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      physical_sample_id: demo.physical_samples[0]?.physical_sample_id,
      physical_sample_name: demo.physical_samples[0]?.name,
      tags: [{ id: demo.tags[0]?.tag_id, name: 'reference' }],
      projects: [{ id: demo.projects[0]?.project_id, name: 'Oxide heterostructures' }],
    });
  });

  it('takes repeated data_ids and physical_sample_ids', async () => {
    const ids = [demoEntry('xps').data_id, demoEntry('sims').data_id, crypto.randomUUID()];
    expect((await names({ data_ids: ids })).sort()).toEqual(['g3-047-depth-profile.csv', 'sto-112-survey.csv']);
    const samples = demo.physical_samples.slice(1).map(({ physical_sample_id }) => physical_sample_id);
    expect(await names({ physical_sample_ids: samples })).toHaveLength(3);
    expect(await names({ physical_sample_ids: samples, data_type: 'sims' })).toEqual(['g3-047-depth-profile.csv']);
  });

  it('filters by type and by status, where all is every status', async () => {
    expect(await names({ data_type: 'optical' })).toEqual(['sto-112-viewport']);
    for (const data_type of ['nothing of the kind', 'constructor', '__proto__']) {
      expect(await names({ data_type })).toEqual([]);
    }
    expect(await names({ status: 'error' })).toEqual(['nno-009-before-anneal.tif']);
    expect(await names({ status: 'all' })).toHaveLength(demo.data_entries.length);
  });

  it('finds what streams and sessions make under the kinds that the interface names', async () => {
    const { client } = await openServiceRig();
    const { data_id: stream } = await client.initializeStream({ points_per_chunk: 1 });
    const start = { data_item_name: 'x', fps_capture_rate: 30 };
    const standing = await client.startRheedStream({ ...start, rotations_per_min: 0, rotational_period: 0 });
    const rotating = await client.startRheedStream({ ...start, rotations_per_min: 12 });
    const found = async (data_type: string) =>
      (await client.listDataEntries({ data_type })).map(({ data_id }) => data_id);
    expect(await found('metrology')).toEqual([stream]);
    expect(await found('tool_state')).toEqual([stream]);
    expect(await found('rheed_video')).toEqual([rotating, standing]);
    expect(await found('rheed_stationary')).toEqual([standing]);
    expect(await found('rheed_rotating')).toEqual([rotating]);
  });

  it.each([
    [['viewport'], ['sto-112-viewport']],
    [['NDNIO3'], ['nno-009-raman.txt', 'nno-009-before-anneal.tif']],
    [['AlGaAs'], ['g3-047-depth-profile.csv']],
    [['be check'], ['nno-009-before-anneal.tif']],
    [
      ['sto', 'in situ'],
      ['sto-112-viewport', 'sto-112-rheed.avi', 'sto-112-growth'],
    ],
    [['g3'], ['g3-047-depth-profile.csv']],
    [['-112-'], ['sto-112-survey.csv', 'sto-112-viewport', 'sto-112-rheed.avi', 'sto-112-growth']],
    [['sto', 'no such thing'], []],
    [['"'], []],
    [['OR'], []],
    [['sto*'], []],
    [['', '  '], demo.data_entries.map(({ raw_name }) => raw_name).toReversed()],
  ])('finds keywords %j in name, sample and tags', async (keywords, found) => {
    expect(await names({ keywords })).toEqual(found);
  });

  it('finds an entry by a nonce in its name as soon as it is started', async () => {
    await world.owner.initializeStream({
      points_per_chunk: 1,
      stream_name: 'MBE-1 chamber-log 2026-11-20 19:40:12 k7f3q',
    });
    expect(await names({ keywords: ['k7f3q'] })).toHaveLength(1);
  });

  it('includes the organization by default and the own entries alone on request', async () => {
    const rig = await openServiceRig();
    const { data_id } = await rig.client.initializeStream({ points_per_chunk: 1 });
    expect(await rig.client.listDataEntries({ include_organization_data: false })).toMatchObject([{ data_id }]);
    expect((await world.colleague.listDataEntries({})).length).toBeGreaterThanOrEqual(demo.data_entries.length);
    expect(await world.colleague.listDataEntries({ include_organization_data: true, status: 'error' })).toHaveLength(1);
    const before = await world.colleague.listDataEntries({ include_organization_data: false });
    await world.colleague.initializeStream({ points_per_chunk: 1 });
    expect(await world.colleague.listDataEntries({ include_organization_data: false })).toHaveLength(before.length + 1);
  });

  it('pages with limit and offset without a gap or a repeat', async () => {
    const all = await names({});
    const pages = [];
    for (let offset = 0; offset < all.length; offset += 2) pages.push(...(await names({ limit: 2, offset })));
    expect(pages).toEqual(all);
    expect(await names({ limit: 10_000, offset: 1_000_000 })).toEqual([]);
    expect(await names({ limit: 0 })).toEqual([]);
  });

  it.each([
    ['status=finished', 'status'],
    ['limit=-1', 'limit'],
    ['project_ids=a', 'project_ids'],
    ['keyword=a', 'keyword'],
    [Array(51).fill('keywords=a').join('&'), 'keywords'],
    ['limit=10001', 'limit'],
    ['limit=many', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=0.5', 'offset'],
    ['include_organization_data=perhaps', 'include_organization_data'],
  ])('refuses %s with 422 and its place', async (search, field) => {
    const answer = await world.send('GET', `/data_entries/?${search}`);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ status: 422, detail: [{ loc: ['query', field] }] });
  });

  it('refuses a keyword of more than 200 characters, and a name of more than 1000', async () => {
    const search = await world.send('GET', `/data_entries/?keywords=${'a'.repeat(201)}`);
    expect(await search.json()).toMatchObject({ status: 422, detail: [{ loc: ['query', 'keywords', 0] }] });
    const named = { points_per_chunk: 1, stream_name: 'a'.repeat(1001) };
    const start = await world.send('POST', '/tool-state/stream/initialize', named);
    expect(await start.json()).toMatchObject({ status: 422, detail: [{ loc: ['body', 'stream_name'] }] });
  });

  it('notes when data were last read', async () => {
    const data_ids = [demoEntry('sims').data_id];
    const [before] = await world.owner.listDataEntries({ data_ids });
    await world.owner.readSims({ data_id: data_ids[0] ?? '' });
    const read = async () => (await world.owner.listDataEntries({ data_ids }))[0]?.last_accessed_datetime;
    await expect.poll(read, { timeout: 60_000 }).not.toBe(before?.last_accessed_datetime);
  });

  it('follows a stream from pending over running to success', async () => {
    const { client, service } = await openServiceRig({ bench: {} });
    const { data_id } = await client.initializeStream({ points_per_chunk: 1 });
    const status = async () => (await client.listDataEntries({ data_ids: [data_id] }))[0]?.pipeline_status;
    expect(await status()).toBe('pending');
    await client.ingestChunk({ data_id, chunk_index: 0, channels: { cell: { timestamps: [1], values: [1] } } });
    expect(await status()).toBe('running');
    await service.setBench({ clockOffsetMs: 16 * 60_000 });
    await expect.poll(status, { timeout: 60_000 }).toBe('success');
    await client.ingestChunk({ data_id, chunk_index: 1, channels: { cell: { timestamps: [2], values: [1] } } });
    expect(await status()).toBe('running');
    const end = () => senderTo(service)('POST', `/tool-state/stream/${data_id}/finalize`);
    expect([(await end()).status, (await end()).status]).toEqual([200, 200]);
    expect(await status()).toBe('success');
    const late = client.ingestChunk({ data_id, chunk_index: 2, channels: { cell: { timestamps: [3], values: [1] } } });
    expect((await serviceFault(late)).failure.kind).toBe('refused');
  });
});
