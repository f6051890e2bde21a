// The calls of catalogue and library over the real client and the embedded service with its demo data.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { viewXps } from '../../../../../src-main/agent/handlers/catalogue/analysis-view.ts';
import { catalogueHandlers } from '../../../../../src-main/agent/handlers/catalogue/catalogue-handlers.ts';
import { readStamp } from '../../../../../src-main/agent/handlers/catalogue/entry-view.ts';
import { readPictureFacts } from '../../../../../src-main/agent/handlers/catalogue/picture-facts.ts';
import { RawDownloads } from '../../../../../src-main/agent/handlers/catalogue/raw-downloads.ts';
import { libraryHandlers } from '../../../../../src-main/agent/handlers/library/library-handlers.ts';
import { MadeHere } from '../../../../../src-main/agent/handlers/library/made-here.ts';
import { PageQuestions } from '../../../../../src-main/agent/handlers/page-questions.ts';
import type { ServiceLink } from '../../../../../src-main/agent/service-link/service-link.ts';
import { createServiceClient } from '../../../../../src-main/delivery/client/client.ts';
import { createLinkClient } from '../../../../../src-main/delivery/client/download.ts';
import type { LocalService } from '../../../../../src-main/local-service/local-service.ts';
import { startBenchService } from '../../../../support/bench/bench-service.ts';
import { demo, demoEntry, useServiceWorld } from '../../../../support/rigs/service-world.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const world = useServiceWorld();
const everything = {
  ...{ dataIds: [], sampleIds: [], type: '', status: 'all' as const, keywords: [], isOrganization: true },
  ...{ limit: 1000, offset: 0 },
};
let tickets = 0;
const ticket = () => `t${++tickets}`;

function linkTo(service: Pick<LocalService, 'url' | 'apiKey'>): ServiceLink {
  const client = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey });
  const links = createLinkClient({ baseUrl: service.url });
  const stop = async () => void (await Promise.all([client.close(), links.close()]));
  return { client, links, isEmbedded: true, mark: 'embedded', address: service.url, stop, outage: null };
}

let opened: ServiceLink | null = null;
const link = () => {
  opened ??= linkTo(world.service);
  return opened;
};
afterAll(() => opened?.stop());
const questions = new PageQuestions();
const catalogue = catalogueHandlers(link, questions, new RawDownloads());

