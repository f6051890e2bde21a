// The service as a function from request to answer: guards, key, row, handler. No socket is known here.
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { METHOD_NAME_ALL } from 'hono/router';
import { type AlsoServed, openApiDocument } from '../interface/openapi.ts';
import { type Endpoint, type EndpointName, endpointNames, type ParsedRequest, table } from '../interface/table.ts';
import { isLoopback } from './door.ts';
import { serveAnalysis } from './endpoints/analysis.ts';
import { serveCatalogue } from './endpoints/catalogue.ts';
import { createEndings, endingsServed } from './endpoints/endings.ts';
import type { Handlers } from './endpoints/handlers.ts';
import { serveInstruments } from './endpoints/instruments.ts';
import { serveProjects } from './endpoints/projects.ts';
import { serveRawData } from './endpoints/raw-data.ts';
import { serveRheed } from './endpoints/rheed.ts';
import { serveSeries } from './endpoints/series.ts';
import type { ServiceParts } from './endpoints/service-parts.ts';
import { serveStreams } from './endpoints/streams.ts';
import { serveTargets } from './endpoints/targets.ts';
import type { Interposer } from './interposer.ts';
import { LAB_PAGE, LAB_PAGE_HEADERS, LAB_SERVED } from './lab/lab-page.ts';
import { createMetrics, HEALTH_SERVED, METRICS_SERVED } from './metrics.ts';
import { createRefusedKeys } from './refused-keys.ts';
import { Problem } from './requests/problem.ts';
import { findUnknown, readParameters } from './requests/read-request.ts';
import { createLinkSigner, LINK_SERVED } from './requests/signed-link.ts';
import { labPolicy } from './storage/chunk-policy.ts';
import type { Engine } from './storage/engine.ts';
import type { Caller } from './storage/identity.ts';
import { first } from './storage/script.ts';
import { createStorage } from './storage/storage.ts';

/** Largest body of a request, bytes: a million points of a chunk are about 30 MB. */
const BODY_MAX_BYTES = 64 * 1024 * 1024;

/** A stream without a chunk for so long is done, as far as its status goes. */
const QUIET_MS = 15 * 60_000;
/** Of what a caller calls itself, characters. */
const AGENT_MAX = 100;

interface AppParts {
  readonly engine: Engine;
  readonly nowMs: () => number;
  /** Hosts that it answers for, with their ports, in small letters. */
  readonly hosts: readonly string[];
  /** What the links that it signs begin with. */
  readonly origin: string;
  /** Secret that they are signed with. */
  readonly linkSecret: string;
  /** Whether streams and sessions can be ended by a request (outside the interface); default true. */
  readonly hasEndings?: boolean;
  readonly bodyMaxBytes?: number;
  readonly interposer?: Interposer | null;
  /** Whether `/metrics` is served, to everybody who reaches it; default false. */
  readonly hasMetrics?: boolean;
  /** Called with every fault of the service itself. */
  readonly onFault: (fault: unknown) => void;
}

export interface App {
  /** Answer a request; the environment holds Node's own request and response. */
  fetch(request: Request, environment: HttpBindings): Response | Promise<Response>;
  /** Do what is due by time alone. */
  settle(): Promise<void>;
  /** Write down what is still in memory. */
  close(): Promise<void>;
}

interface Environment {
  Bindings: HttpBindings;
  Variables: { endpoint?: EndpointName };
}

/**
 * Refuse what a web page could have sent.
 *
 * A page of another site reaches this port through the browser of this PC: under a host name of its own (DNS rebinding),
 * or as a plain form. Such requests carry a foreign Host or an Origin; programs send neither.
 */
function guard(request: Request, hosts: readonly string[]): void {
  const host = request.headers.get('host') ?? '';
  if (!hosts.includes(host.toLowerCase())) {
    throw new Problem(421, `This service does not answer for the host ${JSON.stringify(host)}.`);
  }
  if (
    request.headers.get('origin') !== null ||
    /^(cross-site|same-site)$/.test(request.headers.get('sec-fetch-site') ?? '')
  ) {
    throw new Problem(403, 'Web pages have no access to this service.');
  }
}

