import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { serviceFault } from '../../support/rigs/service-rig.ts';
import { demo, demoEntry, useServiceWorld } from '../../support/rigs/service-world.ts';

const world = useServiceWorld();
const refusalOf = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { detail: { loc: unknown }[] }).detail[0]?.loc,
];

describe('4.4 POST /rheed/stream/ and 4.5 GET /rheed/stream/{data_id}', () => {
  it('gives the settings back, unset ones as null', async () => {
    const data_id = await world.owner.startRheedStream({ data_item_name: 'plain', fps_capture_rate: 59.94 });
    expect(await world.owner.readRheedSettings({ data_id })).toEqual({
      data_item_name: 'plain',
      fps_capture_rate: 59.94,
      project_id: null,
      physical_sample_id: null,
      create_physical_sample_name: null,
      rotational_period: null,
      rotations_per_min: null,
    });
  });

  it('takes the period in seconds and tells it in frames a turn', async () => {
    const data_id = await world.owner.startRheedStream({
      data_item_name: 'turning',
      fps_capture_rate: 30,
      rotational_period: 12.5,
      rotations_per_min: 5,
    });
    expect(await world.owner.readRheedSettings({ data_id })).toMatchObject({
      rotational_period: 375,
      rotations_per_min: 5,
    });
    expect(await world.owner.listDataEntries({ data_ids: [data_id] })).toMatchObject([
      { char_source_type: 'rheed_rotating' },
    ]);
  });

  it('creates a sample once, however often the start is repeated', async () => {
    const request = { data_item_name: 'new sample', fps_capture_rate: 30, create_physical_sample_name: 'G3-048' };
    const first = await world.owner.readRheedSettings({ data_id: await world.owner.startRheedStream(request) });
    const again = await world.owner.readRheedSettings({ data_id: await world.owner.startRheedStream(request) });
    expect(first.physical_sample_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(again.physical_sample_id).toBe(first.physical_sample_id);
    expect(first.create_physical_sample_name).toBe('G3-048');
    expect(await world.owner.listDataEntries({ physical_sample_ids: [first.physical_sample_id ?? ''] })).toHaveLength(
      2,
    );
  });

  it('uses the name of a new sample only when no sample is given', async () => {
    const physical_sample_id = demo.physical_samples[0]?.physical_sample_id ?? '';
    const data_id = await world.owner.startRheedStream({
      data_item_name: 'both',
      fps_capture_rate: 30,
      physical_sample_id,
      create_physical_sample_name: 'must not appear',
    });
    expect(await world.owner.readRheedSettings({ data_id })).toMatchObject({
      physical_sample_id,
      create_physical_sample_name: null,
    });
    expect(await world.owner.listDataEntries({ keywords: ['must not appear'] })).toEqual([]);
  });

  it.each([
    [{ fps_capture_rate: 0 }, 'fps_capture_rate'],
    [{ fps_capture_rate: -1 }, 'fps_capture_rate'],
    [{ fps_capture_rate: 120.01 }, 'fps_capture_rate'],
    [{ fps_capture_rate: '30' }, 'fps_capture_rate'],
    [{ data_item_name: null }, 'data_item_name'],
    [{ rotations_per_min: 4.97 }, 'rotations_per_min'],
  ])('refuses %j', async (change, field) => {
    const answer = await world.send('POST', '/rheed/stream/', {
      data_item_name: 'x',
      fps_capture_rate: 120,
      ...change,
    });
    expect(await refusalOf(answer)).toEqual([422, ['body', field]]);
  });

  it('takes 120 frames a second', async () => {
    expect(await world.owner.startRheedStream({ data_item_name: 'fast', fps_capture_rate: 120 })).toMatch(
      /^[0-9a-f-]{36}$/,
    );
  });

  it('finds no session where there is none', async () => {
    const fault = await serviceFault(world.owner.readRheedSettings({ data_id: demoEntry('xps').data_id }));
    expect(fault.status).toBe(404);
    const chunk = {
      data_id: await world.owner.startRheedStream({ data_item_name: 'x', fps_capture_rate: 1 }),
      chunk_index: 0,
    };
    const points = { cell: { timestamps: [1], values: [1] } };
    expect((await serviceFault(world.owner.ingestChunk({ ...chunk, channels: points }))).status).toBe(404);
  });
});

describe('4.6 GET /rheed/processed_metadata', () => {
  const data_id = demoEntry('rheed_video').data_id;

  it('answers one object for each id asked, in that order', async () => {
    const answer = await world.owner.readRheedMetadata({ data_ids: [data_id, data_id] });
    expect(answer).toHaveLength(2);
    expect(answer[0]).toMatchObject({ data_id, fps: 30, total_frames: 32_400, inner_start: 9_000, inner_end: 30_600 });
  });

  it('names the id that is missing', async () => {
    const missing = crypto.randomUUID();
    const fault = await serviceFault(world.owner.readRheedMetadata({ data_ids: [data_id, missing] }));
    expect(fault.status).toBe(404);
    expect(fault.message).toContain(missing);
  });

  it('needs at least one id', async () => {
    expect(await refusalOf(await world.send('GET', '/rheed/processed_metadata'))).toEqual([422, ['query', 'data_ids']]);
  });
});

describe('4.7 GET /optical/frame/video_single_frames/{data_id}', () => {
  it('lists frames whose images are what their metadata say', async () => {
    const { data_id } = demoEntry('optical');
    const { video_uuid, frames } = await world.owner.readOpticalFrames({ data_id });
    expect(video_uuid).toBe(data_id);
    expect(frames).toHaveLength(12);
    const { image_uuid, processed_file_metadata } = frames?.[5] ?? {};
    const answer = await world.send('GET', `/data_entries/raw_data/${image_uuid}?return_as=bytes`);
    expect(answer.headers.get('content-type')).toBe('image/png');
    const { width, height } = PNG.sync.read(Buffer.from(await answer.arrayBuffer()));
    expect(processed_file_metadata).toMatchObject({ file_type: 'png', width, height });
  });

  it('finds no frames where there is no video', async () => {
    expect((await serviceFault(world.owner.readOpticalFrames({ data_id: demoEntry('xps').data_id }))).status).toBe(404);
  });
});

describe('4.10 GET /xps/{data_id}', () => {
  it('gives a spectrum whose strongest line stands where the film has it', async () => {
    const { data_id } = demoEntry('xps');
    const xps = await world.owner.readXps({ data_id });
    const energies = xps.binding_energies ?? [];
    const counts = (xps.intensities ?? []).map((count) => count ?? 0);
    expect(counts).toHaveLength(energies.length);
    expect(energies[counts.indexOf(Math.max(...counts))]).toBeCloseTo(529.7, 0);
    expect(xps.predicted_formula).toBe('SrTiO3');
    const total = Object.values(xps.predicted_composition ?? {}).reduce<number>((sum, part) => sum + (part ?? 0), 0);
    expect(total).toBeCloseTo(1, 1);
  });

  it('finds no spectrum where there is none', async () => {
    expect((await serviceFault(world.owner.readXps({ data_id: demoEntry('sims').data_id }))).status).toBe(404);
  });
});

describe('4.11 GET /sims/{data_id}', () => {
  it('gives one profile a species, ordered by name', async () => {
    const profiles = await world.owner.readSims({ data_id: demoEntry('sims').data_id });
    expect(profiles.map(({ species_name }) => species_name)).toEqual(['Al', 'As', 'Ga', 'In', 'Si']);
    const at = (species: string, depthNm: number) => {
      const profile = profiles.find(({ species_name }) => species_name === species);
      return profile?.concentrations?.[profile.depths?.indexOf(depthNm) ?? -1] ?? 0;
    };
    expect(at('Al', 60) / at('Al', 10)).toBeGreaterThan(1e4);
    expect(at('In', 100) / at('Ga', 100)).toBeCloseTo(0.25, 1);
    expect(at('Si', 60)).toBeGreaterThan(1e18);
  });

  it('answers an empty array where there is no SIMS, and 404 where there is no entry', async () => {
    expect(await world.owner.readSims({ data_id: demoEntry('xps').data_id })).toEqual([]);
    expect((await serviceFault(world.owner.readSims({ data_id: crypto.randomUUID() }))).status).toBe(404);
  });
});
