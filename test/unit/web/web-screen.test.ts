import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { openSessionBook } from '../../../src-main/commands/shared/session-book.ts';
import { protocolsOf } from '../../../src-main/contract/screen-session.ts';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { startWebScreen, type WebScreenOptions } from '../../../src-main/web/web-screen.ts';
import { makePageAgent, type PageAgent } from '../../support/page/page-agent.ts';
import { runningSnapshot } from '../../support/page/page-snapshot.ts';
import { expectMode } from '../../support/posix.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function makeRenderer(): string {
  const folder = tempFolder('renderer');
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<meta name="style-nonce" content="__NONCE__"><p>page</p>');
  writeFileSync(join(folder, 'assets/index-1.js'), 'export {};');
  writeFileSync(join(folder, 'secret.key'), 'not part of the page');
  return folder;
}

async function startScreen(options: Partial<WebScreenOptions> = {}) {
  const agent = makePageAgent();
  const announced: string[] = [];
  const screen = await startWebScreen({
    handlers: agent.handlers,
    subscribe: agent.subscribe,
    rendererFolder: makeRenderer(),
    port: 0,
    announce: (text) => announced.push(text),
    ...options,
  });
  onTestFinished(async () => {
    await screen.stop();
    agent.stop();
  });
  /** The secret of a session, as the page gets it. */
  const enter = async (): Promise<string> => (await (await exchange(screen, screen.mintLink())).json()).secret;
  return { screen, agent: agent as PageAgent, announced, enter };
}

/** Do what the page does with the token of a link. */
const exchange = (screen: { url: string }, link: string) =>
  fetch(`${screen.url}/session`, {
    method: 'POST',
    headers: { ...bearer(new URL(link).hash.slice(1)), origin: screen.url },
  });

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

/** Send bytes as they are, so that no client tidies the path or the headers, and read the answer's first line. */
function sendRaw(port: number, head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(head));
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('close', () => resolve(text.split('\r\n')[0] ?? ''));
    socket.on('error', reject);
  });
}

function openSocket(url: string, { secret, ...headers }: Record<string, string>): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const protocols = secret === undefined ? [] : protocolsOf(secret);
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket`, protocols, { headers });
    onTestFinished(() => socket.terminate());
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
  });
}

const nextFrame = (socket: WebSocket, wanted: (frame: Record<string, unknown>) => boolean) =>
  new Promise<Record<string, unknown>>((resolve) => {
    const listen = (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Record<string, unknown>;
      if (!wanted(frame)) return;
      socket.off('message', listen);
      resolve(frame);
    };
    socket.on('message', listen);
  });

test('exchanges the token of a link once, for a secret that no browser sends by itself, and keeps both out of addresses', async () => {
  const { screen, announced } = await startScreen();
  const link = screen.mintLink();
  expect(new URL(link).search).toBe('');
  const page = await fetch(link);
  expect(page.status).toBe(200);
  expect(page.headers.get('set-cookie')).toBeNull();
  expect(await page.text()).toContain('<p>page</p>');

  const first = await exchange(screen, link);
  expect(first.headers.get('set-cookie')).toBeNull();
  expect(first.headers.get('cache-control')).toBe('no-store');
  const { secret } = await first.json();
  expect((await fetch(`${screen.url}/session`, { headers: bearer(secret) })).status).toBe(200);
  expect(announced).toEqual([]);

  expect((await exchange(screen, link)).status).toBe(401);
  expect(announced).toHaveLength(1);
  const fresh = announced[0]?.match(/http\S+/)?.[0] ?? '';
  expect((await exchange(screen, fresh)).status).toBe(200);
});

test('prints at most one fresh link in ten seconds, however many requests come', async () => {
  let nowMs = 0;
  const { screen, announced } = await startScreen({ clock: { monotonicMs: () => nowMs } });
  for (let guess = 0; guess < 20; guess += 1) await exchange(screen, `${screen.url}/enter#guess${guess}`);
  expect(announced).toHaveLength(1);
  nowMs = 10_001;
  await exchange(screen, `${screen.url}/enter`);
  expect(announced).toHaveLength(2);
  await fetch(`${screen.url}/session`, { headers: bearer('guess') });
  await fetch(screen.url);
  expect(announced).toHaveLength(2);
});

