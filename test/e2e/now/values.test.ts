// The values that stand first on Now and on the wall.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findAccessFaults } from '../../support/page/browser.ts';
import { button } from '../../support/page/on-page.ts';
import { runningGrowth, runningSnapshot, sourceView } from '../../support/page/page-snapshot.ts';
import { openPageAgent } from '../../support/page/screen.ts';

const eventually = <T>(read: () => T, { timeout = 60_000 } = {}) => expect.poll(read, { timeout });

/** In the order of a log and its camera: what a grower looks at first stands in the middle. */
const channels = [
  ['camera', 'frame rate', '1/s'],
  ['camera', 'frame clock offset', 'ms'],
  ['tool', 'Ga shutter', ''],
  ['tool', 'heater power', 'W'],
  ['tool', 'p_Kammer', 'mbar'],
  ['tool', 'substrate setpoint', '°C'],
  ['tool', 'T_Substrat', '°C'],
  ['tool', 'growth rate', 'nm/s'],
  ['tool', 'Ga cell', '°C'],
  ['tool', 'BEP Ga', 'Torr'],
].map(([sourceId = '', channel = '', unit = '']) => ({ sourceId, channel, unit }));

async function openNow(size?: { width: number; height: number }) {
  const opened = await openPageAgent(size ? { viewport: size } : undefined);
  const { agent, page } = opened;
  Object.assign(agent.handlers.plot, {
    listChannels: async () => channels,
    read: async ({ channels: wanted, toMs }: { channels: { sourceId: string; channel: string }[]; toMs: number }) =>
      wanted.map(({ sourceId, channel }) => {
        const at = channels.findIndex((one) => one.channel === channel);
        const times = Array.from({ length: 30 }, (_, n) => toMs - (30 - n) * 1000);
        const values = times.map((_, n) => 100 * (at + 1) + Math.sin(n / 3));
        return { sourceId, channel, unit: channels[at]?.unit ?? '', timesMs: times, values, readFromMs: null };
      }),
  });
  const growing = (atMs: number) =>
    runningSnapshot(atMs, {
      growth: runningGrowth(atMs),
      sources: [sourceView(atMs, { id: 'tool' }), sourceView(atMs, { id: 'camera', state: 'waiting' })],
      ready: [{ id: 'log', state: 'ok', reason: 'The log grew 2 s ago.' }],
    });
  agent.show(growing);
  const values = page.getByTestId('values').locator('li');
  await eventually(() => values.count()).toBe(8);
  const names = async () => (await values.allInnerTexts()).map((text) => text.split('\n')[0]);
  return { ...opened, growing, values, names };
}

/** A trouble with much to say, and others beside it. */
const worst = {
  keys: ['a'],
  text: 'Source substrate-pyrometer-2 (and 2 other sources) is not recorded since 2026-11-20 11:50:00.',
  detail: 'Error: ENOENT, open /dev/ttyUSB0',
  hint: 'The settings name another service now. Choose on the page Now: send them there, send them to the new service, or keep them here.',
  act: { label: 'Open substrate-pyrometer-2', place: '/sources/substrate-pyrometer-2', alarm: null },
};
const TROUBLE = {
  troubles: [worst, { ...worst, keys: ['b'], text: 'Another one.' }],
  sentence: {
    ...{ tone: 'attention' as const, standing: 'Recording 1 of 2 sources. A growth is under way.' },
    ...{ headline: worst.text, text: worst.text, detail: worst.detail, hint: worst.hint },
  },
};

/** Where pictures are wanted: SCREENSHOTS=folder. */
const picture = (name: string) => {
  const folder = process.env.SCREENSHOTS;
  if (folder) mkdirSync(folder, { recursive: true });
  return folder ? join(folder, `${name}.png`) : null;
};

test('what a grower looks at first stands first, in sight at 1280 x 720; the wall view opens by W, never scrolls, and Esc leaves it', async () => {
  const { agent, page, growing, values, names, problems } = await openNow({ width: 1280, height: 720 });
  expect(await names()).toEqual([
    ...['T_Substrat', 'Ga cell', 'substrate setpoint', 'p_Kammer', 'BEP Ga', 'growth rate', 'heater power'],
    'Ga shutter',
  ]);
  const path = picture('now-1280');
  if (path) await page.screenshot({ path });
  for (const place of [page.getByTestId('sentence'), page.getByTestId('strip'), values.last()]) {
    const box = await place.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 720)).toBeLessThanOrEqual(720);
  }
  expect(await page.getByTestId('strip').innerText()).toMatch(/GaAs 1234\s+10 min/);
  expect(await findAccessFaults(page)).toEqual([]);

  await page.keyboard.press('w');
  const wall = page.getByTestId('wall');
  await eventually(() => wall.locator('li').count()).toBe(8);
  expect(await wall.innerText()).toMatch(/GaAs 1234\s+10 min/);
  expect(await page.getByTestId('sentence').innerText()).toContain('Recording');
  for (const [state, width, height] of [
    ['calm', 1280, 720],
    ['calm', 1920, 1080],
    ['calm', 3840, 2160],
    ['trouble', 1280, 720],
    ['trouble', 1920, 1080],
    ['trouble', 3840, 2160],
  ] as const) {
    if (state === 'trouble') {
      agent.show((atMs) => ({ ...growing(atMs), ...TROUBLE }));
      Object.assign(agent.handlers.plot, { read: () => Promise.reject(new Error('restarting')) });
    }
    await page.setViewportSize({ width, height });
    const overflow = () =>
      page.evaluate(() => {
        const { scrollHeight, scrollWidth } = document.documentElement;
        return [Math.max(0, scrollHeight - innerHeight), Math.max(0, scrollWidth - innerWidth)];
      });
    if (state === 'trouble') await wall.getByText('restarting').waitFor();
    await eventually(overflow).toEqual([0, 0]);
    const wallPath = picture(`wall-${state}-${width}`);
    if (wallPath) await page.screenshot({ path: wallPath });
  }
  await page.keyboard.press('Escape');
  await page.getByTestId('values').waitFor();
  await button(page, /^Shown: 8/)
    .first()
    .click();
  await page.getByRole('textbox', { name: 'Search channels' }).first().fill('w');
  expect(await wall.count()).toBe(0);
  expect(problems).toEqual([]);
});

test('a person chooses the values and their order, and finds them again; what is old is struck', async () => {
  const { page, names, values } = await openNow();
  await page
    .getByRole('button', { name: /^Shown: 8 of 10/ })
    .first()
    .click();
  await page.getByRole('checkbox', { name: 'Ga shutter' }).first().click();
  await page.getByRole('checkbox', { name: 'frame rate (1/s)' }).first().click();
  await page.keyboard.press('Escape');
  await eventually(names).toContain('frame rate');
  await button(page, 'Arrange').click();
  await button(page, 'Ga cell earlier').click();
  await eventually(async () => (await names()).slice(0, 2)).toEqual(['Ga cell', 'T_Substrat']);
  await button(page, 'Done').click();
  const kept = await names();
  expect(kept).not.toContain('Ga shutter');
  await page.reload();
  await eventually(names).toEqual(kept);
  const struck = values.locator('[data-old="true"]');
  await eventually(() => struck.allInnerTexts()).toEqual([expect.stringContaining('frame rate')]);
  await button(page, 'Arrange').click();
  await button(page, 'As at first').click();
  await eventually(names).toContain('Ga shutter');
});
