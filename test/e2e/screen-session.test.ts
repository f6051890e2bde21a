// What another program of this PC gets out of a browser in which the screen is open: it listens on a port of its own, the
// browser visits it, and it tries everything that it was handed, and everything that its page can do.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket as ProgramSocket } from 'ws';
import { openAgentScreen } from '../support/page/agent-screen.ts';

interface OtherProgram {
  readonly url: string;
  /** Every request that reached it. */
  readonly requests: IncomingMessage[];
}

/** A program on another port; its answer is a page of its own, or what a service says of an empty catalogue. */
async function startOtherProgram(): Promise<OtherProgram> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const isCatalogue = request.url?.startsWith('/data_entries/');
    response.setHeader('content-type', isCatalogue ? 'application/json' : 'text/html');
    response.end(isCatalogue ? '[]' : '<!doctype html><title>Another program</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Another tab of the same browser, closed with the test. */
async function newTab(context: BrowserContext): Promise<Page> {
  const tab = await context.newPage();
  onTestFinished(() => tab.close());
  return tab;
}

/**
 * Open the socket as a program may, which writes any header.
 *
 * @returns `open`, or why not.
 */
function tryWithout(browserHeaders: Record<string, string>, screen: string, protocols: string[] = []): Promise<string> {
  return new Promise((resolve) => {
    const headers = { ...browserHeaders, host: new URL(screen).host, origin: new URL(screen).origin };
    const socket = new ProgramSocket(`${screen.replace('http', 'ws')}/socket`, protocols, { headers });
    onTestFinished(() => socket.terminate());
    socket.once('open', () => resolve('open'));
    socket.once('error', ({ message }) => resolve(message));
  });
}

/** What the other program's own page gets by asking the screen from within the browser. */
function askFromOtherPage(page: Page, screen: string): Promise<string[]> {
  return page.evaluate(async (address) => {
    const opened = (protocols: string[]) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`${address.replace('http', 'ws')}/socket`, protocols);
        socket.onopen = () => resolve('socket opened');
        socket.onerror = () => resolve('refused');
      });
    const read = async (path: string, options: RequestInit) => {
      try {
        return `read ${await (await fetch(address + path, options)).text()}`;
      } catch {
        return 'refused';
      }
    };
    const storage = async () => {
      const frame = document.createElement('iframe');
      const isThere = new Promise((resolve) => frame.addEventListener('load', resolve));
      frame.src = address;
      document.body.append(frame);
      await isThere;
      try {
        return `storage ${frame.contentWindow?.localStorage.length}`;
      } catch {
        return 'refused';
      }
    };
    return [
      await opened([]),
      await opened(['epistream']),
      await read('/session', { credentials: 'include' }),
      await read('/session', { credentials: 'include', method: 'POST', headers: { authorization: 'Bearer x' } }),
      await storage(),
    ];
  }, screen);
}

test('hands nothing to a server on another port of this PC that opens the socket', async () => {
  const other = await startOtherProgram();
  const { page } = await openAgentScreen({ sources: null });
  await page.getByRole('button', { name: 'Try it' }).waitFor();
  const screen = new URL(page.url()).origin;

  const visit = await newTab(page.context());
  await visit.goto(other.url);
  const tried = await askFromOtherPage(visit, screen);
  // The screen's own page leads there, too: a link of the service, a picture.
  const opened = page.context().waitForEvent('page');
  await page.evaluate((url) => window.open(url)?.focus(), `${other.url}/from-the-screen`);
  await expect.poll(() => other.requests.map(({ url }) => url)).toContain('/from-the-screen');
  await (await opened).close();

  const handed = other.requests.map(({ headers }) => headers);
  expect(handed.length).toBeGreaterThan(1);
  const cookies = handed.flatMap(({ cookie }) => (cookie === undefined ? [] : [cookie]));
  for (const cookie of [...cookies, '']) expect(await tryWithout({ cookie }, screen)).toContain('401');
  expect(tried).toEqual(tried.map(() => 'refused'));
  expect(await page.context().cookies()).toEqual([]);
});

test('goes on after a reload and in another tab, and leaves no way in for a link that was used', async () => {
  const { page } = await openAgentScreen({ sources: null });
  const tryIt = page.getByRole('button', { name: 'Try it' });
  await tryIt.waitFor();
  expect(page.url()).not.toContain('enter');
  await page.reload();
  await tryIt.waitFor();
  const beside = await newTab(page.context());
  await beside.goto(new URL(page.url()).origin);
  await beside.getByRole('button', { name: 'Try it' }).waitFor();

  // Another browser that got hold of the address, or of a link that was used, sees no more than the program itself.
  const stranger = await page.context().browser()?.newContext();
  if (!stranger) throw new Error('the page has no browser');
  onTestFinished(() => stranger.close());
  const strange = await stranger.newPage();
  await strange.goto(new URL('/enter#used-up', page.url()).href);
  await expect.poll(() => strange.getByTestId('sentence').innerText()).toContain('needs a fresh link');
});

test('sends the kept key to no other address, whatever is typed', async () => {
  const kept = await startOtherProgram();
  const other = await startOtherProgram();
  const { page, go } = await openAgentScreen({ sources: ' []', service: kept.url, key: 'the-kept-key' });
  await go('/settings');
  const address = page.getByLabel('Address', { exact: true });
  const test = page.getByRole('button', { name: 'Test the connection' });
  await test.click();
  await expect.poll(() => page.getByTestId('connection').innerText()).toContain('It works');
  expect(kept.requests.map(({ headers }) => headers['x-api-key'])).toContain('the-kept-key');

  await address.fill(other.url);
  await test.click();
  await expect.poll(() => page.getByTestId('connection').innerText()).toContain('Type in the key');
  await page.getByRole('button', { name: 'Save without testing' }).click();
  await expect
    .poll(() => page.getByRole('alert').allInnerTexts())
    .toContainEqual(expect.stringContaining('Type in the key'));
  expect(other.requests).toEqual([]);
});
