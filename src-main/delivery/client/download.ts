// 4.9 as a file: with the key from the service itself, or without it from a pre-signed address.
//
// Bounds: 6 h for all, the usual waits for silence; the size is that of incoming-file.ts. A pre-signed address never gets the
// key, and none is asked that leads into this PC or its network unless the service is there itself.
import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import type { Agent, Dispatcher } from 'undici';
import type { RawDataLink } from '../../interface/resources.ts';
import { AgentError } from '../../model/agent-error.ts';
import { type AddressClass, classifyAddress } from './address-class.ts';
import { isLoopbackHost } from './base-url.ts';
import { defaultTimeouts, openConnections, type Timeouts } from './connection.ts';
import { exchange, readStart } from './exchange.ts';
import { ambiguousError, answerError, looksLikePage, pageError, type Target } from './faults.ts';
import { BodyDiffers, BodyTooLarge, checkBody, type FileOptions, type IncomingFile } from './incoming-file.ts';
import type { FindProxy } from './proxy.ts';
import { hideSecret, ServiceError } from './service-error.ts';

/** A download may take long; silence within it may not (see `Timeouts.bodyMs`). */
const DOWNLOAD_TOTAL_MS = 6 * 3_600_000;

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** Name in a Content-Disposition header; empty when there is none. */
function dispositionName(header: string): string {
  const [, encoded] = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(header) ?? [];
  if (encoded) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // Not encoded after all: the plain form below is as good.
    }
  }
  const [, quoted, bare] = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(header) ?? [];
  return quoted ?? bare ?? '';
}

export interface DownloadQuestion {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly target: Target;
  /** Name to use when the answer tells none. */
  readonly fileName: string;
}

/** The SHA-256 of a Content-Digest header (RFC 9530), base64; null: there is none. */
const digestOf = (header: string): string | null => /(?:^|[,\s])sha-256=:([^:]+):/i.exec(header)?.[1] ?? null;

/**
 * Fetch an address as a file. Shared by both ways; adds no header of its own.
 *
 * @param read - takes the file; the connection ends with it.
 * @returns what `read` gave.
 * @throws ServiceError as every call, `service.file-too-large`, and those of `read`.
 */
export async function download<T>(
  agent: Agent,
  { url, headers, target, fileName }: DownloadQuestion,
  { signal, maxBytes }: FileOptions,
  read: (file: IncomingFile) => Promise<T>,
): Promise<T> {
  const ask = { method: 'GET', url, headers, body: null, target, signal, totalMs: DOWNLOAD_TOTAL_MS } as const;
  return exchange(agent, ask, async (data) => {
    if (data.statusCode !== 200) throw answerError(await readStart(data), target, Date.now());
    const answer = { status: 200, headers: data.headers, text: '' };
    const key = headers['X-API-KEY'];
    const told = dispositionName(headerOf(data, 'content-disposition')) || fileName;
    const originalName = key ? hideSecret(told, key) : told;
    if (looksLikePage(answer) && !/\.html?$/i.test(originalName)) {
      throw pageError(target, answer);
    }
    const length = headerOf(data, 'content-length');
    const named = {
      sizeBytes: length ? Number(length) : null,
      sha256: digestOf(headerOf(data, 'content-digest')),
    };
    const body = checkBody(data.body as AsyncIterable<Buffer>, named, maxBytes);
    try {
      return await read({ originalName, sizeBytes: named.sizeBytes, body });
    } catch (fault) {
      if (fault instanceof BodyTooLarge) throw tooLargeError(target, fault.message);
      if (fault instanceof BodyDiffers) throw ambiguousError(`the file differs: ${fault.message}`, target);
      throw fault;
    }
  });
}

function tooLargeError({ place }: Target, size: string): ServiceError {
  return new ServiceError({
    code: 'service.file-too-large',
    message: `${place}: the file has ${size}, which is more than may be taken.`,
    hint: 'Fetch it with another program, or raise the bound.',
    failure: { kind: 'refused', isTooLarge: true },
    status: 200,
  });
}

function linkRefused(host: string, why: string): AgentError {
  return new AgentError({
    code: 'service.link-refused',
    message: `The service gave a download address on ${host}, which ${why}; it was not fetched.`,
    hint: 'If this is right for your lab, tell who runs the service; the file can be fetched as bytes instead.',
    context: { host },
  });
}

