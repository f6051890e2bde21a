// Everything that the service offers is reached through the screen. Somebody stands between agent and service and writes
// down what is asked while a person works on the pages; the list of the 17 endpoints is printed with how often each was
// reached.
import { expect, test } from 'vitest';
import { endpointNames, table } from '../../src-main/interface/table.ts';
import { openMiddleman } from '../support/faults/middleman.ts';
import { openCatalogueWorld } from '../support/page/catalogue-world.ts';
import { demoEntry } from '../support/rigs/service-world.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Which endpoint a request is for: its method, and its path with the places of ids left open. */
function endpointOf(method: string, path: string): string | undefined {
  const [bare = ''] = path.split('?');
  return endpointNames.find((name) => {
    const row = table[name];
    const pattern = row.path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{[^}]+\}/g, '[^/]+');
    return row.method === method && new RegExp(`^${pattern}/?$`).test(bare);
  });
}

test('each of the 17 endpoints is reached through the screen', async () => {
  const reached = new Map<string, number>(endpointNames.map((name) => [name, 0]));
  const through = async (serviceUrl: string) => {
    const { url } = await openMiddleman(serviceUrl, ({ method, path }) => {
      const name = endpointOf(method, path);
      if (name !== undefined) reached.set(name, (reached.get(name) ?? 0) + 1);
      return 'pass';
    });
    return url;
  };
  const camera = `{ id: camera, kind: rheed, counter: { type: images, path: '${tempFolder('camera')}', match: 'img_{frame}.bmp' }, fps_capture_rate: 30 }`;
  const { page, problems, goTo } = await openCatalogueWorld({ entries: 40, through, sources: [camera] });
  const isReached = (...names: string[]) =>
    expect.poll(() => names.filter((name) => reached.get(name) === 0), { timeout: 60_000 }).toEqual([]);

  // A growth: its streams and its RHEED session begin, points go out.
  await goTo('/growth');
  await page.getByLabel('Name', { exact: true }).fill('endpoints');
  await page.getByRole('button', { name: 'Start growth', exact: true }).click();
  await isReached('initializeStream', 'ingestChunk', 'startRheedStream');

  await goTo('/catalogue');
  await page.getByTestId('entry').first().waitFor();
  await isReached('listDataEntries');
  // Each is asked for by the page of its entry, so that page stays until it was.
  for (const [type, ...names] of [
    ['metrology', 'readTimeSeries'],
    ['rheed_video', 'readRheedSettings', 'readRheedMetadata'],
    ['optical', 'readOpticalFrames'],
    ['xps', 'readXps'],
    ['sims', 'readSims'],
  ] as const) {
    await goTo(`/catalogue/entry/${demoEntry(type).data_id}`);
    await isReached(...names);
  }
  const raw = page.getByRole('region', { name: 'Raw file' });
  await raw.getByRole('button', { name: 'Make a link' }).click();
  await isReached('readRawData');

  await goTo('/catalogue/where/word=reference&word=chamber');
  await page.getByRole('checkbox', { name: /^Choose all/ }).check();
  const bar = page.getByRole('region', { name: 'Chosen entries' });
  await bar.getByRole('checkbox', { name: /^reference/ }).check();
  await bar.getByRole('button', { name: 'Take off' }).click();
  await isReached('removeTags');

  await goTo('/library');
  await page.getByRole('button', { name: 'New instrument' }).click();
  await page.getByLabel('Name of the instrument').fill('MBE-7');
  await page.getByLabel('Label').fill('nitrides');
  await page.getByRole('button', { name: 'Make instrument' }).click();
  await page.getByText(/MBE-7 has the number \d+ at the service\./).waitFor();
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByLabel('Name of the project').fill('Lasers');
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('button', { name: 'Samples of Lasers' }).click();
  const form = page.getByRole('form', { name: 'Samples of Lasers' });
  await form.getByRole('checkbox', { name: /STO-112/ }).check();
  await form.getByRole('button', { name: 'Add samples' }).click();
  await isReached('createInstrument', 'createProject', 'updateProjectSamples', 'listTargetMaterials');
  await page.getByRole('button', { name: 'Change layer 1, In0.2Ga0.8As' }).press('Enter');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('In0.25Ga0.75As');
  await page.keyboard.press('Enter');
  await isReached('updateTargetLayer');

  console.log(endpointNames.map((name) => `${table[name].section} ${name}: ${reached.get(name)}`).join('\n'));
  expect(endpointNames).toHaveLength(17);
  expect(problems).toEqual([]);
});
