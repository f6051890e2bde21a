// No page of the screen breaks a rule of WCAG 2.1 AA, in any of the three themes: first run, the form that connects a tool,
// and every page of the navigation with its details, over the real agent in a trial in which a growth runs.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createAgent } from '../../src-main/agent/agent.ts';
import { importFile } from '../../src-main/local-service/import-file.ts';
import { startWebScreen } from '../../src-main/web/web-screen.ts';
import { findAccessFaults, goToHash, launchBrowser, openPage } from '../support/browser.ts';
import { demoEntry, demoFile } from '../support/service-world.ts';
import { tempFolder } from '../support/temp-folder.ts';

const rendererFolder = join(import.meta.dirname, '../../dist/renderer');
const THEMES = ['light', 'dark', 'dark-room'] as const;
const DETAILS = [
  '/streams/1',
  ...['log', 'serial', 'rheed'].map((kind) => `/sources/new/${kind}`),
  ...['metrology', 'rheed_video', 'optical', 'xps', 'sims'].map(
    (kind) => `/catalogue/entry/${demoEntry(kind).data_id}`,
  ),
];

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function openTrial() {
  const folder = tempFolder('access');
  const serviceFolder = join(folder, 'trial/service');
  mkdirSync(serviceFolder, { recursive: true });
  await importFile(serviceFolder, demoFile);
  const agent = createAgent({
    dataFolder: folder,
    settingsFile: join(folder, 'epistream.yaml'),
    version: '1.2.3',
    keys: { read: () => null, keep: async () => undefined },
  });
  const { handlers, subscribe } = agent;
  const web = await startWebScreen({ handlers, subscribe, rendererFolder, port: 0, announce: () => undefined });
  await agent.start();
  const { page, problems } = await openPage(browser, web.mintLink());
  onTestFinished(async () => {
    await page.context().close();
    await web.stop();
    await agent.stop();
  });
  return { agent, page, problems };
}

/** The faults of the page as it is, in every theme. */
async function faultsIn(page: Page, place: string): Promise<string[]> {
  const found: string[] = [];
  for (const theme of THEMES) {
    // As the switch of themes leaves it: the choice, and the scheme under it.
    await page.evaluate((chosen) => {
      document.documentElement.dataset.theme = chosen;
      document.documentElement.dataset.mantineColorScheme = chosen === 'light' ? 'light' : 'dark';
    }, theme);
    found.push(...(await findAccessFaults(page)).map((fault) => `${place}, ${theme}: ${JSON.stringify(fault)}`));
  }
  return found;
}

test('breaks no rule of WCAG 2.1 AA on any page in any theme', async () => {
  const { agent, page, problems } = await openTrial();
  await page.getByRole('button', { name: 'Try it' }).waitFor();
  const faults = await faultsIn(page, 'first run');
  await page.getByRole('button', { name: 'Connect your tool' }).click();
  await page.getByLabel('Folder of the logs').waitFor();
  faults.push(...(await faultsIn(page, 'connect')));

  await agent.handlers.trial.start(null);
  await agent.handlers.growth.start({ name: 'G3-117' });
  const navigation = page.getByRole('navigation', { name: 'Pages' });
  await navigation.waitFor();
  const places = await navigation
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => (link.getAttribute('href') ?? '').replace(/^#/, '')));
  expect(places.length).toBeGreaterThanOrEqual(10);
  await expect.poll(() => agent.snapshot.streams.length).toBeGreaterThan(0);
  for (const place of [...places, ...DETAILS]) {
    await goToHash(page, place);
    await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor();
    faults.push(...(await faultsIn(page, place)));
  }
  expect(faults).toEqual([]);
  expect(problems).toEqual([]);
}, 900_000);
