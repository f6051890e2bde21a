// The dark room: red on black and nothing else, on a system whose own scheme is light. A white field of the browser's own
// (scrollbar, calendar) costs the eye its dark adaptation as much as one of the page.
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { openCatalogueWorld } from '../../support/page/catalogue-world.ts';
import { demoEntry } from '../../support/rigs/service-world.ts';

/** Darker than this nothing has a colour that an eye sees, of 255. */
const DARK_MAX = 40;

/** Pixels of the window that are brighter than black and not red. */
async function countOther(page: Page): Promise<number> {
  const { data } = PNG.sync.read(await page.screenshot());
  let count = 0;
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
    const isRed = red - Math.max(green, blue) >= 0.25 * red;
    if (Math.max(red, green, blue) > DARK_MAX && !isRed) count += 1;
  }
  return count;
}

test('is red on black on every page, with what the browser itself draws', async () => {
  const { agent, page, goTo } = await openCatalogueWorld();
  await agent.handlers.growth.start({ name: 'in the dark' });
  await page.getByTestId('values').locator('canvas, svg').first().waitFor();
  await page.getByRole('button', { name: /^Theme: / }).click();
  await page.getByRole('menuitem', { name: 'Dark room: red on black' }).click();
  await page.getByRole('button', { name: 'Theme: Dark room: red on black' }).waitFor();
  // Windows of tests have no scrollbars: what they would be drawn in stands in the style.
  const drawn = await page.evaluate(() => {
    const { colorScheme, scrollbarColor } = getComputedStyle(document.documentElement);
    return { colorScheme, scrollbarColor };
  });
  expect(drawn).toEqual({ colorScheme: 'dark', scrollbarColor: 'rgb(163, 48, 48) rgb(0, 0, 0)' });

  const found: Record<string, number> = {};
  const places = ['/', '/growth', '/plots', '/streams', '/sources', '/catalogue', '/library', '/journal', '/settings'];
  const entries = ['optical', 'xps', 'metrology'].map((kind) => `/catalogue/entry/${demoEntry(kind).data_id}`);
  for (const place of [...places, ...entries, '/help', '/wall']) {
    await goTo(place);
    await page.getByRole('main').getByRole('heading').first().waitFor();
    await page.waitForLoadState('networkidle');
    found[place] = await countOther(page);
  }
  expect(Object.entries(found).filter(([, count]) => count > 0)).toEqual([]);
});
