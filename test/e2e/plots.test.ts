// The page of plots: against the real agent for what is drawn, over the small agent for what is hard to provoke.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { openAgentScreen } from '../support/page/agent-screen.ts';
import { findAccessFaults, findAccessFaultsOfThemes } from '../support/page/browser.ts';
import { runningSnapshot } from '../support/page/page-snapshot.ts';
import { openPageAgent } from '../support/page/screen.ts';
import { tempFolder } from '../support/temp-folder.ts';

const eventually = <T>(read: () => T, { timeout = 60_000 } = {}) => expect.poll(read, { timeout });

async function openSmall() {
  const opened = await openPageAgent({}, (agent) => agent.show(runningSnapshot));
  await opened.page.getByRole('link', { name: 'Plots', exact: true }).click();
  await opened.page.getByTestId('plots').locator('canvas').first().waitFor();
  return opened;
}

interface Kept {
  chosen: string[] | null;
  view: { fromMs?: number; toMs?: number };
  ranges?: object;
  alignment?: string;
}

/** What the page keeps of a plot in its address and in this browser; null while it keeps nothing there. */
function readPlot(word = ''): Kept | null {
  return word === '' ? null : JSON.parse(Buffer.from(word, 'base64url').toString());
}

/** The clocks between which the page says that it shows; over midnight the later one bears its day. */
async function shownClocks(page: Page): Promise<string[]> {
  const text = await page.getByTestId('plots').innerText();
  return text.match(/(\d\d:\d\d:\d\d) to (?:\d+ \w+, )?(\d\d:\d\d:\d\d)/)?.slice(1) ?? [];
}

/** The span that the page says it shows, seconds. */
async function shownSeconds(page: Page): Promise<number> {
  const [from = '', to = ''] = await shownClocks(page);
  const seconds = (clock: string) => clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return (seconds(to) - seconds(from) + 86_400) % 86_400;
}