describe('catalogue', () => {
  test('gives pages with every field that the service told, and says which is the last', async () => {
    const all = await catalogue.list({ ...everything, ticket: ticket() });
    expect(all.isLast).toBe(true);
    expect(all.entries).toHaveLength(demo.data_entries.length);
    const page = await catalogue.list({ ...everything, ticket: ticket(), limit: 2, offset: 1 });
    expect(page).toEqual({ entries: all.entries.slice(1, 3), isLast: false });
    const xps = all.entries.find(({ type }) => type === 'xps');
    expect(xps).toMatchObject({
      name: 'sto-112-survey.csv',
      status: 'success',
      sampleName: 'STO-112 SrTiO3 on LSAT',
      uploadedMs: Date.parse('2026-11-17T12:22:00.000Z'),
      tags: [{ name: 'reference' }],
      projects: [{ name: 'Oxide heterostructures' }],
    });
  });

  test('hands every filter on', async () => {
    const found = async (part: Partial<typeof everything>) =>
      (await catalogue.list({ ...everything, ...part, ticket: ticket() })).entries.map(({ name }) => name);
    expect(await found({ type: 'sims' })).toEqual(['g3-047-depth-profile.csv']);
    expect(await found({ status: 'error' as never })).toEqual(['nno-009-before-anneal.tif']);
    expect(await found({ keywords: ['raman'] as never })).toEqual(['nno-009-raman.txt']);
    expect(await found({ dataIds: [demoEntry('xps').data_id] as never })).toEqual(['sto-112-survey.csv']);
    const sample = demo.physical_samples.find(({ name }) => name.startsWith('G3'))?.physical_sample_id;
    expect(await found({ sampleIds: [sample] as never })).toEqual(['g3-047-depth-profile.csv']);
    expect(await found({ isOrganization: false })).toHaveLength(demo.data_entries.length);
  });

  test('thins a series and keeps its extremes; an entry without one has none', async () => {
    const { data_id: dataId } = demoEntry('metrology');
    const whole = await catalogue.series({ ticket: ticket(), dataId, maxPoints: 4000 });
    const thinned = await catalogue.series({ ticket: ticket(), dataId, maxPoints: 40 });
    for (const [at, line] of (whole?.lines ?? []).entries()) {
      const few = thinned?.lines[at];
      expect(few?.points).toBe(line.points);
      expect(few?.timesMs.length).toBeLessThanOrEqual(40);
      const values = line.values.filter((value) => value !== null);
      expect(few?.values).toContain(Math.max(...values));
      expect(few?.values).toContain(Math.min(...values));
    }
    expect(whole?.lines.length).toBeGreaterThan(0);
    expect(await catalogue.series({ ticket: ticket(), dataId: demoEntry('xps').data_id, maxPoints: 40 })).toBeNull();
  });

  test('gives frames as pictures that were looked at, and nothing that is none', async () => {
    const { frames, total } = await catalogue.frames({ ticket: ticket(), dataId: demoEntry('optical').data_id });
    expect(total).toBe(12);
    const picture = await catalogue.picture({ ticket: ticket(), dataId: frames[0]?.imageId ?? '' });
    expect(picture).toMatchObject({ mediaType: 'image/png', widthPx: 160, heightPx: 120 });
    const onDisk = readFileSync(join(import.meta.dirname, '../../../../../resources/demo/viewport-00.png'));
    expect(Buffer.from(picture.base64, 'base64').equals(onDisk)).toBe(true);
    await expect(catalogue.picture({ ticket: ticket(), dataId: demoEntry('xps').data_id })).rejects.toMatchObject({
      code: 'catalogue.no-picture',
    });
  });

  test('tells spectrum, peaks, composition with its uncertainty, and depth profiles', async () => {
    const xps = await catalogue.xps({ ticket: ticket(), dataId: demoEntry('xps').data_id });
    expect(xps.xs.length).toBe(xps.ys.length);
    expect(xps.xs[0]).toBeLessThan(xps.xs.at(-1) ?? 0);
    expect(xps.peaks.length).toBeGreaterThan(3);
    expect(xps.peaks.every(({ label }) => label !== '')).toBe(true);
    expect(xps.composition.find(({ element }) => element === 'O')).toMatchObject({
      fraction: expect.any(Number),
      uncertainty: expect.any(Number),
    });
    const sims = await catalogue.sims({ ticket: ticket(), dataId: demoEntry('sims').data_id });
    expect(sims.profiles.map(({ species }) => species)).toContain('Al');
    expect(await catalogue.sims({ ticket: ticket(), dataId: demoEntry('xps').data_id })).toEqual({
      profiles: [],
      left: 0,
    });
  });

  test('says in plain words, without the key, that an entry has no such data', async () => {
    const fault = await catalogue.xps({ ticket: ticket(), dataId: 'unknown' }).catch((thrown) => thrown);
    expect(fault.message).toBe('The service has no XPS spectrum for this entry.');
    expect(fault.hint).toMatch(/was deleted/);
    const { url } = await catalogue.rawLink({ ticket: ticket(), dataId: demoEntry('xps').data_id });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1/);
    expect(`${fault.message} ${url}`).not.toContain(world.service.apiKey);
  });

  test.each([
    ['https://files.example.org/a?token=1', true],
    ['http://10.0.0.7/a', true],
    ['http://127.0.0.1:4320/a', true],
    ['http://169.254.169.254/latest/meta-data/', false],
    ['http://0xa9fea9fe/', false],
    ['http://[fe80::1]/', false],
    ['http://[::ffff:169.254.169.254]/', false],
    ['http://0.0.0.0:4310/', false],
    ['https://bank.example@evil.example/', false],
    ['https://user:pw@files.example.org/', false],
    ['javascript:alert(1)', false],
    ['file:///etc/passwd', false],
    ['no address', false],
  ])('hands the address %s to the page: %s', async (url, isHanded) => {
    const client = { readRawData: async () => ({ url }) } as unknown as ServiceLink['client'];
    const calls = catalogueHandlers(() => ({ client }) as ServiceLink, new PageQuestions(), new RawDownloads());
    const link = await calls.rawLink({ ticket: 'raw-link', dataId: 'd' });
    expect(link.url).toBe(isHanded ? url : '');
  });

  test('takes tags off many, and names the one that the service refuses', async () => {
    const [first, second] = [demoEntry('rheed_video').data_id, demoEntry('xps').data_id];
    const reference = demo.tags.find(({ name }) => name === 'reference')?.tag_id ?? '';
    const dataIds = [first, 'not-an-entry', second];
    const { failed } = await catalogue.untag({ ticket: ticket(), dataIds, tagIds: [reference] });
    expect(failed).toEqual([
      { dataId: 'not-an-entry', message: expect.stringContaining('not-an-entry'), hint: expect.any(String) },
    ]);
    const { entries } = await catalogue.list({ ...everything, ticket: ticket(), dataIds: [first, second] as never });
    expect(entries.flatMap(({ tags }) => tags.map(({ name }) => name))).not.toContain('reference');
  });
});

