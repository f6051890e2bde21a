// The whole thing as a user has it, in processes of its own, with the real page in a real browser: "npm start" on a PC
// without Electron, and the service away for a while.

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findAccessFaults } from '../support/page/browser.ts';
import { panel } from '../support/page/on-page.ts';
import { openLink } from '../support/page/screen.ts';
import { runAgent, startAgent } from '../support/processes/agent-process.ts';
import { marks, SCREEN_LINK, sentence, walkThroughOutage } from '../support/rigs/outage-walk.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** What `npm start` runs. */
const START = join(import.meta.dirname, '../../resources/scripts/start.ts');

/** Wait for the page to say something; how long is a matter of the machine, not of the test. */
const eventually = <T>(read: () => T, { timeout = 60_000 } = {}) => expect.poll(read, { timeout });

test('streams a simulated growth and its camera after one click on a fresh PC', async () => {
  const data = tempFolder('first-run');
  const noElectron = { ELECTRON_OVERRIDE_DIST_PATH: join(data, 'no-electron') };
  const running = startAgent(['--data', data, '--ui', '0'], noElectron, [], START);
  const [link] = await running.waitFor(SCREEN_LINK);
  const { page, problems } = await openLink(link);
  await page.getByRole('button', { name: 'Try it' }).click();
  await eventually(async () => (await marks(page)).acknowledged).toBeGreaterThan(0);

  await eventually(() => sentence(page)).toMatch(
    /Recording 2 sources\. (All delivered|Everything older than \d+ s is delivered)/,
  );
  await eventually(() => panel(page, 'Service').innerText()).toContain('Connected');
  await eventually(() => panel(page, 'Live values').locator('canvas').count()).toBeGreaterThan(1);
  await eventually(() => panel(page, 'Live values').innerText()).toMatch(/temperature\s+\d+(\.\d+)? °C/);
  expect(await findAccessFaults(page)).toEqual([]);
  expect(problems).toEqual([]);

  // An operator who has closed the page opens it again.
  const { out } = await runAgent(['open', '--data', data]);
  const again = await openLink(out.trim());
  await eventually(() => sentence(again.page)).toMatch(/Recording 2 sources\./);
  running.child.kill('SIGINT');
  expect((await running.ended).code).toBe(0);
});

test('keeps and delivers everything, once and in order, when the service goes away in the middle, and the screen says so all the time', () =>
  walkThroughOutage(30));

test('says that the port is taken, with a hint and an exit code, when another program holds it', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const port = String((other.address() as AddressInfo).port);
  const { code, out, err } = await runAgent(['run', '--data', tempFolder('port'), '--ui', port]);
  expect(code).toBe(1);
  expect(out + err).toMatch(/already in use[\s\S]*hint: [\s\S]*--ui[\s\S]*web\.port-taken/);
});
