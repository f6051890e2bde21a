// The page when there is much of everything: many streams, channels and sources, long words, a pause.
import { expect, test } from 'vitest';
import { findAccessFaults } from '../support/page/browser.ts';
import { runningGrowth, runningSnapshot, sourceView, streamView } from '../support/page/page-snapshot.ts';
import { openPageAgent } from '../support/page/screen.ts';

test('Now tells a pause, with its beginning, which ends there', async () => {
  const { agent, page } = await openPageAgent();
  let pausedSinceMs: number | null = Date.now() - 60_000;
  Object.assign(agent.handlers.service, {
    goOn: async () => {
      pausedSinceMs = null;
      return null;
    },
  });
  agent.show((atMs) => {
    const running = runningSnapshot(atMs);
    return { ...running, service: running.service && { ...running.service, pausedSinceMs } };
  });
  const service = page.locator('section', { has: page.getByTestId('service') });
  await service.getByText(/Sending is paused since/).waitFor();
  expect(await service.innerText()).not.toContain('Connected');
  expect(await page.getByTestId('buffer').innerText()).toContain('sending is paused');
  expect(await findAccessFaults(page)).toEqual([]);
  await service.getByRole('button', { name: 'Go on sending' }).click();
  await service.getByText('Connected').waitFor();
});

