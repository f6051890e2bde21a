// Figures of the list of entries: `npm run bench -- catalogue-list`. A real browser scrolls through 10,000 entries of the
// embedded service, over the real agent. Nothing is asserted: figures depend on the machine. Needs `npm run build` before.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent } from '../../src-main/agent/agent.ts';
import { environmentKeyStore } from '../../src-main/platform/secrets.ts';
import { startWebScreen } from '../../src-main/web/web-screen.ts';
import { launchBrowser, openPage } from '../support/page/browser.ts';
import { fillService } from './parts/local-service-fill.ts';

const ENTRIES = 10_000;
/** How far a frame scrolls, pixels: 10,000 rows in about half a minute at 60 frames a second. */
const STEP_PX = 400;

const folder = mkdtempSync(join(tmpdir(), 'epistream-bench-list-'));
mkdirSync(join(folder, 'data/service'), { recursive: true });
await fillService(join(folder, 'data/service'), ENTRIES, 10_000);
const settingsFile = join(folder, 'epistream.yaml');
writeFileSync(
  settingsFile,
  'version: 1\nservice: { url: embedded }\ntool: { name: bench, time_zone: UTC }\nsources: [{ id: growth, kind: simulator }]\n',
);
const agent = createAgent({
  ...{ dataFolder: join(folder, 'data'), settingsFile, version: 'bench', keys: environmentKeyStore() },
});
const { handlers, subscribe } = agent;
const rendererFolder = join(import.meta.dirname, '../../dist/renderer');
const web = await startWebScreen({ handlers, subscribe, rendererFolder, port: 0 });
await agent.start();
const browser = await launchBrowser();
try {
  const { page } = await openPage(browser, web.mintLink());
  const startMs = performance.now();
  await page.evaluate(() => {
    window.location.hash = '/catalogue';
  });
  await page.getByTestId('entry').first().waitFor();
  const firstMs = performance.now() - startMs;
  const { frames, rows } = await page.evaluate(async (stepPx) => {
    const list = document.querySelector('section[aria-label="List of entries"]') as HTMLElement;
    const frames: number[] = [];
    let rows = 0;
    let lastMs = performance.now();
    const isAtEnd = () => list.scrollTop + list.clientHeight >= list.scrollHeight - 1;
    // The text of the page is looked at only at the end: it would cost more than the frames that are measured.
    while (!isAtEnd() || !document.body.innerText.includes('10,000 entries')) {
      list.scrollBy(0, stepPx);
      const nowMs = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      frames.push(nowMs - lastMs);
      lastMs = nowMs;
      if (frames.length % 20 === 0) rows = Math.max(rows, document.querySelectorAll('[data-testid="entry"]').length);
    }
    return { frames: frames.slice(1), rows };
  }, STEP_PX);
  const sorted = frames.toSorted((a, b) => a - b);
  const part = (of: number) => (sorted[Math.floor(of * (sorted.length - 1))] ?? 0).toFixed(1);
  console.log(`| 10,000 entries, ${STEP_PX} px a frame, ${frames.length} frames | |\n|---|---|`);
  console.log(`| first rows after | ${firstMs.toFixed(0)} ms |`);
  console.log(`| time of a frame, median | ${part(0.5)} ms |`);
  console.log(`| time of a frame, 95 of 100 | ${part(0.95)} ms |`);
  console.log(`| time of a frame, longest | ${part(1)} ms |`);
  console.log(`| rows on the page, at most | ${rows} |`);
} finally {
  await browser.close();
  await web.stop();
  await agent.stop();
  rmSync(folder, { recursive: true, force: true });
}
