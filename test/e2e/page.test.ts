// The page alone, in a real browser over the real web server, against a small agent whose pictures the test sets.
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { StoreView } from '../../src-main/contract/snapshot.ts';
import { AgentError } from '../../src-main/model/agent-error.ts';
import { freePort } from '../support/free-port.ts';
import { findAccessFaults } from '../support/page/browser.ts';
import { tabTo } from '../support/page/on-page.ts';
import { makePageAgent } from '../support/page/page-agent.ts';
import { runningSnapshot, said, sourceView, streamView } from '../support/page/page-snapshot.ts';
import { openLink, openPageAgent, serveScreen } from '../support/page/screen.ts';

/** Wait for the page to say something; how long is a matter of the machine, not of the test. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

const sentence = (page: Page) => page.getByTestId('sentence');

test('each theme is chosen with the scheme under it, and kept over a reload', async () => {
  const { page } = await openPageAgent();
  const chosen = () => page.evaluate(() => ({ ...document.documentElement.dataset }));
  for (const [words, theme, scheme] of [
    ['Light', 'light', 'light'],
    ['Dark', 'dark', 'dark'],
    ['Dark room: red on black', 'dark-room', 'dark'],
  ] as const) {
    await page.getByRole('button', { name: /^Theme: / }).click();
    await page.getByRole('menuitem', { name: words, exact: true }).click();
    await eventually(chosen).toMatchObject({ theme, mantineColorScheme: scheme });
    await page.reload();
    await page.getByRole('button', { name: `Theme: ${words}` }).waitFor();
    await eventually(chosen).toMatchObject({ theme, mantineColorScheme: scheme });
  }
});

test('writes and reads every time in the zone of the tool, wherever the browser stands, or in UTC where that is chosen', async () => {
  const { page, go } = await openPageAgent({ timeZone: 'Asia/Tokyo' }, (agent) => {
    agent.show((atMs) => runningSnapshot(atMs, { timeZone: 'America/New_York' }));
    const event = { level: 'info', code: 'agent.started', message: 'Epistream started.', hint: '', about: '' } as const;
    const entries = [1, 2].map((id) => ({ ...event, id, atMs: Date.now() - id * 40_000_000 }));
    Object.assign(agent.handlers.journal, { list: async () => ({ entries, next: null }) });
  });
  const zone = page.getByRole('button', { name: /, time zone$/ });
  /** Times on the page that are not written in a zone. */
  const findFaults = async (timeZone: string) => {
    const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone });
    const shown = await page
      .locator('time')
      .evaluateAll((all) => all.map((one) => [one.getAttribute('datetime') ?? '', one.textContent] as const));
    expect(shown.length).toBeGreaterThan(1);
    return shown.filter(([at, text]) => !text.endsWith(clock.format(new Date(at))));
  };
  await go('/journal');
  await page.getByText('Epistream started.').first().waitFor();
  await eventually(() => zone.innerText()).toMatch(/^GMT-[45]$/);
  expect(await findFaults('America/New_York')).toEqual([]);

  await zone.click();
  await page.getByRole('menuitem', { name: 'UTC', exact: true }).click();
  await eventually(() => zone.innerText()).toBe('UTC');
  await eventually(() => findFaults('UTC')).toEqual([]);
  await page.reload();
  await eventually(() => zone.innerText()).toBe('UTC');

  const from = page.getByLabel('From', { exact: true });
  await from.fill('2026-11-20T14:02');
  await eventually(() => from.inputValue()).toBe('2026-11-20T14:02');
  await zone.click();
  await page.getByRole('menuitem', { name: 'Tool time (America/New_York)' }).click();
  await eventually(() => from.inputValue()).toBe('2026-11-20T09:02');
});

