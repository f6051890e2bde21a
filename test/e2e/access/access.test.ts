// No page of the screen breaks a rule of WCAG 2.1 AA, in any of the three themes: first run, the form that connects a tool,
// and every page of the navigation with its details, over the real agent in a trial in which a growth runs.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { importFile } from '../../../src-main/local-service/import/import-file.ts';
import { openAgentScreen } from '../../support/page/agent-screen.ts';
import { findAccessFaultsOfThemes } from '../../support/page/browser.ts';
import { demoEntry, demoFile } from '../../support/rigs/service-world.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const DETAILS = [
  '/streams/1',
  '/sources/growth',
  '/sources/none',
  ...['log', 'serial', 'rheed'].map((kind) => `/sources/new/${kind}`),
  ...['metrology', 'rheed_video', 'optical', 'xps', 'sims'].map(
    (kind) => `/catalogue/entry/${demoEntry(kind).data_id}`,
  ),
];

/** A phone, a small and a usual screen, one on the wall. */
const SIZES = [
  [390, 844],
  [1280, 720],
  [1920, 1080],
  [3840, 2160],
] as const;

async function openTrial() {
  const folder = tempFolder('access');
  const serviceFolder = join(folder, 'trial/service');
  mkdirSync(serviceFolder, { recursive: true });
  await importFile(serviceFolder, demoFile);
  return openAgentScreen({ sources: null, data: folder });
}

/** The faults of the page as it is, in every theme. */
const faultsIn = async (page: Page, place: string) =>
  (await findAccessFaultsOfThemes(page)).map((fault) => `${place}, ${fault}`);

test('breaks no rule of WCAG 2.1 AA on any page in any theme', async () => {
  const { agent, page, problems, go } = await openTrial();
  await page.getByRole('button', { name: 'Try it' }).waitFor();
  const faults = await faultsIn(page, 'first run');
  await page.getByRole('button', { name: 'Connect your tool' }).click();
  await page.getByRole('combobox', { name: 'Log folder' }).waitFor();
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
    await go(place);
    await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor();
    faults.push(...(await faultsIn(page, place)));
  }
  // Places and sizes decide what lies over what and which way things flow; what is told in words is the same.
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    for (const place of [...places, '/compare', '/wall']) {
      await go(place);
      await page.getByRole('main').getByRole('heading').first().waitFor();
      faults.push(...(await faultsIn(page, `${place} at ${width} px`)));
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (beyond > 0) faults.push(`${place} at ${width} px: ${beyond} px wider than the window`);
    }
  }
  await page.setViewportSize({ width: 1360, height: 900 });
  // What opens on a page when somebody asks for it.
  await go('/catalogue');
  await page.getByTestId('entry').nth(3).getByRole('checkbox').check();
  faults.push(...(await faultsIn(page, 'entries chosen')));
  await go('/library');
  await page.getByRole('button', { name: 'New instrument' }).click();
  for (const name of [/^Samples of/, /^Change layer/]) await page.getByRole('button', { name }).first().click();
  faults.push(...(await faultsIn(page, 'forms of the library')));
  expect(faults).toEqual([]);
  expect(problems).toEqual([]);
});
