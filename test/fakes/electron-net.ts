// The network of Electron for tests under plain Node: real requests over the loopback, through the session's own handlers,
// as Chromium asks them: before a request, and when its headers are there.
import { EventEmitter } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type * as Electron from 'electron';

type Answer<T> = (answer: T) => void;
type BeforeRequest = (details: { url: string }, answer: Answer<{ cancel?: boolean }>) => void;
type HeadersReceived = (
  details: { url: string; statusCode: number; responseHeaders: Record<string, string[]> },
  answer: Answer<{ cancel?: boolean }>,
) => void;

/** The part of a session's `webRequest` that the shell uses. */
export class FakeWebRequest {
  before: BeforeRequest | null = null;
  headers: HeadersReceived | null = null;
  /** Requests that were made and not ended, each by what ends it. */
  readonly running = new Set<AbortController>();

  onBeforeRequest(listener: BeforeRequest): void {
    this.before = listener;
  }

  onHeadersReceived(listener: HeadersReceived): void {
    this.headers = listener;
  }

  isCancelled(url: string): boolean {
    let isCancelled = false;
    this.before?.({ url }, ({ cancel = false }) => {
      isCancelled = cancel;
    });
    return isCancelled;
  }

  isAnswerCancelled(url: string, response: { statusCode: number; headers: Record<string, unknown> }): boolean {
    const lists = Object.entries(response.headers).map(([name, value]) => [name, [String(value)]]);
    let isCancelled = false;
    this.headers?.(
      { url, statusCode: response.statusCode, responseHeaders: Object.fromEntries(lists) },
      ({ cancel = false }) => {
        isCancelled = cancel;
      },
    );
    return isCancelled;
  }
}

const BLOCKED = 'net::ERR_BLOCKED_BY_CLIENT';

/** `session.fetch`, with what the session refuses. */
export async function fetchThrough(webRequest: FakeWebRequest, url: string, options?: RequestInit): Promise<Response> {
  if (webRequest.isCancelled(url)) throw new Error(BLOCKED);
  const response = await fetch(url, options);
  const head = { statusCode: response.status, headers: Object.fromEntries(response.headers) };
  if (!webRequest.isAnswerCancelled(url, head)) return response;
  await response.body?.cancel();
  throw new Error(BLOCKED);
}

/** `net.request`: GET alone, redirects by hand. */
export class FakeClientRequest extends EventEmitter implements Pick<Electron.ClientRequest, 'abort'> {
  readonly #url: string;
  readonly #webRequest: FakeWebRequest;
  readonly #controller = new AbortController();

  constructor(options: Electron.ClientRequestConstructorOptions, webRequest: FakeWebRequest) {
    super();
    const { protocol = 'http:', hostname = '', port, path = '/' } = options;
    this.#url = `${protocol}//${hostname}${port ? `:${port}` : ''}${path}`;
    this.#webRequest = webRequest;
    webRequest.running.add(this.#controller);
  }

  abort(): void {
    this.#controller.abort();
  }

  end(): void {
    if (this.#webRequest.isCancelled(this.#url)) {
      queueMicrotask(() => this.emit('error', new Error(BLOCKED)));
      return;
    }
    get(this.#url, { signal: this.#controller.signal }, (response) => this.#answer(response)).on('error', (fault) => {
      if (!this.#controller.signal.aborted) this.emit('error', fault);
    });
  }

  #answer(response: IncomingMessage): void {
    const { statusCode = 0, headers } = response;
    if (this.#webRequest.isAnswerCancelled(this.#url, { statusCode, headers })) {
      response.destroy();
      this.emit('error', new Error(BLOCKED));
    } else if (statusCode >= 300 && statusCode < 400 && headers.location) {
      response.resume();
      this.emit('redirect', statusCode, 'GET', new URL(headers.location, this.#url).href, {});
    } else {
      this.emit('response', response);
    }
  }
}
