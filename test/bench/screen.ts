// Figures of the screen in a real Chromium: `n24 test/bench/screen.ts [minutes]`, after `npm run build`. Frame times while 20
// channels of 10,000 points are moved and zoomed, frame times while a list of 10,000 streams is scrolled, the time from a
// snapshot to its pixels, and the memory of the page after some minutes of live data (an hour unless told). The agent is the
// small one of the page tests; the page, its transport and the browser are real. Nothing is asserted: figures depend on the
// machine, and a browser without a graphics card draws in software.
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import type { Handlers } from '../../src-main/contract/table.ts';
import { startWebScreen } from '../../src-main/web/web-screen.ts';
import { launchBrowser, openPage } from '../support/page/browser.ts';
import { makePageAgent } from '../support/page/page-agent.ts';
import { runningSnapshot, said, streamView } from '../support/page/page-snapshot.ts';

const minutes = Number(process.argv[2] ?? 60);
const CHANNELS = 20;
const POINTS = 10_000;
const STREAMS = 10_000;
const SPAN_MS = 600_000;
/** How long frames are watched, milliseconds. */
const WATCH_MS = 10_000;
const SNAPSHOTS = 60;

const agent = makePageAgent();
type Writable<T> = { -readonly [K in keyof T]: T[K] };
const plot = agent.handlers.plot as Writable<Handlers['plot']>;
const stream = agent.handlers.stream as Writable<Handlers['stream']>;
const channels = Array.from({ length: CHANNELS }, (_, at) => ({
  sourceId: 'growth',
  channel: `channel ${String(at).padStart(2, '0')}`,
  unit: at % 2 === 0 ? '°C' : 'Torr',
}));
plot.listChannels = async () => channels;
// Each channel has times of its own: nothing can be shared between the lines.
plot.read = async ({ channels: wanted, fromMs, toMs, maxPoints }) =>
  wanted.map(({ sourceId, channel }, at) => {
    const count = Math.min(POINTS, maxPoints);
    const stepMs = (toMs - fromMs) / count;
    const timesMs = Array.from({ length: count }, (_, i) => fromMs + (i + at / CHANNELS) * stepMs);
    const values = timesMs.map((timeMs, i) => 600 + 10 * at + 4 * Math.sin(timeMs / 3_000) + ((i * 7919) % 100) / 100);
    const unit = channels.find((one) => one.channel === channel)?.unit ?? '';
    return { sourceId, channel, unit, timesMs, values, readFromMs: null, statistics: null };
  });
const rows = Array.from({ length: STREAMS }, (_, at) => {
  const { pointsPerChunk, chunksWaiting, deliveredUpToMs, upload, message, hint, nextTryMs, ...row } = streamView(
    Date.now(),
  );
  return {
    ...row,
    id: STREAMS - at,
    name: `MBE-1 growth 2026-11-20 19:40:12 ${at.toString(36)}`,
    state: 'delivered' as const,
  };
});
stream.list = async () => rows;
agent.show(runningSnapshot);

const { handlers, subscribe } = agent;
const rendererFolder = join(import.meta.dirname, '../../dist/renderer');
const web = await startWebScreen({ handlers, subscribe, rendererFolder, port: 0, announce: () => undefined });
const browser = await launchBrowser();
const { page } = await openPage(browser, web.mintLink());
const origin = new URL(page.url()).origin;
const cdp = await page.context().newCDPSession(page);
await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });

function figures(values: readonly number[], unit: string): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0).toFixed(1);
  return `median ${at(0.5)} ${unit}, p95 ${at(0.95)} ${unit}, longest ${at(1)} ${unit} (${sorted.length} measured)`;
}

/**
 * Do something in every frame for a while.
 *
 * @returns the milliseconds from each frame to the next.
 */
