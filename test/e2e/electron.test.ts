// The built application in the real Electron. Its runtime cannot be had everywhere, so this test may skip; it then says
// why, and REQUIRE_ELECTRON=1 makes that a failure.
import { join } from 'node:path';
import { _electron } from 'playwright-core';
import { expect, test } from 'vitest';
import { findElectron, whyNoDisplay } from '../../resources/scripts/find-electron.ts';
import { tempFolder } from '../support/temp-folder.ts';

const top = join(import.meta.dirname, '../..');
const electron = findElectron();
const whyNot = electron.path === null ? electron.why : whyNoDisplay();
const mustRun = process.env.REQUIRE_ELECTRON === '1';
if (whyNot !== '' && !mustRun) console.warn(`SKIPPED: the smoke test on real Electron, because ${whyNot}`);

test.skipIf(whyNot !== '' && !mustRun)(
  `real Electron: starts, records, keeps recording behind a closed window, quits${whyNot && ` (not run: ${whyNot})`}`,
  async () => {
    if (electron.path === null || whyNot !== '') throw new Error(`REQUIRE_ELECTRON is set, but ${whyNot}`);
    const home = tempFolder('electron');
    const app = await _electron.launch({
      executablePath: electron.path,
      // Chromium does not sandbox itself for root, as which containers run.
      args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), `--user-data-dir=${join(home, 'profile')}`, top],
      env: { ...process.env, XDG_DATA_HOME: home, LOCALAPPDATA: home } as Record<string, string>,
      timeout: 60_000,
    });
    try {
      const page = await app.firstWindow();
      const problems: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      await expect.poll(() => page.url(), { timeout: 60_000 }).toBe('app://epistream/');
      // Nothing of Node or Electron reaches the page.
      const leaks = await page.evaluate(() =>
        ['require', 'process', 'module', 'electron', 'ipcRenderer'].filter((name) => name in globalThis),
      );
      expect(leaks).toEqual([]);
      await expect(page.evaluate(() => fetch('https://example.org'))).rejects.toThrow();
      expect(await page.evaluate(() => window.open('https://example.org') === null)).toBe(true);
      problems.length = 0;

      await page.getByRole('button', { name: 'Try it' }).click();
      await page.getByRole('link', { name: 'Streams', exact: true }).click();
      const acknowledged = async () => {
        const cells = await page.getByTestId('stream-rows').locator('tbody tr').last().locator('td').allInnerTexts();
        return Number(cells[3]?.replaceAll(',', '') ?? 0);
      };
      await expect.poll(acknowledged, { timeout: 60_000 }).toBeGreaterThan(0);

      // What the tray says: the last tooltip that was set.
      await app.evaluate(({ Tray }) => {
        const set = Tray.prototype.setToolTip;
        Tray.prototype.setToolTip = function (text) {
          Object.assign(globalThis, { lastToolTip: text });
          return set.call(this, text);
        };
      });
      const toolTip = () => app.evaluate(() => (globalThis as { lastToolTip?: string }).lastToolTip ?? '');
      await expect.poll(toolTip, { timeout: 60_000 }).toMatch(/^Epistream: Recording 2 sources\./);

      // Permissions, navigation: asked for in earnest (rows 106 and 108).
      const permission = await page.evaluate(async () =>
        navigator.mediaDevices.getUserMedia({ audio: true }).then(
          () => 'granted',
          (fault: Error) => fault.name,
        ),
      );
      expect(permission).not.toBe('granted');
      await page.evaluate(() => {
        location.href = 'https://example.org';
      });
      expect(page.url()).toMatch(/^app:\/\/epistream\//);
      problems.length = 0;

      const isVisible = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
      await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
      await expect.poll(isVisible).toBe(false);
      const before = await acknowledged();
      await expect.poll(acknowledged, { timeout: 60_000 }).toBeGreaterThan(before);
      await app.evaluate(({ app: running }) => running.emit('second-instance'));
      await expect.poll(isVisible).toBe(true);
      expect(problems).toEqual([]);
    } finally {
      const ended = new Promise<number | null>((resolve) => app.process().once('exit', resolve));
      await app.close();
      expect(await ended).toBe(0);
    }
  },
  240_000,
);