test('does not use a link up for a browser that opens it ahead of the click', async () => {
  const { screen } = await startScreen();
  const link = screen.mintLink();
  expect((await fetch(link, { headers: { 'sec-purpose': 'prefetch;prerender' } })).status).toBe(503);
  expect((await fetch(link, { method: 'HEAD' })).status).toBe(405);
  expect((await exchange(screen, link)).status).toBe(200);
});

test('refuses requests without the secret of a session: no cookie, no token, no secret of another agent', async () => {
  const { screen, enter } = await startScreen();
  const { enter: enterOther } = await startScreen();
  const secret = await enter();
  const ask = async (headers: Record<string, string>) => (await fetch(`${screen.url}/session`, { headers })).status;
  expect(await ask(bearer(secret))).toBe(200);
  expect(await ask({})).toBe(401);
  expect(await ask({ cookie: `epistream-${screen.port}=${secret}; epistream.session=${secret}` })).toBe(401);
  expect(await ask(bearer(new URL(screen.mintLink()).hash.slice(1)))).toBe(401);
  expect(await ask(bearer(await enterOther()))).toBe(401);
});

test('a session outlives the agent to look, not to act; the book has digests alone, of the newest 32', async () => {
  const data = tempFolder('book');
  const first = await startScreen({ book: openSessionBook(data) });
  const secret = await first.enter();
  for (let link = 0; link < 31; link++) await first.enter();
  const file = join(data, 'screen-sessions.json');
  await expect.poll(() => JSON.parse(readFileSync(file, 'utf8')).length).toBe(32);
  expect(readFileSync(file, 'utf8')).not.toContain(secret);
  expectMode(file, 0o600);
  await first.screen.stop();

  const { screen, agent } = await startScreen({ book: openSessionBook(data) });
  expect(await (await fetch(`${screen.url}/session`, { headers: bearer(secret) })).json()).toEqual({ mayAct: false });
  const socket = await openSocket(screen.url, { secret, origin: screen.url });
  const ask = async (name: string, argument: unknown) => {
    const answered = nextFrame(socket, ({ id }) => id === 7);
    socket.send(JSON.stringify({ id: 7, name, argument }));
    return (await answered).answer as { ok: boolean; error?: { code: string } };
  };
  agent.show(runningSnapshot);
  expect((await ask('snapshot.read', null)).ok).toBe(true);
  expect((await ask('service.pause', null)).error?.code).toBe('session.looks');
  expect((await ask('catalogue.list', {})).error?.code).toBe('session.looks');
});

test('a book that is no list of digests opens no session', async () => {
  const data = tempFolder('book');
  for (const text of ['', '{}', '["x"]', '[1]']) {
    writeFileSync(join(data, 'screen-sessions.json'), text);
    expect(openSessionBook(data).read()).toEqual([]);
  }
});

