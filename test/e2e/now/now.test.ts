// The page Now over the small agent, in states that are hard to provoke; its main ways stand in promises/page.test.ts and
// real-agent.test.ts.
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ReadyRow, Snapshot, StoreView } from '../../../src-main/contract/snapshot.ts';
import { findAccessFaultsOfThemes } from '../../support/page/browser.ts';
import { runningSnapshot, said as sentenceOf, sourceView } from '../../support/page/page-snapshot.ts';
import { openPageAgent } from '../../support/page/screen.ts';

const eventually = <T>(read: () => T, { timeout = 60_000 } = {}) => expect.poll(read, { timeout });

const ready: ReadyRow[] = [
  { id: 'log', state: 'ok', reason: 'The log grew 2 s ago.' },
  { id: 'clock', state: 'warn', reason: 'The clock was set by 3 s.' },
  { id: 'key', state: 'ok', reason: 'The service takes the key.' },
  { id: 'instrument', state: 'missing', reason: 'No instrument is named <b>.' },
  { id: 'sample', state: 'missing', reason: 'No sample is chosen.' },
  { id: 'buffer', state: 'ok', reason: 'The buffer lasts 215 days.' },
  { id: 'counter', state: 'none', reason: 'There is no frame counter.' },
];

test('shows the lights of a growth, everything that needs the operator, how old a value is, and fades when the agent is gone', async () => {
  const { agent, page, problems } = await openPageAgent();
  agent.show((atMs) => runningSnapshot(atMs, { ready }));
  const lights = page.getByTestId('ready').locator('li');
  await eventually(() => lights.count()).toBe(7);
  expect(await lights.nth(3).innerText()).toMatch(/Missing\s*Instrument\s*No instrument is named <b>\./);
  expect(await lights.nth(6).innerText()).toContain('Not used');
  expect(await page.getByRole('region', { name: 'Ready to grow' }).innerText()).toContain('2 items missing');

  const troubles = [
    {
      keys: ['source cryostat'],
      text: 'Source cryostat is not recorded since 10:03:05.',
      detail: 'There is no port.',
      hint: 'Plug it in.',
      act: { label: 'Open cryostat', place: '/sources/cryostat', alarm: null },
    },
    {
      keys: ['service key'],
      text: 'Nothing is sent: the key is refused. 40 points are safe here.',
      detail: '',
      hint: 'Enter a new key.',
      act: { label: 'Enter a key', place: '/', alarm: null },
    },
    {
      keys: ['stream 1'],
      text: 'Stream "one" is held.',
      detail: 'it was deleted there.',
      hint: 'Look at the streams.',
      act: null,
    },
  ];
  const [worst] = troubles;
  const sentence = sentenceOf('attention', `Recording 2 of 3 sources. ${worst?.text}`, worst?.hint);
  const showTroubles = () => agent.show((atMs) => runningSnapshot(atMs, { ready, sentence, troubles }));
  showTroubles();
  await page.getByTestId('other-troubles').getByText('2 more, 2 of them need you').click();
  await eventually(() => page.getByTestId('other-troubles').locator('li').allInnerTexts()).toEqual([
    expect.stringMatching(/Nothing is sent: the key is refused[\s\S]*Enter a new key/),
    expect.stringMatching(/Stream "one" is held[\s\S]*Look at the streams/),
  ]);
  expect(await findAccessFaultsOfThemes(page)).toEqual([]);
  await page.getByTestId('other-troubles').getByRole('link', { name: 'Enter a key' }).waitFor();
  await page.getByTestId('sentence').getByRole('link', { name: 'Open cryostat' }).click();
  await eventually(() => page.url()).toContain('#/sources/cryostat');
  await page.getByRole('link', { name: 'Now', exact: true }).click();

  const tile = page.getByTestId('source').first();
  const old = page.getByTestId('values').locator('[data-old="true"]');
  agent.show((atMs) => runningSnapshot(atMs));
  await eventually(() => tile.innerText()).toContain('Reading');
  // A value is old until the next snapshot where the page was busy for longer than the source's own limit.
  await eventually(() => old.count()).toBe(0);

  const unplugged = { state: 'waiting', health: 'gone', message: 'There is no port.', hint: 'Plug it in.' } as const;
  agent.show((atMs) => runningSnapshot(atMs, { sources: [sourceView(atMs, unplugged)] }));
  await eventually(() => old.first().innerText()).toMatch(/\d °C (now|\d+ s ago)/);

  agent.show((atMs) =>
    runningSnapshot(atMs, { sources: [sourceView(atMs, { lastCaptureMs: atMs - 60_000, health: 'silent' })] }),
  );
  await eventually(() => tile.innerText()).toContain('Silent');
  agent.show((atMs) => {
    return runningSnapshot(atMs, {
      sources: [sourceView(atMs, { lastCaptureMs: atMs - 60_000, lateAfterMs: 90_000 })],
    });
  });
  await eventually(() => tile.innerText()).toContain('Reading');

  const faded = page.locator('main > [data-old="true"]');
  showTroubles();
  await page.getByTestId('other-troubles').waitFor();
  await eventually(() => faded.count()).toBe(0);
  agent.stop();
  Object.assign(agent.handlers, { snapshot: { read: () => new Promise<never>(() => undefined) } });
  await eventually(() => faded.count()).toBe(1);
  expect(await page.getByTestId('other-troubles').count()).toBe(0);
  expect(await page.getByTestId('sentence').innerText()).toMatch(
    /Connection to the agent lost[\s\S]*Recording may have stopped/,
  );
  expect(problems).toEqual([]);
});

