// How a fault of the test bench comes over the wire. It writes to the socket itself, past the router.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Problem } from '../../../src-main/local-service/requests/problem.ts';
import type { BenchFault } from './bench-settings.ts';

export interface Wire {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

const DRIBBLE_PIECE = 1;
const ENDLESS_PIECE = ' '.repeat(16_384);

const pause = (durationMs: number) => new Promise<void>((resolve) => setTimeout(resolve, durationMs));
const closed = ({ incoming }: Wire) => new Promise<void>((resolve) => incoming.socket.once('close', () => resolve()));

/** End a connection without an answer: by a reset, by closing it, or not at all until the other side gives up. */
async function lose(wire: Wire, how: 'reset' | 'close' | 'hang'): Promise<Response> {
  const { socket } = wire.incoming;
  if (how === 'reset') socket.resetAndDestroy();
  else if (how === 'close') socket.destroy();
  else await closed(wire);
  return RESPONSE_ALREADY_SENT;
}

async function cut(wire: Wire, answer: Response): Promise<Response> {
  const text = await answer.text();
  wire.outgoing.writeHead(answer.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  await new Promise<void>((resolve) => wire.outgoing.write(text.slice(0, text.length / 2), () => resolve()));
  wire.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

async function dribble(wire: Wire, answer: Response, everyMs: number): Promise<Response> {
  const text = await answer.text();
  wire.outgoing.writeHead(answer.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  for (let at = 0; at < text.length && !wire.outgoing.destroyed; at += DRIBBLE_PIECE) {
    wire.outgoing.write(text.slice(at, at + DRIBBLE_PIECE));
    await pause(everyMs);
  }
  wire.outgoing.end();
  return RESPONSE_ALREADY_SENT;
}

async function pourEndlessly(wire: Wire, answer: Response): Promise<Response> {
  wire.outgoing.writeHead(answer.status, { 'Content-Type': 'application/json' });
  while (!wire.outgoing.destroyed) {
    if (wire.outgoing.write(ENDLESS_PIECE)) await pause(0);
    else
      await Promise.race([new Promise<void>((resolve) => wire.outgoing.once('drain', () => resolve())), closed(wire)]);
  }
  return RESPONSE_ALREADY_SENT;
}

async function miscount(answer: Response, by: number): Promise<Response> {
  const receipts = (await answer.json()) as { total_points: number }[];
  return Response.json(
    receipts.map((receipt) => ({ ...receipt, total_points: receipt.total_points + by })),
    { status: answer.status },
  );
}

/** Keep the first channels of a chunk's request. */
function firstChannels(request: Record<string, unknown>, count: number): Record<string, unknown> {
  return { ...request, channels: Object.fromEntries(Object.entries(request.channels ?? {}).slice(0, count)) };
}

/**
 * Serve a request with a fault.
 *
 * @param request - the checked request.
 * @param serve - what would serve it soundly.
 * @param wire - the connection.
 * @returns the answer, or the mark that the connection was dealt with.
 */
export async function serveWithFault(
  fault: BenchFault,
  request: Record<string, unknown>,
  serve: (request: Record<string, unknown>) => Promise<Response>,
  wire: Wire,
): Promise<Response> {
  switch (fault.kind) {
    case 'lost-before':
      return lose(wire, fault.how);
    case 'lost-after': {
      const answer = await serve(request);
      return fault.how === 'cut' ? cut(wire, answer) : lose(wire, fault.how);
    }
    case 'late-commit':
      // A refusal of what comes late has nobody left to hear it.
      setTimeout(() => void serve(request).catch(() => undefined), fault.delayMs);
      return lose(wire, fault.how);
    case 'partial':
      if (fault.channels > 0) await serve(firstChannels(request, fault.channels));
      throw new Problem(500, 'Only a part was stored.');
    case 'wrong-count':
      return miscount(await serve(request), fault.by);
    case 'answer':
      if (fault.isStored) await serve(request);
      return new Response(fault.body ?? '', { status: fault.status, headers: fault.headers ?? {} });
    case 'delay':
      await pause(fault.delayMs);
      return serve(request);
    case 'dribble':
      return dribble(wire, await serve(request), fault.everyMs);
    case 'endless':
      return pourEndlessly(wire, await serve(request));
  }
}
