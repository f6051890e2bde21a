// The system's own Chromium (or Edge), driven by playwright-core: nothing is downloaded.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type LaunchOptions, type Page } from 'playwright-core';

const candidates = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  'C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const findBrowser = () => candidates.find((path) => path && existsSync(path));

/** What keeps tests of the page from running here; null when nothing does. */
export function findBrowserObstacle(): string | null {
  return findBrowser() === undefined ? 'needs Chromium, Chrome or Edge (or CHROMIUM_PATH)' : null;
}

/**
 * How the browser of this machine is started.
 *
 * @throws says so when there is none.
 */
export function browserOptions(): LaunchOptions {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('No Chromium, Chrome or Edge found; install one or set CHROMIUM_PATH.');
  // Chromium does not sandbox itself for root, as which containers run.
  return { executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] };
}

/**
 * Start a browser of one's own; tests share one (`screen.ts`).
 *
 * @throws those of `browserOptions`.
 */
export const launchBrowser = (): Promise<Browser> => chromium.launch(browserOptions());

/** How long a busy machine may take to show something; no test is about time. */
const SHOW_MAX_MS = 60_000;

export interface Opened {
  readonly page: Page;
  /** Errors and warnings of the console, faults of scripts and breaches of the content security policy so far. */
  readonly problems: string[];
}

/** Size of a page whose test asks for no other. */
export const VIEWPORT = { width: 1360, height: 900 };

/** Make a page in a context of its own. */
export async function makePage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  // Without motion, so that nothing is examined half faded in.
  const context = await browser.newContext({
    viewport: VIEWPORT,
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(SHOW_MAX_MS);
  const page = await context.newPage();
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  return page;
}

/**
 * Open an address and write down everything that goes wrong there, and where the page goes from there.
 *
 * What the browser could not load for the agent before, at another port, may be told late: that is no problem of this one.
 */
export async function openOn(page: Page, url: string): Promise<Opened> {
  const problems: string[] = [];
  const [former, here] = [page.url(), url].map((address) => URL.parse(address)?.origin);
  page.removeAllListeners('pageerror').removeAllListeners('console');
  page.on('pageerror', (error) => problems.push(`script: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (former !== here && URL.parse(message.location().url)?.origin === former) return;
    if (['error', 'warning'].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  await page.goto(url);
  return { page, problems };
}

/** Open an address in a context of its own and write down everything that goes wrong there. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Opened> {
  return openOn(await makePage(browser, options), url);
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

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];
/** What a theme decides: it sets colours and nothing else. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];
const THEMES = ['light', 'dark', 'dark-room'] as const;

let axeSource = '';
const readAxe = () => {
  axeSource ||= readFileSync(join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js'), 'utf8');
  return axeSource;
};

/** Run axe in the page, where it stays until the page is reloaded. */
async function examine(page: Page, runOnly: axe.RunOnly): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(readAxe());
  const violations = await page.evaluate(async (only) => {
    const { run } = (window as unknown as { axe: typeof axe }).axe;
    // Style sheets and media are read ahead for rules about sound and film, which no page has.
    return (await run(document, { runOnly: only, resultTypes: ['violations'], preload: false })).violations;
  }, runOnly);
  return violations.map(({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(({ target }) => target).join(' | ')}`);
}

/**
 * Examine a page by the rules of WCAG 2.1 A and AA.
 *
 * @returns a line for each violation, empty when there is none.
 */
export function findAccessFaults(page: Page): Promise<string[]> {
  return examine(page, { type: 'tag', values: RULES });
}

/**
 * Examine a page as `findAccessFaults` does, in all three themes.
 *
 * Rules that no theme bears on are tried in the first one alone.
 *
 * @returns a line for each violation, with its theme.
 */
export async function findAccessFaultsOfThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  const former = await page.evaluate(() => ({ ...document.documentElement.dataset }));
  for (const theme of THEMES) {
    // As the switch of themes leaves it: the choice, and the scheme under it.
    const mantineColorScheme = theme === 'light' ? 'light' : 'dark';
    await page.evaluate((chosen) => Object.assign(document.documentElement.dataset, chosen), {
      ...{ theme, mantineColorScheme },
    });
    const faults =
      theme === 'light' ? findAccessFaults(page) : examine(page, { type: 'rule', values: RULES_OF_COLOUR });
    found.push(...(await faults).map((fault) => `${theme}: ${fault}`));
  }
  await page.evaluate((before) => Object.assign(document.documentElement.dataset, before), former);
  return found;
}
