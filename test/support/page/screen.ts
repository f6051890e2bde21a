// The screen of an agent in the browser that all test files share. Everything here ends with its test.
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';
import { startWebScreen, type WebScreen, type WebScreenOptions } from '../../../src-main/web/web-screen.ts';
import { goToHash, makePage, type Opened, openOn, VIEWPORT } from './browser.ts';
import { makePageAgent, type PageAgent } from './page-agent.ts';

const rendererFolder = join(import.meta.dirname, '../../../dist/renderer');

let connecting: Promise<Browser> | null = null;
/**
 * The page that the tests of this process use one after the other, those of every file; null before the first, and behind one
 * that failed.
 */
let shared: Page | null = null;
let isInUse = false;

/** The browser of this run (`one-browser.ts`); it ends this connection, and all that was opened over it, with the process. */
function connect(): Promise<Browser> {
  const browser = inject('browser');
  if ('fault' in browser) throw new Error(browser.fault);
  connecting ??= chromium.connect(browser.address);
  return connecting;
}

export interface PageOptions {
  /** Size of the window; absent: the usual one. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Where the browser says that it stands; absent: where this machine does. */
  readonly timeZone?: string;
  /** In a context of its own: for a test that changes what the page cannot leave again, such as its clock. */
  readonly isAlone?: boolean;
}

/**
 * Open a link in the page of this process, or beside it where a test has opened that one already.
 *
 * A fresh context starts a process that compiles the page again, which takes four times the processor time. Each test brings
 * an agent at a port of its own, so nothing that a browser keeps for an address goes from one test to the next.
 */
export async function openLink(link: string, options: PageOptions = {}): Promise<Opened> {
  if (options.isAlone || isInUse) {
    const page = await makePage(await connect());
    onTestFinished(() => page.context().close());
    await arrange(page, options);
    return openOn(page, link);
  }
  shared ??= await makePage(await connect());
  isInUse = true;
  const page = shared;
  onTestFinished(async ({ task }) => {
    isInUse = false;
    if (task.result?.state !== 'fail' && (await leave(page))) return;
    shared = null;
    await page.context().close();
  });
  await arrange(page, options);
  return openOn(page, link);
}

/** Give a page its size and its time zone, which it loses with the test. */
async function arrange(page: Page, { viewport = VIEWPORT, timeZone }: PageOptions): Promise<void> {
  const { width, height } = page.viewportSize() ?? VIEWPORT;
  // A test may have changed it by itself.
  if (viewport.width !== width || viewport.height !== height) await page.setViewportSize(viewport);
  if (timeZone === undefined) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setTimezoneOverride', { timezoneId: timeZone });
  onTestFinished(() => session.detach().catch(() => undefined));
}

/**
 * Leave an agent's page for one without a script, before that agent ends; its process stays.
 *
 * @returns false when the agent has ended already. The browser's own page of such a fault comes when it likes, also in the
 *   place of what is opened next: nobody uses this page any more.
 */
async function leave(page: Page): Promise<boolean> {
  page.removeAllListeners('pageerror').removeAllListeners('console');
  const left = URL.parse('/left', page.url())?.href;
  if (left === undefined) return false;
  if (page.url() === left) return true;
  // Another agent may be given its port one day.
  await page.evaluate(() => localStorage.clear()).catch(() => undefined);
  return page.goto(left).then(
    () => true,
    () => false,
  );
}

/** Serve the screen of an agent without opening it. */
export async function serveScreen(
  agent: Pick<WebScreenOptions, 'handlers' | 'subscribe' | 'openFile'>,
  port = 0,
): Promise<WebScreen> {
  const { handlers, subscribe, openFile = () => null } = agent;
  const web = await startWebScreen({ handlers, subscribe, openFile, rendererFolder, port, announce: () => undefined });
  onTestFinished(() => web.stop());
  return web;
}

export interface Screen extends Opened {
  readonly web: WebScreen;
  /** Go to a page by what stands behind the #. */
  readonly go: (path: string) => Promise<void>;
  /** Close the page and its server before the test ends. */
  readonly close: () => Promise<void>;
}

/**
 * Open the screen of an agent.
 *
 * @param agent - the agent's handlers and feeds.
 * @param options - how the page is opened.
 */
export async function openScreen(
  agent: Pick<WebScreenOptions, 'handlers' | 'subscribe' | 'openFile'>,
  options: PageOptions = {},
): Promise<Screen> {
  const web = await serveScreen(agent);
  const opened = await openLink(web.mintLink(), options);
  const close = async () => {
    await leave(opened.page);
    if (opened.page === shared) isInUse = false;
    await web.stop();
  };
  return { ...opened, web, go: (path) => goToHash(opened.page, path), close };
}

/** Open the screen of a small agent whose pictures the test sets; `arrange` sees it before the page does. */
export async function openPageAgent(
  options: PageOptions = {},
  prepare: (agent: PageAgent) => void = () => undefined,
): Promise<Screen & { readonly agent: PageAgent }> {
  const agent = makePageAgent();
  onTestFinished(() => agent.stop());
  prepare(agent);
  return { agent, ...(await openScreen(agent, options)) };
}
