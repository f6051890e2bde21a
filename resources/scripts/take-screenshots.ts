// Photographs the screen for the pages of resources/docs: "npx n24 resources/scripts/take-screenshots.ts". Everything on the
// pictures is real: the agent, its queue, the embedded service, the page in a browser. It takes again what those pages show.
// With a folder ("npx n24 resources/scripts/take-screenshots.ts FOLDER") it takes every page there in each theme, and the pages
// that people look at all day at 1280 x 720, 1920 x 1080 and 3840 x 2160, too. Takes some minutes; needs "npm run build" before,
// and a Chromium.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import manifest from '../../package.json' with { type: 'json' };
import { createAgent } from '../../src-main/agent/agent.ts';
import { importFile } from '../../src-main/local-service/import/import-file.ts';
import { startLocalService } from '../../src-main/local-service/local-service.ts';
import { startWebScreen } from '../../src-main/web/web-screen.ts';
import { readPages } from '../../test/support/docs.ts';
import { launchBrowser, openPage } from '../../test/support/page/browser.ts';
import { demoEntry, demoFile } from '../../test/support/rigs/service-world.ts';

const top = join(import.meta.dirname, '../..');
const sizesFolder = process.argv[2];
const pictures = resolve(sizesFolder ?? join(top, 'resources/screenshots'));
const viewport = { width: 1360, height: 1000 };
/** The plot shows a minute; it shall be full, milliseconds. */
const TRIAL_MS = 75_000;
const DELIVERED_MS = 20_000;
const OFFLINE_MS = 30_000;
const KEY = 'key-of-the-screenshots';

async function openAgent(browser: Browser, folder: string) {
  mkdirSync(folder, { recursive: true });
  const agent = createAgent({
    dataFolder: folder,
    settingsFile: join(folder, 'epistream.yaml'),
    version: manifest.version,
    keys: { read: () => KEY, keep: async () => undefined },
  });
  const rendererFolder = join(top, 'dist/renderer');
  const web = await startWebScreen({ handlers: agent.handlers, subscribe: agent.subscribe, rendererFolder, port: 0 });
  await agent.start();
  const { page } = await openPage(browser, web.mintLink(), { viewport });
  const close = async () => {
    await page.context().close();
    await web.stop();
    await agent.stop();
  };
  return { page, agent, close };
}

const shown = readPages()
  .map(({ text }) => text)
  .join('\n');
const isWanted = (name: string) => sizesFolder !== undefined || shown.includes(`screenshots/${name}.png`);

