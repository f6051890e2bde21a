// The service goes away in the middle of a growth and comes back: agent and service as processes, the page in a browser.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { freePort } from '../free-port.ts';
import { findAccessFaults } from '../page/browser.ts';
import { panel } from '../page/on-page.ts';
import { openLink } from '../page/screen.ts';
import { startAgent } from '../processes/agent-process.ts';
import { tempFolder } from '../temp-folder.ts';

const KEY = 'key-of-the-outage-test';
/** The link that opens the screen once, as the agent prints it. */
export const SCREEN_LINK = /http:\/\/127\.0\.0\.1:\d+\/enter#\S+/;
/** How often at least the page is looked at while the service is away. */
const LOOKS_AWAY = 8;

/** Wait for the page to say something; how long is a matter of the machine, not of the test. */
const eventually = <T>(read: () => T, { timeout = 60_000 } = {}) => expect.poll(read, { timeout });

/** The visible headline: the one for screen readers stands beside it, and is older. */
export async function sentence(page: Page): Promise<string> {
  const shown = await page.getByTestId('sentence').getByRole('heading').innerText();
  return shown.replaceAll(/\s+/g, ' ').trim();
}

/** Numbers of this run that stand on Now: points read, and of them acknowledged. */
export async function marks(page: Page): Promise<{ stored: number; acknowledged: number }> {
  const [sources, buffer] = await Promise.all([
    panel(page, 'Sources').innerText(),
    panel(page, 'Local buffer').innerText(),
  ]);
  const numbers = (text: string, name: string) =>
    [...text.matchAll(new RegExp(`${name}\\s+([\\d,]+)`, 'g'))].map(([, digits]) =>
      Number(digits?.replaceAll(',', '')),
    );
  const stored = numbers(sources, 'Points').reduce((sum, points) => sum + points, 0);
  const [waiting = stored] = numbers(buffer, 'Points to deliver');
  return { stored, acknowledged: stored - waiting };
}

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

/** Start the embedded service on its own and wait until it listens. */
async function startService(dataFolder: string, port: number) {
  const words = ['service', '--data', dataFolder, '--port', String(port)];
  const service = startAgent(words, { EPISTREAM_API_KEY: KEY });
  await service.waitFor(/http:\/\/127\.0\.0\.1:\d+/);
  return service;
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

/**
 * Keep and deliver everything, once and in order, when the service goes away in the middle; the screen says so all the time.
 *
 * @param linesAway - how many lines the tool writes while the service is away, ten a second.
 */
export async function walkThroughOutage(linesAway: number): Promise<void> {
  const data = tempFolder('outage');
  const logs = join(data, 'logs');
  const serviceFolder = join(data, 'service');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await startService(serviceFolder, port);
  writeSettings(data, logs, url);
  const writer = startWriter(logs);
  const running = startAgent(['run', '--data', data, '--ui', '0'], { EPISTREAM_API_KEY: KEY });
  const [link] = await running.waitFor(SCREEN_LINK);
  const { page, problems } = await openLink(link);
  await eventually(async () => (await marks(page)).acknowledged).toBeGreaterThan(20);
  const { seen, end } = watch(page);

  service.child.kill('SIGTERM');
  await service.ended;
  await eventually(() => sentence(page)).toContain('cannot be reached');
  // A look that was under way may have begun before; all behind it saw that the service is away.
  const firstAway = seen.length + 1;
  const before = await marks(page);
  const linesBefore = writer.lines();
  await expect
    .poll(() => writer.lines() - linesBefore, { timeout: 2000 * linesAway })
    .toBeGreaterThanOrEqual(linesAway);
  // Recording went on: every line that was written without the service is stored.
  const storedAtLeast = before.stored + 2 * (writer.lines() - linesBefore);
  await eventually(async () => (await marks(page)).stored).toBeGreaterThanOrEqual(storedAtLeast);
  expect((await marks(page)).acknowledged - before.acknowledged).toBeLessThanOrEqual(40);
  await eventually(() => panel(page, 'Service').innerText()).toMatch(/Offline[\s\S]*(next try in|trying now)/);
  expect(await panel(page, 'Local buffer').innerText()).toMatch(/Points to deliver\s+[\d,]*[1-9]/);
  expect(await findAccessFaults(page)).toEqual([]);
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: join(process.env.SCREENSHOTS, 'offline.png'), fullPage: true });

  const isTold = ({ text }: { text: string }) => /cannot be reached.*points are safe here/.test(text);
  await eventually(() => seen.slice(firstAway).filter(isTold).length).toBeGreaterThan(LOOKS_AWAY);
  const away = seen.slice(firstAway);
  await startService(serviceFolder, port);
  await eventually(() => sentence(page), { timeout: 120_000 }).toMatch(/All delivered|Everything older/);
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
    const answer = await fetch(url + path, { headers: { 'X-API-KEY': KEY } });
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
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
}
