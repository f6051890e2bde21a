// The page Growth as an operator uses it: the real page in a real browser, the real agent in this process, the embedded
// service, which may be away.
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { Agent } from '../../src-main/agent/agent.ts';
import { findAccessFaults, findAccessFaultsOfThemes } from '../support/page/browser.ts';
import { button, findTabFaults, panel, tabTo, watchTexts } from '../support/page/on-page.ts';
import { openScreen } from '../support/page/screen.ts';
import { GrowthRig, type GrowthRigOptions, until } from '../support/rigs/growth-rig.ts';

/** Wait for the page to say something; how long is a matter of the machine, not of the test. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

/** Open the page over a running agent. */
async function show(agent: Agent, place = '/growth') {
  const screen = await openScreen(agent);
  await screen.page.getByRole('navigation', { name: 'Pages' }).waitFor();
  if (place !== '/') await screen.page.getByRole('link', { name: 'Growth', exact: true }).click();
  return screen;
}

async function open(options: GrowthRigOptions = {}, place = '/growth') {
  const rig = await GrowthRig.open(options);
  const agent = await rig.start();
  return { rig, agent, ...(await show(agent, place)) };
}

const running = (page: Page) => page.getByTestId('running');

async function press(page: Page, wanted: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press(key);
}

test('walks through a whole growth with the keyboard alone: start, note, rename late, end', async () => {
  const { rig, page, problems } = await open({ hasCamera: false }, '/');
  await press(page, page.getByRole('link', { name: 'Growth', exact: true }));
  await tabTo(page, page.getByLabel('Name', { exact: true }));
  await page.keyboard.type('SL 12');
  await press(page, button(page, 'Start growth'));
  await eventually(() => running(page).innerText()).toContain('SL 12');
  await eventually(() => page.getByTestId('sentence').innerText()).toContain('A growth is under way.');

  await tabTo(page, page.getByLabel('Add a note'));
  await page.keyboard.type('2x4 at 585 °C');
  await page.keyboard.press('Enter');
  await eventually(() => page.getByRole('list', { name: 'Notes, newest first' }).innerText()).toContain(
    '2x4 at 585 °C',
  );

  expect(await findTabFaults(page)).toEqual([]);

  // The service knows a stream by now, so the page says that new ones will carry the change, and does not hide it.
  await eventually(() => page.getByTestId('becomes').innerText()).toContain('new ones carry it');
  await press(page, button(page, 'Name, sample, project'));
  await tabTo(page, page.getByLabel('Name', { exact: true }));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('SL 12 annealed');
  await press(page, button(page, 'Change, with new streams'));
  await eventually(() => running(page).innerText()).toContain('New streams carry it from now on.');
  await eventually(() => running(page).innerText()).toContain('SL 12 annealed');

  await press(page, button(page, 'End growth'));
  // The first key after the question keeps growing: nothing ends by a key that is held too long.
  await eventually(() => button(page, 'Cancel').evaluate((one) => one === document.activeElement)).toBe(true);
  await press(page, button(page, 'End it now'));
  const ended = page.getByTestId('ended');
  await eventually(() => ended.innerText()).toMatch(/^SL 12 annealed ended\. [\d,]+ points, (being|all) delivered\./);
  await ended.getByRole('link').waitFor();
  await press(page, page.getByTestId('past').getByRole('link', { name: /SL 12 annealed/ }));
  await eventually(() => panel(page, 'Streams and RHEED').innerText()).toMatch(
    /Part 1: SL 12\n[\s\S]*Part 2: SL 12 annealed/,
  );
  await eventually(() => panel(page, 'Notes').innerText()).toContain('2x4 at 585 °C');
  await eventually(() => page.getByTestId('summary').innerText()).toContain('Edit its entries on the service');

  const names = await until('both names at the service', async () => {
    const held = (await rig.held()).map(({ name }) => name);
    const isThere =
      held.some((name) => / SL 12 \w+$/.test(name)) && held.some((name) => name.includes('SL 12 annealed'));
    return isThere && held;
  });
  expect(names.length).toBeGreaterThan(1);
  expect(problems).toEqual([]);
});

