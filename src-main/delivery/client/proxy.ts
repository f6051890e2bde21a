// The way through a lab's proxy. The proxy is asked for a tunnel (CONNECT) and sees the name of the service, nothing else:
// TLS is spoken inside, so neither key nor data is ever his to read. A service on this PC is never reached through one.
// Bounds: one tunnel a connection; asking for it may take as long as a connection (10 s), TLS inside it as long again.
// Whatever goes wrong before it stands, nothing was sent to the service.
import type { Socket } from 'node:net';
import { getProxyForUrl } from 'proxy-from-env';
import { Client } from 'undici';

/** Find the proxy on the way to an address: its own address, with name and password where it wants them; null: none. */
export type FindProxy = (url: string) => Promise<string | null>;

/** As programs on a command line are told: `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`. */
export const proxyFromEnvironment: FindProxy = async (url) => getProxyForUrl(url) || null;

/** The proxy did not make a tunnel, so nothing was sent. `code`: `PROXY_407`, `PROXY_ECONNREFUSED`. */
class ProxyFault extends Error {
  readonly code: string;
  constructor(what: string, code: string, cause?: unknown) {
    super(what, { cause });
    this.name = 'ProxyFault';
    this.code = `PROXY_${code}`;
  }
}

/**
 * Ask a proxy for a tunnel. Takes the proxy's address (http), host and port of the service, and how long it may take,
 * milliseconds.
 *
 * @returns the socket, at whose other end the service is.
 * @throws ProxyFault; its message names the proxy without name and password.
 */
export async function openTunnel(proxy: string, host: string, timeoutMs: number): Promise<Socket> {
  const address = URL.canParse(proxy) ? new URL(proxy) : null;
  if (address?.protocol !== 'http:') {
    throw new ProxyFault('the proxy of this PC is not one that is spoken to over http', 'UNKNOWN');
  }
  const client = new Client(address.origin, { connect: { timeout: timeoutMs }, headersTimeout: timeoutMs });
  try {
    const { statusCode, socket } = await client.connect({
      path: host,
      headers: { host, ...authorizationOf(address) },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (statusCode === 200) return socket as Socket;
    socket.destroy();
    throw new ProxyFault(`the proxy ${address.host} answered ${statusCode}`, String(statusCode));
  } catch (fault) {
    if (fault instanceof ProxyFault) throw fault;
    const { code = 'UNREACHABLE' } = fault as { code?: string };
    throw new ProxyFault(`the proxy ${address.host} cannot be reached`, code, fault);
  }
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` };
}