test('a question that is given up ends at once, and nothing of it stays', async () => {
  const folder = tempFolder('given-up');
  const rules = [{ fault: { kind: 'lost-before' as const, how: 'hang' as const } }];
  const service = await startBenchService({ folder, bench: { rules } });
  const slow = linkTo(service);
  onTestFinished(async () => {
    await slow.stop();
    await service.stop();
  });
  const handlers = catalogueHandlers(() => slow, questions, new RawDownloads());
  const asked = handlers.list({ ...everything, ticket: 'left' });
  expect(questions.count).toBe(1);
  await handlers.giveUp({ ticket: 'left' });
  await expect(asked).rejects.toMatchObject({ message: expect.stringContaining('given up') });
  expect(questions.count).toBe(0);
});

describe('library', () => {
  const library = (path: string) =>
    libraryHandlers(
      () => ({ client: link().client, mark: 'embedded', made: new MadeHere(path) }),
      questions,
      () => 7,
    );

  test('draws layers together to stacks and changes one of them', async () => {
    const calls = library(join(tempFolder('library'), 'made.json'));
    const { targets } = await calls.targets({ ticket: ticket() });
    const stack = targets.find(({ name }) => name.startsWith('GaAs/'));
    expect(stack).toMatchObject({ substrate: 'GaAs (001)' });
    expect(stack?.layers.map(({ layerId }) => layerId)).toEqual([1, 2, 3]);
    const [layer] = stack?.layers ?? [];
    const { recordId = null, sampleId = null } = layer ?? {};
    const changed = await calls.changeLayer({
      ...{ recordId, sampleId, layerId: 1 },
      ...{ composition: 'In0.3Ga0.7As', elements: [{ element: 'In', amount: 0.3 }], spaceGroup: null },
    });
    expect(changed).toMatchObject({ composition: 'In0.3Ga0.7As', spaceGroup: '', orientation: '(001)' });
    const again = (await calls.targets({ ticket: ticket() })).targets.find(({ name }) => name.startsWith('GaAs/'));
    expect(again?.layers[0]).toMatchObject({ composition: 'In0.3Ga0.7As', elements: [{ element: 'In', amount: 0.3 }] });
    await expect(calls.changeLayer({ recordId: null, sampleId, layerId: 99 })).rejects.toMatchObject({
      message: expect.stringContaining('404'),
      hint: expect.stringContaining('Nothing was changed'),
    });
  });

  test('remembers over a restart what was made, apart for each service, and sets a torn file aside', async () => {
    const path = join(tempFolder('library'), 'made.json');
    const calls = library(path);
    const { instrument } = await calls.createInstrument({ name: 'MBE-9', label: 'new', type: 'mbe', serialId: 'S1' });
    const { id, isKept } = await calls.createProject({ name: 'Nitrides', notes: 'all of them' });
    expect(isKept).toBe(true);
    const sample = demo.physical_samples[0]?.physical_sample_id ?? '';
    expect(await calls.setSamples({ projectId: id, sampleIds: [sample], isReplacing: false })).toMatchObject({
      sampleIds: [sample],
    });
    const known = await library(path).known({ ticket: ticket() });
    expect(known.instruments).toEqual([instrument]);
    expect(known.projects[0]).toMatchObject({ id, name: 'Nitrides', madeMs: 7, sampleIds: [sample] });
    expect(known.projects.map(({ name }) => name)).toContain('Oxide heterostructures');
    expect(known.samples.map(({ name }) => name)).toContain('STO-112 SrTiO3 on LSAT');
    expect(await new MadeHere(path).read('https://elsewhere')).toEqual({ instruments: [], projects: [] });

    writeFileSync(path, '{"version":1,');
    expect((await library(path).known({ ticket: ticket() })).instruments).toEqual([]);
    expect(readFileSync(`${path}.unreadable`, 'utf8')).toBe('{"version":1,');
  });

  test('keeps both of two answers that come at once', async () => {
    const made = new MadeHere(join(tempFolder('library'), 'made.json'));
    const project = (id: string) => ({ id, name: id, notes: '', madeMs: 1, sampleIds: null });
    const add = (id: string) => made.change('s', (known) => ({ ...known, projects: [...known.projects, project(id)] }));
    await Promise.all([add('a'), add('b'), add('c')]);
    expect((await made.read('s')).projects.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  test('says the words of the service for a name that it refuses', async () => {
    const calls = library(join(tempFolder('library'), 'made.json'));
    await expect(
      calls.setSamples({ projectId: 'no-such-project', sampleIds: [], isReplacing: false }),
    ).rejects.toMatchObject({ message: expect.stringContaining('no-such-project') });
  });
});

describe('what comes from outside', () => {
  test('a picture is known by its bytes alone', () => {
    const jpeg = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 11, 8, 0, 120, 0, 160, 3, 1, 2]);
    expect(readPictureFacts(jpeg)).toEqual({ mediaType: 'image/jpeg', widthPx: 160, heightPx: 120 });
    const gif = Uint8Array.from([...Buffer.from('GIF89a'), 160, 0, 120, 0]);
    expect(readPictureFacts(gif)).toEqual({ mediaType: 'image/gif', widthPx: 160, heightPx: 120 });
    for (const text of ['', '<svg/>', 'GIF89a', '\x89PNG'])
      expect(readPictureFacts(Buffer.from(text, 'latin1'))).toBeNull();
    expect(readPictureFacts(jpeg.subarray(0, 12))).toBeNull();
  });

  test('a peak is read whatever its fields are called', () => {
    const detected_peaks = [
      { element: 'O 1s', position: 530.1 },
      { area: 9, binding_energy: 458.7, id: 'x', label: 'Ti 2p' },
      { area: 9, what: 'Sr' },
      { what: 'C' },
    ];
    expect(viewXps({ detected_peaks } as Parameters<typeof viewXps>[0])).toMatchObject({
      peaks: [
        { label: 'O 1s', energyEv: 530.1 },
        { label: 'Ti 2p', energyEv: 458.7 },
        { label: 'Sr', energyEv: 9 },
      ],
      unplacedPeaks: 1,
    });
  });

  test('a stamp without a zone is UTC, and what is none is null', () => {
    expect(readStamp('2026-11-17T09:12:00')).toBe(Date.UTC(2026, 10, 17, 9, 12));
    expect(readStamp('2026-11-17T09:12:00+01:00')).toBe(Date.UTC(2026, 10, 17, 8, 12));
    expect(readStamp('yesterday')).toBeNull();
    expect(readStamp(null)).toBeNull();
  });
});
