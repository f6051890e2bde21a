import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createServiceClient } from '../../../../src-main/delivery/client/client.ts';
import { createLinkClient } from '../../../../src-main/delivery/client/download.ts';
import { keepFile } from '../../../support/keep-file.ts';
import { listenHere } from '../../../support/listen.ts';
import { serviceFault } from '../../../support/rigs/service-rig.ts';

async function openFiles(answer: RequestListener) {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((incoming, outgoing) => {
    seen.push(incoming.headers);
    answer(incoming, outgoing);
  });
  const baseUrl = `http://127.0.0.1:${await listenHere(server)}`;
  const client = createServiceClient({ baseUrl, apiKey: () => 'canary-key' });
  const links = createLinkClient({ baseUrl });
  onTestFinished(async () => {
    await client.close();
    await links.close();
  });
  return { seen, baseUrl, client, links };
}

const linkRefused = { code: 'service.link-refused' };

describe('downloadRawData', () => {
  it('uses the name given when the service tells none', async () => {
    const { client } = await openFiles((_, outgoing) => outgoing.writeHead(200).end('x'));
    const saved = await client.downloadRawData({ data_id: 'd', file_name: 'scan.csv' }, {}, keepFile);
    expect(saved.name).toBe('scan.csv');
  });

  it('fails when the file ends early', async () => {
    const { client } = await openFiles((_, outgoing) => {
      outgoing.writeHead(200, { 'Content-Length': '100000' });
      outgoing.write('half', () => outgoing.destroy());
    });
    const fault = await serviceFault(client.downloadRawData({ data_id: 'd' }, {}, keepFile));
    expect(fault.failure.kind).toBe('ambiguous');
  });

  it('fails before the last part when the bytes are not those of the digest that the service gives', async () => {
    const digestOf = (text: string) => `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;
    const { client } = await openFiles(({ url }, outgoing) => {
      const digest = digestOf(url?.includes('/right') ? 'as measured' : 'another file');
      outgoing.writeHead(200, { 'Content-Digest': digest }).end('as measured');
    });
    const right = await client.downloadRawData({ data_id: 'right' }, {}, keepFile);
    expect(right.bytes.toString()).toBe('as measured');
    const passed: Buffer[] = [];
    const wrong = client.downloadRawData({ data_id: 'wrong' }, {}, async ({ body }) => {
      for await (const part of body) passed.push(part);
    });
    expect((await serviceFault(wrong)).message).toContain('its SHA-256 is another one');
    expect(passed).toEqual([]);
  });

  it('takes no more than it may', async () => {
    const { client } = await openFiles((_, outgoing) => outgoing.writeHead(200).end('x'.repeat(10_000)));
    const fault = await serviceFault(client.downloadRawData({ data_id: 'd' }, { maxBytes: 1_000 }, keepFile));
    expect(fault.code).toBe('service.file-too-large');
  });

  it('takes no log-in page for a file, and says why it was refused', async () => {
    const portal = await openFiles((_, outgoing) =>
      outgoing.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>'),
    );
    const page = await serviceFault(portal.client.downloadRawData({ data_id: 'd' }, {}, keepFile));
    expect(page.failure.kind).toBe('not-the-service');
    const refusing = await openFiles((_, outgoing) => outgoing.writeHead(404).end('{"detail":"no such file"}'));
    const refusal = await serviceFault(refusing.client.downloadRawData({ data_id: 'd' }, {}, keepFile));
    expect([refusal.status, refusal.message]).toEqual([404, expect.stringContaining('no such file')]);
  });
});

describe('a pre-signed link', () => {
  it('is fetched without the key', async () => {
    const { seen, baseUrl, links } = await openFiles((_, outgoing) => outgoing.writeHead(200).end('bytes'));
    const saved = await links.download({ url: `${baseUrl}/a?signature=1`, file_name: 'a' }, {}, keepFile);
    expect(saved.bytes.toString()).toBe('bytes');
    expect(JSON.stringify(seen)).not.toContain('canary-key');
    expect(seen[0]).not.toHaveProperty('x-api-key');
  });

  it('is not followed to another place', async () => {
    const { baseUrl, links } = await openFiles((_, outgoing) => {
      outgoing.writeHead(302, { Location: 'http://169.254.169.254/latest' }).end();
    });
    const fault = await serviceFault(links.download({ url: `${baseUrl}/a` }, {}, keepFile));
    expect([fault.failure.kind, fault.message]).toEqual([
      'not-the-service',
      expect.stringContaining('169.254.169.254'),
    ]);
  });

  it.each([
    ['http://files.example/a', 'files.example'],
    ['https://127.0.0.1:9/a', '127.0.0.1'],
    ['https://localhost/a', 'localhost'],
    ['https://169.254.169.254/latest/meta-data', '169.254.169.254'],
    ['https://[::ffff:10.0.0.1]/a', '::ffff:a00:1'],
    ['https://192.168.1.1/a', '192.168.1.1'],
    ['https://0x7f.1/a', '127.0.0.1'],
    ['https://user:pw@files.example/a', 'files.example'],
    ['file:///etc/passwd', 'file:'],
    ['ftp://files.example/a', 'files.example'],
    ['no address', 'no address'],
  ])('to %s is refused with the host named when the service is public', async (url, host) => {
    const links = createLinkClient({ baseUrl: 'https://93.184.216.34/api' });
    onTestFinished(() => links.close());
    await expect(links.download({ url }, {}, keepFile)).rejects.toMatchObject({
      ...linkRefused,
      message: expect.stringContaining(host),
    });
  });

  it.each([['127.0.0.1'], ['10.0.0.7'], ['169.254.169.254'], ['::1'], ['93.184.216.34', '192.168.0.1']])(
    'whose name leads to %s is refused by the very look-up that connects',
    async (...addresses) => {
      const asked: string[] = [];
      const links = createLinkClient({
        baseUrl: 'https://93.184.216.34/api',
        lookupName: (hostname, callback) => {
          asked.push(hostname);
          callback(
            null,
            addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
          );
        },
      });
      onTestFinished(() => links.close());
      const url = 'https://files.example/a';
      await expect(links.download({ url }, {}, keepFile)).rejects.toMatchObject({
        ...linkRefused,
        message: expect.stringContaining('files.example'),
      });
      expect(asked).toEqual(['files.example']);
    },
  );

  it('may lead to an inner address when the service itself has one by name', async () => {
    const links = createLinkClient({
      baseUrl: 'https://data.lab.example',
      lookupName: (hostname, callback) => {
        callback(null, [{ address: hostname === 'data.lab.example' ? '10.255.255.1' : '10.255.255.2', family: 4 }]);
      },
      timeouts: { connectMs: 200 },
    });
    onTestFinished(() => links.close());
    const fault = await links.download({ url: 'https://files.lab.example/a' }, {}, keepFile).catch((thrown) => thrown);
    expect(fault).toMatchObject({ failure: { kind: 'not-sent' } });
  });

  it('may lead within the network of a private service, never to a link-local address', async () => {
    const links = createLinkClient({ baseUrl: 'https://10.1.2.3', timeouts: { connectMs: 200 } });
    onTestFinished(() => links.close());
    const inside = await links.download({ url: 'https://10.255.255.1/a' }, {}, keepFile).catch((thrown) => thrown);
    expect(inside.code).not.toBe('service.link-refused');
    await expect(links.download({ url: 'https://169.254.1.1/a' }, {}, keepFile)).rejects.toMatchObject(linkRefused);
    await expect(links.download({ url: 'https://127.0.0.1/a' }, {}, keepFile)).rejects.toMatchObject(linkRefused);
  });
});
