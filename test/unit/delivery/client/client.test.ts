// The client against sockets that misbehave below HTTP, and against what it must never send.
import { getEventListeners } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createServiceClient, type ServiceClient } from '../../../../src-main/delivery/client/client.ts';
import { ServiceError } from '../../../../src-main/delivery/client/service-error.ts';
import { listenHere } from '../../../support/listen.ts';
import { untilHungUp } from '../../../support/processes/until-hung-up.ts';
import { serviceFault } from '../../../support/rigs/service-rig.ts';
import { walks } from '../../../support/run/effort.ts';

const KEY = 'canary-key-7f3a9';
const CHUNK = { data_id: 'd', chunk_index: 0, channels: { cell: { timestamps: [1], values: [1] } } };

const listen = async (server: Server) => `http://127.0.0.1:${await listenHere(server)}`;

function clientOf(baseUrl: string, timeouts = {}): ServiceClient {
  const client = createServiceClient({ baseUrl, apiKey: () => KEY, timeouts });
  onTestFinished(() => client.close());
  return client;
}

/** A service that answers as told, and keeps what it was sent. */
async function openAnswering(answer: RequestListener) {
  const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const baseUrl = await listen(
    createServer(
      untilHungUp(async (incoming, outgoing) => {
        let body = '';
        for await (const part of incoming) body += part;
        seen.push({ method: incoming.method ?? '', url: incoming.url ?? '', headers: incoming.headers, body });
        answer(incoming, outgoing);
      }),
    ),
  );
  return { seen, client: clientOf(baseUrl), baseUrl };
}

const json =
  (value: unknown, status = 200): RequestListener =>
  (_, outgoing) => {
    outgoing.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  };

