// A web server on the loopback that serves updates, and a vendor who signs them.
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { signedBytes } from '../../src-main/shell/update-feed.ts';

export interface Published {
  /** Name of the feed; what it is signed as, where that differs. */
  readonly name?: string;
  readonly signedAs?: string;
  readonly version: string;
  /** Name of the file in the feed. */
  readonly file?: string;
  readonly content?: Buffer;
  /** Whose signature it bears; null: none. */
  readonly key?: KeyObject | null;
}

/** What the server answers: bytes, the place it leads to, or whatever it does. */
type Page = Buffer | { readonly redirect: string } | ((response: ServerResponse) => void);

export const contentOf = (version: string) => Buffer.from(`#!/bin/sh\necho Epistream ${version}\n`);

/** Start a server with nothing on it; it ends with the test. */
export async function openUpdateServer() {
  const pages = new Map<string, Page>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const page = pages.get(path);
    if (page === undefined) response.writeHead(404).end();
    else if (Buffer.isBuffer(page)) response.writeHead(200, { 'content-length': page.length }).end(page);
    else if (typeof page === 'function') page(response);
    else response.writeHead(302, { location: page.redirect }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/epistream`;
  return {
    url,
    pages,
    /** Paths that were asked for, in order. */
    asked,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    publish: ({ version, ...more }: Published) => {
      const { name = 'latest-linux.yml', signedAs = name, file = `Epistream-${version}.AppImage` } = more;
      const { content = contentOf(version), key = privateKey } = more;
      const sha512 = createHash('sha512').update(content).digest('base64');
      const feed = Buffer.from(
        stringify({ version, files: [{ url: file, sha512, size: content.length }], path: file, sha512 }),
      );
      pages.set(`/epistream/${name}`, feed);
      pages.delete(`/epistream/${name}.sig`);
      if (key) {
        const signature = sign(null, signedBytes(signedAs, feed), key).toString('base64');
        pages.set(`/epistream/${name}.sig`, Buffer.from(`${signature}\n`));
      }
      pages.set(`/epistream/${file}`, content);
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