/** Where a request comes from: its address; and the one that a web server on this PC tells, where it is the one who asks. */
function addressOf(request: Request, { incoming }: HttpBindings): string {
  const address = incoming.socket.remoteAddress ?? 'unknown';
  const told = request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim().slice(0, 100);
  return told && isLoopback(address) ? `${told}, told by ${address}` : address;
}

/** What an agent asks to deliver and to see what came of it. */
const INGEST: readonly EndpointName[] = [
  ...(['ingestChunk', 'initializeStream', 'readTimeSeries', 'startRheedStream'] as const),
  ...(['readRheedSettings', 'listDataEntries'] as const),
];

/** Refuse what a key may not do. */
function checkRole({ role }: Caller, name: EndpointName, method: string): void {
  const isAllowed = role === 'full' || (role === 'read' ? method === 'GET' : INGEST.includes(name));
  if (!isAllowed) throw new Problem(403, `This key may ${role === 'read' ? 'only read' : 'only deliver'}.`);
}

/** Points of a chunk, over all channels. */
const pointsOf = ({ channels }: ParsedRequest<'ingestChunk'>) =>
  Object.values(channels).reduce((sum, { values }) => sum + values.length, 0);

/** The methods that a path takes, as Allow names them. */
function methodsAt({ routes, router }: Hono<Environment>, path: string): string[] {
  const named = new Set(routes.map(({ method }) => method).filter((method) => method !== METHOD_NAME_ALL));
  const isServed = (method: string) => router.match(method, path)[0].some(([[, route]]) => route.method === method);
  const methods = [...named].filter(isServed);
  return methods.includes('GET') ? ['GET', 'HEAD', ...methods.filter((method) => method !== 'GET')] : methods;
}

/** `/a/{b}/` in the router's words, which take a slash at the end by themselves. */
const routeOf = (path: string) => path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '');

/**
 * Put the service together.
 *
 * @param given - its open engine, its clock, the hosts it answers for.
 * @returns what answers every request, refusals and its own faults included.
 */
