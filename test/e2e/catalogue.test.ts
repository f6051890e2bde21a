// The page Catalogue in a real browser, over the real agent and the embedded service.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { listenHere } from '../support/listen.ts';
import { findAccessFaults } from '../support/page/browser.ts';
import { openCatalogueWorld } from '../support/page/catalogue-world.ts';
import { readDownload } from '../support/page/read-download.ts';
import { demo, demoEntry } from '../support/rigs/service-world.ts';

const eventually = <T>(read: () => T, { timeout = 60_000 } = {}) => expect.poll(read, { timeout });

const rows = (page: Page) => page.getByTestId('entry');
const names = async (page: Page) => {
  // What is shown is shorter; the whole name stands in the tip.
  const texts = await rows(page)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('title') ?? ''));
  return texts.filter((text) => !text.startsWith('MBE-1 growth'));
};
const hashOf = (page: Page) => page.evaluate(() => window.location.hash);
const entryPath = (type: string) => `/catalogue/entry/${demoEntry(type).data_id}`;

test('scrolls through 10,000 entries with at most 100 rows on the page, and continues after them', async () => {
  const { page, problems, goTo } = await openCatalogueWorld({ entries: 10_000 });
  await goTo('/catalogue');
  await rows(page).first().waitFor();
  const list = page.getByRole('region', { name: 'List of entries' });
  let most = 0;
  await eventually(
    async () => {
      await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
      most = Math.max(most, await rows(page).count());
      return page.getByText(/^10,000 entries, more below$/).count();
    },
    { timeout: 240_000 },
  ).toBe(1);
  for (const part of [0.1, 0.5, 0.9]) {
    await list.evaluate((box, at) => box.scrollTo(0, box.scrollHeight * at), part);
    // The first frame draws what is there, the second what the list has put there for the new place.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    most = Math.max(most, await rows(page).count());
  }
  expect(most).toBeGreaterThan(5);
  expect(most).toBeLessThanOrEqual(100);

  await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await page.getByRole('link', { name: 'Show the next 10,000' }).click();
  await page.getByText(/after the newest 10,000$/).waitFor();
  expect(await hashOf(page)).toContain('from=10000');
  await eventually(() => names(page)).toContain('MBE-1 chamber-log 2026-11-20 19:40:12 00000q');
  await page.getByRole('link', { name: 'Back to the newest' }).click();
  await page.getByText(/entries, more below$/).waitFor();
  expect(problems).toEqual([]);
});

test('finds by every filter, keeps it in the address, goes back, and leaves room to read on 390 pixels', async () => {
  const { page, problems, goTo } = await openCatalogueWorld();
  await goTo('/catalogue');
  const all = demo.data_entries.map(({ raw_name }) => raw_name).sort();
  await eventually(async () => (await names(page)).sort()).toEqual(all);

  const search = page.getByRole('button', { name: 'Search' });
  const showAll = page.getByRole('link', { name: 'Show all' });
  // From the top of the page itself: the sentence above it may take a line more or less at any time.
  const placeOf = (one: Locator) =>
    one.evaluate((element) => {
      const { x, y } = element.getBoundingClientRect();
      return { x, y: y - (document.getElementById('page')?.getBoundingClientRect().y ?? 0) };
    });
  const before = await placeOf(search);
  await page.getByRole('textbox', { name: 'Search' }).fill('G3-047 depth');
  await page.keyboard.press('Enter');
  await eventually(() => names(page)).toEqual(['g3-047-depth-profile.csv']);
  expect(await hashOf(page)).toBe('#/catalogue/where/word=G3-047&word=depth');
  // The way back stands beside, and nothing has jumped for it.
  expect(await placeOf(search)).toEqual(before);
  expect((await placeOf(showAll)).y).toBe(before.y);
  await showAll.click();
  await eventually(async () => (await names(page)).length).toBe(all.length);

  await page.getByRole('combobox', { name: 'Type' }).fill('raman');
  await search.click();
  await eventually(() => names(page)).toEqual(['nno-009-raman.txt']);
  await page.goBack();
  await eventually(async () => (await names(page)).length).toBe(all.length);
  await page.goForward();
  await eventually(() => names(page)).toEqual(['nno-009-raman.txt']);
  await showAll.click();

  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'error' }).click();
  await eventually(() => names(page)).toEqual(['nno-009-before-anneal.tif']);
  await showAll.click();

  await page.getByRole('combobox', { name: 'Owner' }).click();
  await page.getByRole('option', { name: 'Mine' }).click();
  await eventually(() => hashOf(page)).toContain('whose=mine');
  await eventually(async () => (await names(page)).length).toBe(all.length);
  await showAll.click();

  const sample = demo.physical_samples.find(({ name }) => name.startsWith('NNO'))?.physical_sample_id ?? '';
  await page.getByText('Find by sample or entry ID').click();
  await page.getByRole('textbox', { name: 'Sample IDs' }).fill(sample);
  await search.click();
  await eventually(async () => (await names(page)).sort()).toEqual(['nno-009-before-anneal.tif', 'nno-009-raman.txt']);
  await showAll.click();
  await page.getByText('Find by sample or entry ID').click();
  const ids = [demoEntry('xps').data_id, demoEntry('sims').data_id];
  await page.getByRole('textbox', { name: 'Entry IDs' }).fill(ids.join('\n'));
  await search.click();
  await eventually(async () => (await names(page)).sort()).toEqual(['g3-047-depth-profile.csv', 'sto-112-survey.csv']);

  // A view is linked by its address alone, also after a reload, and an entry leads back to it.
  await page.reload();
  await eventually(async () => (await names(page)).length).toBe(2);
  await page.getByRole('link', { name: 'sto-112-survey.csv' }).click();
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await eventually(async () => (await names(page)).length).toBe(2);

  await goTo('/catalogue/where/word=nothing-of-this-name');
  await page.getByText('No entry fits this search.').waitFor();

  await page.setViewportSize({ width: 390, height: 844 });
  await goTo('/catalogue');
  const words = page.getByRole('textbox', { name: 'Search' });
  expect((await words.boundingBox())?.width ?? 0).toBeGreaterThan(300);
  const isCut = await words.evaluate((field: HTMLInputElement) => {
    field.value = field.placeholder;
    return field.scrollWidth > field.clientWidth;
  });
  expect(isCut).toBe(false);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  expect(problems).toEqual([]);
});