describe('the client', () => {
  it('writes path, query and body as the table has them, arrays repeated', async () => {
    const { seen, client } = await openAnswering(json([]));
    await client.listDataEntries({ data_ids: ['a', 'b c'], status: 'all', include_organization_data: false, limit: 5 });
    await client.readSims({ data_id: 'a/../b?c' });
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /data_entries/?data_ids=a&data_ids=b+c&status=all&include_organization_data=false&limit=5',
      'GET /sims/a%2F..%2Fb%3Fc',
    ]);
    expect(seen[0]?.headers).toMatchObject({ 'x-api-key': KEY, accept: 'application/json' });
    expect(seen[0]?.headers['content-type']).toBeUndefined();
  });

  it('sends the body of a DELETE as JSON', async () => {
    const { seen, client } = await openAnswering(json({}));
    await client.removeTags({ data_ids: ['a'], tag_ids: ['t'] });
    expect(seen[0]).toMatchObject({
      method: 'DELETE',
      url: '/tags/data-items/',
      body: '{"data_ids":["a"],"tag_ids":["t"]}',
      headers: { 'content-type': 'application/json' },
    });
  });

  it('keeps the path of the base address', async () => {
    const { seen, baseUrl } = await openAnswering(json([]));
    await clientOf(`${baseUrl}/lab/v2/`).listTargetMaterials({});
    expect(seen[0]?.url).toBe('/lab/v2/target-materials/');
  });

  it('takes null of a time series as a value', async () => {
    const { client } = await openAnswering(json(null));
    expect(await client.readTimeSeries({ data_id: 'd', return_null_if_missing: true })).toBeNull();
  });

  it('keeps unknown fields, passes unknown statuses and nulls', async () => {
    const entry = {
      data_id: 'd',
      raw_name: null,
      pipeline_status: 'stream_paused',
      char_source_type: 'ellipsometry',
      new_field: [1],
    };
    const { client } = await openAnswering(
      json([entry, { data_id: 'e', tags: ['plain', { id: 't', name: null }], projects: null }]),
    );
    expect(await client.listDataEntries({})).toEqual([entry, expect.objectContaining({ data_id: 'e' })]);
  });

  it('sends nothing when no key is known', async () => {
    const { seen, baseUrl } = await openAnswering(json([]));
    const client = createServiceClient({ baseUrl, apiKey: () => null });
    onTestFinished(() => client.close());
    const fault = await serviceFault(client.listDataEntries({}));
    expect(fault.failure).toEqual({ kind: 'held', reason: 'key' });
    expect(seen).toEqual([]);
  });

  it.each([
    ['NaN', { ...CHUNK, channels: { cell: { timestamps: [1], values: [Number.NaN] } } }, 'channels.cell.values.0'],
    [
      'an infinity',
      { ...CHUNK, channels: { cell: { timestamps: [Number.POSITIVE_INFINITY], values: [1] } } },
      'channels.cell.timestamps.0',
    ],
    ['a negative index', { ...CHUNK, chunk_index: -1 }, 'chunk_index'],
    ['half a character', { ...CHUNK, channels: { '\ud800': CHUNK.channels.cell } }, 'channels.'],
  ])('sends nothing that holds %s', async (_, request, field) => {
    const { seen, client } = await openAnswering(json([], 201));
    const fault = await serviceFault(client.ingestChunk(request));
    expect(fault.failure).toEqual({ kind: 'refused', isTooLarge: false });
    expect(fault.message).toContain(field);
    expect(seen).toEqual([]);
  });

  it('follows no redirect and does not carry the key to another origin', async () => {
    const other = await openAnswering(json([]));
    for (const status of [301, 302, 303, 307, 308]) {
      const { client } = await openAnswering((_, outgoing) =>
        outgoing.writeHead(status, { Location: `${other.baseUrl}/x` }).end(),
      );
      const fault = await serviceFault(client.ingestChunk(CHUNK));
      expect(fault.failure).toEqual({ kind: 'not-the-service' });
      expect(fault.message).toContain(new URL(other.baseUrl).host);
    }
    expect(other.seen).toEqual([]);
  });

  it('carries no key in an error, even when the service echoes it', async () => {
    const { client } = await openAnswering(json({ detail: `bad key ${KEY}` }, 401));
    const fault = await serviceFault(client.listDataEntries({}));
    const told = JSON.stringify([
      fault.message,
      fault.hint,
      fault.body,
      fault.context,
      String(fault.cause),
      fault.stack,
    ]);
    expect(told).not.toContain(KEY);
    expect(fault.body).toContain('bad key [key]');
  });

  it('reports that nothing was sent when no server listens', async () => {
    const server = createSocketServer();
    const baseUrl = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const fault = await serviceFault(clientOf(baseUrl).ingestChunk(CHUNK));
    expect(fault.failure).toEqual({ kind: 'not-sent', afterMs: null, cause: 'refused-connection' });
    expect(fault.code).toBe('service.refused-connection');
  });

  it('says that nothing was sent when the name is not known', async () => {
    const fault = await serviceFault(clientOf('https://no-such-host.invalid').ingestChunk(CHUNK));
    expect(fault.failure).toMatchObject({ kind: 'not-sent', cause: 'dns' });
  });

  it('says that nothing was sent when the other side speaks no TLS', async () => {
    const { baseUrl, seen } = await openAnswering(json([]));
    const fault = await serviceFault(clientOf(baseUrl.replace('http:', 'https:')).ingestChunk(CHUNK));
    expect(fault.failure).toMatchObject({ kind: 'not-sent', cause: 'tls' });
    expect(seen).toEqual([]);
  });

  it('is ambiguous when the connection breaks after it was made', async () => {
    const baseUrl = await listen(
      createSocketServer((socket: Socket) => socket.once('data', () => socket.resetAndDestroy())),
    );
    expect((await serviceFault(clientOf(baseUrl).ingestChunk(CHUNK))).failure).toEqual({ kind: 'ambiguous' });
  });

  it('gives up on an answer that does not begin, stops, or dribbles in', async () => {
    const silent = await listen(createSocketServer((socket) => void socket.on('error', () => {})));
    expect((await serviceFault(clientOf(silent, { headersMs: 200 }).ingestChunk(CHUNK))).message).toContain(
      'no answer in time',
    );
    const head = 'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n[';
    const stopping = await listen(
      createSocketServer((socket) => void socket.on('error', () => {}).once('data', () => socket.write(head))),
    );
    const stopped = await serviceFault(clientOf(stopping, { bodyMs: 200 }).ingestChunk(CHUNK));
    expect([stopped.failure.kind, stopped.message]).toEqual([
      'ambiguous',
      expect.stringContaining('stopped in the middle'),
    ]);
    const dribbling = await listen(
      createSocketServer((socket) => {
        socket
          .on('error', () => {})
          .once('data', () => {
            socket.write(head);
            const timer = setInterval(() => socket.write(' '), 20);
            socket.on('close', () => clearInterval(timer));
          });
      }),
    );
    const slow = await serviceFault(clientOf(dribbling, { totalMs: 400 }).ingestChunk(CHUNK));
    expect([slow.failure.kind, slow.message]).toEqual(['ambiguous', expect.stringContaining('within 0.4 s')]);
  });

  it('stops reading an answer that is too large, and unpacks none', async () => {
    const { client } = await openAnswering((_, outgoing) => {
      outgoing.writeHead(201, { 'Content-Type': 'application/json' });
      const pour = () => {
        while (!outgoing.destroyed && outgoing.write(' '.repeat(1 << 20)));
        if (!outgoing.destroyed) outgoing.once('drain', pour);
      };
      pour();
    });
    const fault = await serviceFault(client.ingestChunk(CHUNK));
    expect([fault.failure.kind, fault.message]).toEqual(['ambiguous', expect.stringContaining('larger than')]);
    expect(fault.body.length).toBeLessThanOrEqual(2_000);
    const bomb = await openAnswering((_, outgoing) => {
      outgoing.writeHead(201, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(gzipSync('[]'));
    });
    expect((await serviceFault(bomb.client.ingestChunk(CHUNK))).failure.kind).toBe('ambiguous');
  });

  it('ends an aborted request as ambiguous', async () => {
    const { client } = await openAnswering(() => {});
    const controller = new AbortController();
    const asked = serviceFault(client.ingestChunk(CHUNK, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 50);
    expect((await asked).failure).toEqual({ kind: 'ambiguous' });
  });

  it('says that nothing was sent once it is closed', async () => {
    const { client, seen } = await openAnswering(json([]));
    await client.close();
    expect((await serviceFault(client.listDataEntries({}))).failure).toMatchObject({
      kind: 'not-sent',
      cause: 'closed',
    });
    expect(seen).toEqual([]);
  });

  it('sends a body unaltered whose answer came before it was read, whatever is sent after it', async () => {
    const bodies: Promise<string>[] = [];
    const { promise: otherSent, resolve: letRead } = Promise.withResolvers<void>();
    const baseUrl = await listen(
      createServer((incoming, outgoing) => {
        const read = async () => {
          await otherSent;
          const body = (await incoming.toArray()).join('');
          outgoing.end();
          return body;
        };
        bodies.push(read());
        // The answer is whole by its length; it is ended later, since Node drops what comes after the end.
        outgoing.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': 2 }).write('[]');
      }),
    );
    const client = clientOf(baseUrl);
    // Far more than the system holds for a connection, so that most of it waits in this program.
    const column = (value: number) => new Float64Array(500_000).fill(value);
    const timestamps = column(1.5);
    const send = (value: number) =>
      client.ingestChunk({ data_id: 'd', chunk_index: 0, channels: { cell: { timestamps, values: column(value) } } });
    await send(111.5);
    await send(222.5);
    letRead();
    const [first = '', second = ''] = await Promise.all(bodies);
    expect(first).not.toContain('222.5');
    expect(first.match(/111\.5/g)).toHaveLength(500_000);
    expect(second).not.toContain('111.5');
    expect(second.match(/222\.5/g)).toHaveLength(500_000);
  });

  it('returns a value or throws a ServiceError for any answer', async () => {
    let answer: RequestListener = json(null);
    const { client } = await openAnswering((incoming, outgoing) => answer(incoming, outgoing));
    const calls = [
      () => client.listDataEntries({}),
      () => client.readTimeSeries({ data_id: 'd' }),
      () => client.ingestChunk(CHUNK),
      () => client.readXps({ data_id: 'd' }),
      () => client.readSims({ data_id: 'd' }),
      () => client.listTargetMaterials({}),
      () => client.readRheedSettings({ data_id: 'd' }),
      () => client.readOpticalFrames({ data_id: 'd' }),
    ];
    const body = fc.oneof(fc.json({ maxDepth: 4 }), fc.string({ unit: 'binary' }));
    const status = fc.constantFrom(200, 201, 204, 206, 400, 404, 429, 500, 503, 599);
    const header = fc.constantFrom('application/json', 'text/html', 'application/problem+json', '');
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...calls), status, header, body, async (call, code, type, text) => {
        answer = (_, outgoing) =>
          outgoing
            .writeHead(code, { 'Content-Type': type, 'Retry-After': text.slice(0, 5).replace(/[^ -~]/g, '') })
            .end(text);
        const outcome = await call().catch((thrown: unknown) => thrown);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ServiceError);
      }),
      walks(120),
    );
  });

  it('leaves nothing at the signal of a request, which may live as long as the agent', async () => {
    const { client } = await openAnswering(json([]));
    const refusing = await openAnswering(json({ detail: 'why' }, 500));
    const { signal } = new AbortController();
    const held = Reflect.ownKeys(signal);
    await client.listDataEntries({}, { signal });
    await serviceFault(refusing.client.listDataEntries({}, { signal }));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    // Signals that are made of it would be kept by it under a name of their own.
    expect(Reflect.ownKeys(signal)).toEqual(held);
  });

  it.each(['', '['])(
    'reports no complete answer in time when the caller allows less time; received so far: "%s"',
    async (come) => {
      const { client } = await openAnswering((_, outgoing) => {
        if (come !== '') outgoing.writeHead(200, { 'Content-Type': 'application/json' }).write(come);
      });
      const fault = await serviceFault(client.listDataEntries({}, { signal: AbortSignal.timeout(300) }));
      expect(fault.failure).toEqual({ kind: 'ambiguous' });
      expect(fault.message).toBe('GET /data_entries/: no complete answer in time.');
    },
  );

  it('gives every failure a hint that the operator can act on', async () => {
    for (const status of [301, 400, 401, 403, 404, 409, 413, 422, 429, 500, 503, 511]) {
      const { client } = await openAnswering(json({ detail: 'why' }, status));
      const fault = await serviceFault(client.listDataEntries({}));
      expect(fault.hint, String(status)).toMatch(/^[A-Z].{15,}\.$/);
      expect(fault.code).toMatch(/^service\.[a-z-]+$/);
      expect(fault.message).toMatch(/^GET \/data_entries\/: /);
    }
  });
});
