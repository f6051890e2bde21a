// The whole thing as a user has it: "npm start" on a PC without Electron, the real page in a real browser, the real agent,
// the embedded service.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findAccessFaults, launchBrowser, openPage } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { panel } from '../support/on-page.ts';
import { startScript, startService, startWithScreen } from '../support/page-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const KEY = 'key-of-the-outage-test';
/** How long the service is away, milliseconds. */
const OUTAGE_MS = Number(process.env.OUTAGE_MS ?? 20_000);

/** Wait for the page to say something; how long is a matter of the machine, not of the test. */
const eventually = <T>(read: () => T, { timeout = 60_000 } = {}) => expect.poll(read, { timeout });

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function show(link: string) {
  const opened = await openPage(browser, link);
  onTestFinished(() => opened.page.context().close());
  return opened;
}

const sentence = (page: Page) => page.getByTestId('sentence').innerText();

/** Numbers of all streams that stand on the page: stored here, acknowledged. */
async function marks(page: Page): Promise<{ stored: number; acknowledged: number }> {
  const texts = await page.getByTestId('stream').allInnerTexts();
  const sum = (name: string) =>
    texts.reduce((total, text) => {
      const digits = text.match(new RegExp(`${name}\\s+([\\d,]+)`))?.[1] ?? '0';
      return total + Number(digits.replaceAll(',', ''));
    }, 0);
  return { stored: sum('Stored here'), acknowledged: sum('Acknowledged') };
}

test('streams a simulated growth and its camera after one click on a fresh PC', async () => {
  const running = await startWithScreen(tempFolder('first-run'));
  const { page, problems } = await show(running.found);
  await page.getByRole('button', { name: 'Try it' }).click();
  await eventually(async () => (await marks(page)).acknowledged).toBeGreaterThan(0);

  await eventually(() => sentence(page)).toMatch(/Recording 2 sources\. (All delivered|Delivered up to \d+ s ago)/);
  await eventually(() => panel(page, 'Service').innerText()).toContain('Connected');
  await eventually(() => panel(page, 'Live values').locator('canvas').count()).toBeGreaterThan(1);
  await eventually(() => panel(page, 'Live values').innerText()).toMatch(/temperature\s+\d+(\.\d+)? °C/);
  expect(await findAccessFaults(page)).toEqual([]);
  expect(problems).toEqual([]);
  expect(await running.stop('SIGINT')).toBe(0);
});

/** A tool that writes a line every 100 ms; the value counts the lines. */
function startWriter(folder: string): { lines: () => number; end: () => void } {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'run.csv');
  writeFileSync(file, 'time,counter,pressure (Torr)\n');
  let lines = 0;
  const timer = setInterval(() => {
    lines += 1;
    appendFileSync(file, `${new Date().toISOString()},${lines},${(1e-9 * (1 + (lines % 7))).toExponential(1)}\n`);
  }, 100);
  const end = () => clearInterval(timer);
  onTestFinished(end);
  return { lines: () => lines, end };
}

function writeSettings(dataFolder: string, logs: string, url: string): void {
  writeFileSync(
    join(dataFolder, 'epistream.yaml'),
    `version: 1
service:
  url: ${url}
  resend: repeat
tool:
  name: MBE-1
  time_zone: UTC
stream_defaults:
  points_per_chunk: 10
  close_after_quiet: 3s
sources:
  - id: tool-log
    kind: log
    path: ${JSON.stringify(logs)}
    match: '**/*.csv'
    backfill: all
`,
  );
}

/** Look at the page four times a second until told to stop. */
function watch(page: Page): { seen: { text: string; service: string }[]; end: () => void } {
  const seen: { text: string; service: string }[] = [];
  let isOver = false;
  const look = async () => {
    while (!isOver) {
      const [text, service] = await Promise.all([sentence(page), panel(page, 'Service').innerText()]);
      seen.push({ text: text.split('\n')[0] ?? '', service: service.replaceAll('\n', ' ') });
      await page.waitForTimeout(250);
    }
  };
  // The test ends with the page: a look that was under way then fails, and nobody needs it.
  void look().catch(() => undefined);
  return {
    seen,
    end: () => {
      isOver = true;
    },
  };
}

