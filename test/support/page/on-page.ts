// What a person finds on a page, by its role and its name, and how they get there without a mouse.
import type { Locator, Page } from 'playwright-core';

const named = (role: 'button' | 'textbox' | 'combobox' | 'region' | 'link') => (page: Page, name: string | RegExp) =>
  page.getByRole(role, typeof name === 'string' ? { name, exact: true } : { name });

export const button = named('button');
export const field = named('textbox');
/** A field that offers what may stand in it, such as folders. */
export const combobox = named('combobox');
export const panel = named('region');
export const link = named('link');

/** Elements that a walk by keyboard passes at most before it counts as lost. */
const STEPS_MAX = 120;

/** Go to an element with the Tab key alone, as somebody without a mouse does. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  // Found once, not at each step: to find by role looks at the whole page.
  let element = await wanted.elementHandle();
  for (let step = 0; step < STEPS_MAX; step++) {
    const where = await element?.evaluate((one) => [one.isConnected, one === document.activeElement]);
    if (where?.[1]) return;
    // The page may have drawn another one in its place.
    if (!where?.[0]) element = await wanted.elementHandle();
    else await page.keyboard.press('Tab');
  }
  throw new Error(`not reached by ${STEPS_MAX} steps of the Tab key: ${wanted}`);
}
