// Updates against a real server on the loopback. Fetching the file is done by hand here; test/e2e/built-bundle does it with
// electron-updater itself.
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openUpdatePort } from '../../../src-main/shell/electron-updates.ts';
import { type UpdatePort, Updates, type UpdatesOptions } from '../../../src-main/shell/updates.ts';
import { resetFake } from '../../fakes/electron.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { contentOf, openUpdateServer, type Published } from '../../support/update-server.ts';

beforeEach(resetFake);

/** Updates of version 0.2.0 from a server that offers 0.3.0. */
async function open(change: Partial<UpdatesOptions> = {}) {
  const server = await openUpdateServer();
  server.publish({ version: '0.3.0' });
  const folder = tempFolder('updates');
  const installed: string[] = [];
  const told: { level: string; code: string; message: string }[] = [];
  const port: UpdatePort = {
    readSmall: openUpdatePort('').readSmall,
    fetch: async ({ file }, folderUrl, signal) => {
      const path = join(folder, file.url);
      writeFileSync(path, Buffer.from(await (await fetch(`${folderUrl}/${file.url}`, { signal })).arrayBuffer()));
      return { path, install: () => installed.push(readFileSync(path, 'utf8')) };
    },
  };
  const updates = new Updates({
    version: '0.2.0',
    feedName: 'latest-linux.yml',
    publicKey: server.publicKey,
    whyNot: '',
    port,
    nowMs: () => 1_795_000_000_000,
    tell: (event) => event && told.push(event),
    ...change,
  });
  updates.seeGrowth(false);
  onTestFinished(() => void updates.quit(false));
  const on = async () => {
    updates.follow({ url: server.url, when: 'on-quit' });
    await updates.look();
  };
  return { server, folder, installed, told, updates, on, codes: () => told.map(({ code }) => code) };
}

test('is off unless the settings turn it on, and then sends no request', async () => {
  const { server, updates, codes } = await open();
  expect(updates.view).toMatchObject({ state: 'off', version: null });
  updates.follow({ url: server.url, when: 'off' });
  await updates.look();
  expect(server.asked).toEqual([]);
  expect(updates.view.state).toBe('off');
  expect(codes()).toEqual([]);
});

test.each([
  ['no key was packed in', { publicKey: null }, /without the key/],
  ['it runs from its sources', { whyNot: 'this program runs from its sources.' }, /from its sources/],
])('stays off where %s, and says so', async (_, change, why) => {
  const { server, updates, on, told } = await open(change);
  await on();
  expect(updates.view).toMatchObject({ state: 'off', text: expect.stringMatching(why) });
  expect(told).toMatchObject([{ level: 'warning', code: 'update.off', message: updates.view.text }]);
  expect(server.asked).toEqual([]);
});

test('stays off without an address, and says so', async () => {
  const { updates, codes } = await open();
  updates.follow({ url: null, when: 'on-quit' });
  expect(updates.view).toMatchObject({ state: 'off', text: expect.stringContaining('no address') });
  expect(codes()).toEqual(['update.off']);
});

test('fetches a newer, signed version, reports it once, and installs it when the user quits', async () => {
  const { updates, on, told, installed } = await open();
  await on();
  expect(updates.view).toMatchObject({ state: 'ready', version: '0.3.0', checkedMs: 1_795_000_000_000 });
  await updates.look();
  expect(told).toMatchObject([{ level: 'info', code: 'update.ready' }]);
  expect(installed).toEqual([]);
  await updates.quit(true)?.();
  expect(installed).toEqual([contentOf('0.3.0').toString()]);
  expect(told.at(-1)).toMatchObject({ code: 'update.installing' });
});

test('goes over to a version that is newer still', async () => {
  const { server, updates, on, codes } = await open();
  await on();
  server.publish({ version: '0.10.0' });
  await updates.look();
  expect(updates.view.version).toBe('0.10.0');
  expect(codes()).toEqual(['update.ready', 'update.ready']);
});