test('lays the curves of another entry over those of one, each named, and links to both', async () => {
  const again = ['xps', 'sims', 'metrology'].map((type, at) => {
    const {
      tags: _,
      projects: __,
      raw_file: ___,
      xps,
      ...entry
    } = demoEntry(type) as unknown as Record<string, unknown>;
    const data_id = `5e0c4a0e-0000-4000-8000-00000000000${at}`;
    const spectrum = xps ? { xps: { ...xps, xps_id: data_id.replace('5e0c', '6f0c') } } : {};
    return { ...entry, ...spectrum, data_id, raw_name: `second ${type}` };
  });
  const { page, problems, goTo } = await openCatalogueWorld({ imported: { data_entries: again } });
  for (const [type, part] of [
    ['xps', 'spectrum'],
    ['sims', 'profiles'],
    ['metrology', 'series'],
  ] as const) {
    await goTo(entryPath(type));
    const curves = page.getByTestId(part);
    await curves.locator('canvas').first().waitFor();
    const plots = await curves.locator('canvas').count();
    await page.getByRole('combobox', { name: 'Overlay with' }).click();
    await page.getByRole('option', { name: new RegExp(`^second ${type}`) }).click();
    const legend = curves.getByTestId('legend').first();
    const both = new RegExp(`${demoEntry(type).raw_name}: [\\s\\S]*second ${type}: `);
    await eventually(() => legend.innerText()).toMatch(both);
    // Curves of the same unit stand in the same plot.
    expect(await curves.locator('canvas').count()).toBe(plots);
    expect(await findAccessFaults(page)).toEqual([]);
    await page.reload();
    await eventually(() => legend.innerText()).toMatch(both);
  }
  // Two series stand on elapsed time, each with its true time.
  const legend = page.getByTestId('series').getByTestId('legend').first();
  expect(await legend.innerText()).toMatch(/^\d+:\d\d:\d\d/);
  expect(problems).toEqual([]);
});

test('names the one of two entries that holds nothing, or that cannot be read, and draws the other', async () => {
  const {
    time_series: _,
    tags: __,
    projects: ___,
    ...entry
  } = demoEntry('metrology') as unknown as Record<string, unknown>;
  const empty = { ...entry, data_id: '5e0c4a0e-0000-4000-8000-000000000009', raw_name: 'empty metrology' };
  const { page, goTo } = await openCatalogueWorld({ imported: { data_entries: [empty] } });
  const panel = page.getByRole('region', { name: 'Time series' });
  await goTo(`${entryPath('metrology')}/over/${empty.data_id}`);
  await eventually(() => panel.innerText()).toContain('The service holds no time series for empty metrology.');
  expect(await panel.locator('canvas').count()).toBe(2);
  expect(await findAccessFaults(page)).toEqual([]);

  await goTo(`${entryPath('metrology')}/over/no-such-entry`);
  await eventually(() => panel.innerText()).toMatch(/no-such-entry: The service has no time series for this entry\./);
  expect(await panel.locator('canvas').count()).toBe(2);
});

