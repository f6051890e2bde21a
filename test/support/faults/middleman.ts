// Somebody between agent and service, with sockets of its own: it hands each request on, and does to request, answer and
// connection what the test says. What it is told to lose is really lost, what it is told to delay really arrives late.
import { request as ask, createServer, Agent as HttpAgent, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as it came. */
export interface Asked {
  /** Counted from 1. */
  readonly at: number;
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** How a connection ends without an answer; `hang`: not at all until the other side gives up. */
type Loss = 'reset' | 'close' | 'hang';

/**
 * What becomes of a request: `pass` it is served; `lose-request` it never reaches the service; `lose-answer` it is served
 * and the answer is lost (`cut`: half of it comes); `late` the connection is lost now and the request served later;
 * `answer` it is served, and another answer is given; `instead` it is not served, and this is answered.
 */
export type Deed =
  | 'pass'
  | { readonly do: 'lose-request'; readonly how: Loss }
  | { readonly do: 'lose-answer'; readonly how: Loss | 'cut' }
  | { readonly do: 'late'; readonly how: Loss; readonly delayMs: number }
  | { readonly do: 'answer'; readonly by: (real: Answered) => Answered }
  | { readonly do: 'instead'; readonly answer: Answered };

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface Middleman {
  /** What stands in the agent's settings. */
  readonly url: string;
  /** Everything that was asked, in the order it came. */
  readonly asked: readonly Asked[];
  /** From now on this decides. */
  meet: (asked: Asked) => Deed | Promise<Deed>;
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Hand a request on to the service. */
function handOn(service: URL, pool: HttpAgent, { method, path, headers, body }: Asked): Promise<Answered> {
  const { connection, 'transfer-encoding': _, ...kept } = headers;
  return new Promise((resolve, reject) => {
    const outgoing = ask(
      {
        agent: pool,
        host: service.hostname,
        port: service.port,
        method,
        path,
        // The service answers for its own name only.
        headers: { ...kept, host: service.host, 'content-length': Buffer.byteLength(body) },
      },
      (incoming) => {
        readAll(incoming).then(
          (bytes) =>
            resolve({
              status: incoming.statusCode ?? 0,
              headers: { 'content-type': incoming.headers['content-type'] ?? '' },
              body: bytes,
            }),
          reject,
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function lose(socket: Socket, how: Loss): void {
  if (how === 'reset') socket.resetAndDestroy();
  else if (how === 'close') socket.destroy();
}

function give(outgoing: ServerResponse, { status, headers, body }: Answered): void {
  outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

function cut(outgoing: ServerResponse, { status, headers, body }: Answered): void {
  outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  outgoing.write(Buffer.from(body).subarray(0, Math.floor(body.length / 2)), () => outgoing.socket?.destroy());
}

/**
 * Stand between agent and service, until the test ends.
 *
 * @param serviceUrl - the service's address.
 * @param meet - what to do with each request (changeable later).
 * @param certificate - a certificate for `localhost` when the agent shall come over TLS.
 * @returns the address for the agent, and what was asked.
 */
export async function openMiddleman(
  serviceUrl: string,
  meet: Middleman['meet'] = () => 'pass',
  certificate: Certificate | null = null,
): Promise<Middleman> {
  const service = new URL(serviceUrl);
  const pool = new HttpAgent({ keepAlive: true });
  const asked: Asked[] = [];
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers, socket } = incoming;
    const body = (await readAll(incoming)).toString();
    const one: Asked = { at: asked.length + 1, method, path: url, headers, body };
    asked.push(one);
    const deed = await middleman.meet(one);
    const onward = () => handOn(service, pool, one);
    if (deed === 'pass') return give(outgoing, await onward());
    switch (deed.do) {
      case 'lose-request':
        return lose(socket, deed.how);
      case 'lose-answer': {
        const real = await onward();
        return deed.how === 'cut' ? cut(outgoing, real) : lose(socket, deed.how);
      }
      case 'late':
        // Nobody is left to hear what becomes of it.
        setTimeout(() => void onward().catch(() => {}), deed.delayMs);
        return lose(socket, deed.how);
      case 'answer':
        return give(outgoing, deed.by(await onward()));
      case 'instead':
        return give(outgoing, deed.answer);
    }
  };
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // An agent that gave up, or a service that is gone: the connection says it.
    serve(incoming, outgoing).catch(() => incoming.socket.destroy());
  };
  const server = certificate ? createTlsServer({ ...certificate }, listener) : createServer(listener);
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    pool.destroy();
  });
  const { port } = server.address() as AddressInfo;
  const middleman: Middleman = {
    url: certificate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    asked,
    meet,
  };
  return middleman;
}

export const CHUNK_PATH = '/metrology/stream/chunk/multi';

/** The body of a chunk's request. */
export interface ChunkBody {
  readonly data_id: string;
  readonly chunk_index: number;
  readonly channels: Readonly<Record<string, { readonly timestamps: number[]; readonly values: number[] }>>;
}

/** The chunk that a request carries; null when it carries none. */
export function chunkOf({ path, body }: Asked): ChunkBody | null {
  return path === CHUNK_PATH ? (JSON.parse(body) as ChunkBody) : null;
}