test('names a growth offline: what was not sent yet carries the late name, in the streams that are there', async () => {
  const { rig, agent, page, problems } = await open({ hasCamera: false, isOnline: false });
  await button(page, 'Start growth').click();
  await eventually(() => running(page).innerText()).toContain('Not named yet');
  await eventually(() => page.getByTestId('becomes').innerText()).toContain('carried by the streams that are there');
  await button(page, 'Name, sample, project').click();
  await page.getByLabel('Name', { exact: true }).fill('named in the dark');
  await button(page, 'Change').click();
  // While a try to send is under way the streams count as sent; offline it fails at once, and they do not any more.
  await until('the name to be carried', async () => {
    const text = await running(page).innerText();
    if (!text.includes('only new ones can carry the change'))
      return text.includes('The streams that are there carry it.');
    await button(page, 'Back').click();
    await button(page, 'Name, sample, project').click();
    await page.getByLabel('Name', { exact: true }).fill('named in the dark');
    await button(page, 'Change').click();
    return false;
  });
  await eventually(() => running(page).innerText()).toContain('named in the dark');

  await button(page, 'End growth').click();
  await button(page, 'End it now').click();
  const { growths } = await agent.handlers.growth.list({ before: null, limit: 1 });
  expect(growths[0]?.parts.map(({ name }) => name)).toEqual(['named in the dark']);
  await rig.online();
  // Not when the wait between two tries is over: that it tries again by itself is shown by other tests.
  agent.pipeline?.uploader.release();
  const streams = await until('the streams of the growth at the service', async () => {
    const [growth] = (await agent.handlers.growth.list({ before: null, limit: 1 })).growths;
    const own = growth?.parts.flatMap((part) => part.streams) ?? [];
    return own.length > 0 && own.every(({ isDelivered }) => isDelivered) && own;
  });
  const held = await rig.held();
  for (const { dataId } of streams) {
    expect(held.find((entry) => entry.dataId === dataId)?.name).toContain(' named in the dark ');
  }
  await page
    .getByTestId('past')
    .getByRole('link', { name: /named in the dark[\s\S]*Delivered/ })
    .click();
  await page.getByTestId('growth-stream').first().getByRole('button', { name: 'Receipt' }).click();
  const points = streams[0]?.points.toLocaleString('en-US');
  await eventually(() => page.getByTestId('receipt').innerText()).toMatch(
    new RegExp(`Points stored\\s+${points}\\s+Acknowledged\\s+${points}\\s+Waiting\\s+0`),
  );
  expect(problems).toEqual([]);
});

test('never shows a growth as growing that was ended at another window', async () => {
  const { agent, page, problems } = await open({ hasCamera: false }, '/');
  await agent.handlers.growth.start({ name: 'SL 13' });
  await page.getByRole('link', { name: 'Growth', exact: true }).click();
  await running(page).waitFor();
  const past = page.getByTestId('past');
  await eventually(() => past.innerText()).toContain('No past growths.');
  const texts = await watchTexts(page, 'past');
  await agent.handlers.growth.end(null);
  await eventually(() => past.innerText()).toContain('SL 13');
  expect((await texts()).filter((text) => text.includes('Growing'))).toEqual([]);
  expect(problems).toEqual([]);
});

test('asks once after a restart whether it is the same growth, and takes both answers', async () => {
  const { rig, agent, page, close } = await open({ hasCamera: false });
  await page.getByLabel('Name', { exact: true }).fill('before the power cut');
  await button(page, 'Start growth').click();
  await running(page).waitFor();
  await close();
  await agent.stop();

  const second = await rig.start();
  const again = await show(second);
  await eventually(() => panel(again.page, 'Is it still the same growth?').innerText()).toContain(
    'before the power cut',
  );
  expect(await findAccessFaults(again.page)).toEqual([]);
  await eventually(() => again.page.getByTestId('sentence').innerText()).toContain('restarted during a growth');
  await button(again.page, 'Continue it').click();
  await eventually(() => again.page.getByTestId('restart-question').count()).toBe(0);
  await again.page.reload();
  await running(again.page).waitFor();
  // Asked and under way are told by one and the same picture: what is not there now does not come.
  expect(await again.page.getByTestId('restart-question').count()).toBe(0);
  await eventually(() => again.page.getByTestId('timeline').innerText()).toContain('Restarts');
  await again.close();
  await second.stop();

  const third = await show(await rig.start());
  await button(third.page, 'Begin a new one').click();
  await third.page.getByLabel('Name', { exact: true }).fill('after the second');
  await button(third.page, 'End it and start a new growth').click();
  await eventually(() => running(third.page).innerText()).toContain('after the second');
  await eventually(() => third.page.getByTestId('restart-question').count()).toBe(0);
  await eventually(() => third.page.getByTestId('past').innerText()).toContain('before the power cut');
  expect(third.problems).toEqual([]);
});