test('shows each kind of entry as what it is', async () => {
  const { page, problems, goTo } = await openCatalogueWorld();
  await goTo(entryPath('metrology'));
  await eventually(() => page.getByTestId('series').locator('canvas').count()).toBe(2);
  await eventually(() => page.getByTestId('series').innerText()).toMatch(/thickness[\s\S]*nm[\s\S]*temperature/);

  await goTo(entryPath('rheed_video'));
  const rheed = page.getByRole('region', { name: 'RHEED', exact: true });
  await eventually(() => rheed.innerText()).toMatch(/32,400[\s\S]*frames 9,000 to 30,600/);
  await eventually(() => rheed.innerText()).toMatch(/The service has no RHEED session for this entry\./);
  await eventually(() => page.getByTestId('series').locator('canvas').count()).toBe(1);

  await goTo(entryPath('optical'));
  const pictures = page.getByTestId('frames').locator('img');
  await pictures.first().waitFor();
  // A picture has its place on the page before it has its size.
  const size = () => pictures.first().evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight]);
  await eventually(size).toEqual([160, 120]);
  expect(await pictures.first().getAttribute('src')).toMatch(/^data:image\/png;base64,/);

  await goTo(entryPath('xps'));
  await page.getByTestId('spectrum').locator('canvas').waitFor();
  await eventually(() => page.getByRole('list', { name: 'Peaks' }).innerText()).toMatch(/Ti\s*458\.5 eV/);
  expect(await page.getByRole('row', { name: /^O / }).innerText()).toMatch(/56\.5 % ± 1\.5 %/);

  await goTo(entryPath('sims'));
  await page.getByTestId('profiles').locator('canvas').waitFor();
  await eventually(() => page.getByTestId('profiles').innerText()).toMatch(/Al[\s\S]*atoms\/cm\^3[\s\S]*log scale/);

  await goTo(entryPath('raman'));
  await page.getByText('The service holds no time series for this entry.').waitFor();
  expect(await page.getByTestId('export-form').count()).toBe(0);
  await goTo('/catalogue/entry/no-such-entry');
  await page.getByText(/knows no entry no-such-entry/).waitFor();
  expect(problems).toEqual([]);
});

test('the browser saves a raw file, and the page says why one cannot be had before anything is saved', async () => {
  const { page, problems, goTo, key } = await openCatalogueWorld();
  const downloads: string[] = [];
  page.on('download', (download) => downloads.push(download.suggestedFilename()));
  await goTo(entryPath('xps'));
  const raw = page.getByRole('region', { name: 'Raw file' });
  const [saved] = await Promise.all([page.waitForEvent('download'), raw.getByRole('button', { name: 'Save' }).click()]);
  await raw.getByText(/^Your browser saves sto-112-survey\.csv \([\d.]+ kB\)\.$/).waitFor();
  const demoCsv = readFileSync(join(import.meta.dirname, '../../resources/demo/sto-112-survey.csv'));
  expect((await readDownload(saved)).equals(demoCsv)).toBe(true);
  // A path serves one request.
  expect((await fetch(saved.url())).status).toBe(404);

  await raw.getByRole('button', { name: 'Make a link' }).click();
  const url = await raw.getByLabel('Address').inputValue();
  expect((await (await fetch(url)).text()).length).toBe(demoCsv.toString().length);
  expect(await page.content()).not.toContain(key);

  for (const type of ['raman', 'sem']) {
    await goTo(entryPath(type));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The service has no raw file for this entry.').waitFor();
  }
  expect(downloads).toEqual(['sto-112-survey.csv']);
  expect(problems).toEqual([]);
});

test.each([
  ['ends early', (text: string) => text.slice(0, -10)],
  ['has another digest', (text: string) => text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))],
])('the browser calls the download of a file that %s failed', async (_how, alter) => {
  const { page, goTo } = await openCatalogueWorld({ through: (url) => serveAltered(url, alter) });
  await goTo(entryPath('xps'));
  const raw = page.getByRole('region', { name: 'Raw file' });
  const [saved] = await Promise.all([page.waitForEvent('download'), raw.getByRole('button', { name: 'Save' }).click()]);
  expect(await saved.failure()).not.toBeNull();
});

