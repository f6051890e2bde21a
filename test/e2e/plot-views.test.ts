// Plots with an axis of its own for a line, with limits, and kept under a name.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findAccessFaultsOfThemes } from '../support/page/browser.ts';
import { runningSnapshot } from '../support/page/page-snapshot.ts';
import { openPageAgent } from '../support/page/screen.ts';

const eventually = <T>(read: () => T, { timeout = 60_000 } = {}) => expect.poll(read, { timeout });

async function openPlots() {
  const opened = await openPageAgent({}, (agent) => {
    agent.show(runningSnapshot);
    const levels = { hihi: null, hi: 605, lo: null, lolo: 0 };
    const rest = { deadband: 0, onDelayS: 0, offDelayS: 0, isAlways: true, guidance: '' };
    const handlers = agent.handlers.limit as {
      -readonly [K in keyof typeof agent.handlers.limit]: (typeof agent.handlers.limit)[K];
    };
    handlers.list = async () => [{ sourceId: 'growth', channel: 'substrate temperature', ...levels, ...rest }];
  });
  await opened.page.getByRole('link', { name: 'Plots', exact: true }).click();
  await opened.page.getByTestId('plots').locator('canvas').first().waitFor();
  return opened;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('draws a line on an axis of its own in the plot of another unit, and shows the limits of a channel', async () => {
  const { page, problems } = await openPlots();
  const plots = page.getByTestId('plots');
  const count = () => plots.locator('canvas').count();
  await eventually(count).toBe(3);
  await eventually(() => plots.getByTestId('legend').first().innerText()).toMatch(
    /substrate temperature[\s\S]*Hi 605, LoLo 0/,
  );
  const pressure = plots.locator('figure').filter({ hasText: 'chamber pressure' });
  await pressure.getByRole('button', { name: 'Axes, range and statistics' }).click();
  await pressure.getByRole('checkbox', { name: 'Own axis for chamber pressure' }).click();
  const first = plots.locator('figure').first();
  await eventually(() => first.getByTestId('legend').innerText()).toContain('chamber pressure');
  await first.getByRole('button', { name: 'Axes, range and statistics' }).click();
  // Each axis has its own range.
  await first.getByRole('textbox', { name: /^Lowest of chamber pressure/ }).waitFor();
  await first.getByRole('textbox', { name: 'Lowest (°C)' }).waitFor();
  expect(await findAccessFaultsOfThemes(page)).toEqual([]);
  await first.getByRole('checkbox', { name: 'Own axis for chamber pressure' }).click();
  await eventually(count).toBe(3);
  expect(problems).toEqual([]);
});

test('writes the times of an axis apart from each other on a narrow page with three axes at the right', async () => {
  const { page, problems } = await openPlots();
  await page.setViewportSize({ width: 800, height: 900 });
  const first = page.getByTestId('plots').locator('figure').first();
  for (const name of ['chamber pressure', 'gauge 1', 'Ga cell temperature']) {
    const own = page.getByRole('checkbox', { name: `Own axis for ${name}` });
    const figure = page.getByTestId('plots').locator('figure').filter({ hasText: name }).first();
    if ((await own.count()) === 0) await figure.getByRole('button', { name: 'Axes, range and statistics' }).click();
    await own.first().click();
  }
  await eventually(() => page.getByTestId('plots').locator('canvas').count()).toBe(1);
  const texts = await first.locator('canvas').evaluate(async (canvas: HTMLCanvasElement) => {
    const drawn: { text: string; from: number; to: number }[] = [];
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    const [fillText, clearRect] = [context.fillText.bind(context), context.clearRect.bind(context)];
    // Each picture begins with an empty canvas.
    context.clearRect = (...place) => {
      drawn.length = 0;
      clearRect(...place);
    };
    context.fillText = (text, x, y) => {
      const width = context.measureText(text).width;
      drawn.push({ text, from: x - width / 2, to: x + width / 2 });
      fillText(text, x, y);
    };
    const isTime = ({ text }: { text: string }) => /^\d\d:\d\d:\d\d$/.test(text);
    while (!drawn.some(isTime)) await new Promise((resolve) => setTimeout(resolve, 50));
    return drawn.filter(isTime);
  });
  const rising = texts.toSorted((one, other) => one.from - other.from);
  expect(rising.filter(({ from }, at) => from < (rising[at - 1]?.to ?? 0))).toEqual([]);
  expect(problems).toEqual([]);
});

test('keeps a view under a name, opens it again, renames it, and deletes it after one question', async () => {
  const { page, problems } = await openPlots();
  const plots = page.getByTestId('plots');
  await page.getByRole('button', { name: /^Channels/ }).click();
  await page.getByRole('dialog').getByLabel('Ga cell temperature').uncheck();
  await page.keyboard.press('Escape');
  await eventually(() => plots.innerText()).not.toContain('Ga cell temperature');
  await button(page, 'Views: 0').click();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('without Ga');
  await button(page, 'Save').click();
  await button(page, 'Views: 1').waitFor();
  expect(await findAccessFaultsOfThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Channels/ }).click();
  await page.getByRole('dialog').getByLabel('Ga cell temperature').check();
  await page.keyboard.press('Escape');
  await eventually(() => plots.innerText()).toContain('Ga cell temperature');
  await page.reload();
  await button(page, 'Views: 1').click();
  const open = page.getByRole('combobox', { name: 'Open' });
  await open.click();
  await page.getByRole('option', { name: 'without Ga' }).click();
  await eventually(() => plots.innerText()).not.toContain('Ga cell temperature');
  await name.fill('calm');
  await button(page, 'Rename').click();
  await eventually(() => open.inputValue()).toBe('calm');
  // What is saved under a name that is there takes its place.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Channels/ }).click();
  await page.getByRole('dialog').getByLabel('Ga cell temperature').check();
  await page.keyboard.press('Escape');
  await eventually(() => plots.innerText()).toContain('Ga cell temperature');
  await button(page, 'Views: 1').click();
  await button(page, 'Save').click();
  await page.getByText('Replaced: calm').waitFor();
  await name.fill('other');
  await button(page, 'Save').click();
  await button(page, 'Views: 2').waitFor();
  await open.click();
  await page.getByRole('option', { name: 'calm' }).click();
  await eventually(() => plots.innerText()).toContain('Ga cell temperature');
  await name.fill('other');
  expect(await button(page, 'Rename').isDisabled()).toBe(true);
  await button(page, 'Save').click();
  await page.getByText('Replaced: other').waitFor();
  await button(page, 'Delete').click();
  await button(page, 'Delete other for good').click();
  await open.click();
  await page.getByRole('option', { name: 'calm' }).click();
  await button(page, 'Delete').click();
  await button(page, 'Views: 1').waitFor();
  await button(page, 'Delete calm for good').click();
  await button(page, 'Views: 0').waitFor();
  expect(problems).toEqual([]);
});