interface Series {
  properties: Record<string, { unix_timestamp_ms: number[]; values: number[] }>;
}

test(
  'keeps and delivers everything, once and in order, when the service goes away in the middle, and the screen says so all the time',
  async () => {
    const data = tempFolder('outage');
    const logs = join(data, 'logs');
    const serviceFolder = join(data, 'service');
    const port = await freePort();
    const service = await startService(serviceFolder, port, KEY);
    writeSettings(data, logs, service.url);
    const writer = startWriter(logs);
    const running = await startWithScreen(data, { EPISTREAM_API_KEY: KEY });
    const { page, problems } = await show(running.found);
    await eventually(async () => (await marks(page)).acknowledged).toBeGreaterThan(20);
    const { seen, end } = watch(page);

    await service.stop();
    await eventually(() => sentence(page)).toContain('cannot be reached');
    // A look that was under way may have begun before; all behind it saw that the service is away.
    const firstAway = seen.length + 1;
    const before = await marks(page);
    const linesBefore = writer.lines();
    await page.waitForTimeout(OUTAGE_MS);
    // Recording went on: every line that was written without the service is stored.
    const storedAtLeast = before.stored + 2 * (writer.lines() - linesBefore);
    await eventually(async () => (await marks(page)).stored).toBeGreaterThanOrEqual(storedAtLeast);
    expect((await marks(page)).acknowledged - before.acknowledged).toBeLessThanOrEqual(40);
    await eventually(() => panel(page, 'Service').innerText()).toMatch(/Offline[\s\S]*(next try in|trying now)/);
    expect(await panel(page, 'Kept on this PC').innerText()).toMatch(/Points to deliver\s+[\d,]*[1-9]/);
    expect(await findAccessFaults(page)).toEqual([]);
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: join(process.env.SCREENSHOTS, 'offline.png'), fullPage: true });

    const isTold = ({ text }: { text: string }) => /cannot be reached.*points are safe here/.test(text);
    await eventually(() => seen.slice(firstAway).filter(isTold).length).toBeGreaterThan(OUTAGE_MS / 1000);
    const away = seen.slice(firstAway);
    const again = await startService(serviceFolder, port, KEY);
    await eventually(() => sentence(page), { timeout: 120_000 }).toMatch(/All delivered|Delivered up to/);
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: join(process.env.SCREENSHOTS, 'back.png'), fullPage: true });
    writer.end();
    // Two points a line; only then is "all delivered" about the last line too.
    const read = `Points ${(2 * writer.lines()).toLocaleString('en-US')}`;
    await eventually(async () => (await panel(page, 'Sources').innerText()).replaceAll(/\s+/g, ' ')).toContain(read);
    await eventually(() => sentence(page)).toContain('All delivered');
    end();

    // What was said while the service was away, from the first time on; an agent that is kept waiting itself is told as such.
    expect(away.filter((look) => !isTold(look) && !look.text.startsWith('Connection to the agent lost'))).toEqual([]);
    expect(away.filter((look) => !look.service.includes('Offline'))).toEqual([]);

    // What arrived: every line of the file, once, in order, value by value.
    const ask = async (path: string) => {
      const answer = await fetch(again.url + path, { headers: { 'X-API-KEY': KEY } });
      expect(answer.status, path).toBe(200);
      return (await answer.json()) as unknown;
    };
    const entries = (await ask('/data_entries/')) as { data_id: string; raw_name: string }[];
    const series = await Promise.all(
      entries.map(({ data_id }) => ask(`/metrology/${data_id}/timeseries/`) as Promise<Series>),
    );
    const counter = series
      .map(({ properties }) => properties.counter ?? { unix_timestamp_ms: [], values: [] })
      .toSorted((a, b) => (a.unix_timestamp_ms[0] ?? 0) - (b.unix_timestamp_ms[0] ?? 0))
      .flatMap(({ values }) => values);
    expect(counter).toEqual(Array.from({ length: writer.lines() }, (_, index) => index + 1));
    const left = async () => {
      const { stored, acknowledged } = await marks(page);
      return stored - acknowledged;
    };
    await eventually(left).toBe(0);
    expect(problems).toEqual([]);
    expect(await running.stop()).toBe(0);
  },
  OUTAGE_MS + 240_000,
);

