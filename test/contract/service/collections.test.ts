import { describe, expect, it } from 'vitest';
import { serviceFault } from '../../support/rigs/service-rig.ts';
import { demo, demoEntry, useServiceWorld } from '../../support/rigs/service-world.ts';

const world = useServiceWorld();
const firstFault = async (answer: Response) => {
  const { detail } = (await answer.json()) as { detail: { loc: string[] }[] };
  return [answer.status, detail[0]?.loc];
};
const samples = demo.physical_samples.map(({ physical_sample_id }) => physical_sample_id);

describe('4.12 POST /instruments/synthesis/', () => {
  it('gives the instrument with a number that streams can be linked with', async () => {
    const made = await world.owner.createInstrument({
      name: 'MBE-3',
      label: 'III-V MBE',
      type: 'mbe',
      serial_id: 'X-1',
    });
    expect(made).toMatchObject({
      synth_source_id: expect.any(Number),
      source_makes_id: expect.any(Number),
      source_name: 'MBE-3',
      synth_source_type: 'mbe',
      source_metadata: { manufacture_year: null, serial_identifier: 'X-1', inputs: null },
      user_id: expect.any(String),
      last_updated: expect.any(String),
    });
    await world.colleague.initializeStream({ points_per_chunk: 1, synth_source_id: made.synth_source_id });
    const foreign = world.stranger.initializeStream({ points_per_chunk: 1, synth_source_id: made.synth_source_id });
    expect((await serviceFault(foreign)).status).toBe(422);
  });

  it.each([
    [{ type: 'oven' }, 'type'],
    [{ name: undefined }, 'name'],
    [{ label: 7 }, 'label'],
  ])('refuses %j', async (change, field) => {
    const answer = await world.send('POST', '/instruments/synthesis/', {
      name: 'a',
      label: 'b',
      type: 'pld',
      ...change,
    });
    expect(await firstFault(answer)).toEqual([422, ['body', field]]);
  });
});

describe('4.13 GET /target-materials/ and 4.14 PATCH /target-materials/layers/', () => {
  const layersOf = async (name: string) =>
    (await world.owner.listTargetMaterials({})).filter(({ sample_name }) => sample_name === name);

  it('lists a record for each layer, with its target material', async () => {
    const [layer] = await layersOf('SrTiO3 on LSAT');
    expect(layer).toMatchObject({
      layer_id: 1,
      substrate: 'LSAT (001)',
      composition_string: 'SrTiO3',
      element_dict: { Sr: 1, Ti: 1, O: 3 },
      space_group: 'Pm-3m',
      user_name: 'operator',
      version: '1',
      detail_note_content: expect.stringContaining('30 unit cells'),
    });
  });

  it('changes the fields given and leaves the others', async () => {
    const [, layer] = await layersOf('GaAs/AlGaAs/InGaAs on GaAs');
    const { sample_id, layer_id, id, orientation, space_group } = layer ?? {};
    const changed = await world.owner.updateTargetLayer({
      layer_id: layer_id ?? 0,
      sample_id: sample_id ?? 0,
      composition_string: 'Al0.31Ga0.69As',
      element_dict: { Al: 0.31, Ga: 0.69, As: 1 },
      space_group: null,
    });
    expect(changed).toEqual({
      id,
      layer_id,
      sample_id,
      composition_string: 'Al0.31Ga0.69As',
      element_dict: { Al: 0.31, Ga: 0.69, As: 1 },
      orientation,
      space_group: null,
      mp_id: null,
    });
    expect(space_group).toBe('F-43m');
    const byRecord = await world.owner.updateTargetLayer({ id: id ?? 0, layer_id: layer_id ?? 0, mp_id: 'mp-1' });
    expect(byRecord).toMatchObject({ mp_id: 'mp-1', composition_string: 'Al0.31Ga0.69As' });
  });

  it('refuses to guess which of several layers is meant, and finds the only one', async () => {
    const fault = await serviceFault(world.owner.updateTargetLayer({ layer_id: 1, orientation: '(111)' }));
    expect(fault.status).toBe(422);
    expect(fault.message).toContain('sample_id');
    expect(await world.owner.updateTargetLayer({ layer_id: 3, orientation: '(111)' })).toMatchObject({
      orientation: '(111)',
    });
  });

  it('refuses a record id that is another layer, and finds no layer that is not there', async () => {
    const [layer] = await layersOf('SrTiO3 on LSAT');
    const wrong = { id: layer?.id ?? 0, layer_id: 2 };
    expect((await serviceFault(world.owner.updateTargetLayer(wrong))).status).toBe(422);
    expect((await serviceFault(world.owner.updateTargetLayer({ sample_id: 1, layer_id: 99 }))).status).toBe(404);
    expect((await serviceFault(world.owner.updateTargetLayer({ layer_id: 99 }))).status).toBe(404);
    expect(await firstFault(await world.send('PATCH', '/target-materials/layers/', { sample_id: 1 }))).toEqual([
      422,
      ['body', 'layer_id'],
    ]);
  });
});

