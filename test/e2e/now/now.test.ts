// The page Now over the small agent, in states that are hard to provoke; its main ways stand in real-agent.test.ts.
import { expect, test } from 'vitest';
import type { ReadyRow, Snapshot, StoreView } from '../../../src-main/contract/snapshot.ts';
import { findAccessFaultsOfThemes } from '../../support/page/browser.ts';
import { runningSnapshot, sourceView } from '../../support/page/page-snapshot.ts';
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

test('shows the lights of a growth, each with word and reason', async () => {
  const { agent, page, problems } = await openPageAgent();
  agent.show((atMs) => runningSnapshot(atMs, { ready }));
  const lights = page.getByTestId('ready').locator('li');
  await eventually(() => lights.count()).toBe(7);
  expect(await lights.nth(3).innerText()).toMatch(/Missing\s*Instrument\s*No instrument is named <b>\./);
  expect(await lights.nth(6).innerText()).toContain('None here');
  expect(await page.getByRole('region', { name: 'Ready to grow' }).innerText()).toContain('2 are missing');
  await page.getByTestId('plot').locator('canvas').first().waitFor();
  expect(await findAccessFaultsOfThemes(page)).toEqual([]);
  expect(problems).toEqual([]);
});

test('says everything that needs a person, the worst in the headline and the rest below it', async () => {
  const { agent, page, problems } = await openPageAgent();
  const troubles = [
    { text: 'Source cryostat is not recorded: There is no port.', hint: 'Plug it in.' },
    { text: 'Nothing is sent: the key is refused. 40 points are safe here.', hint: 'Enter a new key.' },
    { text: 'Stream "one" is held: it was deleted there.', hint: 'Look at the streams.' },
  ];
  const [worst] = troubles;
  const sentence = { tone: 'attention', text: `Recording 2 of 3 sources. ${worst?.text}`, hint: worst?.hint } as const;
  agent.show((atMs) => runningSnapshot(atMs, { sentence: { ...sentence, hint: sentence.hint ?? '' }, troubles }));
  await eventually(() => page.getByTestId('other-troubles').locator('li').allInnerTexts()).toEqual([
    expect.stringMatching(/Nothing is sent: the key is refused[\s\S]*Enter a new key/),
    expect.stringMatching(/Stream "one" is held[\s\S]*Look at the streams/),
  ]);
  expect(await findAccessFaultsOfThemes(page)).toEqual([]);
  agent.stop();
  Object.assign(agent.handlers, { snapshot: { read: () => new Promise<never>(() => undefined) } });
  await eventually(() => page.getByTestId('other-troubles').count()).toBe(0);
  expect(problems).toEqual([]);
});

test('tells what was read and is not stored yet, and how long what waits takes to drain', async () => {
  const { agent, page } = await openPageAgent();
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
  const stream = page.getByTestId('stream').first();
  await eventually(() => stream.innerText()).toMatch(
    /Read\s*12,500[\s\S]*88 points[\s\S]*behind[\s\S]*Stored here\s*12,412/,
  );
  await eventually(() => page.getByTestId('buffer').innerText()).toMatch(/Time to drain\s*about \d+ (s|min)/);
  await eventually(() => page.getByTestId('source').first().innerText()).toMatch(
    /substrate temperature\s*\d{3}(\.\d+)? °C/,
  );
});

test('a value that is old says how old, and the whole page fades when the agent is gone', async () => {
  const { agent, page, problems } = await openPageAgent();
  const tile = page.getByTestId('source').first();
  const old = tile.locator('[data-old="true"]');
  agent.show((atMs) => runningSnapshot(atMs));
  await eventually(() => tile.innerText()).toMatch(/Reading[\s\S]*\d °C/);
  expect(await old.count()).toBe(0);

  const unplugged = { state: 'waiting', message: 'There is no port.', hint: 'Plug it in.' } as const;
  agent.show((atMs) => runningSnapshot(atMs, { sources: [sourceView(atMs, unplugged)] }));
  await eventually(() => old.first().innerText()).toMatch(/\d °C (now|\d+ s ago)/);

  agent.show((atMs) => runningSnapshot(atMs, { sources: [sourceView(atMs, { lastCaptureMs: atMs - 60_000 })] }));
  await eventually(() => tile.innerText()).toContain('Silent');
  agent.show((atMs) => {
    return runningSnapshot(atMs, { sources: [sourceView(atMs, { lastCaptureMs: atMs - 60_000, pauseMs: 30_000 })] });
  });
  await eventually(() => tile.innerText()).toContain('Reading');
  expect(await findAccessFaultsOfThemes(page)).toEqual([]);

  const faded = page.locator('main > [data-old="true"]');
  expect(await faded.count()).toBe(0);
  agent.stop();
  Object.assign(agent.handlers, { snapshot: { read: () => new Promise<never>(() => undefined) } });
  await eventually(() => faded.count()).toBe(1);
  expect(await page.getByTestId('sentence').innerText()).toContain('Recording may have stopped');
  expect(problems).toEqual([]);
});