test('shows the rows that are read but not stored yet, and how long the queue takes to drain', async () => {
  const { agent, page, go } = await openPageAgent();
  let waiting = 40_000;
  const show = (atMs: number): Snapshot => {
    const running = runningSnapshot(atMs);
    waiting -= 100;
    return {
      ...running,
      sources: [sourceView(atMs, { pointsUnstored: 88, lastReadingMs: atMs - 9_000, newestReadMs: atMs })],
      store: { ...(running.store as StoreView), waitingPoints: waiting },
    };
  };
  agent.show(show);
  await eventually(() => page.getByTestId('buffer').innerText()).toMatch(/Time to catch up\s*about \d+ (s|min)/);
  await go('/streams/1');
  const stream = page.getByTestId('stream').first();
  await eventually(() => stream.innerText()).toMatch(
    /Read\s*12,500[\s\S]*88 points[\s\S]*behind[\s\S]*Stored here\s*12,412/,
  );
});

test('W opens the wall view also after a click on a choice of the page', async () => {
  const { agent, page } = await openPageAgent();
  agent.show(runningSnapshot);
  await page.getByText('5 min', { exact: true }).click();
  await page.keyboard.press('w');
  await eventually(() => page.url()).toMatch(/#\/wall$/);
});

test('Now says nowhere that delivery falls behind while its headline says that it keeps up', async () => {
  const { agent, page } = await openPageAgent();
  let waiting = 100;
  agent.show((atMs) => {
    const running = runningSnapshot(atMs);
    waiting += 10;
    return { ...running, store: { ...(running.store as StoreView), keepsUp: true, waitingPoints: waiting } };
  });
  await eventually(() => page.getByTestId('buffer').innerText()).toMatch(/Time to catch up\s*Keeping up/);
});

test('a screen reader announces a change of the headline, but not of the numbers in it', async () => {
  const { agent, page } = await openPageAgent();
  const said = page.getByTestId('announced');
  // What was said stands there for some seconds only: how it changed is written down by the page itself.
  const told = () => page.evaluate(() => (window as unknown as { changes: string[] }).changes);
  await page.evaluate(() => {
    const changes: string[] = [];
    Object.assign(window, { changes });
    const watch = new MutationObserver(() => {
      const text = document.querySelector('[data-testid="announced"]')?.textContent ?? '';
      if (text !== changes.at(-1)) changes.push(text);
    });
    watch.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  const show = (tone: 'ok' | 'busy', text: string) => {
    agent.show((atMs) => runningSnapshot(atMs, { sentence: sentenceOf(tone, text) }));
    return eventually(async () => (await page.getByRole('heading', { level: 1 }).innerText()).trim()).toBe(text);
  };
  for (const seconds of [5, 10, 20, 5]) {
    await show('ok', `Everything older than ${seconds} s is delivered.`);
    await show('ok', 'All delivered.');
  }
  await show('busy', 'The service cannot be reached. 1,204 points are safe here.');
  await show('busy', 'The service cannot be reached. 2,408 points are safe here.');
  await show('ok', 'All delivered.');
  expect((await told()).filter((text) => text !== '').slice(-3)).toEqual([
    'Everything older than 5 s is delivered.',
    'The service cannot be reached. 1,204 points are safe here.',
    'All delivered.',
  ]);
  // A screen reader that reads the page from its top finds the present headline, and no older one.
  await show('ok', 'Everything older than 10 s is delivered.');
  await eventually(() => said.textContent()).toBe('');
  await show('busy', 'The service cannot be reached. 3,612 points are safe here.');
  await eventually(async () => (await told()).at(-1) || (await told()).at(-2)).toContain('3,612 points');
});

test('offers a choice for points queued for a previous service, and sends the choice to the agent', async () => {
  const { agent, page, problems } = await openPageAgent();
  // The page tells days of this PC, wherever it stands.
  const [firstMs, lastMs] = [22, 23].map((day) => new Date(2026, 10, day, 12).getTime()) as [number, number];
  const waiting = { streams: 2, points: 21_000, firstMs, lastMs };
  const told = { message: '', hint: '' };
  agent.show((atMs) => {
    return runningSnapshot(atMs, {
      former: [
        { ...waiting, ...told, service: 'https://old.example', state: 'asks', hasKey: false },
        { ...waiting, ...told, service: 'embedded', points: 36, state: 'sending', hasKey: true },
      ],
    });
  });
  const [old, builtIn] = [0, 1].map((at) => page.getByTestId('former-service').nth(at)) as [Locator, Locator];
  await eventually(() => old.innerText()).toContain(
    '21,000 points of 22 Nov to 23 Nov, recorded for https://old.example, wait for your choice.',
  );
  expect(await builtIn.innerText()).toContain(
    '36 points of 22 Nov to 23 Nov, recorded for the built-in service, are being',
  );
  expect(await builtIn.getByRole('button', { name: /Send them to the built-in/ }).count()).toBe(0);
  expect(await old.getByRole('button', { name: 'Send them there' }).isDisabled()).toBe(true);
  await old.getByLabel('API key of that service').fill('key-0123456789');
  await old.getByRole('button', { name: 'Send them there' }).click();
  await eventually(() => agent.formerChosen).toEqual([
    { service: 'https://old.example', way: 'send', apiKey: 'key-0123456789' },
  ]);
  await builtIn.getByRole('button', { name: 'Keep them here' }).click();
  await eventually(() => agent.formerChosen.at(-1)).toEqual({ service: 'embedded', way: 'keep', apiKey: '' });
  expect(await findAccessFaultsOfThemes(page)).toEqual([]);
  expect(problems).toEqual([]);
});