test('what the page tells stays inside the window, also what a stream is behind after weeks without service', async () => {
  const { agent, page, go } = await openPageAgent({ viewport: { width: 420, height: 800 } });
  const isWider = () =>
    page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  await page.getByRole('button', { name: 'Try it' }).waitFor();
  expect(await isWider()).toBe(false);
  agent.show((atMs) =>
    runningSnapshot(atMs, {
      streams: [streamView(atMs, { pointsStored: 98_765_432_100, deliveredUpToMs: atMs - 40 * 86_400_000 })],
    }),
  );
  await page.getByTestId('plot').locator('canvas').first().waitFor();
  expect(await isWider()).toBe(false);
  await go('/streams/1');
  const text = page.getByTestId('stream').getByText(/points, 40 d behind/);
  for (const [width, height] of [
    [680, 450],
    [800, 700],
    [1360, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await text.waitFor();
    await expect.poll(() => text.evaluate((line) => line.scrollWidth > line.clientWidth + 1)).toBe(false);
    await expect.poll(isWider).toBe(false);
  }
});

test('of a thousand channels the picker draws some, says how many are left, and finds each by name', async () => {
  const { agent, page } = await openPageAgent();
  const channels = Array.from({ length: 1000 }, (_, at) => ({
    ...{ sourceId: 'growth', channel: `channel ${at}`, unit: at < 999 ? '°C' : 'Torr' },
  }));
  Object.assign(agent.handlers.plot, { listChannels: async () => channels });
  agent.show(runningSnapshot);
  await page.getByRole('button', { name: /^Channels: 3 of 1000/ }).click();
  const picker = page.getByRole('dialog');
  await picker.getByText('899 more channels: search for them by name.').waitFor();
  // The first hundred, and the chosen one behind them.
  expect(await picker.getByRole('checkbox').count()).toBe(101);
  expect(await picker.getByRole('checkbox', { name: 'channel 999 (Torr)' }).isChecked()).toBe(true);
  await picker.getByRole('textbox', { name: 'Search channels' }).fill('channel 777');
  await picker.getByRole('checkbox', { name: 'channel 777 (°C)' }).check();
  await page.getByRole('button', { name: /^Channels: 4 of 1000/ }).waitFor();
});

test('two channels of one name are told apart in a plot without pointing at them', async () => {
  const { agent, page } = await openPageAgent();
  const channels = ['left', 'right'].map((sourceId) => ({ sourceId, channel: 'cell', unit: '°C' }));
  Object.assign(agent.handlers.plot, {
    listChannels: async () => channels,
    read: async ({ toMs }: { toMs: number }) =>
      channels.map((channel) => ({ ...channel, timesMs: [toMs - 5, toMs], values: [1, 2], readFromMs: null })),
  });
  agent.show(runningSnapshot);
  const plot = page.getByTestId('plot');
  await plot.getByText('left: cell').waitFor();
  await plot.getByText('right: cell').waitFor();
});

test('a growth with refused points is not told as delivered, and its entry opens from there', async () => {
  const { agent, page } = await openPageAgent();
  let pointsResent = 0;
  const growth = () => ({
    ...{ id: 'g-1', name: 'GaAs 1234', sampleId: null, newSampleName: null, projectId: null, state: 'ended' },
    ...{ startedMs: 0, startCause: 'by hand', endedMs: 60_000, endCause: 'by hand', notes: [] },
    ...{ askedMs: null, changeBecomes: 'new-streams', waits: [], problems: [], pointsPerChunk: [], restarts: [] },
    parts: [
      {
        ...{ id: 'p', fromMs: 0, toMs: 60_000, name: '', sampleId: null, newSampleName: null, projectId: null },
        rheed: [],
        streams: [
          {
            ...{ id: 1, sourceId: 'growth', name: 'one', dataId: 'data-1', isSent: true, isClosed: true },
            ...{ isDelivered: true, points: 20, pointsAcknowledged: 8, pointsRefused: 12, pointsResent },
            ...{ firstReadingMs: 0, lastReadingMs: 59_000 },
          },
        ],
      },
    ],
  });
  Object.assign(agent.handlers.growth, {
    list: async () => ({ growths: [growth()], next: null }),
    read: async () => growth(),
  });
  const refused = { state: 'delivered', pointsStored: 20, pointsAcknowledged: 8, pointsRefused: 12 } as const;
  agent.show((atMs) => runningSnapshot(atMs, { streams: [streamView(atMs, refused)] }));
  await page.getByRole('link', { name: 'Growth', exact: true }).click();
  const past = page.getByRole('link', { name: /GaAs 1234/ });
  await past.getByText('Points refused').waitFor();
  await past.click();
  const stream = page.getByTestId('growth-stream');
  await stream.getByText('Needs you').waitFor();
  expect(await stream.innerText()).toContain('8 acknowledged, 12 refused');
  await stream.getByRole('button', { name: 'Receipt' }).click();
  await stream.getByText('Not yet; points were refused and are kept here.').waitFor();
  pointsResent = 12;
  await stream.getByText('Delivered').waitFor();
  await stream.getByRole('link', { name: 'data-1' }).click();
  await expect.poll(() => page.url()).toMatch(/#\/catalogue\/entry\/data-1$/);
});

test('the receipt of a stream with refused points is told neither as delivered nor as confirmed without saying so', async () => {
  const { agent, page, go } = await openPageAgent();
  const receipt = agent.handlers.stream.receipt;
  let confirmation: object | null = null;
  Object.assign(agent.handlers.stream, {
    receipt: async (argument: { streamId: number }) => ({ ...(await receipt(argument)), confirmation }),
  });
  const refused = { state: 'delivered', pointsStored: 20, pointsAcknowledged: 8, pointsRefused: 12 } as const;
  agent.show((atMs) => runningSnapshot(atMs, { streams: [streamView(atMs, refused)] }));
  await go('/streams/1');
  const panel = page.locator('section', { has: page.getByTestId('receipt') });
  await panel.getByText('Points refused', { exact: true }).waitFor();
  expect(await panel.innerText()).not.toContain('Delivered');
  confirmation = { atMs: 1, outcome: 'confirmed', pointsCompared: 8, pointsExpected: 8, notes: [] };
  await panel.getByText('Confirmed, except what was refused').waitFor();
});

test('who thinks better of ending a growth, by keyboard, is back at the button that asked', async () => {
  const { agent, page } = await openPageAgent();
  agent.show((atMs) => runningSnapshot(atMs, { growth: runningGrowth(atMs) }));
  await page.getByRole('link', { name: 'Growth', exact: true }).click();
  await page.getByRole('button', { name: 'End growth' }).press('Enter');
  await page.getByRole('button', { name: 'Cancel' }).press('Enter');
  await page.getByRole('button', { name: 'End growth' }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('End growth');
});

test('fifty sources and 200 channels: Now stays within two screens, and the sources are grouped and searched', async () => {
  const { agent, page, problems } = await openPageAgent({ viewport: { width: 1280, height: 720 } });
  const names = Array.from({ length: 50 }, (_, at) => `effusion-cell-controller-${at}`);
  const channels = names.flatMap((sourceId) =>
    ['temperature', 'setpoint', 'output power', 'rate'].map((channel) => ({ sourceId, channel, unit: '°C' })),
  );
  Object.assign(agent.handlers.plot, { listChannels: async () => channels });
  Object.assign(agent.handlers.source, {
    list: async () => names.map((id, at) => ({ id, kind: at % 2 === 0 ? 'serial' : 'log', path: `/logs/${id}` })),
  });
  agent.show((atMs) => {
    const sources = names.map((id, at) => {
      const kind = at % 2 === 0 ? ('serial' as const) : ('log' as const);
      const down = { state: 'waiting', message: 'There is no port.', hint: 'Plug it in.' } as const;
      return sourceView(atMs, { id, kind, lastCaptureMs: atMs, ...(at === 40 ? down : {}) });
    });
    return runningSnapshot(atMs, { sources, growth: runningGrowth(atMs) });
  });
  await page.getByRole('link', { name: '50 sources, 49 reading' }).waitFor();
  expect(await page.getByTestId('source').allInnerTexts()).toEqual([
    expect.stringContaining('effusion-cell-controller-40'),
  ]);
  await page.getByTestId('values').locator('li').nth(7).waitFor();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(height).toBeLessThanOrEqual(2 * 720);

  await page.getByRole('link', { name: '50 sources, 49 reading' }).click();
  const groups = page.getByTestId('source-group');
  await expect
    .poll(() => groups.locator('h3').allInnerTexts())
    .toEqual(['Need you: 1 source', 'Instrument on a line: 24 sources', 'Log folder: 25 sources']);
  expect(await findAccessFaults(page)).toEqual([]);
  await page.getByLabel('Search sources').fill('controller-4');
  await expect.poll(() => page.getByTestId('source-row').count()).toBe(11);
  await page.getByLabel('Search sources').fill('nothing like it');
  await page.getByText('No source fits.').waitFor();
  expect(problems).toEqual([]);
});
