// The table row by row, client against embedded service over real HTTP: every row succeeds, knows its caller, and tells a
// stranger nothing.
import { afterAll, describe, expect, it } from 'vitest';
import { createServiceClient, type ServiceClient } from '../../../src-main/delivery/client/client.ts';
import {
  type Endpoint,
  type EndpointName,
  endpointNames,
  type Request,
  table,
} from '../../../src-main/interface/table.ts';
import { serviceFault } from '../../support/rigs/service-rig.ts';
import { demo, demoEntry, type ServiceWorld, useServiceWorld } from '../../support/rigs/service-world.ts';

const world = useServiceWorld();
const anySample = demo.physical_samples[0]?.physical_sample_id ?? '';
const anyProject = demo.projects[0]?.project_id ?? '';
const points = { timestamps: [1_780_000_000], values: [1] };

/** A sound request for a row; streams and sessions it needs are started first. */
const requests: { [N in EndpointName]: (owner: ServiceClient) => Promise<Request<N>> | Request<N> } = {
  ingestChunk: async (owner) => {
    const { data_id } = await owner.initializeStream({ points_per_chunk: 1 });
    return { data_id, chunk_index: 0, channels: { cell: points } };
  },
  initializeStream: () => ({ points_per_chunk: 10, physical_sample_id: anySample, project_id: anyProject }),
  readTimeSeries: () => ({ data_id: demoEntry('metrology').data_id }),
  startRheedStream: () => ({ data_item_name: 'session', fps_capture_rate: 30, physical_sample_id: anySample }),
  readRheedSettings: async (owner) => ({
    data_id: await owner.startRheedStream({ data_item_name: 'session', fps_capture_rate: 30 }),
  }),
  readRheedMetadata: () => ({ data_ids: [demoEntry('rheed_video').data_id] }),
  readOpticalFrames: () => ({ data_id: demoEntry('optical').data_id }),
  listDataEntries: () => ({ data_ids: [demoEntry('xps').data_id] }),
  readRawData: () => ({ data_id: demoEntry('xps').data_id, return_as: 'url-download' }),
  readXps: () => ({ data_id: demoEntry('xps').data_id }),
  readSims: () => ({ data_id: demoEntry('sims').data_id }),
  createInstrument: () => ({ name: 'MBE-9', label: 'small MBE', type: 'mbe' }),
  listTargetMaterials: () => ({}),
  updateTargetLayer: () => ({ sample_id: 1, layer_id: 1, orientation: '(110)' }),
  createProject: () => ({ name: 'a project' }),
  updateProjectSamples: () => ({ project_id: anyProject, physical_sample_ids: [anySample] }),
  removeTags: () => ({ data_ids: [demoEntry('metrology').data_id], tag_ids: [demo.tags[1]?.tag_id ?? ''] }),
};

/** What a user of another organization gets for the owner's request: a status, or the answer. */
const forStrangers: Partial<Record<EndpointName, unknown>> = {
  listDataEntries: [],
  listTargetMaterials: [],
  createInstrument: expect.objectContaining({ source_name: 'MBE-9' }),
  createProject: expect.any(String),
};

const ask = (client: ServiceClient, name: EndpointName, request: unknown) =>
  (client[name] as (request: unknown) => Promise<unknown>)(request);

function clientWith({ service }: ServiceWorld, key: string): ServiceClient {
  return createServiceClient({ baseUrl: service.url, apiKey: () => key });
}

const walked: string[] = [];
afterAll(() => console.log([`${walked.length} rows answered as the interface says:`, ...walked].join('\n  ')));