async function shoot(page: Page, name: string): Promise<void> {
  if (!isWanted(name)) return;
  const path = join(pictures, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled' });
  console.log(path);
}

function writeLog(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const rows = Array.from({ length: 12 }, (_, i) => {
    const time = new Date(Date.UTC(2026, 10, 20, 18, 40, i)).toISOString();
    return `${time},${(611.9 + 0.08 * i).toFixed(2)},${(3.2e-9 + 1e-11 * i).toExponential(2)},${i === 4 ? 'Open' : 12 + i},Kim`;
  });
  const head = 'time,substrate temperature (°C),chamber pressure (Torr),shutter cycles,operator';
  writeFileSync(join(folder, '2026-11-20_run_07.csv'), `${head}\n${rows.join('\n')}\n`);
}

/** Pages behind the #, by the name of their picture. */
const PAGES: Readonly<Record<string, string>> = {
  now: '/',
  growth: '/growth',
  plots: '/plots',
  streams: '/streams',
  stream: '/streams/1',
  'new-log': '/sources/new/log',
  'new-instrument': '/sources/new/serial',
  'new-camera': '/sources/new/rheed',
  wall: '/wall',
  catalogue: '/catalogue',
  ...Object.fromEntries(
    ['metrology', 'optical', 'xps', 'sims'].map((kind) => [
      `entry-${kind}`,
      `/catalogue/entry/${demoEntry(kind).data_id}`,
    ]),
  ),
  library: '/library',
  journal: '/journal',
  help: '/help',
};
const THEMES = ['light', 'dark', 'dark-room'] as const;
/** Until answers have come and plots are drawn, milliseconds. */
const SETTLE_MS = 1_500;

async function shootFirstRun(page: Page, folder: string): Promise<void> {
  await page.getByRole('button', { name: 'Try it' }).waitFor();
  await shoot(page, 'first-run');
  const logs = join(folder, 'MBE-1 logs');
  writeLog(logs);
  await page.getByRole('button', { name: 'Connect your tool' }).click();
  await page.getByLabel('Name of the tool').fill('MBE-1');
  await page.getByRole('combobox', { name: 'Log folder' }).fill(logs);
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await page.getByTestId('preview').locator('tbody tr').first().waitFor();
  await shoot(page, 'connect');
  await page.getByRole('button', { name: 'Back' }).click();
}

async function shootPages(page: Page, pages: Readonly<Record<string, string>>): Promise<void> {
  for (const theme of THEMES) {
    await page.evaluate((chosen) => localStorage.setItem('epistream.theme', chosen), theme);
    await page.reload();
    for (const [plain, path] of Object.entries(pages)) {
      const name = theme === 'light' ? plain : `${plain}-${theme}`;
      if (!isWanted(name)) continue;
      await page.evaluate((hash) => {
        window.location.hash = hash;
      }, path);
      await page.waitForTimeout(SETTLE_MS);
      await shoot(page, name);
    }
  }
}

/** What people look at all day, by the name of its picture; a trial has no settings. */
const ALL_DAY = { now: '/', growth: '/growth', catalogue: '/catalogue', wall: '/wall' };
const SIZES = [
  [1280, 720],
  [1920, 1080],
  [3840, 2160],
] as const;

/** Pages in every theme and size. */
async function shootSizes(page: Page, pages: Readonly<Record<string, string>>): Promise<void> {
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    const named = Object.entries(pages).map(([name, path]) => [`${name}-${width}`, path]);
    await shootPages(page, Object.fromEntries(named));
  }
}

/** Every page in every theme, of a trial in which a growth runs, with the demo's entries in the catalogue. */
async function shootTrial(browser: Browser, folder: string): Promise<void> {
  const data = join(folder, 'trial');
  const serviceFolder = join(data, 'trial/service');
  mkdirSync(serviceFolder, { recursive: true });
  await importFile(serviceFolder, demoFile);
  const { page, agent, close } = await openAgent(browser, data);
  await shootFirstRun(page, folder);
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.waitForTimeout(TRIAL_MS / 2);
  await agent.handlers.growth.start({ name: 'G3-117, GaAs on GaAs (001)' });
  await agent.handlers.growth.note({ text: 'Oxide off at 582 °C, 2x4 clear' });
  await page.waitForTimeout(TRIAL_MS / 2);
  await shootPages(page, PAGES);
  if (sizesFolder !== undefined) await shootSizes(page, ALL_DAY);
  await close();
}

async function shootOffline(browser: Browser, folder: string): Promise<void> {
  const service = await startLocalService({ folder: join(folder, 'service'), key: KEY });
  const data = join(folder, 'offline');
  mkdirSync(data, { recursive: true });
  const settings = `version: 1
service: { url: '${service.url}', resend: repeat }
tool: { name: MBE-1, time_zone: UTC }
stream_defaults: { points_per_chunk: 10 }
sources:
  - { id: growth, kind: simulator, seed: 7, interval: 100ms }
`;
  writeFileSync(join(data, 'epistream.yaml'), settings);
  const { page, close } = await openAgent(browser, data);
  await page.waitForTimeout(DELIVERED_MS);
  await shootPages(page, { sources: '/sources', settings: '/settings' });
  if (sizesFolder !== undefined) await shootSizes(page, { settings: '/settings' });
  await service.stop();
  await page.evaluate(() => {
    localStorage.setItem('epistream.theme', 'light');
    window.location.hash = '/';
  });
  await page.setViewportSize(viewport);
  await page.reload();
  await page.waitForTimeout(OFFLINE_MS);
  await shoot(page, 'offline');
  await close();
}

const folder = mkdtempSync(join(tmpdir(), 'epistream-pictures-'));
const browser = await launchBrowser();
// Pages propose the user's own folder: the pictures shall show anybody's.
process.env.HOME = '/home/operator';
try {
  mkdirSync(pictures, { recursive: true });
  await shootTrial(browser, folder);
  await shootOffline(browser, folder);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
