import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { LOOPBACK, openDoor } from '../../../src-main/local-service/door.ts';

test('an address gets 500 connections at a time, and a further one when another has ended', async () => {
  const { server } = openDoor(LOOPBACK, (_, response) => void response.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let ended = 0;
  const dial = async () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {}).on('close', () => (ended += 1));
    await once(socket, 'connect');
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: 500 }, dial));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  expect(ended).toBe(0);
  sockets.push(await dial());
  await expect.poll(() => ended).toBe(1);
  sockets[0]?.destroy();
  await expect.poll(() => ended).toBe(2);
  const open = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  await expect.poll(open).toBe(499);
  sockets.push(await dial());
  await expect.poll(open).toBe(500);
});
