// What the page Now costs with 50 sources and 200 channels, four snapshots a second, in a real Chromium: `npm run bench --
// screen-crowd`, after `npm run build`. Processor time of the page's main thread a second, of which script and styles, and the
// time between frames; medians of three rounds. EPISTREAM_BEFORE names the `dist/renderer` of another build, measured in turn.
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { startWebScreen } from '../../src-main/web/web-screen.ts';
import { launchBrowser, openPage } from '../support/page/browser.ts';
import { makePageAgent } from '../support/page/page-agent.ts';
import { runningGrowth, runningSnapshot, sourceView } from '../support/page/page-snapshot.ts';

const SOURCES = 50;
const NAMES = ['temperature', 'setpoint', 'output power', 'rate'];
const SNAPSHOT_MS = 250;
const SETTLE_MS = 5_000;
const WATCH_MS = 10_000;
const ROUNDS = 3;

const names = Array.from({ length: SOURCES }, (_, at) => `effusion-cell-controller-${at}`);
const agent = makePageAgent();
Object.assign(agent.handlers.plot, {
  listChannels: async () => names.flatMap((sourceId) => NAMES.map((channel) => ({ sourceId, channel, unit: '°C' }))),
});
const show = () =>
  agent.show((atMs) => {
    const sources = names.map((id) => sourceView(atMs, { id, kind: 'serial', lastCaptureMs: atMs }));
    return runningSnapshot(atMs, { sources, growth: runningGrowth(atMs) });
  });

interface Round {
  readonly busyMs: number;
  readonly scriptMs: number;
  readonly styleMs: number;
  readonly framesMs: readonly number[];
}

/** Open the page of a build and watch it. Times of the main thread are milliseconds a second. */
async function watch(rendererFolder: string): Promise<Round> {
  const { handlers, subscribe } = agent;
  const web = await startWebScreen({ handlers, subscribe, rendererFolder, port: 0, announce: () => undefined });
  const browser = await launchBrowser();
  const { page } = await openPage(browser, web.mintLink());
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByTestId('sentence').waitFor();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return (name: string) => 1000 * (metrics.find((one) => one.name === name)?.value ?? 0);
  };
  await page.waitForTimeout(SETTLE_MS);
  const before = await read();
  const framesMs = await page.evaluate(
    (forMs) =>
      new Promise<number[]>((resolve) => {
        const frames: number[] = [];
        const startMs = performance.now();
        let lastMs = startMs;
        const frame = (nowMs: number) => {
          frames.push(nowMs - lastMs);
          lastMs = nowMs;
          if (nowMs - startMs > forMs) resolve(frames);
          else requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    WATCH_MS,
  );
  const after = await read();
  const aSecond = (name: string) => ((after(name) - before(name)) * 1000) / WATCH_MS;
  await browser.close();
  await web.stop();
  return {
    busyMs: aSecond('TaskDuration'),
    scriptMs: aSecond('ScriptDuration'),
    styleMs: aSecond('RecalcStyleDuration') + aSecond('LayoutDuration'),
    framesMs,
  };
}

const at = (values: readonly number[], part: number) =>
  (values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))] ?? 0).toFixed(1);

const { EPISTREAM_BEFORE: before } = process.env;
const builds = new Map([
  ...(before === undefined ? [] : [['before', before] as const]),
  ['this build', join(import.meta.dirname, '../../dist/renderer')] as const,
]);
const rounds = new Map([...builds.keys()].map((name) => [name, [] as Round[]]));
const sending = setInterval(show, SNAPSHOT_MS);
show();
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, folder] of builds) rounds.get(name)?.push(await watch(folder));
}
clearInterval(sending);
for (const [name, of] of rounds) {
  const median = (pick: (round: Round) => number) => at(of.map(pick), 0.5);
  const frames = of.flatMap(({ framesMs }) => framesMs);
  console.log(
    `${name}: main thread ${median(({ busyMs }) => busyMs)} ms a second (script ${median(({ scriptMs }) => scriptMs)}, styles ` +
      `${median(({ styleMs }) => styleMs)}); between frames ${at(frames, 0.5)} ms, p95 ${at(frames, 0.95)}, longest ${at(frames, 1)}`,
  );
}
console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
agent.stop();
process.exit(0);
