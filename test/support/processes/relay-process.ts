// A relay between agent and service as a process of its own, so that it can be stopped (SIGSTOP): then packets go in and
// nothing comes out, as behind a firewall that drops. Arguments: own port, its backlog, host and port of the service.
import { connect, createServer } from 'node:net';

const [port = '0', backlog = '511', host = '127.0.0.1', target = '0'] = process.argv.slice(2);

const server = createServer((near) => {
  const far = connect(Number(target), host);
  near.pipe(far).pipe(near);
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
});
server.listen({ port: Number(port), host: '127.0.0.1', backlog: Number(backlog) }, () => {
  const address = server.address();
  if (typeof address === 'object' && address) process.stdout.write(`${address.port}\n`);
});
