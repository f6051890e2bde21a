// Every page of the screen by the rules of WCAG 2.1 AA: first run, the form that connects a tool, and every page of the
// navigation with its details, over the real agent in a trial in which a growth runs.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { importFile } from '../../../src-main/local-service/import/import-file.ts';
import { openAgentScreen } from '../page/agent-screen.ts';
import { findAccessFaults, findAccessFaultsOfThemes } from '../page/browser.ts';
import { tempFolder } from '../temp-folder.ts';
import { demoEntry, demoFile } from './service-world.ts';

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
/** The place that is examined in every theme, and in every size, where the others are not. */
const EXAMPLE = '/growth';

async function openTrial() {
  const folder = tempFolder('access');
  const serviceFolder = join(folder, 'trial/service');
  mkdirSync(serviceFolder, { recursive: true });
  await importFile(serviceFolder, demoFile);
  return openAgentScreen({ sources: null, data: folder });
}

/**
 * Walk through all pages; each is examined in the light theme.
 *
 * @param isWhole - each page in every theme, and in every size too; else one page, the others only for what reaches beyond
 *   the narrowest window.
 * @returns a line for each fault.
 */
export async function walkThroughAccess(isWhole: boolean): Promise<string[]> {
  const faultsIn = async (page: Page, place: string, isExample = isWhole) => {
    const found = isExample ? findAccessFaultsOfThemes(page) : findAccessFaults(page);
    return (await found).map((fault) => `${place}, ${fault}`);
  };
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
    faults.push(...(await faultsIn(page, place, isWhole || place === EXAMPLE)));
  }
  // Position and size decide the overlaps and the direction of the layout; the text is the same.
  for (const [width, height] of isWhole ? SIZES : SIZES.slice(0, 1)) {
    await page.setViewportSize({ width, height });
    for (const place of [...places, '/compare', '/wall']) {
      await go(place);
      await page.getByRole('main').getByRole('heading').first().waitFor();
      // Those two stand in no navigation.
      if (isWhole || [EXAMPLE, '/compare', '/wall'].includes(place))
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
  return [...faults, ...problems];
}
