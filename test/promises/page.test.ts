// What a newcomer sees: the built program on a fresh PC, from the first start to "delivered", in a real browser.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBrowserObstacle } from '../support/page/browser.ts';
import { panel } from '../support/page/on-page.ts';
import { openLink } from '../support/page/screen.ts';
import { runAgent, startAgent } from '../support/processes/agent-process.ts';
import { readEmbedded } from '../support/rigs/delivered.ts';
import { marks, SCREEN_LINK, sentence } from '../support/rigs/outage-walk.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** What `npm start` runs. */
const START = join(import.meta.dirname, '../../resources/scripts/start.ts');

const withBrowser = test.skipIf(findBrowserObstacle());

withBrowser(
  'the page goes from the first start to delivered, and the service has every acknowledged point',
  async () => {
    const data = tempFolder('first-run');
    const noElectron = { ELECTRON_OVERRIDE_DIST_PATH: join(data, 'no-electron') };
    const running = startAgent(['--data', data, '--ui', '0'], noElectron, [], START);
    const [link] = await running.waitFor(SCREEN_LINK);
    const { page, problems } = await openLink(link);
    await page.getByRole('button', { name: 'Try it' }).click();
    await expect.poll(async () => (await marks(page)).acknowledged).toBeGreaterThan(0);
    await expect
      .poll(() => sentence(page))
      .toMatch(/Recording 2 sources\. (All delivered|Everything older than \d+ s is delivered)/);
    await expect.poll(() => panel(page, 'Service').innerText()).toContain('Connected');
    await expect.poll(() => panel(page, 'Live values').locator('canvas').count()).toBeGreaterThan(1);
    await expect.poll(() => panel(page, 'Live values').innerText()).toMatch(/temperature\s+\d+(\.\d+)? °C/);
    const { stored, acknowledged } = await marks(page);
    expect(acknowledged).toBeGreaterThan(0);
    expect(acknowledged).toBeLessThanOrEqual(stored);
    expect(problems).toEqual([]);
    // The link works once; a second one opens the page again.
    const { out } = await runAgent(['open', '--data', data]);
    const again = await openLink(out.trim(), {});
    await expect.poll(() => sentence(again.page)).toMatch(/Recording 2 sources\./);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(0);
    const delivered = await readEmbedded(join(data, 'trial/service'));
    const points = [...delivered.values()].reduce((sum, channel) => sum + channel.length, 0);
    expect(points).toBeGreaterThanOrEqual(acknowledged);
  },
);