const stranger = generateKeyPairSync('ed25519').privateKey;

test.each<[string, Published, RegExp]>([
  ['not signed', { version: '0.3.0', key: null }, /404/],
  ['signed by another key', { version: '0.3.0', key: stranger }, /signature .* does not fit/],
  ['signed as the feed of another system', { version: '0.3.0', signedAs: 'latest.yml' }, /signature .* does not fit/],
  ['named by an address elsewhere', { version: '0.3.0', file: 'https://evil.example/x.AppImage' }, /files\.0\.url/],
  ['in a folder above', { version: '0.3.0', file: '../x.AppImage' }, /files\.0\.url/],
  ['for another system', { version: '0.3.0', file: 'Epistream-0.3.0.exe' }, /names 0 files/],
  ['not final', { version: '0.3.0-beta.1' }, /version/],
])('121: refuses an update that is %s', async (_, published, why) => {
  const { server, updates, on, codes } = await open();
  server.publish(published);
  await on();
  expect(updates.view).toMatchObject({ state: 'failed', version: null, text: expect.stringMatching(why) });
  expect(codes()).toEqual(['update.failed']);
  expect(server.asked.filter((path) => path.endsWith('.AppImage'))).toEqual([]);
  expect(updates.quit(true)).toBeNull();
});

test('121: refuses a feed that was changed after it was signed', async () => {
  const { server, updates, on } = await open();
  const feed = server.pages.get('/epistream/latest-linux.yml') as Buffer;
  server.pages.set('/epistream/latest-linux.yml', Buffer.from(feed.toString().replace('0.3.0', '0.9.0')));
  await on();
  expect(updates.view).toMatchObject({ state: 'failed', text: expect.stringContaining('does not fit') });
});

test.each(['0.1.9', '0.2.0'])('121: does not go over to %s from 0.2.0, however well it is signed', async (version) => {
  const { server, updates, on, codes } = await open();
  server.publish({ version });
  await on();
  expect(updates.view).toMatchObject({ state: 'idle', version: null });
  expect(codes()).toEqual(version === '0.2.0' ? [] : ['update.older']);
  expect(server.asked).toEqual(['/epistream/latest-linux.yml', '/epistream/latest-linux.yml.sig']);
  expect(updates.quit(true)).toBeNull();
});

test('121: refuses a file that is not the one that was signed', async () => {
  const { server, updates, on } = await open();
  server.pages.set('/epistream/Epistream-0.3.0.AppImage', Buffer.from('something else'));
  await on();
  expect(updates.view).toMatchObject({ state: 'failed', text: expect.stringContaining('not the one that was signed') });
  expect(updates.quit(true)).toBeNull();
});

test('121: does not install a file that was changed on this disk after it was checked', async () => {
  const { updates, on, folder, installed } = await open();
  await on();
  const install = updates.quit(true);
  writeFileSync(join(folder, 'Epistream-0.3.0.AppImage'), 'something else');
  await expect(install?.()).rejects.toMatchObject({ code: 'update.refused' });
  expect(installed).toEqual([]);
});

test('121: follows no redirect of a feed to another host', async () => {
  const other = await openUpdateServer();
  other.publish({ version: '0.3.0' });
  const { server, updates, on } = await open({ publicKey: other.publicKey });
  server.pages.set('/epistream/latest-linux.yml', { redirect: `${other.url}/latest-linux.yml` });
  await on();
  expect(updates.view.state).toBe('failed');
  expect(other.asked).toEqual([]);
});

test('reads no feed without end', async () => {
  const { server, updates, on } = await open();
  server.pages.set('/epistream/latest-linux.yml', Buffer.alloc(1e6, '#'));
  await on();
  expect(updates.view).toMatchObject({ state: 'failed', text: expect.stringContaining('longer than 65536 bytes') });
});

test('asks and fetches nothing while a growth runs, and does so when it has ended', async () => {
  const { server, updates, on } = await open();
  updates.seeGrowth(true);
  await on();
  expect(server.asked).toEqual([]);
  updates.seeGrowth(false);
  await updates.look();
  expect(updates.view.version).toBe('0.3.0');
});