test('takes a new key on the screen while the service refuses the old one, and never shows either', async () => {
  const data = tempFolder('key');
  const logs = join(data, 'logs');
  const service = await startService(join(data, 'service'), 0, KEY);
  writeSettings(data, logs, service.url);
  startWriter(logs);
  const wrong = 'an-old-key-that-was-revoked';
  const running = await startWithScreen(data, { EPISTREAM_API_KEY: wrong });
  const { page, problems } = await show(running.found);
  await eventually(() => sentence(page)).toMatch(/Nothing is sent: .*key/);
  await page.getByLabel('New API key').fill(KEY);
  await page.getByRole('button', { name: 'Use this key' }).click();
  await eventually(async () => (await marks(page)).acknowledged).toBeGreaterThan(0);
  await eventually(() => page.getByLabel('New API key').count()).toBe(0);
  const html = await page.content();
  for (const key of [wrong, KEY]) expect(html).not.toContain(key);
  expect(await findAccessFaults(page)).toEqual([]);
  expect(problems).toEqual([]);
  expect(await running.stop('SIGINT')).toBe(0);
});

test('connects a tool on the screen: preview, go, and its log is delivered into the embedded service', async () => {
  const data = tempFolder('connect');
  const logs = join(data, 'tool');
  mkdirSync(logs);
  const rows = Array.from({ length: 50 }, (_, i) => `${1_700_000_000 + i},${600 + i / 10},Kim`);
  writeFileSync(join(logs, 'run_01.csv'), `time,substrate temperature (C),operator\n${rows.join('\n')}\n`);
  const running = await startWithScreen(join(data, 'agent'));
  const { page, problems } = await show(running.found);
  await page.getByRole('button', { name: 'Connect your tool' }).click();
  await page.getByLabel('Name of the tool').fill('MBE-1');
  await page.getByLabel('Folder of the logs').fill(logs);
  await page.getByLabel('Everything that stands there already, too').check();
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  const preview = page.getByTestId('preview');
  await eventually(() => preview.innerText()).toMatch(/1 file found[\s\S]*left out: operator/);
  const cells = await preview.locator('tbody tr').first().locator('td').allInnerTexts();
  expect(cells[0]).toBe(rows[0]);
  expect(cells[2]).toBe('600');
  await page.getByRole('button', { name: 'Go', exact: true }).click();

  const stored = async () => (await marks(page)).stored;
  await eventually(stored).toBe(50);
  await eventually(async () => (await panel(page, 'Sources').innerText()).includes('tool-log')).toBe(true);
  await eventually(() => page.locator('header').innerText()).toContain('MBE-1');
  expect(problems).toEqual([]);
  expect(await running.stop()).toBe(0);
});

test('says that the port is taken, with a hint and an exit code, when another program holds it', async () => {
  const data = tempFolder('port');
  const first = await startWithScreen(join(data, 'first'));
  const port = new URL(first.found).port;
  const second = startScript('src-main/cli.ts', ['run', '--data', join(data, 'second'), '--ui', port], /never/);
  await expect(second).rejects.toThrow(
    /ended with 1[\s\S]*already in use[\s\S]*hint: [\s\S]*--ui[\s\S]*web\.port-taken/,
  );
});
