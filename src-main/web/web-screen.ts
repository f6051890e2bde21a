// The screen in a browser, for PCs without a display of their own and for machines without the Electron runtime: the
// built page over HTTP and the contract over a WebSocket, on loopback only.
//
// Who may look: the page itself is part of the program and is served to any browser of this PC; without a session it shows
// nothing of the agent. A link that the terminal prints carries a token behind its #, which no browser sends to a server;
// the page exchanges it once for the secret of a session and keeps that in its own storage, which a browser keeps apart by
// host *and port*. It goes out in two places only: as `Authorization` to /session, and as a sub-protocol of /socket. There
// is no cookie: a browser would send it to every other port of this PC. A session outlives the agent, to look only.
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createAdaptorServer } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { WebSocketServer } from 'ws';
import { readProof, SOCKET_PROTOCOL } from '../contract/screen-session.ts';
import type { Handlers } from '../contract/table.ts';
import { AgentError } from '../model/agent-error.ts';
import { type Headers, makeDoorkeeper } from './doorkeeper.ts';
import { noticePage } from './notice-page.ts';
import { readPage } from './page.ts';
import { FRAME_BYTES_MAX, type Subscribe, serveScreen } from './screen-socket.ts';
import { openSessions, type SessionBook } from './sessions.ts';

const HOST = '127.0.0.1';
const CONNECTIONS_MAX = 64;
/** Longest that a connection may take to say what it wants, and to say all of it, milliseconds: half-open ones lock nobody out. */
const HEADERS_MS = 5000;
const REQUEST_MS = 10_000;
const CHECK_MS = 1000;
/** A fresh link is printed at most this often, milliseconds, however often somebody asks. */
const ANNOUNCE_INTERVAL_MS = 10_000;
/** How long a closing screen may take to say goodbye, milliseconds. */
const GOODBYE_MS = 500;

export interface WebScreenOptions {
  handlers: Handlers;
  subscribe: Subscribe;
  /** A file that the agent gives for this path; null: none. Left out: it gives none. */
  openFile?: (path: string) => Response | null;
  /** The built page, `dist/renderer`. */
  rendererFolder: string;
  /** Loopback port; 0 takes a free one. */
  port: number;
  /** Where sessions outlive the agent; absent: they do not. */
  book?: SessionBook;
  /** Where a fresh link goes when somebody came without one; the terminal unless given. */
  announce?: (text: string) => void;
  clock?: { monotonicMs(): number };
  pingIntervalMs?: number;
}

export interface WebScreen {
  /** Address without a token: `http://127.0.0.1:4310`. */
  readonly url: string;
  readonly port: number;
  /** Make a link that opens the screen once. */
  mintLink(): string;
  /** Close every screen and free the port. */
  stop(): Promise<void>;
}

/**
 * Serve the screen on a loopback port.
 *
 * @param options - the agent's handlers and feeds, the built page and the port.
 * @returns the running screen; nobody sees anything before opening a link of `mintLink`.
 * @throws `web.port-taken` when another program listens there, `web.page-missing` when nothing was built; then nothing is left
 *   running.
 */
export async function startWebScreen(options: WebScreenOptions): Promise<WebScreen> {
  const page = await readPage(options.rendererFolder);
  const sessions = openSessions(options.book ?? { read: () => [], write: () => undefined });
  const app = new Hono();
  const serverOptions = {
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_MS,
  };
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions }) as Server;
  server.maxConnections = CONNECTIONS_MAX;
  const port = await listen(server, options.port);
  const url = `http://${HOST}:${port}`;
  const doorkeeper = makeDoorkeeper(port);
  const mintLink = () => `${url}/enter#${sessions.mintToken()}`;
  const announce = announcer(options, mintLink);

  app.use(async (context, next) => {
    const headers: Headers = (name) => context.req.header(name);
    const isExchange = context.req.method === 'POST' && context.req.path === '/session';
    const reason = isExchange ? doorkeeper.refuseUnlessOwn(headers) : doorkeeper.refuse(headers);
    if (reason) return noticePage(403, 'Not here', reason);
    if (context.req.method === 'GET' || isExchange) return next();
    return noticePage(405, 'Not like this', 'This address only shows the screen.');
  });
  const secretOf = (context: Context) => /^Bearer (\S+)$/.exec(context.req.header('authorization') ?? '')?.[1];
  app.get('/enter', (context) => {
    // A page that a browser opens ahead of the click must not use the link up.
    if (context.req.header('sec-purpose')?.includes('prefetch')) return noticePage(503, 'Not yet', 'Open the link.');
    return page('/');
  });
  /** Exchange the token of a link for a session. Who comes without one is shown the way to a fresh link. */
  app.post('/session', (context) => {
    context.header('Cache-Control', 'no-store');
    const secret = sessions.redeem(secretOf(context) ?? '');
    if (secret) return context.json({ secret });
    announce();
    return context.body(null, 401);
  });
  /** Lets the page tell an agent that is gone from one that was restarted and does not know it any more. */
  app.get('/session', (context) => {
    context.header('Cache-Control', 'no-store');
    const session = sessions.find(secretOf(context));
    if (session === null) return context.body(null, 401);
    return context.json({ mayAct: session.mayAct });
  });
  app.get('*', ({ req: { path } }) => options.openFile?.(path) ?? page(path));

  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_BYTES_MAX,
    perMessageDeflate: false,
    // The answer names the protocol, never the secret beside it.
    handleProtocols: () => SOCKET_PROTOCOL,
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A connection that breaks during the handshake is simply gone.
    socket.on('error', () => socket.destroy());
    const headers: Headers = (name) => request.headers[name]?.toString();
    if (doorkeeper.refuseUnlessOwn(headers)) return hangUp(socket, '403 Forbidden');
    if (request.url !== '/socket') return hangUp(socket, '404 Not Found');
    const session = sessions.find(readProof(headers('sec-websocket-protocol') ?? ''));
    if (session === null) return hangUp(socket, '401 Unauthorized');
    sockets.handleUpgrade(request, socket, head, (screen) =>
      serveScreen(screen, {
        ...options,
        caller: `the browser, session ${session.number}`,
        mayAct: session.mayAct,
      }),
    );
  });

  const stop = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const screen of sockets.clients) screen.close(1001, 'the agent stops');
    server.closeAllConnections();
    // A screen that is well says goodbye at once; one that is stuck is not waited for.
    const cutOff = setTimeout(() => {
      for (const screen of sockets.clients) screen.terminate();
    }, GOODBYE_MS);
    await closed;
    clearTimeout(cutOff);
  };
  return { url, port, mintLink, stop };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(cause.code === 'EADDRINUSE' ? taken(port, cause) : cause),
    );
    server.listen(port, HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

function taken(port: number, cause: unknown): AgentError {
  return new AgentError({
    code: 'web.port-taken',
    message: `Port ${port} on this PC is already in use, so the screen cannot be shown there.`,
    hint: `If Epistream already runs, use its window; else choose another port, for example --ui ${port + 1}.`,
    retry: 'after-human',
    context: { port },
    cause,
  });
}

/** Print a fresh link, at most once an interval. */
function announcer({ announce, clock }: WebScreenOptions, mintLink: () => string): () => void {
  const print = announce ?? ((text: string) => void process.stderr.write(`${text}\n`));
  const nowMs = () => clock?.monotonicMs() ?? performance.now();
  let lastMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (nowMs() - lastMs < ANNOUNCE_INTERVAL_MS) return;
    lastMs = nowMs();
    print(`A browser asked for the screen without a valid link. Open this one: ${mintLink()}`);
  };
}

function hangUp(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}
