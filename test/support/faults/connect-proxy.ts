// A lab's proxy: it opens tunnels (CONNECT) to the one place it is told, whatever name it is asked for, writes down what it
// was asked and everything that ran through it, and can want a log-in.
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ConnectProxy {
  /** Address without name and password. */
  readonly url: string;
  /** What was asked, `host:port`, in order; those that were refused too. */
  readonly asked: readonly string[];
  /** All bytes that the agent sent through, as text. */
  seen(): string;
}

/**
 * Open a proxy, until the test ends.
 *
 * @param port - the port on this PC at which every tunnel ends.
 * @param login - `name:password` that is wanted (null: none).
 */
export async function openConnectProxy(port: number, login: string | null = null): Promise<ConnectProxy> {
  const asked: string[] = [];
  const parts: Buffer[] = [];
  const server = createServer();
  server.on('connect', ({ url = '', headers }, socket) => {
    asked.push(url);
    parts.push(Buffer.from(JSON.stringify(headers)));
    const wanted = login === null ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
    if (headers['proxy-authorization'] !== wanted) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="lab"\r\n\r\n');
      return;
    }
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket);
    });
    socket.on('data', (bytes: Buffer) => {
      parts.push(bytes);
      onward.write(bytes);
    });
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  onTestFinished(() => server.closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, seen: () => Buffer.concat(parts).toString('latin1') };
}
