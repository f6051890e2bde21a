// From the page Growth to a table: the real page in a real browser, the real agent, a file that the browser saved.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findAccessFaults } from '../support/page/browser.ts';
import { button } from '../support/page/on-page.ts';
import { openScreen } from '../support/page/screen.ts';
import { GrowthRig, until } from '../support/rigs/growth-rig.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('a growth is three clicks from a table: Growth, the growth, Export as CSV, and each reading stands in it', async () => {
  const rig = await GrowthRig.open({ hasCamera: false, hasSimulator: false });
  const agent = await rig.start();
  const { id } = await agent.handlers.growth.start({ name: 'SL 12 =1+1' });

  for (let n = 0; n < 4; n++) rig.writeRow(Date.now() + n, n / 3);
  await until('the readings are in', async () => {
    const growth = await agent.handlers.growth.read({ growthId: id });
    return (growth?.parts.flatMap(({ streams }) => streams).reduce((sum, { points }) => sum + points, 0) ?? 0) >= 4;
  });
  await agent.handlers.growth.end(null);

  const { page, problems } = await openScreen(agent);
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await page.getByRole('link', { name: 'Growth', exact: true }).click();
  await page.getByTestId('past').getByRole('link').first().click();
  const panel = page.getByTestId('growth-export');
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Export as CSV').click()]);
  const file = join(tempFolder('download'), 'table.csv');
  await download.saveAs(file);
  await panel.getByText('4 points written to').waitFor();
  expect(download.suggestedFilename()).toBe('SL 12 =1+1.csv');
  const lines = readFileSync(file, 'utf8').trim().split('\r\n');
  expect(lines[0]).toBe(`# Epistream wide CSV; the table begins at line ${lines.length - 4}`);
  const rows = lines.slice(-4).map((line) => Number(line.split(',')[3]));
  expect(rows).toEqual([0, 1 / 3, 2 / 3, 1]);
  expect(await findAccessFaults(page)).toEqual([]);
  expect(problems).toEqual([]);
});