function watchFrames(of: Page, act: string): Promise<number[]> {
  return of.evaluate(
    async ([body, forMs]) => {
      const frames: number[] = [];
      const each = STEPS[body as keyof typeof STEPS];
      const startMs = performance.now();
      await new Promise<void>((resolve) => {
        let lastMs = 0;
        const frame = (nowMs: number) => {
          if (lastMs > 0) frames.push(nowMs - lastMs);
          lastMs = nowMs;
          if (nowMs - startMs > Number(forMs)) return resolve();
          each(frames.length);
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      });
      return frames;
    },
    [act, WATCH_MS] as const,
  );
}

declare const STEPS: Readonly<Record<'move' | 'zoom' | 'point' | 'scroll', (frame: number) => void>>;

/** What is done in each frame, as it stands in the page. */
const steps = `globalThis.STEPS = {
  wheel(options, deltaY) {
    const over = document.querySelector('.u-over');
    const { left, top, width } = over.getBoundingClientRect();
    over.dispatchEvent(new WheelEvent('wheel', { ...options, deltaY, clientX: left + width / 2, clientY: top + 40, bubbles: true, cancelable: true }));
  },
  move: (frame) => STEPS.wheel({ shiftKey: true }, frame % 20 < 10 ? 1 : -1),
  zoom: (frame) => STEPS.wheel({ ctrlKey: true }, frame % 20 < 10 ? -1 : 1),
  point(frame) {
    const over = document.querySelector('.u-over');
    const { left, top, width } = over.getBoundingClientRect();
    over.dispatchEvent(new MouseEvent('mousemove', { clientX: left + (frame * 13) % width, clientY: top + 40, bubbles: true }));
  },
  scroll(frame) {
    const list = document.querySelector('[data-testid="stream-rows"]');
    list.scrollTop = (frame * 400) % list.scrollHeight;
  },
};`;

async function open(path: string): Promise<void> {
  await page.goto(`${origin}/#${path}`);
  await page.reload();
  await page.evaluate(steps);
}

/** The address of a plot of all channels over a span that stands still. */
function plotPath(): string {
  const toMs = Date.now();
  const chosen = channels.map(({ sourceId, channel }) => JSON.stringify([sourceId, channel]));
  const state = { chosen, view: { fromMs: toMs - SPAN_MS, toMs }, scale: 'auto' };
  return `/plots/${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
}

/** Processor time of the page's main thread so far, milliseconds: what a frame costs however busy the machine is. */
async function busyMs(): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
}

/**
 * Watch frames.
 *
 * @returns the figures as text.
 */
async function tellFrames(act: string): Promise<string> {
  const before = await busyMs();
  const frames = await watchFrames(page, act);
  const busy = ((await busyMs()) - before) / frames.length;
  const perSecond = (1000 * frames.length) / frames.reduce((sum, ms) => sum + ms, 0);
  return `${perSecond.toFixed(0)} frames/s, ${figures(frames, 'ms')}; processor time of the page ${busy.toFixed(1)} ms a frame`;
}

async function measurePlot(): Promise<void> {
  await open(plotPath());
  await page.locator('canvas').first().waitFor();
  await page.waitForTimeout(3_000);
  for (const [act, words] of [
    ['move', 'moved'],
    ['zoom', 'zoomed'],
    ['point', 'under the cursor'],
  ] as const) {
    console.log(`plot of ${CHANNELS} x ${POINTS}, ${words}: ${await tellFrames(act)}`);
  }
}

async function measureList(): Promise<void> {
  await open('/streams');
  await page.getByTestId('stream-rows').getByRole('link').first().waitFor();
  await page.waitForTimeout(1_000);
  console.log(`list of ${STREAMS} streams, scrolled: ${await tellFrames('scroll')}`);
}

/** The snapshot says when it was sent; the page says when that stood on the screen. */
async function measureSnapshots(): Promise<void> {
  await open('/');
  await page.getByTestId('sentence').waitFor();
  const measuring = page.evaluate(
    (count) =>
      new Promise<number[]>((resolve) => {
        const delays: number[] = [];
        let last = '';
        const look = () => {
          const [sent = ''] = document.querySelector('[data-testid="sentence"]')?.textContent?.match(/\d{13}/) ?? [];
          // What stands in the page in one frame is on the screen in the next.
          if (sent !== '' && sent !== last) requestAnimationFrame(() => delays.push(Date.now() - Number(sent)));
          last = sent;
          if (delays.length >= count) resolve(delays);
          else requestAnimationFrame(look);
        };
        look();
      }),
    SNAPSHOTS,
  );
  const sending = setInterval(
    () => agent.show((atMs) => runningSnapshot(atMs, { sentence: said('ok', `Sent at ${Date.now()}.`) })),
    253,
  );
  console.log(`from a snapshot to its pixels: ${figures(await measuring, 'ms')}`);
  clearInterval(sending);
  agent.show(runningSnapshot);
}

async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
}

/** Live data on the page Now: four snapshots a second, plots read again every second. */
async function measureMemory(): Promise<void> {
  await open('/');
  await page.locator('canvas').first().waitFor();
  await page.waitForTimeout(20_000);
  const firstBytes = await heapBytes(cdp);
  const sizes = [firstBytes];
  const endMs = Date.now() + minutes * 60_000;
  while (Date.now() < endMs) {
    await page.waitForTimeout(Math.min(30_000, Math.max(1_000, endMs - Date.now())));
    sizes.push(await heapBytes(cdp));
  }
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(
    `memory of the page (after collecting garbage) over ${minutes} min of live data: ${megabytes(firstBytes)} at first, ` +
      `${megabytes(sizes.at(-1) ?? 0)} at the end, ${megabytes(Math.max(...sizes))} at most`,
  );
}

await measurePlot();
await measureList();
await measureSnapshots();
await measureMemory();
console.log(`load average ${loadavg()[1]?.toFixed(0)}`);
await browser.close();
await web.stop();
agent.stop();
process.exit(0);