export function createApp(given: AppParts): App {
  const {
    engine,
    nowMs,
    hosts,
    origin,
    linkSecret,
    onFault,
    bodyMaxBytes = BODY_MAX_BYTES,
    hasEndings = true,
    interposer = null,
    hasMetrics = false,
  } = given;
  const policy = interposer ?? labPolicy;
  const storage = createStorage(engine, policy, nowMs);
  const refusedKeys = createRefusedKeys(engine, nowMs);
  const metrics = hasMetrics
    ? createMetrics({ sizeBytes: engine.sizeBytes, countRunning: storage.catalogue.countRunning })
    : null;
  const parts: ServiceParts = { storage, nowMs, policy, origin: () => origin };
  const rawData = serveRawData(parts, createLinkSigner(linkSecret));
  const endings = createEndings(parts);
  const handlers: Handlers = {
    ...serveStreams(parts),
    ...serveSeries(parts),
    ...serveRheed(parts),
    ...serveCatalogue(parts, interposer?.visibleUntilMs),
    ...serveAnalysis(parts),
    ...serveInstruments(parts),
    ...serveTargets(parts),
    ...serveProjects(parts),
    readRawData: rawData.readRawData,
  };
  // A slash at the end of a path makes no difference.
  const app = new Hono<Environment>({ strict: false });
  app.onError((fault) => {
    if (fault instanceof Problem) return fault.answer();
    onFault(fault);
    return new Problem(500, 'Internal error of the service; its journal has more.').answer();
  });
  app.notFound(({ req }) => {
    const methods = methodsAt(app, req.path);
    if (methods.length === 0) return new Problem(404, 'There is nothing at this path.').answer();
    const answer = new Problem(405, `This path takes ${methods.join(' or ')}.`).answer();
    answer.headers.set('Allow', methods.join(', '));
    return answer;
  });
  app.use(async (context, next) => {
    const begunMs = performance.now();
    guard(context.req.raw, hosts);
    const gone = await engine.whyGone();
    if (gone !== null) throw new Problem(503, gone);
    await next();
    metrics?.answered(context.get('endpoint') ?? 'other', context.res.status, performance.now() - begunMs);
    context.header('X-Content-Type-Options', 'nosniff');
    context.header('Cache-Control', 'no-store');
  });
  const knowCaller = async ({ req, env }: Context<Environment>) => {
    const agent = (req.header('user-agent') ?? '').slice(0, AGENT_MAX);
    const from = addressOf(req.raw, env);
    const key = req.header('x-api-key') ?? '';
    const caller = await storage.identity.findCaller(key, nowMs(), from, agent);
    if ('why' in caller) {
      if (key !== '') refusedKeys.note(caller, from);
      throw new Problem(401, 'Send a key of this service in the header X-API-KEY.');
    }
    storage.accesses.noteKey(caller.keyId);
    return caller;
  };
  const serve = (name: EndpointName) => {
    const row: Endpoint = table[name];
    const handler = handlers[name] as (request: unknown, caller: unknown) => unknown;
    app.on(row.method, routeOf(row.path), async (context) => {
      context.set('endpoint', name);
      const caller = await knowCaller(context);
      checkRole(caller, name, row.method);
      const maxBytes = interposer?.bodyMaxBytes ?? bodyMaxBytes;
      const request = await readParameters(row, context.req.param(), context.req.raw, maxBytes);
      const answer = async (request: unknown) => {
        const value = await handler(request, caller);
        if (name === 'ingestChunk') metrics?.stored(pointsOf(request as ParsedRequest<'ingestChunk'>));
        return value instanceof Response ? value : Response.json(value, { status: row.success });
      };
      return interposer ? interposer.serve(name, request, answer, context.env) : answer(request);
    });
  };
  for (const name of endpointNames) serve(name);
  /** Serve a path besides the interface. */
  const also = (
    { method, path, query = [] }: Pick<AlsoServed, 'method' | 'path' | 'query'>,
    answer: (context: Context<Environment>) => Response | Promise<Response>,
  ) => {
    app.on(method, routeOf(path), (context) => {
      const faults = findUnknown(query, new URL(context.req.url).searchParams);
      if (faults.length > 0) throw new Problem(422, faults);
      return answer(context);
    });
  };
  also(LINK_SERVED, ({ req }) => rawData.open(req.param('file_uuid') ?? '', new URL(req.url).searchParams));
  if (hasEndings) {
    for (const served of endingsServed) {
      also(served, async (context) => {
        const caller = await knowCaller(context);
        checkRole(caller, 'ingestChunk', 'POST');
        return context.json(await endings.end(served.kind, context.req.param('data_id') ?? '', caller));
      });
    }
  }
  also(LAB_SERVED[0], () => new Response(LAB_PAGE, { headers: LAB_PAGE_HEADERS }));
  also(LAB_SERVED[1], async (context) => {
    const caller = await knowCaller(context);
    if (caller.role === 'ingest') throw new Problem(403, 'This key may only deliver.');
    return context.json(await storage.lab.look(caller.organizationId, nowMs()));
  });
  also(HEALTH_SERVED, async (context) => {
    await engine.read(() => first('SELECT 1 AS here'));
    return context.json({ status: 'ok' });
  });
  if (metrics) {
    also(METRICS_SERVED, async () => {
      const { text, type } = await metrics.read();
      return new Response(text, { headers: { 'Content-Type': type } });
    });
  }
  const published = openApiDocument([
    ...(hasEndings ? endingsServed : []),
    ...(metrics ? [METRICS_SERVED] : []),
    LINK_SERVED,
    HEALTH_SERVED,
    ...LAB_SERVED,
  ]);
  also({ method: 'GET', path: '/openapi.json' }, (context) => context.json(published));
  return {
    fetch: (request, environment) => app.fetch(request, environment),
    settle: () => endings.settleQuiet(QUIET_MS),
    close: async () => {
      await refusedKeys.close();
      await storage.accesses.close();
    },
  };
}
