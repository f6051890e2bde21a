// Ports for servers that go away and come back at the same place.
import { createServer } from 'node:net';

/** Systems hand out ports above these by themselves; so nobody who asks for any port gets one while its server is away. */
const FIRST = 20_000;
const LAST = 32_000;

/** Find a port of the loopback that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
