// Where the service is reached: the address it listens on, the name that others know it by, its certificate. Off loopback a key
// would be read by everybody on the network, so nothing is served there without TLS.
import { readFileSync, statSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { AgentError } from '../model/agent-error.ts';

/** Longest that a connection may take to say what it wants, milliseconds, and how often that is looked at. */
const HEADERS_MS = 10_000;
const CHECK_MS = 2000;
/** Connections of one address at a time: an agent has a handful, a web server on this PC those of many. */
const ADDRESS_CONNECTIONS_MAX = 500;
/** Address and headers of a request, bytes: a filter of 10,000 ids is about 460 kB of address. Node's default is 16 kB. */
const HEAD_MAX_BYTES = 1024 * 1024;

/** How the service is reached; plain values only, they cross a thread. */
export interface Door {
  /** IP address to listen on. */
  readonly address: string;
  /** Address that others use, such as `https://lab.example:4320`, without a slash at its end; null: that of this PC. */
  readonly publicUrl: string | null;
  /** Files with certificate and key, PEM; null: no TLS. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
}

/** The door of a service for this PC alone. */
export const LOOPBACK: Door = { address: '127.0.0.1', publicUrl: null, tls: null };

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether an IP address is one of this PC alone. */
export const isLoopback = (address: string) => address === '::1' || /^(::ffff:)?127\./.test(address);

function unfit(message: string, hint: string, cause?: unknown): AgentError {
  return new AgentError({ code: 'service.door-unfit', message, hint, retry: 'after-human', cause });
}

/**
 * Check what does not need the network.
 *
 * @throws AgentError `service.door-unfit`: no IP address; off loopback without certificate or without a public address; a
 *   public address that is not one.
 */
function checkDoor({ address, publicUrl, tls }: Door): void {
  if (isIP(address) === 0) {
    throw unfit(
      `${address} is not an IP address.`,
      'Give one of this PC, for example 192.168.1.20, or 0.0.0.0 for all.',
    );
  }
  if (!isLoopback(address) && (tls === null || publicUrl === null)) {
    const missing = tls === null ? 'a certificate' : 'the address that others use';
    throw unfit(
      `The service does not listen on ${address} without ${missing}.`,
      'Give --tls-cert, --tls-key and --public-url; or listen on 127.0.0.1 behind a web server that ends TLS, with --public-url.',
    );
  }
  if (publicUrl === null) return;
  const url = URL.canParse(publicUrl) ? new URL(publicUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search + url.hash + url.username !== '') {
    throw unfit(`${publicUrl} is not an address of a service.`, 'For example: --public-url https://lab.example:4320');
  }
}

/** Read a certificate and its key. */
function readTls({ certFile, keyFile }: NonNullable<Door['tls']>): { cert: Buffer; key: Buffer } {
  try {
    const given = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    createSecureContext(given);
    return given;
  } catch (cause) {
    throw unfit(
      `The certificate ${certFile} with the key ${keyFile} cannot be used: ${(cause as Error).message}.`,
      'Name the files of a certificate chain and of its key, both PEM.',
      cause,
    );
  }
}

/** Let no address have more than its share of connections. */
function boundEachAddress(server: Server | TlsServer): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const count = (open.get(address) ?? 0) + 1;
    if (count > ADDRESS_CONNECTIONS_MAX) return socket.destroy();
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}

export interface OpenDoor {
  readonly server: Server | TlsServer;
  /** The hosts that it answers for, as `Host` names them in small letters. Takes the port it listens on. */
  hosts(port: number): readonly string[];
  /** Address that links begin with, without a slash at the end. Takes the port it listens on. */
  origin(port: number): string;
  /** Take a certificate that was renewed in its files. Throws `service.door-unfit`; the former one stays in use then. */
  renew(): void;
}

/**
 * Make the server of a door; it does not listen yet.
 *
 * @throws AgentError `service.door-unfit`.
 */
export function openDoor(door: Door, listener: RequestListener): OpenDoor {
  checkDoor(door);
  const { publicUrl, tls } = door;
  const scheme = tls === null ? 'http' : 'https';
  const usualPort = tls === null ? 80 : 443;
  const options = { maxHeaderSize: HEAD_MAX_BYTES, headersTimeout: HEADERS_MS, connectionsCheckingInterval: CHECK_MS };
  const changed = () => (tls === null ? '' : [tls.certFile, tls.keyFile].map((file) => statSync(file).mtimeMs).join());
  const tlsServer = tls === null ? null : createTlsServer({ ...options, ...readTls(tls) }, listener);
  let taken = changed();
  const server = tlsServer ?? createServer(options, listener);
  boundEachAddress(server);
  return {
    server,
    hosts: (port) => [
      // The usual port is left out of Host.
      ...LOOPBACK_NAMES.flatMap((name) => (port === usualPort ? [`${name}:${port}`, name] : [`${name}:${port}`])),
      ...(publicUrl === null ? [] : [new URL(publicUrl).host]),
    ],
    origin: (port) => publicUrl ?? `${scheme}://127.0.0.1:${port}`,
    renew: () => {
      if (tls === null || tlsServer === null) return;
      const now = changed();
      if (now === taken) return;
      taken = now;
      tlsServer.setSecureContext(readTls(tls));
    },
  };
}
