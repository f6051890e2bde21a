// Nothing outside this PC, and no web page on it, gets anything from the embedded service.
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApp } from '../../../src-main/local-service/app.ts';
import { LOOPBACK, openDoor } from '../../../src-main/local-service/door.ts';
import { openSqlite } from '../../../src-main/local-service/storage/sqlite/sqlite-engine.ts';
import { openServiceRig, senderTo } from '../../support/rigs/service-rig.ts';
import { useServiceWorld } from '../../support/rigs/service-world.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const world = useServiceWorld();

/** Send with headers that fetch would not let through. */
function sendRaw(path: string, headers: Record<string, string>, body?: string): Promise<number> {
  const { hostname, port } = new URL(world.service.url);
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const asked = httpRequest(
      { hostname, port, path, method, headers, setHost: headers.Host === undefined },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

describe('the embedded service', () => {
  it('listens on 127.0.0.1 and on no other address of this PC', async () => {
    const port = Number(new URL(world.service.url).port);
    const others = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ internal }) => !internal);
    const isOpen = (host: string, timeout = 1_000) =>
      new Promise<boolean>((resolve) => {
        const socket = connect({ host, port, timeout });
        const end = (open: boolean) => {
          socket.destroy();
          resolve(open);
        };
        socket.on('connect', () => end(true));
        socket.on('error', () => end(false));
        socket.on('timeout', () => end(false));
      });
    // Only where nobody may answer time tells something.
    expect(await isOpen('127.0.0.1', 0)).toBe(true);
    for (const { address } of [...others, { address: '127.0.0.2' }]) expect(await isOpen(address), address).toBe(false);
  });

  it.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1.evil.example', 'localhost:1', ''])(
    'does not answer for the host %j',
    async (Host) => {
      const status = await sendRaw('/data_entries/', { Host, 'X-API-KEY': world.service.apiKey });
      // Node itself refuses an empty host.
      expect([400, 421]).toContain(status);
    },
  );

  it('answers for localhost too', async () => {
    const { port } = new URL(world.service.url);
    expect(await sendRaw('/data_entries/', { Host: `localhost:${port}`, 'X-API-KEY': world.service.apiKey })).toBe(200);
  });

  it('answers for a loopback name however it is written, at the port of http without a number too', async () => {
    const { port } = new URL(world.service.url);
    const headers = { 'X-API-KEY': world.service.apiKey };
    expect(await sendRaw('/data_entries/', { ...headers, Host: `LocalHost:${port}` })).toBe(200);
    const folder = tempFolder('service');
    const engine = openSqlite(folder);
    const hosts = openDoor(LOOPBACK, () => undefined).hosts(80);
    const app = createApp({
      engine,
      nowMs: Date.now,
      hosts,
      origin: '',
      linkSecret: '',
      onFault: (fault) => expect(fault).toBeNull(),
    });
    onTestFinished(async () => {
      await app.close();
      await engine.close();
    });
    const ask = async (host: string) =>
      (await app.fetch(new Request('http://127.0.0.1/openapi.json', { headers: { host } }), {} as never)).status;
    expect([await ask('127.0.0.1'), await ask('localhost:80'), await ask('evil.example')]).toEqual([200, 200, 421]);
  });

  it.each([
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'http://127.0.0.1:1' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ])('refuses a page with %j even with the key', async (headers) => {
    expect(
      await sendRaw('/data_entries/', { ...headers, 'X-API-KEY': world.service.apiKey } as Record<string, string>),
    ).toBe(403);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    '',
  ])('takes no body that comes as %j', async (type) => {
    const headers = { 'X-API-KEY': world.service.apiKey, ...(type ? { 'Content-Type': type } : {}) };
    expect(await sendRaw('/projects/', headers, '{"name":"x"}')).toBe(415);
  });

  it('lets no page read an answer: no CORS header, whatever is asked', async () => {
    const preflight = await fetch(`${world.service.url}/projects/`, { method: 'OPTIONS' });
    expect(preflight.status).toBeGreaterThanOrEqual(400);
    const answer = await world.send('GET', '/data_entries/');
    for (const headers of [preflight.headers, answer.headers]) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('refuses a body above 64 MiB without reading it to the end', async () => {
    const { service } = await openServiceRig();
    const send = senderTo(service);
    const declared = await send('POST', '/projects/', { name: 'x'.repeat(64 * 1024 * 1024) }).then(
      ({ status }) => status,
      () => 413, // It may close the connection while the rest is still being sent.
    );
    expect(declared).toBe(413);
    expect((await send('GET', '/data_entries/')).status).toBe(200);
  });

  it('is not put out of step by requests that are no HTTP', async () => {
    const { port } = new URL(world.service.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.end('\u0000\u0001 not http \r\n\r\n'));
      socket.on('close', () => resolve());
      socket.resume();
    });
    expect((await world.send('GET', '/data_entries/')).status).toBe(200);
  });

  it('says no more of a wrong path than that there is nothing', async () => {
    for (const path of [
      '/',
      '/admin',
      '/service.key',
      '/../service.key',
      '/signed/service.key?mode=url-embed',
      '/files/x',
    ]) {
      const answer = await world.send('GET', path);
      expect([403, 404]).toContain(answer.status);
      expect(await answer.text()).not.toContain(world.folder);
    }
  });
});
