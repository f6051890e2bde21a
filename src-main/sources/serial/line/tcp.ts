// A serial line behind a terminal server, or an instrument with a network port of its own: bytes over TCP, raw.
// Bounds: 10 s to connect; after 10 s of silence the system asks whether the other side is still there.
import { connect } from 'node:net';
import { AgentError } from '../../../model/agent-error.ts';
import type { Connection, OnBytes, Transport } from './transport.ts';

/** Longest wait for the terminal server, milliseconds. */
const CONNECT_MS = 10_000;
/** Silence after which the system asks whether the other side is still there, milliseconds. */
const KEEP_ALIVE_MS = 10_000;

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Read `tcp://host:port`.
 *
 * @returns host and port; null when it is not written so.
 */
export function parseTcpAddress(text: string): TcpAddress | null {
  const match = /^tcp:\/\/(\[[0-9a-f:.]+\]|[A-Za-z0-9.-]+):(\d{1,5})\/?$/i.exec(text);
  const port = Number(match?.[2]);
  if (!match || port < 1 || port > 65_535) return null;
  return { host: (match[1] as string).replace(/^\[|\]$/g, ''), port };
}

/** Make the transport of a terminal server's port. */
export function tcpTransport(name: string, address: TcpAddress): Transport {
  return { name, characterMs: 0, open: (onBytes) => open(name, address, onBytes) };
}

async function open(name: string, { host, port }: TcpAddress, onBytes: OnBytes): Promise<Connection> {
  const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
  const closed = Promise.withResolvers<AgentError | null>();
  let isClosing = false;
  let fault: Error | undefined;
  socket.on('data', onBytes);
  socket.on('error', (error) => {
    fault = error;
  });
  socket.on('end', () => socket.destroy());
  socket.on('close', () => closed.resolve(isClosing ? null : gone(name, fault)));
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error('no answer')), CONNECT_MS);
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.once('close', () => {
      clearTimeout(timer);
      reject(unreachable(name, fault));
    });
  });
  return {
    place: name,
    closed: closed.promise,
    write: (bytes) =>
      new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(gone(name, error)) : resolve()))),
    close: async () => {
      isClosing = true;
      socket.destroy();
      await closed.promise;
    },
  };
}

function gone(name: string, cause: Error | undefined): AgentError {
  return new AgentError({
    code: 'serial.port-gone',
    message: `${name} closed the connection.`,
    hint: 'Some terminal servers serve one program only: see whether another one took the line. Epistream tries again automatically.',
    retry: 'later',
    cause,
  });
}

function unreachable(name: string, cause: Error | undefined): AgentError {
  const why = (cause as NodeJS.ErrnoException | undefined)?.code ?? cause?.message ?? 'no answer';
  return new AgentError({
    code: 'serial.unreachable',
    message: `${name} cannot be reached (${why}).`,
    hint: 'Check that the terminal server is on, its address and port, and that nothing else holds the line.',
    retry: 'later',
    cause,
  });
}