describe.each(endpointNames)('%s', (name) => {
  const row: Endpoint = table[name];

  it(`answers ${row.success} to ${row.section} ${row.method} ${row.path}`, async () => {
    const request = (await requests[name](world.owner)) as Record<string, unknown>;
    const value = await ask(world.owner, name, request);
    expect(row.response.safeParse(value).error).toBeUndefined();
    const path = row.path.replace(/\{(\w+)\}/g, (_, field: string) => String(request[field]));
    const search = new URLSearchParams(
      Object.keys(row.query?.shape ?? {}).flatMap((field) => {
        return [request[field] ?? []].flat().map((item) => [field, String(item)]);
      }),
    );
    const body = row.body ? request : undefined;
    const answer = await world.send(row.method, `${path}?${search}`, body);
    expect(answer.status).toBe(row.success);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    walked.push(`${row.section} ${row.method} ${row.path} ${answer.status}`);
  });

  it('refuses a wrong key and a missing one with 401', async () => {
    const request = await requests[name](world.owner);
    const wrong = clientWith(world, 'not-a-key-of-anybody');
    const fault = await serviceFault(ask(wrong, name, request));
    await wrong.close();
    expect([fault.status, fault.failure]).toEqual([401, { kind: 'held', reason: 'key' }]);
    const bare = await fetch(world.service.url + row.path, { method: row.method });
    expect(bare.status).toBe(401);
  });

  it('tells nothing of another organization', async () => {
    const request = await requests[name](world.owner);
    if (name in forStrangers) {
      expect(await ask(world.stranger, name, request)).toEqual(forStrangers[name]);
      return;
    }
    const fault = await serviceFault(ask(world.stranger, name, request));
    expect([fault.status, fault.failure]).toEqual([404, { kind: 'held', reason: 'target' }]);
  });
});

describe('the table', () => {
  it('holds the seventeen endpoints of the interface, in its order', () => {
    expect(endpointNames.map((name) => table[name].section)).toEqual(
      Array.from({ length: 17 }, (_, index) => `4.${index + 1}`),
    );
    expect(endpointNames.map((name) => `${table[name].method} ${table[name].path}`)).toEqual([
      'POST /metrology/stream/chunk/multi',
      'POST /tool-state/stream/initialize',
      'GET /metrology/{data_id}/timeseries/',
      'POST /rheed/stream/',
      'GET /rheed/stream/{data_id}',
      'GET /rheed/processed_metadata',
      'GET /optical/frame/video_single_frames/{data_id}',
      'GET /data_entries/',
      'GET /data_entries/raw_data/{data_id}',
      'GET /xps/{data_id}',
      'GET /sims/{data_id}',
      'POST /instruments/synthesis/',
      'GET /target-materials/',
      'PATCH /target-materials/layers/',
      'POST /projects/',
      'POST /projects/{project_id}/physical_samples',
      'DELETE /tags/data-items/',
    ]);
  });

  it('has paths that are served with and without a slash at the end', async () => {
    for (const path of ['/data_entries', '/data_entries/', `/xps/${demoEntry('xps').data_id}/`]) {
      expect([path, (await world.send('GET', path)).status]).toEqual([path, 200]);
    }
  });

  it('answers another method with those that the path takes', async () => {
    const put = await world.send('PUT', '/data_entries/');
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await put.json()).toMatchObject({ status: 405, detail: 'This path takes GET or HEAD.' });
    const get = await world.send('GET', '/metrology/stream/chunk/multi');
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await world.send('DELETE', `/rheed/stream/${demoEntry('xps').data_id}`)).headers.get('allow')).toBe(
      'GET, HEAD',
    );
    expect((await world.send('GET', '/nothing/here')).status).toBe(404);
  });

  it('takes UUIDs in capitals, and leaves names as they are', async () => {
    const stream_name = crypto.randomUUID().toUpperCase();
    const { data_id } = await world.owner.initializeStream({ points_per_chunk: 1, stream_name });
    const capitals = data_id.toUpperCase();
    const channels = { cell: { timestamps: [1], values: [2] } };
    expect(await world.owner.ingestChunk({ data_id: capitals, chunk_index: 0, channels })).toMatchObject([{ data_id }]);
    expect(await world.owner.readTimeSeries({ data_id: capitals })).toMatchObject({ properties: { cell: {} } });
    expect(await world.owner.listDataEntries({ data_ids: [capitals] })).toMatchObject([
      { data_id, raw_name: stream_name },
    ]);
  });
});