test('tells why a start is refused and what to do, and keeps what was entered', async () => {
  const { page, agent } = await open({ hasCamera: false });
  await page.getByLabel('Name', { exact: true }).fill('refused');
  await page.getByRole('radio', { name: 'New', exact: true }).check();
  await eventually(() => panel(page, 'Start a growth').innerText()).toContain('no source here counts frames');
  await page.getByLabel('Name of the new sample').fill('wafer 7');
  await button(page, 'Start growth').click();
  const told = page.getByRole('alert');
  await eventually(() => told.innerText()).toMatch(
    /The sample "wafer 7" cannot be made[\s\S]*Choose a sample that the/,
  );
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('refused');
  expect(await agent.handlers.growth.read({ growthId: null })).toBeNull();

  // What is wrong in a field is said at the field, before anybody is asked.
  await page.getByRole('radio', { name: 'Existing', exact: true }).check();
  await page.getByRole('combobox', { name: 'Name or id of the sample' }).fill('no such wafer');
  await button(page, 'Start growth').click();
  await eventually(() => panel(page, 'Start a growth').innerText()).toContain('An id looks like');
  expect(await agent.handlers.growth.read({ growthId: null })).toBeNull();
});

test('says what waits for what while a new sample is made, and draws shutters and the RHEED session', async () => {
  const { rig, page, problems } = await open({ isOnline: false });
  await page.getByRole('radio', { name: 'New', exact: true }).check();
  await page.getByLabel('Name of the new sample').fill('wafer 8');
  await button(page, 'Start growth').click();
  await eventually(() => running(page).innerText()).toMatch(/wait to be sent: The sample "wafer 8" is made with/);
  await eventually(() => page.getByTestId('becomes').innerText()).toContain('Nothing was sent yet');
  await rig.online();
  await eventually(() => running(page).innerText()).toContain('wafer 8, made with it');
  await eventually(() => running(page).innerText()).not.toContain('wait to be sent');
  const timeline = page.getByTestId('timeline');
  await eventually(() => timeline.getByRole('img', { name: /^RHEED camera: 1 session/ }).count()).toBe(1);
  // A time stands at the same place in the rows and in the plots, however wide the window.
  const places = () =>
    page.evaluate(() =>
      ['[data-testid=timeline] [role=img]', '[data-testid=values] .u-over'].map((selector) => {
        const { left, right } = document.querySelector(selector)?.getBoundingClientRect() ?? { left: 0, right: 0 };
        return [Math.round(left), Math.round(right)];
      }),
    );
  for (const width of [800, 1920, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await eventually(async () => {
      const [rows = [], plots = []] = await places();
      const isDrawn = (plots[1] ?? 0) > (plots[0] ?? 0);
      return isDrawn && rows.every((at, end) => Math.abs(at - (plots[end] ?? 0)) <= 1);
    }).toBe(true);
  }
  // The simulated tool grows with gallium and arsenic from its first second.
  await eventually(() => timeline.getByRole('img', { name: /^As shutter: 1 in 1 stretch, \d/ }).count()).toBe(1);
  await eventually(() => page.getByTestId('growth-session').innerText()).toMatch(/entry\s+[0-9a-f-]{36}/);
  const [session] = await until('the sample at the service', async () => {
    const made = (await rig.held()).filter(({ sampleName }) => sampleName === 'wafer 8');
    return made.length > 0 && made;
  });
  expect(session?.sampleId).not.toBeNull();
  expect(problems).toEqual([]);
});

test('has no fault of access in any theme: start, a growth under way, its end asked, one that ended', async () => {
  const { page, rig } = await open();
  const frames = setInterval(() => rig.takeFrames(3), 100);
  onTestFinished(() => clearInterval(frames));
  await page.getByRole('radio', { name: 'New', exact: true }).check();
  expect(await findAccessFaultsOfThemes(page)).toEqual([]);

  await page.getByLabel('Name', { exact: true }).fill('looked at');
  await page.getByRole('radio', { name: 'Later', exact: true }).check();
  await button(page, 'Start growth').click();
  await running(page).waitFor();
  await page.getByLabel('Add a note').fill('a note');
  await button(page, 'Add note').click();
  await page.getByTestId('values').locator('canvas').first().waitFor();
  await page.getByText(/as text$/).click();
  await button(page, 'End growth').click();
  expect(await findAccessFaultsOfThemes(page)).toEqual([]);

  await button(page, 'End it now').click();
  await page.getByTestId('past').getByRole('link').first().click();
  await page.getByTestId('growth-stream').first().getByRole('button', { name: 'Receipt' }).click();
  await page.getByTestId('receipt').waitFor();
  expect(await findAccessFaultsOfThemes(page)).toEqual([]);
});

test('shows foreign text as text: names, notes and samples with markup, other directions and great length', async () => {
  const { page, problems, agent } = await open({ hasCamera: false });
  const name = `<img src=x onerror=alert(1)> \u202eneppo 🧪 קטע ${'n'.repeat(120)}`;
  const note = `<script>alert(1)</script> ${'long '.repeat(390)}`.trim();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await button(page, 'Start growth').click();
  await eventually(() => running(page).innerText()).toContain(name);
  await page.getByLabel('Add a note').fill(note);
  await button(page, 'Add note').click();
  await eventually(() => page.getByRole('list', { name: 'Notes, newest first' }).innerText()).toContain(note);
  expect(await page.locator('main img, main script').count()).toBe(0);
  // Nothing reaches beyond the window, however long.
  const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(await isWide()).toBe(false);
  await agent.handlers.growth.end(null);
  const link = page.getByTestId('past').getByRole('link').first();
  await eventually(() => link.innerText()).toContain(name);
  await link.click();
  await eventually(() => page.getByTestId('summary').innerText()).toContain(name);
  expect(await isWide()).toBe(false);
  expect(problems).toEqual([]);
});

test('says that there is no gap once it has looked for gaps, not before', async () => {
  const { rig, agent, page } = await open({ hasCamera: false, hasSimulator: false });
  const look = Promise.withResolvers<void>();
  const { readGaps } = agent.handlers.plot;
  Object.assign(agent.handlers.plot, {
    readGaps: async (asked: Parameters<typeof readGaps>[0]) => {
      if (asked.sourceIds.length > 0) await look.promise;
      return readGaps(asked);
    },
  });
  await button(page, 'Start growth').click();
  const timeline = panel(page, 'Timeline');
  await eventually(() => timeline.innerText()).toContain('No mark and no gap in this time.');
  // Another source belongs to the growth now, and nobody has looked for its gaps.
  rig.work();
  await eventually(() => page.getByTestId('growth-stream').count()).toBeGreaterThan(0);
  expect(await timeline.innerText()).not.toContain('No mark and no gap');
  look.resolve();
  await eventually(() => timeline.innerText()).toContain('No mark and no gap in this time.');
});

test('lists past growths page by page', async () => {
  const rig = await GrowthRig.open({ hasCamera: false });
  const agent = await rig.start();
  for (let at = 1; at <= 23; at++) {
    await agent.handlers.growth.start({ name: `growth ${at} of many` });
    await agent.handlers.growth.end(null);
  }
  const { page } = await show(agent);
  const names = page.getByTestId('past').getByRole('link');
  await eventually(() => names.count()).toBe(20);
  expect(await names.first().innerText()).toContain('growth 23 of many');
  await button(page, 'Older growths').click();
  await eventually(() => names.count()).toBe(23);
  expect(await names.last().innerText()).toContain('growth 1 of many');
  expect(await button(page, 'Older growths').count()).toBe(0);
});