test('starts the trial by keyboard or one click, says why it cannot, and goes from there to the real tool and back', async () => {
  const { agent, page } = await openPageAgent();
  agent.faults['trial.start'] = new AgentError({
    code: 'store.disk-full',
    message: 'The disk is full.',
    hint: 'Free some space.',
  });
  await tabTo(page, page.getByRole('button', { name: 'Try it' }));
  await page.keyboard.press('Enter');
  await eventually(() => page.getByRole('alert').innerText()).toMatch(/The disk is full\.\s*Free some space\./);
  agent.faults['trial.start'] = undefined;
  await page.getByRole('button', { name: 'Try it' }).click();
  await eventually(() => sentence(page).innerText()).toContain('Recording 2 sources');
  expect(await page.getByText('Trial: simulated tool').isVisible()).toBe(true);

  // The first page has a button of that name, too.
  await page.getByTestId('strip').waitFor();
  await page.getByRole('button', { name: 'Connect your tool' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByTestId('strip').waitFor();
  await page.getByRole('button', { name: 'Connect your tool' }).click();
  await page.getByLabel('Name of the tool').fill('MBE-7');
  await page.getByRole('combobox', { name: 'Log folder' }).fill('/data/logs');
  await page.getByRole('button', { name: 'Continue without a preview' }).click();
  await page.getByTestId('strip').waitFor();
  await eventually(() => page.locator('header').innerText()).not.toContain('Trial');
});

test('connects a tool: preview with text beside values, then go, with what was typed', async () => {
  const { agent, page } = await openPageAgent({ timeZone: 'Asia/Tokyo' });
  await page.getByRole('button', { name: 'Connect your tool' }).click();
  expect(await page.getByRole('combobox', { name: 'Time zone of its logs' }).inputValue()).toBe('Asia/Tokyo');
  await page.getByLabel('Name of the tool').fill('MBE-7');
  await page.getByRole('combobox', { name: 'Log folder' }).fill('/data/logs');
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  const preview = page.getByTestId('preview');
  await preview.waitFor();
  const text = await preview.innerText();
  expect(text).toContain('2 files found');
  expect(text).toContain('left out: operator');
  const cells = await preview.locator('tbody tr').first().locator('td').allInnerTexts();
  expect(cells).toEqual([
    '2026-11-20 19:40:12,612.3,3.2E-09,Kim',
    '21 Nov 2026, 03:40:12.000 GMT+9',
    '612.3',
    '3.2E-09',
  ]);

  await page.getByLabel('Existing files, too').check();
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  await eventually(() => page.locator('header').innerText()).toContain('MBE-7');
  expect(agent.connected).toEqual([
    {
      toolName: 'MBE-7',
      timeZone: 'Asia/Tokyo',
      folder: '/data/logs',
      match: '**/*.{csv,txt,log}',
      backfill: 'all',
      timeFormat: '',
      serviceUrl: 'embedded',
      apiKey: '',
    },
  ]);
});

test('marks missing fields, shows refusals of the agent, and sends address and key, which it never shows again', async () => {
  const { agent, page, problems } = await openPageAgent();
  await page.getByRole('button', { name: 'Connect your tool' }).click();
  await page.getByRole('button', { name: 'Continue without a preview' }).click();
  await page.getByText('Give the tool a name').waitFor();
  await page.getByText('Name the folder').waitFor();
  expect(agent.connected).toEqual([]);

  const folder = page.getByRole('combobox', { name: 'Log folder' });
  const look = page.getByRole('button', { name: 'Preview', exact: true });
  await folder.fill('/data/missing');
  await look.click();
  await page.getByText('There is no folder /data/missing.').waitFor();
  await folder.fill('/data/odd');
  await look.click();
  await page.getByText('Day and month cannot be told apart').waitFor();
  await page.getByLabel('Remote data service').check();
  expect(await findAccessFaults(page)).toEqual([]);
  await folder.fill('/data/other');
  await page.getByText('The fields have changed since this preview.').waitFor();

  await page.getByLabel('Name of the tool').fill('MBE-7');
  await page.getByRole('textbox', { name: 'Address' }).fill('https://data.example.org');
  await page.getByRole('textbox', { name: 'Key' }).fill('canary-key-7f3q');
  agent.faults['tool.connect'] = new AgentError({
    code: 'settings.save',
    message: 'The settings cannot be written.',
    hint: 'Check the rights of the folder.',
  });
  await page.getByRole('button', { name: 'Continue without a preview' }).click();
  await page.getByText('The settings cannot be written.').waitFor();
  agent.faults['tool.connect'] = undefined;
  await page.getByRole('button', { name: 'Continue without a preview' }).click();
  await sentence(page).waitFor();
  expect(agent.connected).toMatchObject([{ serviceUrl: 'https://data.example.org', apiKey: 'canary-key-7f3q' }]);
  expect(await page.content()).not.toContain('canary-key-7f3q');
  expect(problems).toEqual([]);
});

test('what is typed into a form survives a reload until it is sent or cancelled; a key does not', async () => {
  const { agent, page, go } = await openPageAgent();
  const connect = () => page.getByRole('button', { name: 'Connect your tool' }).click();
  const toolName = page.getByLabel('Name of the tool');
  await connect();
  await toolName.fill('MBE-7');
  await page.getByLabel('Remote data service').check();
  await page.getByRole('textbox', { name: 'Key' }).fill('canary-key-7f3q');
  await page.reload();
  await connect();
  expect(await toolName.inputValue()).toBe('MBE-7');
  expect(await page.getByRole('textbox', { name: 'Key' }).inputValue()).toBe('');
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('canary-key');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.reload();
  await connect();
  expect(await toolName.inputValue()).toBe('');

  Object.assign(agent.handlers.growth, { start: async () => ({ id: 'g-1' }) });
  agent.show((atMs) => runningSnapshot(atMs));
  await go('/growth');
  const name = page.getByLabel('Name', { exact: true });
  const note = page.getByLabel('Add a note');
  await name.fill('GaN half ty');
  await note.fill('shutter of Al');
  await page.reload();
  await eventually(() => name.inputValue()).toBe('GaN half ty');
  expect(await note.inputValue()).toBe('shutter of Al');
  await page.getByRole('button', { name: 'Start growth' }).click();
  await eventually(() => page.evaluate(() => sessionStorage.getItem('epistream.draft.growth-start'))).toBeNull();
  await page.reload();
  await page.getByRole('button', { name: 'Start growth' }).waitFor();
  expect(await name.inputValue()).toBe('');
});

test('shows how far each stream is behind and up to when it is delivered, what the service does, and how long the buffer lasts', async () => {
  const { agent, page, go } = await openPageAgent();
  agent.show(runningSnapshot);
  await page.getByTestId('strip').getByRole('link', { name: '112 points safe here, not delivered yet' }).click();
  await go('/streams/1');
  const stream = page.getByTestId('stream');
  await eventually(() => stream.innerText()).toContain('112 points, 3 s behind');
  expect(await stream.innerText()).toMatch(/12,412[\s\S]*12,300/);

  agent.show((atMs) =>
    runningSnapshot(atMs, {
      sentence: said('busy', 'Recording 2 sources. Offline: 4,960 points are kept here.'),
      service: {
        address: 'https://data.example.org',
        isEmbedded: false,
        state: 'offline',
        pausedSinceMs: null,
        needsKey: false,
        message: 'Connection refused.',
        hint: 'Nothing to do: it is tried again by itself.',
        sinceMs: atMs - 62_000,
        nextTryMs: atMs + 12_000,
      },
      streams: [streamView(atMs, { upload: 'waiting', message: 'Connection refused', nextTryMs: atMs + 12_000 })],
    }),
  );
  await eventually(() => sentence(page).innerText()).toContain('4,960 points are kept here');
  await page.getByText('Kept here', { exact: true }).waitFor();
  await go('/');
  const service = page.locator('section', { has: page.getByTestId('service') });
  await eventually(() => service.innerText()).toMatch(/Offline[\s\S]*data\.example\.org[\s\S]*next try in 1\d s/);

  agent.show((atMs) => runningSnapshot(atMs, { streams: [streamView(atMs)] }));
  await go('/streams/1');
  await eventually(() => stream.innerText()).toMatch(/12,300 up to \d\d:\d\d:\d\d/);
  agent.show((atMs) => runningSnapshot(atMs, { streams: [streamView(atMs, { deliveredUpToMs: null })] }));
  await eventually(() => stream.innerText()).toContain('12,300; older points wait');
  await go('/');

  const buffer = page.getByTestId('buffer');
  agent.show(runningSnapshot);
  await eventually(() => buffer.innerText()).toContain('The buffer lasts about 215 days at this rate');
  expect(await buffer.getByRole('img', { name: 'Needs attention' }).count()).toBe(0);
  const store = (change: Partial<StoreView>) => (atMs: number) => {
    const running = runningSnapshot(atMs);
    return { ...running, store: { ...(running.store as StoreView), ...change } };
  };
  agent.show(store({ fill: 'short', fillText: 'The buffer lasts about 31 h at this rate (0.35 GB an hour).' }));
  await eventually(() => buffer.innerText()).toContain('about 31 h');
  expect(await buffer.getByRole('img', { name: 'Needs attention' }).count()).toBe(1);
  agent.show(store({ freeBytes: null, hoursToFull: null, fill: 'unknown', fillText: 'How long is not known.' }));
  await eventually(() => buffer.innerText()).toMatch(/Free on disk\s*not known[\s\S]*How long is not known/i);
});

test('shows refused points with the reason of the service and the rows, and sends them again', async () => {
  const { agent, page, go } = await openPageAgent();
  const refused = { state: 'delivered', pointsRefused: 30, pointsResent: 10 } as const;
  agent.show((atMs) => runningSnapshot(atMs, { streams: [streamView(atMs), streamView(atMs, { ...refused, id: 2 })] }));
  await go('/streams/2');
  await page.getByText('The service says: not calibrated <b>').first().waitFor();
  await page.getByRole('link', { name: 'sent again in stream 9' }).waitFor();
  await page.getByRole('button', { name: 'Show rows of Ga cell temperature, chunk 0' }).click();
  const rows = page.getByRole('region', { name: 'Rows of Ga cell temperature, chunk 0' });
  await eventually(() => rows.locator('tbody tr').count()).toBe(10);
  expect(await rows.innerText()).toContain('918.9');
  expect(await findAccessFaults(page)).toEqual([]);
  agent.faults['stream.sendAgain'] = new AgentError({ code: 'x', message: 'It has ended.', hint: 'The other way.' });
  await page.getByRole('button', { name: /^Send again/ }).click();
  await page.getByText('It has ended.').waitFor();
  agent.faults['stream.sendAgain'] = undefined;
  await page.getByRole('checkbox', { name: 'Ga cell temperature, chunk 1' }).check();
  await page.getByRole('button', { name: /^Send again/ }).click();
  await eventually(() => agent.sentAgain).toEqual([{ streamId: 2, chunkIds: [6], channel: null }]);
});

test('plots the first channels with their units and gaps, lists all gaps, lets channels be chosen, and says why when it cannot', async () => {
  const { agent, page, problems } = await openPageAgent();
  const gaps = page.getByTestId('gaps');
  agent.show(runningSnapshot);
  await eventually(() => gaps.innerText()).toContain('No gap is known.');
  const plot = page.getByTestId('plot');
  await eventually(() => plot.locator('canvas').count()).toBe(3);
  expect(await plot.innerText()).not.toContain('shaded');
  agent.show((atMs) =>
    runningSnapshot(atMs, {
      gapsTotal: 21,
      gaps: [{ id: 21, sourceId: 'growth', fromMs: atMs - 9_000, toMs: atMs - 5_000, cause: 'cable <b>unplugged</b>' }],
    }),
  );
  await eventually(() => gaps.innerText()).toMatch(/growth[\s\S]*\(4 s\)[\s\S]*cable <b>unplugged<\/b>/);
  expect(await page.locator('section', { has: gaps }).innerText()).toContain('21 in all');
  await eventually(() => plot.innerText()).toContain('shaded: a gap');
  expect(await findAccessFaults(page)).toEqual([]);

  expect(await plot.innerText()).toMatch(/substrate temperature\s*[\d.]+ °C/);
  expect(await plot.innerText()).toMatch(/chamber pressure\s*\d\.\dE-09 Torr/);

  await page.getByRole('button', { name: /^Channels: 4 of 6/ }).click();
  await page.getByRole('dialog').waitFor();
  expect(await findAccessFaults(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Search channels' }).fill('gauge');
  await page.getByRole('checkbox', { name: 'gauge 1 (mbar)' }).check();
  await page.keyboard.press('Escape');
  await eventually(() => plot.innerText()).toContain('gauge 1');

  agent.faults['plot.read'] = new AgentError({ code: 'store.busy', message: 'The store is busy.', hint: 'Wait.' });
  await eventually(() => plot.innerText()).toContain('The store is busy.');
  agent.faults['plot.read'] = undefined;
  await eventually(() => plot.innerText()).not.toContain('The store is busy.');
  agent.show((atMs) =>
    runningSnapshot(atMs, { sources: [], streams: [], streamsTotal: 0, service: null, store: null, journal: [] }),
  );
  await page.getByText('No source is set up.').waitFor();
  expect(await findAccessFaults(page)).toEqual([]);
  expect(problems).toEqual([]);
});

test('says that the agent is gone, how old the picture is, and recovers by itself', async () => {
  const agent = makePageAgent();
  onTestFinished(() => agent.stop());
  // Nobody else is given its port while nobody listens there.
  const former = await serveScreen(agent, await freePort());
  const { page } = await openLink(former.mintLink());
  agent.show(runningSnapshot);
  await eventually(() => sentence(page).innerText()).toContain('All delivered');
  await former.stop();
  await eventually(() => sentence(page).innerText()).toMatch(/Connection to the agent lost.*\d s old/);
  expect(await sentence(page).innerText()).not.toContain('delivered');

  // This server keeps no sessions: the page asks for a fresh link.
  const web = await serveScreen(agent, former.port);
  await eventually(() => sentence(page).innerText()).toContain('needs a fresh link');
  await page.goto(web.mintLink());
  await eventually(() => sentence(page).innerText()).toContain('All delivered');
});

test('an address without a page says so and leads to Now', async () => {
  const { agent, page, go } = await openPageAgent();
  agent.show(runningSnapshot);
  await page.getByTestId('strip').waitFor();
  await go('/no-such-page');
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  await page.getByRole('link', { name: 'Open Now' }).click();
  await page.getByTestId('strip').waitFor();
});

test('a question that was under way when the connection broke is asked again by itself', async () => {
  const { agent, page, go } = await openPageAgent();
  let asked = 0;
  const list = () => {
    asked += 1;
    return asked === 1 ? new Promise<never>(() => undefined) : Promise.resolve([]);
  };
  Object.assign(agent.handlers.source, { list });
  await page.getByRole('button', { name: 'Try it' }).waitFor();
  agent.show((atMs) => runningSnapshot(atMs, { isTrial: false }));
  await sentence(page).waitFor();
  // The page has one socket; with the next question it shows itself.
  await page.evaluate(() => {
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (data) {
      Object.assign(globalThis, { breakConnection: () => this.close() });
      send.call(this, data);
    };
  });
  await go('/sources');
  await eventually(() => asked).toBe(1);
  await page.evaluate(() => (globalThis as unknown as { breakConnection(): void }).breakConnection());
  await page.getByRole('region', { name: 'Add a source' }).waitFor();
  expect(await page.getByText('The connection to the agent is lost.').count()).toBe(0);
});

test('shows markup, right-to-left marks, emoji and 10,000 characters of foreign text as text', async () => {
  const { agent, page, problems } = await openPageAgent();
  const nasty = `<img src=x onerror="document.title='broken in'">\u202egnp.exe 😀 ${'x'.repeat(10_000)}`;
  agent.show((atMs) =>
    runningSnapshot(atMs, {
      toolName: nasty,
      sentence: said('attention', nasty, nasty),
      sources: [
        sourceView(atMs, {
          id: nasty,
          place: nasty,
          message: nasty,
          notes: [{ level: 'error', code: 'x', message: nasty, hint: nasty }],
        }),
      ],
      streams: [streamView(atMs, { name: nasty, message: nasty, hint: nasty })],
      journal: [{ id: 1, atMs, level: 'error', code: 'x', message: nasty, hint: nasty }],
    }),
  );
  await eventually(() => page.getByTestId('source').innerText()).toContain('<img src=x');
  expect(await page.locator('main img, header img').count()).toBe(0);
  await eventually(() => page.title()).toContain('<img');
  const isWider = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  expect(isWider).toBe(false);
  expect(problems).toEqual([]);
});
