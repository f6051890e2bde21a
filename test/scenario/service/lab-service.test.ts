// A service for other PCs: TLS by the lab's own authority, its own name, links that lead there. The real commands.
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import { type Door, LOOPBACK, openDoor } from '../../../src-main/local-service/door.ts';
import { runHere } from '../../support/command.ts';
import { SmallCa } from '../../support/faults/small-ca.ts';
import { freePort } from '../../support/free-port.ts';
import { LogAgent } from '../../support/logs/log-agent.ts';
import { startAgent } from '../../support/processes/agent-process.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const DAY_MS = 86_400_000;

function certified(ca = new SmallCa('Growth Lab')) {
  const folder = tempFolder('certificates');
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const sign = () => {
    const { cert, key } = ca.sign(Date.now() - DAY_MS, Date.now() + 30 * DAY_MS);
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
  };
  sign();
  return { ca, certFile, keyFile, sign };
}

test('an agent delivers to a service of another name behind the lab authority, and its links lead there', async () => {
  const { ca, certFile, keyFile } = certified();
  const key = 'a-key-of-this-lab';
  const url = `https://localhost:${await freePort()}`;
  const place = `127.0.0.1:${new URL(url).port}`;
  const words = ['--listen', place, '--tls-cert', certFile, '--tls-key', keyFile, '--public-url', `${url}/`];
  const service = startAgent(['service', '--data', tempFolder('service'), '--key', key, ...words]);
  await service.waitFor(new RegExp(`Service at ${url}, data`));

  const agent = new LogAgent({ url, service: `ca_file: '${ca.file}'`, key });
  agent.write(12);
  expect((await agent.drain()).code).toBe(0);
  const client = createServiceClient({ baseUrl: url, apiKey: () => key, caPem: readFileSync(ca.file, 'utf8') });
  onTestFinished(() => client.close());
  await agent.expectDelivered(client);

  const [entry] = await client.listDataEntries({});
  const link = await client.readRawData({ data_id: entry?.data_id ?? '', return_as: 'url-download' });
  expect(link.url).toMatch(new RegExp(`^${url}/signed/`));
});

test('off loopback nothing is served without a certificate and a name, and each refusal says what to give', async () => {
  const data = ['service', '--data', tempFolder('service')];
  const { certFile, keyFile } = certified();
  const tls = ['--tls-cert', certFile, '--tls-key', keyFile];
  const refused = async (...words: string[]) => {
    const { code, err } = await runHere([...data, ...words]);
    return { code, err };
  };
  expect((await refused('--listen', '0.0.0.0:0')).err).toMatch(/0\.0\.0\.0 without a certificate.*--tls-cert/s);
  expect((await refused('--listen', '0.0.0.0:0', ...tls)).err).toMatch(
    /without the address that others use.*--public-url/s,
  );
  expect((await refused('--listen', 'lab.example:0')).err).toMatch(/lab\.example is not an IP address/);
  expect((await refused('--listen', '4320')).err).toMatch(/give an address and a port/);
  expect((await refused('--listen', '127.0.0.1:0', '--port', '0')).err).toMatch(/--listen or --port, not both/);
  expect((await refused('--port', '0', '--tls-cert', certFile)).err).toMatch(/belong together/);
  expect((await refused('--port', '0', '--tls-cert', keyFile, '--tls-key', certFile)).err).toMatch(/cannot be used/);
  expect((await refused('--port', '0', '--public-url', 'ftp://lab')).err).toMatch(/not an address of a service/);
  const elsewhere = ['--listen', '203.0.113.7:0', ...tls, '--public-url', 'https://lab.example'];
  expect((await refused(...elsewhere)).err).toMatch(/This PC has no address 203\.0\.113\.7/);
});

test('a certificate that is renewed in its file is taken without a new start; a damaged one is told and the former stays', async () => {
  const { ca, certFile, keyFile, sign } = certified();
  const door: Door = { ...LOOPBACK, tls: { certFile, keyFile } };
  const { server, renew } = openDoor(door, (_, response) => void response.end());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const serial = () =>
    new Promise<string>((told, failed) => {
      const options = { port, host: '127.0.0.1', servername: 'localhost', ca: readFileSync(ca.file), agent: false };
      const asked = request(options, (response) => {
        told((response.socket as TLSSocket).getPeerCertificate().serialNumber);
        response.resume();
      });
      asked.on('error', failed).end();
    });
  const first = await serial();
  renew();
  expect(await serial()).toBe(first);
  sign();
  renew();
  const second = await serial();
  expect(second).not.toBe(first);
  writeFileSync(certFile, 'half a certif');
  expect(renew).toThrow(/cannot be used/);
  expect(await serial()).toBe(second);
});
