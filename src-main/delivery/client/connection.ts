// Connections to the service, and how their faults are told apart. The one question that matters to the sender is
// whether anything can have reached the service. A fault of the connector (name, route, TLS) means: nothing did, since
// no byte of a request is written before the connector is through. Any later fault may have come after the request.
//
// Bounds: 16 connections to a host, one request at a time on each; the waits are those of `Timeouts`.
import type { LookupFunction, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Agent, buildConnector } from 'undici';
import type { NotSentCause } from './failure.ts';
import { type FindProxy, openTunnel } from './proxy.ts';

export interface Timeouts {
  /** Name, route and TLS together, milliseconds. */
  connectMs: number;
  /** Until the answer begins, milliseconds. */
  headersMs: number;
  /** Silence within an answer, milliseconds. */
  bodyMs: number;
  /** The whole request with its answer, milliseconds; an answer that dribbles in ends here. */
  totalMs: number;
}

export const defaultTimeouts: Timeouts = { connectMs: 10_000, headersMs: 30_000, bodyMs: 15_000, totalMs: 60_000 };

/** No connection came about: nothing was sent. */
export class ConnectFault extends Error {
  readonly code: string;
  /** Who signed the certificate that the other side showed, as it says itself; empty when it showed none. */
  readonly issuer: string;
  constructor(cause: Error, issuer = '') {
    super(cause.message, { cause });
    this.name = 'ConnectFault';
    this.code = codeOf(cause);
    this.issuer = issuer;
  }
}

const ISSUER_MAX = 100;

/** Name the issuer of the certificate on the other side: its organization and its name, in one line of plain characters. */
function issuerOf(socket: TLSSocket): string {
  const { O = [], CN = [] } = socket.getPeerCertificate()?.issuer ?? {};
  const name = [...new Set([O, CN].flat())].join(', ');
  return name.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ' ').slice(0, ISSUER_MAX);
}

/** Read the system's or TLS's code of a fault, also where several addresses were tried. */
function codeOf(fault: Error): string {
  const { code, errors } = fault as Error & { code?: string; errors?: Error[] };
  return code ?? (errors?.[0] ? codeOf(errors[0]) : '');
}

export interface ConnectionOptions {
  timeouts: Timeouts;
  /** Certificates (PEM) of a lab's own authority, trusted beside the usual ones. */
  caPem?: string | undefined;
  /** Name look-up in place of the system's, for checks of the address. */
  lookup?: LookupFunction;
  rootCertificates?: readonly string[];
  /** Asked before each connection over TLS; left out: there is no proxy. */
  findProxy?: FindProxy | undefined;
}

/**
 * Open a pool of connections that never retries and never follows.
 *
 * @returns undici's Agent; close it when done.
 */
export function openConnections(options: ConnectionOptions): Agent {
  const { timeouts, caPem, lookup, rootCertificates = [], findProxy = noProxy } = options;
  const connect = buildConnector({
    timeout: timeouts.connectMs,
    ...(caPem ? { ca: [...rootCertificates, caPem] } : {}),
    ...(lookup ? { lookup } : {}),
  });
  return new Agent({
    connect: async (options, callback) => {
      let issuer = '';
      let tunnel: Socket | undefined;
      try {
        const proxy = options.protocol === 'https:' ? await findProxy(`https://${hostOf(options)}`) : null;
        if (proxy !== null) tunnel = await openTunnel(proxy, portOf(hostOf(options)), timeouts.connectMs);
      } catch (fault) {
        return callback(new ConnectFault(fault as Error), null);
      }
      // undici gives the socket back although its types say nothing of it. A certificate can be read only before its check
      // has closed the socket, so this listener goes before those of the check.
      const socket: unknown = connect({ ...options, ...(tunnel && { httpSocket: tunnel }) }, (...result) => {
        const [fault] = result;
        if (fault) callback(new ConnectFault(fault, issuer), null);
        else callback(...result);
      });
      if (!(socket instanceof TLSSocket)) return;
      socket.prependOnceListener('secure', () => {
        issuer = issuerOf(socket);
      });
    },
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
    pipelining: 1,
    connections: 16,
  });
}

/** Name and port, the port left out where it is the usual one. */
const hostOf = ({ host, hostname }: { host?: string | undefined; hostname: string }) => host ?? hostname;

const noProxy: FindProxy = async () => null;

/** A proxy wants the port by its number. */
const portOf = (host: string) => (/:\d+$/.test(host) ? host : `${host}:443`);

const causes: Record<string, NotSentCause> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ECONNREFUSED: 'refused-connection',
  UND_ERR_CONNECT_TIMEOUT: 'no-answer',
  ETIMEDOUT: 'no-answer',
  CERT_NOT_YET_VALID: 'clock',
  CERT_HAS_EXPIRED: 'clock',
};

/**
 * Name why no connection came about.
 *
 * @returns the cause as the sender knows it; a certificate that is not yet or no more valid is put down to the clock, since a
 *   PC's dead battery is seen more often than a service with an old certificate.
 */
export function causeOf({ code }: ConnectFault): NotSentCause {
  const known = causes[code];
  if (known) return known;
  if (code.startsWith('PROXY_')) return code === 'PROXY_407' ? 'proxy-login' : 'proxy';
  return /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO|EPROTO/.test(code) ? 'tls' : 'unreachable';
}
