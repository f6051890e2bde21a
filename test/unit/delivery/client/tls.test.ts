// TLS with a lab's own authority and with wrong certificates, made here with the system's openssl.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createServiceClient } from '../../../../src-main/delivery/client/client.ts';
import { listenHere } from '../../../support/listen.ts';
import { serviceFault } from '../../../support/rigs/service-rig.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** A certificate for localhost, signed by itself, valid between two dates (YYYYMMDDHHMMSSZ). */
function makeCertificate(from: string, until: string) {
  const folder = tempFolder('tls');
  const key = join(folder, 'key.pem');
  const certificate = join(folder, 'certificate.pem');
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const request = join(folder, 'request.pem');
  const run = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe', cwd: folder });
  run(
    'req',
    '-new',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    key,
    '-out',
    request,
    ...subject,
  );
  execFileSync(
    'sh',
    [
      '-c',
      'touch index.txt; echo 01 > serial; echo "[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\nserial=serial\nnew_certs_dir=.\ndefault_md=sha256\npolicy=p\ncopy_extensions=copy\n[p]\ncommonName=supplied" > ca.cnf',
    ],
    { cwd: folder },
  );
  run(
    'ca',
    '-batch',
    '-config',
    'ca.cnf',
    '-selfsign',
    '-keyfile',
    key,
    '-in',
    request,
    '-out',
    certificate,
    '-startdate',
    from,
    '-enddate',
    until,
    '-notext',
  );
  return { key: readFileSync(key), cert: readFileSync(certificate, 'utf8') };
}

async function openTls(from: string, until: string) {
  const { key, cert } = makeCertificate(from, until);
  let requests = 0;
  const server = createServer({ key, cert }, (_, outgoing) => {
    requests += 1;
    outgoing.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
  });
  const port = await listenHere(server);
  const make = (caPem?: string) => {
    const client = createServiceClient({ baseUrl: `https://localhost:${port}`, apiKey: () => 'a-key', caPem });
    onTestFinished(() => client.close());
    return client;
  };
  return { cert, make, countRequests: () => requests };
}

const notSent = (cause: string) => ({ kind: 'not-sent', afterMs: null, cause });

describe.skipIf(spawnSync('openssl', ['version']).error)('TLS', () => {
  it("refuses an authority it does not know, and takes the lab's own", async () => {
    const { cert, make, countRequests } = await openTls('20200101000000Z', '20991231000000Z');
    const fault = await serviceFault(make().listDataEntries({}));
    expect(fault.failure).toEqual(notSent('tls'));
    expect(fault.hint).toContain('ca_file');
    expect(countRequests()).toBe(0);
    expect(await make(cert).listDataEntries({})).toEqual([]);
  });

  it.each([
    ['not yet valid', '20900101000000Z', '20991231000000Z'],
    ['no more valid', '20200101000000Z', '20200201000000Z'],
  ])('puts a certificate that is %s down to the clock', async (_, from, until) => {
    const { cert, make } = await openTls(from, until);
    const beganMs = Math.floor(Date.now() / 1000) * 1000;
    const fault = await serviceFault(make(cert).listDataEntries({}));
    expect(fault.failure).toEqual(notSent('clock'));
    const shownMs = Date.parse(/shows (\S+ \S+ UTC)/.exec(fault.message)?.[1] ?? '');
    expect(shownMs).toBeGreaterThanOrEqual(beganMs);
    expect(shownMs).toBeLessThanOrEqual(Date.now());
  });
});