/** A server that begins to send the file of 0.3.0 and falls silent; `begun` when it does. */
function fallSilent(server: Awaited<ReturnType<typeof openUpdateServer>>) {
  const file = '/epistream/Epistream-0.3.0.AppImage';
  const whole = server.pages.get(file) as Buffer;
  const begun = new Promise<ServerResponse>((resolve) => {
    server.pages.set(file, (response) => {
      response.writeHead(200, { 'content-length': whole.length }).write(whole.subarray(0, 5));
      resolve(response);
    });
  });
  return { begun, repair: () => server.pages.set(file, whole) };
}

test('aborts a download when a growth begins, reports no failure, and fetches it when the growth has ended', async () => {
  const { server, updates, on, codes } = await open();
  const { begun, repair } = fallSilent(server);
  const looked = on();
  const response = await begun;
  const closed = new Promise<void>((resolve) => response.on('close', resolve));
  updates.seeGrowth(true);
  await closed;
  await looked;
  expect(updates.view).toMatchObject({ state: 'idle', text: expect.stringContaining('as soon as no growth runs') });
  expect(codes()).toEqual([]);
  repair();
  updates.seeGrowth(false);
  await updates.look();
  expect(updates.view).toMatchObject({ state: 'ready', version: '0.3.0' });
});

test('gives up a file that never ends, and asks again', async () => {
  const { server, updates, on, codes } = await open({ fetchMaxMs: 50 });
  fallSilent(server);
  await on();
  expect(updates.view).toMatchObject({ state: 'failed', text: expect.stringContaining('did not come whole') });
  expect(codes()).toEqual(['update.failed']);
});

test('says that it waits when it is turned on while a growth runs', async () => {
  const { server, updates, on } = await open();
  updates.seeGrowth(true);
  await on();
  expect(updates.view).toMatchObject({ state: 'idle', text: expect.stringContaining('as soon as no growth runs') });
  expect(server.asked).toEqual([]);
});

test('installs nothing when a growth runs, or when no person quits', async () => {
  const growing = await open();
  await growing.on();
  growing.updates.seeGrowth(true);
  expect(growing.updates.quit(true)).toBeNull();

  const shutDown = await open();
  await shutDown.on();
  expect(shutDown.updates.quit(false)).toBeNull();
  expect(shutDown.codes()).toEqual(['update.ready']);
});

test('keeps a downloaded version while the server is away, as long as its file is whole', async () => {
  const { server, updates, on, folder, codes } = await open();
  await on();
  await server.stop();
  await updates.look();
  expect(updates.view).toMatchObject({ state: 'ready', version: '0.3.0' });
  expect(codes()).toEqual(['update.ready', 'update.failed']);
  rmSync(join(folder, 'Epistream-0.3.0.AppImage'));
  await updates.look();
  expect(updates.view).toMatchObject({ state: 'failed', version: null });
});

test('drops a downloaded version when it is withdrawn, or when updates are turned off', async () => {
  const { server, updates, on } = await open();
  await on();
  server.publish({ version: '0.2.0' });
  await updates.look();
  expect(updates.view).toMatchObject({ state: 'idle', version: null });
  server.publish({ version: '0.3.0' });
  await updates.look();
  expect(updates.view.version).toBe('0.3.0');
  updates.follow({ url: server.url, when: 'off' });
  expect(updates.view).toMatchObject({ state: 'off', version: null });
  expect(updates.quit(true)).toBeNull();
});

test('looks at the place that is set now, also when it changed during a look', async () => {
  const { server, updates } = await open();
  updates.follow({ url: 'http://127.0.0.1:9/nobody', when: 'on-quit' });
  updates.follow({ url: server.url, when: 'on-quit' });
  await updates.look();
  expect(updates.view).toMatchObject({ state: 'ready', version: '0.3.0' });
});
