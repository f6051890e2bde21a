// The test of the connection names what stands in between as people do, and keeps nothing.
import { createServer, type RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { testConnection } from '../../../../src-main/agent/check/test-connection.ts';
import { BoundKey } from '../../../../src-main/platform/bound-key.ts';
import { sessionKeyStore } from '../../../../src-main/platform/secrets.ts';
import { listenHere } from '../../../support/listen.ts';

const KEY = 'a-key-of-the-test';

const serve = async (answer: RequestListener) => `http://127.0.0.1:${await listenHere(createServer(answer))}`;

type Parts = Parameters<typeof testConnection>[1];
const look = (url: string, parts: Partial<Parts> = {}, apiKey = KEY, caFile: string | null = null) =>
  testConnection({ url, caFile, apiKey }, {
    kept: new BoundKey(sessionKeyStore()),
    store: null,
    monotonicMs: () => 0,
    ...parts,
  } as Parts);

test.each([
  ['portal', 200, { 'content-type': 'text/html' }, '<html>log in</html>'],
  ['portal', 302, { location: 'https://login.example.org/?token=1' }, ''],
  ['proxy', 407, {}, ''],
  ['key', 401, {}, '{"detail":"no"}'],
  ['address', 404, {}, '{"detail":"none"}'],
  ['service', 500, {}, ''],
  ['works', 200, { 'content-type': 'application/json' }, '[]'],
])('tells %s from an answer with status %i', async (kind, status, headers, body) => {
  const url = await serve((_, response) => response.writeHead(status, headers as Record<string, string>).end(body));
  const found = await look(url);
  expect(found).toMatchObject({ kind });
  expect(JSON.stringify(found)).not.toContain(KEY);
  expect(JSON.stringify(found)).not.toContain('token=1');
});

const keptFor = (address: string) => {
  const kept = new BoundKey(sessionKeyStore(KEY));
  kept.begin(address);
  return kept;
};

test.each([
  ['another port', 'http://127.0.0.1:9'],
  ['another host', 'https://data.example.org'],
  ['no address yet', 'embedded'],
])('sends the kept key, which is for %s, nowhere: it asks for the key of this service', async (_, other) => {
  const asked: string[] = [];
  const url = await serve(({ headers }, response) => {
    asked.push(String(headers['x-api-key']));
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  const found = await look(url, { kept: keptFor(other) }, '');
  expect(found).toMatchObject({ kind: 'no-key', hint: 'Type in the key of this service.' });
  expect(asked).toEqual([]);
  expect(await look(`${url}/base`, { kept: keptFor(`${url}/other-base`) }, '')).toMatchObject({ kind: 'works' });
  expect(asked).toEqual([KEY]);
});

test('asks once, changes nothing, and tells what is missing before it asks at all', async () => {
  const asked: string[] = [];
  const url = await serve(({ method, url: path }, response) => {
    asked.push(`${method} ${path?.split('?')[0]}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  expect(await look(url, {}, '')).toMatchObject({ kind: 'no-key' });
  expect(await look(url, {}, KEY, '/nowhere/ca.pem')).toMatchObject({ kind: 'authority-file' });
  expect(await look('http://data.example.org')).toMatchObject({ kind: 'address' });
  expect(await look('embedded')).toMatchObject({ kind: 'embedded' });
  expect(asked).toEqual([]);
  expect(await look(url, { kept: keptFor(url) }, '')).toMatchObject({ kind: 'works' });
  expect(asked).toEqual(['GET /data_entries/']);
});

test('tells a key of another account from what was begun for this queue, and keeps no mark of it', async () => {
  const url = await serve((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[]'));
  const marks: string[] = [];
  const store = {
    account: async () => ({ mark: null, dataIds: ['0d9bd8ec-4f0e-4a31-9b43-5bb0ac0d5a52'] }),
    setAccountMark: async (_: string, mark: string) => void marks.push(mark),
  };
  expect(await look(url, { store })).toMatchObject({ kind: 'account' });
  expect(await look(url, { store: { ...store, account: async () => ({ mark: null, dataIds: [] }) } })).toMatchObject({
    kind: 'works',
  });
  expect(marks).toEqual([]);
});

test('https to a port that speaks http is a wrong address, not a certificate', async () => {
  const url = await serve((_, response) => response.end('[]'));
  const found = await look(url.replace('http:', 'https:'));
  expect(found).toMatchObject({ kind: 'address', message: expect.stringContaining('does not speak https') });
  expect(found.hint).toContain('port');
});
