// Several tabs of one browser at one agent, each with a theme of its own: what is chosen in one changes no other. A page that
// flashes in a dark room is the worst that a screen can do.
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { runningSnapshot } from '../../support/page/page-snapshot.ts';
import { openPageAgent } from '../../support/page/screen.ts';

const choose = async (page: Page, words: string) => {
  await page.getByRole('button', { name: /^Theme: / }).click();
  await page.getByRole('menuitem', { name: words, exact: true }).click();
  await page.getByRole('button', { name: `Theme: ${words}` }).waitFor();
};

/** Count from now on how often the page changes between light and dark. */
const watch = (page: Page) =>
  page.evaluate(() => {
    const root = document.documentElement;
    Object.assign(globalThis, { changes: 0, scheme: root.dataset.mantineColorScheme });
    const seen = globalThis as unknown as { changes: number; scheme: string | undefined };
    new MutationObserver(() => {
      if (root.dataset.mantineColorScheme === seen.scheme) return;
      seen.scheme = root.dataset.mantineColorScheme;
      seen.changes += 1;
    }).observe(root, { attributes: true });
  });

/**
 * @returns the changes so far, and the scheme, once every page has had fifty turns to answer the others.
 */
const changesOf = (page: Page) =>
  page.evaluate(async () => {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setTimeout(resolve));
    const { changes, scheme } = globalThis as unknown as { changes: number; scheme: string };
    return { changes, scheme };
  });

test('three tabs keep their themes, and none of them flashes', async () => {
  const { agent, page, web } = await openPageAgent();
  agent.show((atMs) => runningSnapshot(atMs));
  const tabs = [page, await page.context().newPage(), await page.context().newPage()];
  for (const tab of tabs.slice(1)) {
    onTestFinished(() => tab.close());
    await tab.goto(web.mintLink());
  }
  for (const tab of tabs) await choose(tab, 'Dark');
  for (const tab of tabs) await watch(tab);
  await choose(tabs[0] as Page, 'Light');
  await choose(tabs[1] as Page, 'Dark room: red on black');
  await choose(tabs[2] as Page, 'Light');
  await choose(tabs[2] as Page, 'Dark');
  expect(await Promise.all(tabs.map(changesOf))).toEqual([
    { changes: 1, scheme: 'light' },
    { changes: 0, scheme: 'dark' },
    { changes: 2, scheme: 'dark' },
  ]);
  // A tab that is loaded again shows its own, not what another one chose last.
  await (tabs[0] as Page).reload();
  await (tabs[0] as Page).getByRole('button', { name: 'Theme: Light' }).waitFor();
});
