// What the page says of the program itself, in a real browser over the real web server.
import { expect, test } from 'vitest';
import type { UpdatesView } from '../../src-main/contract/updates.ts';
import { findAccessFaults } from '../support/page/browser.ts';
import { runningSnapshot } from '../support/page/page-snapshot.ts';
import { openPageAgent } from '../support/page/screen.ts';

test('the settings say which version runs and how things stand with a newer one', async () => {
  const { agent, page, problems } = await openPageAgent();
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