describe('4.15 POST /projects/ and 4.16 POST /projects/{project_id}/physical_samples', () => {
  it('adds samples, or sets them, and answers those now in the project', async () => {
    const project_id = await world.owner.createProject({ name: 'Nickelates', notes: 'second batch' });
    const [a = '', b = '', c = ''] = samples;
    const update = (physical_sample_ids: string[], set?: boolean) =>
      world.owner.updateProjectSamples({ project_id, physical_sample_ids, ...(set === undefined ? {} : { set }) });
    expect(await update([a])).toEqual([a]);
    expect(await update([b, a])).toEqual([a, b]);
    expect(await update([c], true)).toEqual([c]);
    expect(await update([a], false)).toEqual([a, c]);
    expect(await update([], true)).toEqual([]);
  });

  it('changes nothing when one of the samples is not there', async () => {
    const project_id = await world.owner.createProject({ name: 'half' });
    const unknown = crypto.randomUUID();
    const fault = await serviceFault(
      world.owner.updateProjectSamples({ project_id, physical_sample_ids: [samples[0] ?? '', unknown], set: true }),
    );
    expect(fault.status).toBe(404);
    expect(fault.message).toContain(unknown);
    expect(await world.owner.updateProjectSamples({ project_id, physical_sample_ids: [] })).toEqual([]);
  });

  it('refuses an empty name', async () => {
    expect(await firstFault(await world.send('POST', '/projects/', { name: '' }))).toEqual([422, ['body', 'name']]);
    expect(await firstFault(await world.send('POST', '/projects/', {}))).toEqual([422, ['body', 'name']]);
  });

  it('links streams with the project', async () => {
    const project_id = await world.owner.createProject({ name: 'linked' });
    const { data_id } = await world.owner.initializeStream({ points_per_chunk: 1, project_id });
    expect((await world.owner.listDataEntries({ data_ids: [data_id] }))[0]?.projects).toEqual([
      { id: project_id, name: 'linked' },
    ]);
  });
});

describe('4.17 DELETE /tags/data-items/', () => {
  it('takes every tag given off every item given, and no other', async () => {
    const rheed = demoEntry('rheed_video').data_id;
    const optical = demoEntry('optical').data_id;
    const tagsOf = async (data_id: string) => (await world.owner.listDataEntries({ data_ids: [data_id] }))[0]?.tags;
    const [reference, inSitu] = demo.tags;
    expect(await tagsOf(rheed)).toHaveLength(2);
    expect(await world.owner.removeTags({ data_ids: [rheed, optical], tag_ids: [inSitu?.tag_id ?? ''] })).toEqual({});
    expect(await tagsOf(rheed)).toEqual([{ id: reference?.tag_id, name: 'reference' }]);
    expect(await tagsOf(optical)).toEqual([]);
    expect((await world.owner.listDataEntries({ keywords: ['in situ'] })).map(({ data_id }) => data_id)).not.toContain(
      rheed,
    );
  });

  it('takes its body as JSON, not as a query', async () => {
    expect((await world.send('DELETE', '/tags/data-items/?data_ids=a&tag_ids=b')).status).toBe(415);
    expect(await firstFault(await world.send('DELETE', '/tags/data-items/', { data_ids: [] }))).toEqual([
      422,
      ['body', 'tag_ids'],
    ]);
  });

  it('changes nothing when a tag is not there', async () => {
    const xps = demoEntry('xps').data_id;
    const request = { data_ids: [xps], tag_ids: [demo.tags[0]?.tag_id ?? '', crypto.randomUUID()] };
    expect((await serviceFault(world.owner.removeTags(request))).status).toBe(404);
    expect((await world.owner.listDataEntries({ data_ids: [xps] }))[0]?.tags).toHaveLength(1);
  });
});
