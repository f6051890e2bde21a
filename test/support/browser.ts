// The system's own Chromium (or Edge), driven by playwright-core: nothing is downloaded.
import { existsSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const candidates = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  'C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Start the browser of this machine. **Errors**: says so when there is none. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = candidates.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error('No Chromium, Chrome or Edge found; install one or set CHROMIUM_PATH.');
  // Chromium does not sandbox itself for root, as which containers run.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

/** How long a busy machine may take to show something; no test is about time. */
const SHOW_MAX_MS = 60_000;

export interface Opened {
  readonly page: Page;
  /** Errors and warnings of the console, faults of scripts and breaches of the content security policy so far. */
  readonly problems: string[];
}

/** Open an address in a context of its own and write down everything that goes wrong there. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Opened> {
  // Without motion, so that nothing is examined half faded in.
  const context = await browser.newContext({
    viewport: { width: 1360, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(SHOW_MAX_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  await page.goto(url);
  return { page, problems };
}

/**
 * Go to a page by what stands behind the #.
 *
 * When this is fulfilled the former page is gone: what is found from then on belongs to the new one.
 */
export function goToHash(page: Page, path: string): Promise<void> {
  return page.evaluate(
    (hash) =>
      new Promise<void>((resolve) => {
        if (location.hash === `#${hash}`) return resolve();
        // The router listens since the page was loaded, so it has heard before this does; what it draws then is drawn
        // before the next task.
        window.addEventListener('hashchange', () => setTimeout(resolve), { once: true });
        location.hash = hash;
      }),
    path,
  );
}

/** Fulfilled when what fades or moves on a page has got where it goes; what turns for ever is not waited for. */
function settle(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** Examine a page by the rules of WCAG 2.1 A and AA. **Gives**: a line for each violation, empty when there is none. */
export async function findAccessFaults(page: Page): Promise<string[]> {
  // A text is examined in its own colour, not in one on the way there, as in the fifth of a second after a switch of themes.
  await settle(page);
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'])
    .analyze();
  return violations.map(({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(({ target }) => target).join(' | ')}`);
}
