// Pre-signed addresses: a client that has one may fetch one file for a quarter of an hour, without a key.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AlsoServed } from '../../interface/openapi.ts';

/** How long a link holds, milliseconds. */
const LINK_MS = 15 * 60_000;

export type LinkMode = 'url-download' | 'url-embed';

export interface LinkSigner {
  /** Path and query of a link to a file. */
  sign(fileUuid: string, mode: LinkMode, nowMs: number): string;
  /** Whether a link was signed here and still holds. */
  check(fileUuid: string, query: URLSearchParams, nowMs: number): LinkMode | null;
}

/** Path that links lie under. */
const LINK_PATH = '/signed';

/** What is published of it. */
export const LINK_SERVED: AlsoServed = {
  name: 'openSignedLink',
  method: 'GET',
  path: `${LINK_PATH}/{file_uuid}`,
  summary: 'A raw file by its pre-signed address, without a key',
  answer: 'application/octet-stream',
  query: ['mode', 'expires', 'signature'],
};

/** Make a signer. Takes the secret that all services on the same data have. */
export function createLinkSigner(secret: string): LinkSigner {
  const signatureOf = (fileUuid: string, mode: string, expiresMs: string) =>
    createHmac('sha256', secret).update(`${LINK_PATH}/${fileUuid}\n${mode}\n${expiresMs}`).digest();
  return {
    sign(fileUuid, mode, nowMs) {
      const expires = String(Math.floor(nowMs + LINK_MS));
      const signature = signatureOf(fileUuid, mode, expires).toString('hex');
      return `${LINK_PATH}/${fileUuid}?${new URLSearchParams({ mode, expires, signature })}`;
    },
    check(fileUuid, query, nowMs) {
      const mode = query.get('mode') ?? '';
      const expires = query.get('expires') ?? '';
      const signature = query.get('signature') ?? '';
      // Node reads hexadecimal up to the first character that is none, and leaves out the rest without a word.
      const given = Buffer.from(/^[0-9a-f]*$/.test(signature) ? signature : '', 'hex');
      const right = signatureOf(fileUuid, mode, expires);
      if (given.length !== right.length || !timingSafeEqual(given, right) || !(Number(expires) >= nowMs)) return null;
      return mode === 'url-embed' ? 'url-embed' : 'url-download';
    },
  };
}
