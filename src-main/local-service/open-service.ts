// Database, app and socket of the embedded service, opened and closed together.
import type { Server } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { AgentError } from '../model/agent-error.ts';
import { type App, createApp } from './app.ts';
import { openDoor } from './door.ts';
import type { Interposer } from './interposer.ts';
import { ensureOwnKey } from './own-key.ts';
import { Problem } from './requests/problem.ts';
import { addAudit, hereActor } from './storage/audit.ts';
import type { Engine } from './storage/engine.ts';
import { ensureLinkSecret } from './storage/identity.ts';
import { openEngine } from './storage/open-engine.ts';
import type { ServiceOptions } from './worker-messages.ts';

type FetchCallback = Parameters<typeof getRequestListener>[0];

/** How long requests under way may take to end at a stop, milliseconds. */
const GRACE_MS = 2_000;
const SETTLE_EVERY_MS = 2_000;
/** A certificate that was renewed is taken so soon, milliseconds. */
const RENEW_EVERY_MS = 60_000;

export interface OpenedService {
  readonly url: string;
  readonly apiKey: string;
  readonly interposer: Interposer | null;
  close(): Promise<void>;
}

function listen(server: Server, address: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (fault: NodeJS.ErrnoException) => {
      if (fault.code === 'EADDRNOTAVAIL') {
        const hint = 'Give an address of one of its network cards, or 0.0.0.0 for all of them.';
        const message = `This PC has no address ${address}.`;
        return reject(
          new AgentError({ code: 'service.door-unfit', message, hint, retry: 'after-human', cause: fault }),
        );
      }
      if (fault.code !== 'EADDRINUSE' && fault.code !== 'EACCES') return reject(fault);
      const isTaken = fault.code === 'EADDRINUSE';
      reject(
        new AgentError({
          code: isTaken ? 'service.port-taken' : 'service.port-refused',
          message: isTaken
            ? `Port ${port} of this PC is taken by another program.`
            : `The system does not allow this program to listen on port ${port}.`,
          hint: 'End the other program, or choose another port (0 takes any free one).',
          retry: 'after-human',
          cause: fault,
        }),
      );
    });
    server.listen(port, address, () => {
      const place = server.address();
      resolve(typeof place === 'object' && place ? place.port : port);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Make what settles the streams; a storage that cannot be used is told once, when it begins. */
function settleOf(app: App, onFault: (fault: unknown) => void): () => Promise<void> {
  let isGone = false;
  return async () => {
    try {
      await app.settle();
      isGone = false;
    } catch (cause) {
      if (!(cause instanceof Problem)) return onFault(cause);
      if (isGone) return;
      isGone = true;
      onFault(
        new AgentError({
          code: 'service.database-gone',
          message: 'The database of the service cannot be used: requests are answered with 503 until it can.',
          hint: 'Start PostgreSQL again, or see in its log what is wrong. Nothing that was confirmed is lost.',
          retry: 'later',
          cause,
        }),
      );
    }
  };
}

/** The settings of a service, as its audit tells them. */
function toldSettings({ door, hasMetrics, hasEndings }: ServiceOptions, origin: string): string {
  const { address, tls } = door;
  return JSON.stringify({
    address,
    origin,
    tls: tls?.certFile ?? null,
    metrics: hasMetrics,
    endings: hasEndings,
  });
}

/**
 * Open the service: database, key, socket.
 *
 * @throws AgentError `service.port-taken`, `service.port-refused`, `service.door-unfit`, those of the database and of the key. Nothing is left open
 *   then.
 */
export async function openService(
  options: ServiceOptions & { onFault: (fault: unknown) => void; interpose?: (engine: Engine) => Interposer },
): Promise<OpenedService> {
  const { folder, database, key, hasEndings, hasMetrics, onFault } = options;
  const engine = await openEngine(database ?? folder, { onNote: onFault });
  try {
    const interposer = options.interpose?.(engine) ?? null;
    const nowMs = interposer?.nowMs ?? Date.now;
    const apiKey = await ensureOwnKey(engine, database === null ? folder : null, key, nowMs());
    let fetch: FetchCallback = () => new Response(null, { status: 503 });
    const listener = getRequestListener((request, environment) => fetch(request, environment));
    const door = openDoor(options.door, (request, response) => void listener(request, response));
    const { server } = door;
    const port = await listen(server, options.door.address, options.port);
    server.on('error', onFault);
    const app = createApp({
      engine,
      nowMs,
      hosts: door.hosts(port),
      origin: door.origin(port),
      linkSecret: await engine.write(ensureLinkSecret),
      onFault,
      interposer,
      hasEndings,
      hasMetrics,
    });
    await engine.write(() => addAudit(hereActor(), 'service started', toldSettings(options, door.origin(port))));
    fetch = (request, environment) => app.fetch(request, environment as HttpBindings);
    await app.settle();
    const timer = setInterval(settleOf(app, onFault), SETTLE_EVERY_MS);
    const renewal = setInterval(() => {
      try {
        door.renew();
      } catch (fault) {
        onFault(fault);
      }
    }, RENEW_EVERY_MS);
    return {
      url: door.origin(port),
      apiKey,
      interposer,
      close: async () => {
        clearInterval(timer);
        clearInterval(renewal);
        await closeServer(server);
        await app.close();
        await engine.close();
      },
    };
  } catch (fault) {
    await engine.close();
    throw fault;
  }
}
