import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { RawDownloads } from '../../../../../src-main/agent/handlers/catalogue/raw-downloads.ts';
import { createServiceClient } from '../../../../../src-main/delivery/client/client.ts';
import { listenHere } from '../../../../support/listen.ts';

async function openRaw(answer: RequestListener) {
  const baseUrl = `http://127.0.0.1:${await listenHere(createServer(answer))}`;
  const client = createServiceClient({ baseUrl, apiKey: () => 'key' });
  onTestFinished(() => client.close());
  const raw = new RawDownloads();
  return { raw, prepare: (name = '') => raw.prepare(client, { dataId: 'd', name }) };
}

test('a file is given once, under a name that is safe on Windows, as an attachment that no page runs', async () => {
  const { raw, prepare } = await openRaw((_, outgoing) => {
    outgoing.writeHead(200, { 'Content-Disposition': 'attachment; filename="..\\\\..\\\\con.csv"' }).end('1,2');
  });
  const { path, fileName, originalName } = await prepare();
  expect([fileName, originalName]).toEqual(['_con.csv', expect.stringContaining('..\\')]);
  const answer = raw.take(path) ?? expect.fail('no file');
  expect(answer.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''_con.csv");
  expect(answer.headers.get('content-security-policy')).toContain('sandbox');
  expect(await answer.text()).toBe('1,2');
  expect(raw.take(path)).toBeNull();
  expect(raw.take('/raw/')).toBeNull();
});

test('a refusal of the service is an error of the call in plain words, and no file waits', async () => {
  const { prepare } = await openRaw((_, outgoing) => outgoing.writeHead(404).end('{"detail":"Not Found"}'));
  await expect(prepare()).rejects.toMatchObject({
    code: 'service.target-gone',
    message: 'The service has no raw file for this entry.',
  });
});

test('a file that ends early ends in a fault and not as if it were whole', async () => {
  const { raw, prepare } = await openRaw((_, outgoing) => {
    outgoing.writeHead(200, { 'Content-Length': '100000' });
    outgoing.write('half', () => outgoing.destroy());
  });
  const { path } = await prepare();
  const answer = raw.take(path);
  // The fault may have come before the browser.
  if (answer) await expect(answer.text()).rejects.toThrow();
});

test('at most eight wait or run; one that the browser gives up frees its place', async () => {
  const { raw, prepare } = await openRaw((_, outgoing) => outgoing.writeHead(200).write('x'));
  const files = await Promise.all(Array.from({ length: 8 }, () => prepare('a.mp4')));
  await expect(prepare()).rejects.toMatchObject({ code: 'catalogue.too-many' });
  await raw.take(files[0]?.path ?? '')?.body?.cancel();
  await expect.poll(() => prepare().catch(({ code }) => code)).toHaveProperty('path');
});
