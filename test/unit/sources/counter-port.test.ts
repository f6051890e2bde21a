// A register behind a terminal server: a real TCP port on the other side.
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { openCounterPort } from '../../../src-main/sources/counter-port.ts';

async function serve(onSocket: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => sockets.delete(socket));
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: `tcp://127.0.0.1:${(server.address() as { port: number }).port}`, sockets };
}

async function until<T>(what: string, look: () => T | null): Promise<T> {
  for (let looks = 0; looks < 3000; looks++) {
    const found = look();
    if (found !== null) return found;
    await systemClock.sleep(20);
  }
  throw new Error(`not reached: ${what}`);
}

function open(port: string, ask: string | null) {
  const counter = openCounterPort({ port, baud: 9600, ask, clock: systemClock });
  onTestFinished(() => counter.close());
  const lines: string[] = [];
  const read = () => {
    lines.push(...counter.takeLines().map(({ text }) => text));
    return lines;
  };
  return { read };
}

test('lines come whole, however they are cut on the way', async () => {
  const { port } = await serve(async (socket) => {
    for (const piece of ['FC 1', '2\r', '\nFC 13\r\nFC ', '14\r\n']) {
      socket.write(piece);
      await systemClock.sleep(30);
    }
  });
  const { read } = open(port, null);
  expect(await until('three lines', () => (read().length >= 3 ? read() : null))).toEqual(['FC 12', 'FC 13', 'FC 14']);
});

test('of a line that is too long nothing is read, neither its end as a number of its own', async () => {
  const { port } = await serve(async (socket) => {
    for (const piece of ['FC 1\nFC ', '2'.repeat(1500), '77\nFC 3\n', `FC ${'4'.repeat(1500)}\nFC 5\n`]) {
      socket.write(piece);
      await systemClock.sleep(30);
    }
  });
  const { read } = open(port, null);
  expect(await until('the last line', () => (read().includes('FC 5') ? read() : null))).toEqual([
    'FC 1',
    'FC 3',
    'FC 5',
  ]);
});

test('a register that must be asked is asked again and again', async () => {
  let value = 0;
  const { port } = await serve((socket) => {
    socket.on('data', (bytes) => {
      for (const _ of bytes.toString().matchAll(/FC\?\r\n/g)) {
        value += 3;
        socket.write(`${value}\n`);
      }
    });
  });
  const { read } = open(port, 'FC?');
  expect(await until('three answers', () => (read().length >= 3 ? read().slice(0, 3) : null))).toEqual(['3', '6', '9']);
});

test('a reader of lines gets the error of a port that goes away', async () => {
  const { port, sockets } = await serve((socket) => void socket.write('1\n'));
  const { read } = open(port, null);
  await until('the line', () => (read().length > 0 ? true : null));
  for (const socket of sockets) socket.destroy();
  const fault = await until('the fault', () => {
    try {
      read();
      return null;
    } catch (thrown) {
      return thrown as { retry: string };
    }
  });
  expect(fault).toMatchObject({ retry: 'later' });
});
