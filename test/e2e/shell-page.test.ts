// What the page says of the program itself, in a real browser over the real web server.
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { UpdatesView } from '../../src-main/contract/updates.ts';
import { startWebScreen } from '../../src-main/web/web-screen.ts';
import { findAccessFaults, launchBrowser, openPage } from '../support/browser.ts';
import { makePageAgent } from '../support/page-agent.ts';
import { runningSnapshot } from '../support/page-snapshot.ts';

const rendererFolder = join(import.meta.dirname, '../../dist/renderer');

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('the settings say which version runs and how things stand with a newer one', async () => {
  const agent = makePageAgent();
  const web = await startWebScreen({
    handlers: agent.handlers,
    subscribe: agent.subscribe,
    rendererFolder,
    port: 0,
    announce: () => undefined,
  });
  const { page, problems } = await openPage(browser, web.mintLink());
  onTestFinished(async () => {
    await page.context().close();
    await web.stop();
    agent.stop();
  });
  const show = (updates: (atMs: number) => UpdatesView) =>
    agent.show((atMs) => ({ ...runningSnapshot(atMs), version: '0.2.0', updates: updates(atMs) }));
  const off = 'Updates stay off: <b>no key</b>.';
  show(() => ({ state: 'off', text: off, hint: 'By hand.', checkedMs: null, version: null }));
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'This program: version 0.2.0' }).waitFor();
  const line = page.getByTestId('updates');
  await expect.poll(() => line.innerText()).toBe('Updates stay off: <b>no key</b>.\nBy hand.');
  show((checkedMs) => ({ state: 'ready', text: 'Epistream 0.3.0 is ready.', hint: '', checkedMs, version: '0.3.0' }));
  await expect
    .poll(() => line.innerText())
    .toMatch(/^Epistream 0\.3\.0 is ready\.\nThe update server answered at \d\d:/);
  expect(await findAccessFaults(page)).toEqual([]);
  expect(problems).toEqual([]);
});