test('serves the files of the page and no other, whatever the path looks like', async () => {
  const { screen } = await startScreen();
  const get = (path: string) =>
    sendRaw(screen.port, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${screen.port}\r\nConnection: close\r\n\r\n`);
  expect(await get('/assets/index-1.js')).toContain('200');
  const paths = [
    '/secret.key',
    '/../../etc/passwd',
    '/assets/../secret.key',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%5c..%5cx',
    '/assets',
    '//etc/passwd',
    '/%00',
    '/%zz',
    'http://[',
    '/__proto__',
  ];
  for (const path of paths) expect(await get(path), path).toMatch(/ 40[04] /);
});

test('sends a strict policy and the other safe headers with every answer, each page with a nonce of its own', async () => {
  const { screen } = await startScreen();
  const nonces = new Set<string>();
  for (let visit = 0; visit < 2; visit += 1) {
    const { headers, ...answer } = await fetch(screen.url).then(async (response) => ({
      headers: response.headers,
      text: await response.text(),
    }));
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
    const nonce = policy.match(/'nonce-([\w-]+)'/)?.[1] ?? 'none';
    expect(answer.text).toContain(`content="${nonce}"`);
    nonces.add(nonce);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
  }
  expect(nonces.size).toBe(2);
  const refused = await fetch(screen.url, { method: 'PUT' });
  expect(refused.status).toBe(405);
  expect(refused.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('answers no request with a foreign Host, a foreign Origin or from another local port, even with a session', async () => {
  const { screen, enter } = await startScreen();
  const secret = await enter();
  const ask = (...lines: string[]) =>
    sendRaw(
      screen.port,
      `GET / HTTP/1.1\r\n${lines.join('\r\n')}\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`,
    );
  const host = `Host: 127.0.0.1:${screen.port}`;
  expect(await ask(host)).toContain(' 200 ');
  expect(await ask(`Host: localhost:${screen.port}`)).toContain(' 200 ');
  expect(await ask(host, `Origin: http://127.0.0.1:${screen.port}`)).toContain(' 200 ');
  expect(await ask('Host: evil.example')).toContain(' 403 ');
  expect(await ask(`Host: evil.example:${screen.port}`)).toContain(' 403 ');
  expect(await ask('Host: 127.0.0.1:1')).toContain(' 403 ');
  expect(await ask(host, 'Origin: https://evil.example')).toContain(' 403 ');
  expect(await ask(host, 'Origin: null')).toContain(' 403 ');
  expect(await ask(host, `Origin: http://127.0.0.1:${screen.port + 1}`)).toContain(' 403 ');
  expect(await ask(host, 'Sec-Fetch-Site: same-site', 'Sec-Fetch-Mode: no-cors')).toContain(' 403 ');
  expect(await ask(host, 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: cors')).toContain(' 403 ');
  const post = await fetch(screen.url, {
    method: 'POST',
    headers: { ...bearer(secret), 'content-type': 'text/plain' },
    body: '{}',
  });
  expect(post.status).toBe(405);
});

test('exchanges a token for its own page alone', async () => {
  const { screen } = await startScreen();
  const token = new URL(screen.mintLink()).hash.slice(1);
  const post = async (headers: Record<string, string>) =>
    (await fetch(`${screen.url}/session`, { method: 'POST', headers: { ...bearer(token), ...headers } })).status;
  expect(await post({})).toBe(403);
  expect(await post({ origin: 'null' })).toBe(403);
  expect(await post({ origin: `http://127.0.0.1:${screen.port + 1}` })).toBe(403);
  expect(await post({ origin: screen.url })).toBe(200);
});

test('opens a socket only for its own page with a session', async () => {
  const { screen, enter } = await startScreen();
  const secret = await enter();
  const origin = screen.url;
  const socket = await openSocket(screen.url, { secret, origin });
  expect(socket.protocol).toBe('epistream');
  await expect(openSocket(screen.url, { origin })).rejects.toThrow('401');
  await expect(openSocket(screen.url, { origin, cookie: `epistream-${screen.port}=${secret}` })).rejects.toThrow('401');
  await expect(openSocket(screen.url, { origin, authorization: `Bearer ${secret}` })).rejects.toThrow('401');
  await expect(openSocket(screen.url, { secret: `${secret}x`, origin })).rejects.toThrow('401');
  await expect(openSocket(screen.url, { secret })).rejects.toThrow('403');
  await expect(openSocket(screen.url, { secret, origin: 'https://evil.example' })).rejects.toThrow('403');
  await expect(openSocket(screen.url, { secret, origin, host: 'evil.example' })).rejects.toThrow('403');
});

test('answers calls over the socket and pushes the feed', async () => {
  const { screen, enter, agent } = await startScreen();
  const socket = await openSocket(screen.url, { secret: await enter(), origin: screen.url });
  socket.send(JSON.stringify({ id: 7, name: 'plot.listChannels', argument: null }));
  const { answer } = await nextFrame(socket, ({ id }) => id === 7);
  expect(answer).toMatchObject({
    ok: true,
    value: expect.arrayContaining([expect.objectContaining({ unit: 'Torr' })]),
  });

  const pushed = nextFrame(socket, ({ feed, value }) => feed === 'snapshot' && (value as Snapshot).phase === 'running');
  agent.show(runningSnapshot);
  expect(((await pushed).value as Snapshot).streams).toHaveLength(3);
});

test.each([
  ['no JSON', 'hello'],
  ['no object', 'null'],
  ['no call of the table', JSON.stringify({ id: 1, name: 'constructor.constructor', argument: null })],
  ['an argument of the wrong shape', JSON.stringify({ id: 1, name: 'plot.read', argument: { channels: 'all' } })],
])('answers a frame with %s as refused and stays open', async (_, frame) => {
  const { screen, enter } = await startScreen();
  const socket = await openSocket(screen.url, { secret: await enter(), origin: screen.url });
  socket.send(frame);
  const refused = await nextFrame(socket, (answer) => 'answer' in answer);
  expect(refused.answer).toMatchObject({ ok: false, error: { code: 'call.refused' } });
  expect(socket.readyState).toBe(WebSocket.OPEN);
});

test('ends the connection of a screen that sends a frame over 64 kB, and serves the next', async () => {
  const { screen, enter } = await startScreen();
  const secret = await enter();
  const socket = await openSocket(screen.url, { secret, origin: screen.url });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  socket.send('x'.repeat(64 * 1024 + 1));
  expect(await closed).toBe(1009);
  await openSocket(screen.url, { secret, origin: screen.url });
});

test('skips outdated snapshots for a screen that does not read for a while', async () => {
  const { screen, enter, agent } = await startScreen();
  const slow = await openSocket(screen.url, { secret: await enter(), origin: screen.url });
  slow.pause();
  // About 1 MB each: what the system itself buffers holds a few of them.
  const long = 'x'.repeat(1_000_000);
  for (let picture = 1; picture <= 200; picture += 1) {
    agent.show((atMs) => runningSnapshot(atMs, { toolName: `${picture} ${long}` }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const seen: number[] = [];
  slow.on('message', (data) => {
    const { value } = JSON.parse(data.toString()) as { value: Snapshot };
    if (value.toolName) seen.push(Number.parseInt(value.toolName, 10));
  });
  slow.resume();
  await expect.poll(() => seen.at(-1), { timeout: 60_000 }).toBe(200);
  expect(new Set(seen).size).toBeLessThan(30);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test('cuts a stuck screen off and stops working for it', async () => {
  const { screen, enter, agent } = await startScreen({ pingIntervalMs: 100 });
  const stuck = await openSocket(screen.url, { secret: await enter(), origin: screen.url });
  expect(agent.listeners.size).toBe(1);
  stuck.pause();
  await expect.poll(() => agent.listeners.size, { timeout: 60_000 }).toBe(0);
});

test('reads no more calls from a screen that takes no answers', async () => {
  let calls = 0;
  const agent = makePageAgent();
  onTestFinished(agent.stop);
  const handlers = {
    ...agent.handlers,
    plot: {
      ...agent.handlers.plot,
      listChannels: async () => {
        calls += 1;
        return [{ sourceId: 'x'.repeat(1_000_000), channel: 'c', unit: '' }];
      },
    },
  };
  const { screen, enter } = await startScreen({ handlers });
  const greedy = await openSocket(screen.url, { secret: await enter(), origin: screen.url });
  greedy.pause();
  for (let id = 0; id < 45; id += 1) greedy.send(JSON.stringify({ id, name: 'plot.listChannels', argument: null }));
  await expect.poll(() => calls).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(calls).toBeLessThan(30);
  greedy.resume();
  await expect.poll(() => calls, { timeout: 60_000 }).toBe(45);
});

test('reports that the port is taken, with a hint', async () => {
  const { screen } = await startScreen();
  await expect(startScreen({ port: screen.port })).rejects.toMatchObject({
    code: 'web.port-taken',
    message: expect.stringContaining(String(screen.port)),
    hint: expect.stringContaining('--ui'),
  });
});

test('reports that nothing was built, with a hint', async () => {
  const rendererFolder = tempFolder('empty');
  await expect(startScreen({ rendererFolder })).rejects.toMatchObject({
    code: 'web.page-missing',
    hint: expect.stringContaining('npm run build'),
  });
});

test('listens on loopback only', async () => {
  const { screen } = await startScreen();
  const { networkInterfaces } = await import('node:os');
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((face) => face && !face.internal && face.family === 'IPv4');
  const address = outside?.address ?? '127.0.0.2';
  await expect(fetch(`http://${address}:${screen.port}/`)).rejects.toThrow();
});

test('stops at once with a stuck screen open, and frees the port', async () => {
  const { screen, enter } = await startScreen();
  const stuck = await openSocket(screen.url, { secret: await enter(), origin: screen.url });
  stuck.pause();
  await screen.stop();
  const again = await startScreen({ port: screen.port });
  expect(again.screen.port).toBe(screen.port);
});

test('connections that say nothing lock nobody out for longer than some seconds', async () => {
  const { screen } = await startScreen();
  const silent = Array.from({ length: 80 }, () => connect(screen.port, '127.0.0.1'));
  for (const socket of silent) socket.on('error', () => {});
  onTestFinished(() => {
    for (const socket of silent) socket.destroy();
  });
  const answers = async () => {
    try {
      return (await fetch(`${screen.url}/session`, { signal: AbortSignal.timeout(2000) })).status;
    } catch {
      return null;
    }
  };
  await expect.poll(answers, { timeout: 30_000, interval: 500 }).toBe(401);
});
