import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importFile } from '../../../../src-main/local-service/import/import-file.ts';
import { openServiceRig } from '../../../support/rigs/service-rig.ts';
import { demo, demoFile } from '../../../support/rigs/service-world.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const SAMPLE = '11111111-1111-4111-8111-111111111111';
const ENTRY = '22222222-2222-4222-8222-222222222222';
const entry = (more: object) => ({
  data_id: ENTRY,
  raw_name: 'a.txt',
  char_source_type: 'raman',
  upload_datetime: '2026-11-20T10:00:00Z',
  ...more,
});

/** A file with an item a line: line 1 opens it, line 2 the first heading, line 3 its first item. */
function importing(content: Record<string, object[]>): { folder: string; file: string } {
  const folder = join(tempFolder('import'), 'inside');
  mkdirSync(folder);
  writeFileSync(join(folder, '..', 'outside.txt'), 'not of this import');
  const headings = Object.entries(content).map(([name, items]) => {
    return `"${name}": [\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`;
  });
  const file = join(folder, 'import.json');
  writeFileSync(file, `{\n${headings.join(',\n')}\n}\n`);
  return { folder: join(folder, 'service'), file };
}

const faultOf = async (content: Record<string, object[]>) => {
  const { folder, file } = importing(content);
  const fault = await importFile(folder, file).catch((thrown) => thrown);
  expect(fault).toMatchObject({ code: 'service.import-unfit' });
  expect(fault.message).toContain(file);
  return fault.context.faults[0];
};

