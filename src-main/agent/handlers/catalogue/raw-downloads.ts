// Raw files that a browser saves. A call of the screen asks the service for the file, so that a refusal stands on the page; the
// answer waits, unread, for the one request of the browser that names its ticket. A call of a read-only session is refused as
// any other that reaches the service, so it gets no ticket.
//
// Bounds: 8 files, 30 s until the browser takes one; a file that ends early breaks the connection to the browser, which then
// calls its download failed.
import { randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { ServiceClient } from '../../../delivery/client/client.ts';
import { safeFileName } from '../../../delivery/client/safe-file-name.ts';
import { AgentError } from '../../../model/agent-error.ts';
import { retell } from '../retell.ts';

const OPEN_MAX = 8;
const TAKE_MAX_MS = 30_000;
const PATH = '/raw/';

interface RawFile {
  readonly fileName: string;
  readonly originalName: string;
  readonly sizeBytes: number | null;
}

export class RawDownloads {
  readonly #waiting = new Map<string, RawFile & { readonly body: PassThrough }>();
  #open = 0;

  /**
   * Ask the service for a raw file.
   *
   * @param request - the entry, and the name to use when the service tells none.
   * @returns the path that the browser requests, once, to save the file, and the safe name of the file.
   * @throws `catalogue.too-many`; those of `retell`.
   */
  async prepare(
    client: Pick<ServiceClient, 'downloadRawData'>,
    { dataId, name }: { readonly dataId: string; readonly name: string },
  ): Promise<RawFile & { readonly path: string }> {
    if (this.#open >= OPEN_MAX) throw tooMany();
    this.#open += 1;
    const ticket = randomBytes(32).toString('base64url');
    const { promise, resolve, reject } = Promise.withResolvers<RawFile>();
    const body = new PassThrough();
    let tooLate: NodeJS.Timeout | undefined;
    const request = { data_id: dataId, ...(name === '' ? {} : { file_name: name }) };
    client
      .downloadRawData(request, {}, async (incoming) => {
        const { originalName, sizeBytes } = incoming;
        const file = { fileName: safeFileName(originalName), originalName, sizeBytes };
        this.#waiting.set(ticket, { ...file, body });
        tooLate = setTimeout(() => this.#waiting.has(ticket) && body.destroy(), TAKE_MAX_MS).unref();
        resolve(file);
        await Promise.all([pipeline(incoming.body, body), finished(body)]);
      })
      // A fault after the start has broken the body already: the browser says so.
      .catch(reject)
      .finally(() => {
        clearTimeout(tooLate);
        this.#waiting.delete(ticket);
        this.#open -= 1;
      });
    const file = await retell('read', promise, 'raw file');
    return { ...file, path: `${PATH}${ticket}` };
  }

  /**
   * Answer the request of the browser for a path of the screen.
   *
   * @returns the file, to be saved; null: the path names none that waits.
   */
  take(path: string): Response | null {
    const ticket = path.startsWith(PATH) ? path.slice(PATH.length) : '';
    const file = this.#waiting.get(ticket);
    if (!file || file.body.destroyed) return null;
    this.#waiting.delete(ticket);
    const headers = new Headers({
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.fileName).replace(/['()*]/g, escape)}`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    if (file.sizeBytes !== null) headers.set('Content-Length', String(file.sizeBytes));
    return new Response(Readable.toWeb(file.body) as ReadableStream<Uint8Array>, { headers });
  }
}

function tooMany(): AgentError {
  return new AgentError({
    code: 'catalogue.too-many',
    message: `${OPEN_MAX} files are being saved already.`,
    hint: 'Wait until one is complete, or cancel one in the browser.',
  });
}
