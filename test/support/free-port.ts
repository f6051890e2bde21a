// Ports for servers that go away and come back at the same place.
import { createServer } from 'node:net';

/** Systems hand out ports above these by themselves; so nobody who asks for any port gets one while its server is away. */
const FIRST = 20_000;
const LAST = 32_000;
/** Files that run side by side have ports of their own: else one could take the port of another's server while that is away. */
const WORKERS = 12;
const OWN = (LAST - FIRST) / WORKERS;
const ownFirst = FIRST + (Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS) * OWN;
/** Those of this file: their servers may be away. */
const given = new Set<number>();

/** Find a port of the loopback that nobody listens on, another one each time. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = ownFirst + Math.floor(Math.random() * OWN);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