describe('importFile', () => {
  it('brings in everything of the demo, and nothing twice', async () => {
    const { folder, client } = await openServiceRig();
    const report = await importFile(folder, demoFile);
    expect(report).toEqual({ added: 21, kept: 0 });
    expect(await importFile(folder, demoFile)).toEqual({ added: 0, kept: 21 });
    expect(await client.listDataEntries({})).toHaveLength(demo.data_entries.length);
    expect(await client.listTargetMaterials({})).toHaveLength(4);
    expect(readdirSync(join(folder, 'files'))).toHaveLength(13);
  });

  it('gives the series of an entry back value by value', async () => {
    const { folder, client } = await openServiceRig();
    const values = Array.from({ length: 2500 }, (_, at) => at / 7);
    const stamps = values.map((_, at) => 1_780_000_000_123 + at * 40);
    const series = { relative_time_seconds: [], unix_timestamp_ms: stamps, values, units: 'nm' };
    const { file } = importing({
      data_entries: [entry({ time_series: { properties: { ['__proto__']: series, thickness: series } } })],
    });
    await importFile(folder, file);
    const read = await client.readTimeSeries({ data_id: ENTRY });
    expect(read?.properties.thickness).toMatchObject({ unix_timestamp_ms: stamps, values, units: 'nm' });
    expect(read?.series_max_time).toBeCloseTo(99.96, 6);
  });

  it('keeps fields it does not know and gives them back', async () => {
    const { folder, client } = await openServiceRig();
    const { file } = importing({ data_entries: [entry({ instrument_serial: 'X-7', nested: { a: [1] } })] });
    await importFile(folder, file);
    expect(await client.listDataEntries({})).toMatchObject([{ instrument_serial: 'X-7', nested: { a: [1] } }]);
  });

  it.each([
    ['a missing field', { data_entries: [{ ...entry({}), raw_name: undefined }] }, 3, 'data_entries.0.raw_name'],
    [
      'a wrong kind of value',
      { data_entries: [entry({}), entry({ xps: { intensities: 'many' } })] },
      4,
      'data_entries.1.xps.intensities',
    ],
    [
      'a time that is none',
      { data_entries: [entry({ upload_datetime: 'yesterday' })] },
      3,
      'data_entries.0.upload_datetime',
    ],
    ['a heading nobody knows', { samples: [{}] }, 1, ''],
    [
      'a sample that is nowhere',
      { data_entries: [entry({ physical_sample_id: SAMPLE })] },
      3,
      'data_entries.0.physical_sample_id',
    ],
    ['a tag that is nowhere', { data_entries: [entry({ tags: ['no-such-tag'] })] }, 3, 'data_entries.0.tags.0'],
    ['a file that is nowhere', { data_entries: [entry({ raw_file: 'missing.csv' })] }, 3, 'data_entries.0.raw_file'],
    [
      'a species twice',
      { data_entries: [entry({ sims: [{ species_name: 'Al' }, { species_name: 'Al' }] })] },
      3,
      'data_entries.0.sims.1.species_name',
    ],
    [
      'values without times',
      {
        data_entries: [
          entry({
            time_series: { properties: { t: { relative_time_seconds: [], unix_timestamp_ms: [1], values: [1, 2] } } },
          }),
        ],
      },
      3,
      'data_entries.0.time_series.properties.t.values',
    ],
    [
      'a spectrum with fewer counts than energies',
      { data_entries: [entry({ xps: { binding_energies: [1, 2], intensities: [1] } })] },
      3,
      'data_entries.0.xps.intensities',
    ],
    [
      'a profile with fewer concentrations than depths',
      { data_entries: [entry({ sims: [{ species_name: 'Al', depths: [1, 2], concentrations: [1] }] })] },
      3,
      'data_entries.0.sims.0.concentrations',
    ],
    [
      'a stamp beyond all dates',
      {
        data_entries: [
          entry({
            time_series: { properties: { t: { relative_time_seconds: [], unix_timestamp_ms: [1e300], values: [1] } } },
          }),
        ],
      },
      3,
      'data_entries.0.time_series.properties.t.unix_timestamp_ms.0',
    ],
    [
      'a channel without a name',
      {
        data_entries: [
          entry({
            time_series: { properties: { '': { relative_time_seconds: [], unix_timestamp_ms: [1], values: [1] } } },
          }),
        ],
      },
      3,
      'data_entries.0.time_series.properties.',
    ],
    [
      'a frame that is there twice',
      {
        data_entries: [
          entry({
            optical: {
              frames: [
                { image_uuid: 'f', file: 'import.json' },
                { image_uuid: 'f', file: 'import.json' },
              ],
            },
          }),
        ],
      },
      3,
      'data_entries.0.optical.frames.1.image_uuid',
    ],
    ['half a character', { tags: [{ tag_id: 'a', name: 'x\ud800' }] }, 3, 'tags.0.name'],
    [
      'a file outside the folder of the import file',
      { data_entries: [entry({ raw_file: '../outside.txt' })] },
      3,
      'data_entries.0.raw_file',
    ],
    [
      'a file named from the root',
      { data_entries: [entry({ raw_file: import.meta.filename })] },
      3,
      'data_entries.0.raw_file',
    ],
    [
      'an instrument of no kind',
      { instruments: [{ source_name: 'a', source_label: 'b', synth_source_type: 'oven' }] },
      3,
      'instruments.0.synth_source_type',
    ],
  ])('names line and field of %s', async (_, content, line, field) => {
    expect(await faultOf(content)).toMatchObject({ line, field });
  });

  it('names the line where a file stops being JSON', async () => {
    const folder = tempFolder('import');
    const file = join(folder, 'broken.json');
    writeFileSync(file, '{\n"tags": [\n{"tag_id": "a",}\n]}');
    await expect(importFile(join(folder, 'service'), file)).rejects.toMatchObject({
      code: 'service.import-unfit',
      message: expect.stringMatching(/line 3: not JSON/),
    });
    await expect(importFile(join(folder, 'service'), join(folder, 'nowhere.json'))).rejects.toMatchObject({
      code: 'service.import-missing',
    });
  });

  it('reads a file as an editor on Windows saves it, and refuses bytes that are no UTF-8', async () => {
    const folder = tempFolder('import');
    const file = join(folder, 'import.json');
    const text = JSON.stringify({ tags: [{ tag_id: 'a', name: 'caf\u00e9' }] });
    writeFileSync(file, `\ufeff${text}`);
    expect(await importFile(join(folder, 'service'), file)).toEqual({ added: 1, kept: 0 });
    writeFileSync(file, Buffer.from(text, 'latin1'));
    await expect(importFile(join(folder, 'service'), file)).rejects.toMatchObject({
      code: 'service.import-unfit',
      message: expect.stringContaining('UTF-8'),
    });
  });

  it('takes nothing of a file with one fault', async () => {
    const { folder, client } = await openServiceRig();
    const { file } = importing({
      physical_samples: [{ physical_sample_id: SAMPLE, name: 'good' }],
      data_entries: [entry({ physical_sample_id: SAMPLE }), entry({ data_id: SAMPLE, raw_file: 'missing.csv' })],
    });
    await expect(importFile(folder, file)).rejects.toMatchObject({ code: 'service.import-unfit' });
    expect(await client.listDataEntries({})).toEqual([]);
    const { status } = await client
      .initializeStream({ points_per_chunk: 1, physical_sample_id: SAMPLE })
      .catch((fault) => fault);
    expect(status).toBe(404);
    expect(existsSync(join(folder, 'files')) ? readdirSync(join(folder, 'files')) : []).toEqual([]);
  });

  it("refuses to touch another organization's data", async () => {
    const { folder } = await openServiceRig();
    const { file } = importing({ data_entries: [entry({})] });
    await importFile(folder, file, { organization: 'elsewhere', user: 'eve' });
    await expect(importFile(folder, file)).rejects.toMatchObject({
      message: expect.stringContaining('another organization'),
    });
  });
});
