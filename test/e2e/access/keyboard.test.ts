// The page without a mouse: every stop of the Tab key can be seen, nothing is left out, nothing catches; the keys of the
// operator; the catalogue and the comparison. A growth by keyboard alone stands in growth.test.ts, the first run in
// setup.test.ts.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openCatalogueWorld } from '../../support/page/catalogue-world.ts';
import { button, combobox, field, findTabFaults, link, tabTo } from '../../support/page/on-page.ts';
import { runningGrowth, runningSnapshot } from '../../support/page/page-snapshot.ts';
import { openPageAgent } from '../../support/page/screen.ts';
import { demoEntry } from '../../support/rigs/service-world.ts';

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

async function press(page: Page, wanted: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press(key);
}

const inFocus = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

test('the first stop leads past the navigation; W, N and the space bar work wherever nobody types', async () => {
  const { agent, page, problems } = await openPageAgent();
  agent.show((atMs) => runningSnapshot(atMs, { growth: runningGrowth(atMs) }));
  await page.getByTestId('plot').locator('canvas').first().waitFor();
  await page.keyboard.press('Tab');
  expect(await inFocus(page)).toBe('Skip to the page');
  await page.keyboard.press('Enter');
  // The next stop is on the page itself, none of the ten links.
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('#page') !== null)).toBe(true);

  await page.keyboard.press('w');
  await page.getByTestId('wall').waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('values').waitFor();
  await link(page, 'Plots').click();
  const isLive = () => button(page, 'Live').getAttribute('aria-pressed');
  await eventually(isLive).toBe('true');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('Space');
  await eventually(isLive).toBe('false');
  await page.keyboard.press('Space');
  await eventually(isLive).toBe('true');
  expect(problems).toEqual([]);
});

test('finds, filters, opens and compares in the catalogue by keyboard alone', async () => {
  const { agent, page, problems, goTo } = await openCatalogueWorld();
  for (const name of ['G1', 'G2']) {
    const { id } = await agent.handlers.growth.start({ name });
    const points = async () => (await agent.handlers.growth.read({ growthId: id }))?.parts[0]?.streams[0]?.points ?? 0;
    await eventually(points).toBeGreaterThan(0);
    await agent.handlers.growth.end(null);
  }
  await press(page, link(page, 'Catalogue'));
  const entries = page.getByTestId('entry');
  await entries.nth(3).waitFor();
  const all = await entries.count();
  expect(await findTabFaults(page)).toEqual([]);

  await tabTo(page, field(page, 'Search'));
  await page.keyboard.type('g3-047');
  await page.keyboard.press('Enter');
  await eventually(() => entries.count()).toBeLessThan(all);
  await press(page, link(page, 'Show all'));
  await eventually(() => entries.count()).toBeGreaterThanOrEqual(all);
  await press(page, combobox(page, 'Status'), 'ArrowDown');
  await page.getByRole('option', { name: 'error' }).waitFor();
  for (let step = 0; step < 20 && (await chosenOption(page)) !== 'error'; step++)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await eventually(() => entries.count()).toBe(1);

  await press(page, entries.getByRole('link').first());
  await page.getByRole('region', { name: 'Tags' }).waitFor();
  expect(await findTabFaults(page)).toEqual([]);
  await press(page, link(page, 'Back to the list'));
  await eventually(() => entries.count()).toBe(1);

  await press(page, link(page, 'Growth'));
  await press(page, page.getByTestId('past').getByRole('link', { name: /G2/ }));
  await page.getByTestId('timeline').waitFor();
  expect(await findTabFaults(page)).toEqual([]);
  await press(page, link(page, 'Compare with others'));
  await tabTo(page, combobox(page, 'Growths over each other'));
  await page.keyboard.type('G1');
  await page.getByRole('option', { name: /^G1/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await eventually(() => page.getByTestId('legend').first().innerText()).toMatch(/G2: [\s\S]*G1: /);
  expect(await findTabFaults(page)).toEqual([]);
  await press(page, link(page, 'Plots'), 'n');
  const note = page.getByLabel('Add a note');
  await eventually(() => note.evaluate((one) => one === document.activeElement)).toBe(true);
  // The key itself is no part of the note, and in a field it is a letter.
  await page.keyboard.type('wn');
  expect(await note.inputValue()).toBe('wn');
  await goTo(`/catalogue/entry/${demoEntry('metrology').data_id}`);
  await page.getByTestId('series').locator('canvas').first().waitFor();
  expect(await findTabFaults(page)).toEqual([]);
  expect(problems).toEqual([]);
});

/** The option that the arrow keys have come to. */
const chosenOption = (page: Page) =>
  page.evaluate(() => document.querySelector('[role="option"][data-combobox-selected]')?.textContent ?? '');