/** What a base address of this class may send its clients to. */
const mayLinkTo: Record<AddressClass, readonly AddressClass[]> = {
  public: ['public'],
  private: ['public', 'private'],
  loopback: ['public', 'loopback'],
  never: ['public'],
};

type LookupAll = (
  hostname: string,
  callback: (fault: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

const systemLookup: LookupAll = (hostname, callback) => lookup(hostname, { all: true }, callback);

async function classOfHost(hostname: string, lookupName: LookupAll): Promise<AddressClass> {
  if (isLoopbackHost(hostname)) return 'loopback';
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) return classifyAddress(hostname);
  const found = await new Promise<readonly LookupAddress[]>((resolve) => {
    lookupName(hostname, (fault, addresses) => resolve(fault ? [] : addresses));
  });
  return found.some(({ address }) => classifyAddress(address) === 'private') ? 'private' : 'public';
}

export interface LinkClient {
  /**
   * Fetch a pre-signed address without the key. Takes the link, bounds, and what reads the file.
   *
   * @returns what the reader gave.
   * @throws AgentError `service.link-refused`, with the host named, for anything but https to a public address (or, where the
   *   service itself has one, a private or this PC's own); else as the client's.
   */
  download<T>(link: RawDataLink, options: FileOptions, read: (file: IncomingFile) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Make the client for pre-signed addresses. It never learns the key. Takes the service's address (what kind of network it is
 * in decides where it may send us), certificates, deadlines.
 */
export function createLinkClient(options: {
  baseUrl: string;
  caPem?: string | undefined;
  timeouts?: Partial<Timeouts> | undefined;
  /** Look a name up; default: the system's way. */
  lookupName?: LookupAll;
  /** The way through a proxy, which then looks the names up; left out: there is none. */
  findProxy?: FindProxy | undefined;
}): LinkClient {
  const { lookupName = systemLookup } = options;
  const base = new URL(options.baseUrl);
  let allowed: readonly AddressClass[] = ['public'];
  // The check of a name must be that of the very look-up that connects: a second one could give another address.
  const checkedLookup: LookupFunction = (hostname, lookupOptions, callback) => {
    lookupName(hostname, (fault, addresses) => {
      if (fault) return callback(fault, '', 0);
      const bad = addresses.find(({ address }) => !allowed.includes(classifyAddress(address)));
      if (bad) return callback(linkRefused(hostname, `is at the inner address ${bad.address}`), '', 0);
      if (lookupOptions.all) return callback(null, [...addresses]);
      callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
    });
  };
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const agent = openConnections({
    timeouts,
    caPem: options.caPem,
    rootCertificates,
    lookup: checkedLookup,
    findProxy: options.findProxy,
  });
  return {
    async download(link, options, read) {
      if (!URL.canParse(link.url)) throw linkRefused(JSON.stringify(link.url), 'is not an address');
      const url = new URL(link.url);
      const { hostname, protocol } = url;
      const host = url.host || protocol;
      const isOwnPc = isLoopbackHost(hostname) && isLoopbackHost(base.hostname);
      if (protocol !== 'https:' && !(protocol === 'http:' && isOwnPc && base.protocol === 'http:')) {
        throw linkRefused(host, `is reached with ${protocol} instead of https:`);
      }
      if (url.username || url.password) throw linkRefused(host, 'carries a user name or password');
      allowed = mayLinkTo[await classOfHost(base.hostname, lookupName)];
      const literal = isIP(hostname.replace(/^\[|\]$/g, '')) ? classifyAddress(hostname) : null;
      if ((literal && !allowed.includes(literal)) || (hostname === 'localhost' && !allowed.includes('loopback'))) {
        throw linkRefused(host, 'is an inner address');
      }
      const question = {
        url: url.href,
        headers: { 'User-Agent': 'epistream' },
        target: { place: `GET ${url.origin}`, host },
        fileName: link.file_name ?? 'file',
      };
      try {
        return await download(agent, question, options, read);
      } catch (fault) {
        const refusal = findRefusal(fault);
        throw refusal ?? fault;
      }
    },
    close: () => agent.destroy(),
  };
}

/** The refusal of the look-up, wherever the connector has wrapped it. */
function findRefusal(fault: unknown): AgentError | null {
  for (let at = fault; at instanceof Error; at = at.cause) {
    if (at instanceof AgentError && at.code === 'service.link-refused') return at;
  }
  return null;
}
