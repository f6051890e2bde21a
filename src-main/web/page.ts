// The built page as a fixed map from path to bytes. What is not in the map does not exist: no path of a request ever
// reaches the file system. The same answers serve the browser (over HTTP) and Electron's `app:` protocol.
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { AgentError } from '../model/agent-error.ts';

/** Answers a path of the page (`/`, `/assets/index-1a2b.js`): the file with its headers, or 404. */
export type Page = (path: string) => Response;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Where the built index.html wants the number that lets Mantine's own style elements in. */
const NONCE_MARK = '__NONCE__';

/**
 * Write the headers that every answer to the screen carries.
 *
 * @param nonce - the nonce of this answer, which style elements made by the page must repeat.
 * @returns header names and values. Scripts, pictures and sockets come from the same origin only; no inline script, no
 *   evaluation, no frame, no form target, nothing from elsewhere.
 */
export function securityHeaders(nonce: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=()',
    'Cache-Control': 'no-store',
  };
}

/** A nonce for one answer: 128 random bits. */
export const makeNonce = (): string => randomBytes(16).toString('base64url');

/**
 * Read the built page into memory.
 *
 * @param folder - the folder that the build wrote (`dist/renderer`).
 * @returns the page; about 1 MB stays in memory.
 * @throws `web.page-missing` when the folder or its index.html is not there.
 */
export async function readPage(folder: string): Promise<Page> {
  const files = new Map<string, { type: string; bytes: Uint8Array<ArrayBuffer> }>();
  try {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const type = types[extname(entry.name)];
      if (!entry.isFile() || !type) continue;
      const path = join(entry.parentPath, entry.name);
      files.set(`/${relative(folder, path).split(sep).join('/')}`, {
        type,
        bytes: Uint8Array.from(await readFile(path)),
      });
    }
  } catch (cause) {
    throw pageMissing(folder, cause);
  }
  const index = files.get('/index.html');
  if (!index) throw pageMissing(folder);
  const html = new TextDecoder().decode(index.bytes);

  return (path) => {
    const nonce = makeNonce();
    const headers = securityHeaders(nonce);
    if (path === '/' || path === '/index.html') {
      return new Response(html.replaceAll(NONCE_MARK, nonce), { headers: { ...headers, 'Content-Type': index.type } });
    }
    const file = files.get(path);
    if (!file) return new Response('Not found', { status: 404, headers: { ...headers, 'Content-Type': 'text/plain' } });
    // The build puts a hash of the content into the names below assets/, so these never change.
    const cache = path.startsWith('/assets/') ? { 'Cache-Control': 'private, max-age=31536000, immutable' } : {};
    return new Response(file.bytes, { headers: { ...headers, ...cache, 'Content-Type': file.type } });
  };
}

function pageMissing(folder: string, cause?: unknown): AgentError {
  return new AgentError({
    code: 'web.page-missing',
    message: `The built page is not in ${folder}.`,
    hint: 'Run "npm run build" once, or start with "npm start", which builds it.',
    retry: 'after-human',
    cause,
  });
}