/** Between agent and service: passes everything on, and alters the bytes of raw files below the head that names the right ones. */
async function serveAltered(serviceUrl: string, alter: (text: string) => string): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const { host: _h, connection: _c, 'content-length': _l, ...headers } = incoming.headers;
    const body = parts.length > 0 ? Buffer.concat(parts) : null;
    const method = incoming.method ?? 'GET';
    const answer = await fetch(`${serviceUrl}${incoming.url}`, { method, headers: headers as never, body });
    const whole = Buffer.from(await answer.arrayBuffer());
    const isRaw = incoming.url?.includes('return_as=bytes') ?? false;
    const digest = `sha-256=:${createHash('sha256').update(whole).digest('base64')}:`;
    const head = Object.fromEntries(answer.headers);
    outgoing.writeHead(answer.status, {
      ...head,
      'content-length': whole.length,
      ...(isRaw && { 'content-digest': digest }),
    });
    const sent = isRaw ? Buffer.from(alter(whole.toString())) : whole;
    outgoing.write(sent, () => (sent.length === whole.length ? outgoing.end() : outgoing.destroy()));
  });
  return `http://127.0.0.1:${await listenHere(server)}`;
}

test('takes a tag off many at once, and keeps chosen the one that the service refuses', async () => {
  const { page, problems, goTo, service, filled } = await openCatalogueWorld({ entries: 40 });
  await goTo('/catalogue/where/word=reference&word=chamber');
  await eventually(() => rows(page).count()).toBe(4);
  await page.getByRole('checkbox', { name: /^Choose all 4/ }).check();
  const gone = filled?.dataIds[20] ?? '';
  await service.runBench({ kind: 'delete-entry', dataId: gone });
  const bar = page.getByRole('region', { name: 'Chosen entries' });
  await bar.getByRole('checkbox', { name: 'reference (4)' }).check();
  await bar.getByRole('button', { name: 'Take off' }).click();
  await bar.getByText('Taken off 3 entries.').waitFor();
  await eventually(() => bar.getByRole('listitem').innerText()).toContain(gone);
  // The list was read again: entries without the tag are not found any more.
  await eventually(() => rows(page).count()).toBe(0);

  await goTo(entryPath('rheed_video'));
  const tags = page.getByRole('region', { name: 'Tags' });
  await tags.getByRole('button', { name: 'Take off the tag in situ' }).click();
  await tags.getByRole('button', { name: 'Keep it' }).click();
  await tags.getByRole('button', { name: 'Take off the tag in situ' }).click();
  await tags.getByRole('button', { name: 'Take it off' }).click();
  await eventually(() => tags.getByRole('button').allInnerTexts()).toEqual(['reference']);
  expect(problems).toEqual([]);
});

test('shows foreign text as text, whatever it holds', async () => {
  const markup = '<img src=x onerror="window.hit=1"><b>bold</b>';
  const name = `${markup} \u202Egnirts desrever 🧪 ${'x'.repeat(800)}`;
  const entry = {
    data_id: 'hostile-1',
    raw_name: name,
    char_source_type: `<i>kind</i>`,
    pipeline_status: 'stream_active',
  };
  const { page, problems, goTo } = await openCatalogueWorld({
    imported: { data_entries: [{ ...entry, upload_datetime: '2026-11-20T10:00:00Z', extra: { note: markup } }] },
  });
  await goTo('/catalogue');
  await eventually(async () => (await names(page)).some((text) => text.startsWith(markup))).toBe(true);
  expect(await page.getByText('<i>kind</i>').count()).toBe(1);
  await goTo('/catalogue/entry/hostile-1');
  await eventually(() => page.locator('main').innerText()).toContain(markup);
  expect(await page.locator('main b, main i').count()).toBe(0);
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  expect(problems).toEqual([]);
});

test('says what happened while the service is away, asks again when told to, and keeps a list that it could not refresh', async () => {
  const { page, goTo, service } = await openCatalogueWorld({ page: { isAlone: true } });
  await page.clock.install();
  await service.setBench({ rules: [{ endpoint: 'listDataEntries', fault: { kind: 'answer', status: 503 } }] });
  await goTo('/catalogue');
  await page.getByText(/status 503/).waitFor();
  await service.setBench({});
  await page.getByRole('button', { name: 'Try again' }).click();
  await rows(page).first().waitFor();
  const before = await names(page);
  await service.setBench({ rules: [{ endpoint: 'listDataEntries', fault: { kind: 'answer', status: 503 } }] });
  await goTo('/journal');
  await page.clock.fastForward('02:00');
  await goTo('/catalogue');
  await page.getByText(/^Not up to date: this is from \d\d:\d\d:\d\d\. It could not be refreshed\./).waitFor();
  await page.getByText(/status 503/).waitFor();
  expect(await names(page)).toEqual(before);
  await service.setBench({});
  await page.getByRole('button', { name: 'Try again' }).click();
  await eventually(() => page.getByText(/^Not up to date/).count()).toBe(0);
  expect(await names(page)).toEqual(before);
});