test('plots a log with its marks and what is no number, zooms, moves, and opens again where it was', async () => {
  const data = tempFolder('plots-page');
  const logs = join(data, 'logs');
  mkdirSync(logs);
  const file = join(logs, 'run.csv');
  writeFileSync(file, 'time,substrate (C),gauge (Torr)\n');
  const line = (at: number) =>
    `${new Date(at).toISOString()},${600 + ((at / 1000) % 50)},${at % 7_000 < 1_000 ? 'Over' : (10 ** (-9 + (at % 4_000) / 1_000)).toExponential(2)}\n`;
  const nowMs = Date.now();
  appendFileSync(file, Array.from({ length: 300 }, (_, i) => line(nowMs - 150_000 + 500 * i)).join(''));
  const writing = setInterval(() => appendFileSync(file, line(Date.now())), 500);
  onTestFinished(() => clearInterval(writing));
  const { page, problems } = await openAgentScreen({
    sources: "\n  - { id: log, kind: log, path: logs, match: '*.csv', backfill: all }\n",
    streams: 'points_per_chunk: 10',
    data,
  });
  await page.getByRole('link', { name: 'Plots', exact: true }).click();
  const plots = page.getByTestId('plots');
  await eventually(() => plots.locator('canvas').count()).toBe(2);
  await eventually(() => plots.innerText()).toMatch(/substrate\s+\d+(\.\d+)? C[\s\S]*gauge\s+\d\.\dE-\d\d Torr/);
  // Four decades of pressure: logarithmic by itself.
  await eventually(() => plots.innerText()).toContain('log scale');
  await page.getByRole('region', { name: 'Non-numeric values' }).getByText('"Over"').first().waitFor();
  expect(await findAccessFaults(page)).toEqual([]);

  await eventually(() => shownSeconds(page)).toBe(600);
  const canvas = await plots.locator('canvas').first().elementHandle();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await eventually(() => shownSeconds(page)).toBe(150);
  const boxOfPlot = async () => {
    const box = await plots.locator('.u-over').first().boundingBox();
    if (!box) throw new Error('there is no plot');
    return box;
  };
  // The pointer lets go only once half of the plot is drawn as chosen: what is drawn then is what is shown after it.
  const chosenShare = async () => {
    const { x, y, width } = await boxOfPlot();
    await page.mouse.move(x + width * 0.74, y + 60);
    await page.mouse.move(x + width * 0.75, y + 60);
    const chosen = await plots.locator('.u-select').first().boundingBox();
    return (chosen?.width ?? 0) / width;
  };
  const whole = await boxOfPlot();
  await page.mouse.move(whole.x + whole.width * 0.25, whole.y + 50);
  await page.mouse.down();
  await eventually(chosenShare).toBeCloseTo(0.5, 2);
  await page.mouse.up();
  await eventually(async () => Math.abs((await shownSeconds(page)) - 75)).toBeLessThanOrEqual(2);
  const box = await boxOfPlot();
  // The legend follows the cursor.
  const legend = plots.getByTestId('legend').first();
  const atEnd = await legend.innerText();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 60);
  await eventually(() => legend.innerText()).not.toBe(atEnd);
  const before = await plots.innerText();
  await page.getByRole('button', { name: 'Earlier' }).click();
  await eventually(() => plots.innerText()).not.toBe(before);
  const shown = await shownClocks(page);
  expect(shown).toHaveLength(2);
  // The address follows the hand a moment later.
  const clocksInAddress = () => {
    const { fromMs = 0, toMs = 0 } = readPlot(page.url().match(/#\/plots\/([\w-]+)$/)?.[1])?.view ?? {};
    return page.evaluate((span) => span.map((ms) => new Date(ms).toTimeString().slice(0, 8)), [fromMs, toMs]);
  };
  await eventually(clocksInAddress).toEqual(shown);
  // Another span is drawn into the same picture, which a hand may be holding.
  expect(await canvas?.evaluate((drawn) => drawn.isConnected)).toBe(true);
  await page.reload();
  await eventually(() => shownClocks(page)).toEqual(shown);
  await page.getByRole('button', { name: 'Live' }).click();
  await eventually(() => plots.innerText()).toContain('live');
  expect(problems).toEqual([]);
});

test('remembers the chosen channels in this browser, without a fault of access in any theme, and reads back what is kept at the service only', async () => {
  const { agent, page, problems } = await openSmall();
  const plots = page.getByTestId('plots');
  await page.getByRole('button', { name: /^Channels/ }).click();
  await page.getByRole('dialog').getByLabel('Ga cell temperature').uncheck();
  await page.keyboard.press('Escape');
  await eventually(() => plots.innerText()).not.toContain('Ga cell temperature');
  const kept = () => page.evaluate(() => localStorage.getItem('epistream.plots') ?? '');
  await eventually(async () => readPlot(await kept())?.chosen ?? ['none kept']).toEqual([
    expect.stringContaining('substrate temperature'),
    expect.stringContaining('chamber pressure'),
    expect.stringContaining('gauge 1'),
  ]);
  await page.goto(`${new URL(page.url()).origin}/#/plots`);
  await page.reload();
  await eventually(() => page.getByTestId('plots').locator('canvas').count()).toBe(3);
  expect(await page.getByTestId('plots').innerText()).not.toContain('Ga cell temperature');
  expect(await findAccessFaultsOfThemes(page)).toEqual([]);

  const handlers = agent.handlers.plot as {
    -readonly [K in keyof typeof agent.handlers.plot]: (typeof agent.handlers.plot)[K];
  };
  const asked: string[] = [];
  handlers.listOlder = async ({ fromMs, toMs }) =>
    ['one', 'two'].map((dataId, at) => ({
      ...{ streamId: at + 1, sourceId: 'growth', dataId, name: `stream ${dataId}`, startMs: fromMs },
      ...{ fromMs, toMs: toMs - 300_000 },
    }));
  handlers.readOlder = async ({ entry, channels }) => {
    asked.push(entry.dataId);
    const timesMs = [entry.fromMs + 1, entry.fromMs + 2];
    return channels.map((channel) => ({
      sourceId: 'growth',
      channel,
      unit: '°C',
      timesMs,
      values: [1, 2],
      readFromMs: null,
      statistics: null,
    }));
  };
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await page.getByText(/are kept at the service only \(2 streams\)/).waitFor();
  expect(asked).toEqual([]);
  await page.getByRole('button', { name: 'Read them from the service' }).click();
  await page.getByText('Points of 2 streams were read back from the service.').waitFor();
  expect(asked).toEqual(['one', 'two']);
  expect(await findAccessFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Leave them out' }).click();
  await page.getByText(/are kept at the service only/).waitFor();
  await eventually(() => plots.locator('canvas').count()).toBe(3);
  expect(problems).toEqual([]);
});

test('lays two growths over each other from their starts, each with its true time, or at the clock, and opens again so', async () => {
  const { agent, page, problems, go } = await openAgentScreen({
    sources: '\n  - { id: growth, kind: simulator, interval: 100ms }\n',
  });
  await expect.poll(() => agent.snapshot.sources[0]?.state, { timeout: 60_000 }).toBe('running');
  const grow = async (name: string) => {
    const { id } = await agent.handlers.growth.start({ name });
    await agent.handlers.growth.note({ text: 'oxide off' });
    await expect
      .poll(async () => (await agent.handlers.growth.read({ growthId: id }))?.parts[0]?.streams[0]?.points ?? 0, {
        timeout: 60_000,
      })
      .toBeGreaterThan(20);
    await agent.handlers.growth.end(null);
    return id;
  };
  const [first, second] = [await grow('G1'), await grow('G2')];
  await go('/plots');
  await eventually(() => page.getByRole('list', { name: 'Marks', exact: true }).innerText()).toMatch(
    /growth started: G1[\s\S]*oxide off[\s\S]*growth ended: G1[\s\S]*growth started: G2[\s\S]*growth ended: G2/,
  );
  await page.getByRole('checkbox', { name: 'Growths 4' }).waitFor();
  await go(`/growth/${first}`);
  await page.getByRole('link', { name: 'Compare with others' }).click();
  const plots = page.getByTestId('plots');
  await plots.getByRole('combobox', { name: 'Growths over each other' }).click();
  await page.getByRole('option', { name: /^G2/ }).click();
  await page.keyboard.press('Escape');
  const canvas = plots.locator('.u-over').first();
  await canvas.hover();
  // One line for each growth, with its own day and time.
  const legend = plots.getByTestId('legend').first();
  await expect
    .poll(() => legend.innerText(), { timeout: 60_000 })
    .toMatch(/-?0:00:\d\d[\s\S]*G1: [\s\S]*\d\d:\d\d:\d\d[\s\S]*G2: [\s\S]*\d\d:\d\d:\d\d/);
  await plots.getByRole('button', { name: 'Axes, range and statistics' }).first().click();
  await plots.getByRole('textbox', { name: /^Lowest/ }).fill('0');
  await plots.getByRole('textbox', { name: /^Highest/ }).fill('1000');
  expect(await plots.getByRole('row').filter({ hasText: 'G2' }).first().innerText()).toMatch(/\d/);
  expect(await findAccessFaults(page)).toEqual([]);
  // The address alone says what is shown.
  const kept = () => readPlot(page.url().split('/plots/')[1])?.ranges ?? {};
  await eventually(() => Object.values(kept())).toEqual([[0, 1000]]);
  await page.reload();
  await eventually(() => legend.innerText()).toMatch(/G1: [\s\S]*G2: /);
  // At the clock the growths stand behind each other, on an axis of time.
  await plots.getByText('Clock', { exact: true }).click();
  await eventually(() => legend.innerText()).toMatch(/^\d\d:\d\d:\d\d/);
  await eventually(() => readPlot(page.url().split('/plots/')[1])?.alignment).toBe('clock');
  // A link to the page that compared growths opens them here.
  await go(`/compare/${Buffer.from(JSON.stringify({ ids: [second, first] })).toString('base64url')}`);
  await eventually(() => plots.getByTestId('legend').first().innerText()).toMatch(/G2: [\s\S]*G1: /);
  expect(second).not.toBe(first);
  expect(problems).toEqual([]);
});
