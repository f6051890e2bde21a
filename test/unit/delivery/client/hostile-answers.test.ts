// A service, or an impostor, sends answers that are made to stop the client. Each answer becomes an outcome in
// clear words; what is long is never parsed on the thread that captures.
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type Server, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, onTestFinished, vi } from 'vitest';
import { createServiceClient } from '../../../../src-main/delivery/client/client.ts';
import { putBack, takeApart } from '../../../../src-main/delivery/client/take-apart.ts';
import { keepFile } from '../../../support/keep-file.ts';
import { listenHere } from '../../../support/listen.ts';
import { serviceFault } from '../../../support/rigs/service-rig.ts';

const KEY = 'canary-key-7f3a9';
const CHUNK = { data_id: 'd', chunk_index: 0, channels: { cell: { timestamps: [1], values: [1] } } };
/** Longer than what may be parsed on this thread, characters. */
const LONG = 256 * 1024;

let parse: MockInstance<typeof JSON.parse>;
beforeEach(() => {
  parse = vi.spyOn(JSON, 'parse');
});
afterEach(() => {
  const longest = Math.max(0, ...parse.mock.calls.map(([text]) => text.length));
  parse.mockRestore();
  expect(longest, 'the longest text that was parsed on this thread').toBeLessThan(LONG);
});

async function clientOf(server: Server, timeouts = {}) {
  const baseUrl = `http://127.0.0.1:${await listenHere(server)}`;
  const client = createServiceClient({ baseUrl, apiKey: () => KEY, timeouts });
  onTestFinished(() => client.close());
  return client;
}

/** A service whose answers come piece by piece, as long as somebody reads. */
function pour(pieces: () => Iterable<string | Buffer>, status = 200, headers = {}) {
  return clientOf(
    createServer((request, response) => {
      request.resume();
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      const iterator = pieces()[Symbol.iterator]();
      const go = (to: ServerResponse) => {
        while (!to.destroyed) {
          const { value, done } = iterator.next();
          if (done) return to.end();
          if (!to.write(value)) return to.once('drain', () => go(to));
        }
        return to;
      };
      go(response);
    }),
  );
}

function* repeat(piece: string, times: number): Generator<string> {
  const block = piece.repeat(Math.ceil(65_536 / piece.length));
  for (let sent = 0; sent < times * piece.length; sent += block.length) yield block;
}

const entry = (n: number) => ({
  data_id: `0d9bd8ec-4f0e-4a31-9b43-${String(n).padStart(12, '0')}`,
  raw_name: `log ${n} "quoted" \\ [{`,
  tags: n % 2 === 0 ? [] : [{ id: `${n}`, name: 'reference' }],
  __proto: null,
  note: 'x'.repeat(400),
});

describe('a hostile answer is an outcome', () => {
  it('of 250 MB of small objects: larger than the call may bring, with endpoint, bytes and bound', async () => {
    const client = await pour(() => ['[', ...repeat('{},', 250_000_000 / 3)]);
    const fault = await serviceFault(client.listDataEntries({}));
    expect(fault.failure.kind).toBe('ambiguous');
    expect(fault.message).toMatch(
      /^GET \/data_entries\/: the answer is larger than this call may bring: 4[\d,]+ bytes or more, bound 42,008,576\.$/,
    );
  });

  it('announced too long: not read at all', async () => {
    const client = await pour(() => ['['], 201, { 'Content-Length': 1e9 });
    const fault = await serviceFault(client.ingestChunk(CHUNK));
    expect(fault.message).toMatch(/: 1,000,000,000 bytes or more, bound 69,632\.$/);
  });

  it.each([
    ['6 MB of opening brackets', () => repeat('[', 6e6), /nested deeper than 64 levels/],
    ['a million lists in each other', () => [...repeat('[', 1e6), ...repeat(']', 1e6)], /nested deeper than 64 levels/],
    ['a million objects in each other', () => repeat('{"a":', 1e6), /nested deeper than 64 levels/],
    [
      '30 MB of empty objects',
      () => ['[', ...repeat('{},', 1e7), '{}]'],
      /holds more than 1,?312,?768 objects and lists/,
    ],
    ['30 MB of digits and commas', () => ['[', ...repeat('0,', 15e6), '0]'], /holds more than 7,?001,?429 values/],
    ['a string without an end', () => ['["', ...repeat('\\"[', 3e6)], /not JSON, or was cut/],
  ])('of %s', async (_, pieces, words) => {
    const client = await pour(pieces);
    const fault = await serviceFault(client.listDataEntries({}));
    expect([fault.failure.kind, fault.message]).toEqual(['ambiguous', expect.stringMatching(words)]);
    expect(fault.message).toContain('GET /data_entries/');
  });

  it('within what is parsed here, too: depth is counted before', async () => {
    const client = await pour(() => ['['.repeat(60_000)], 201);
    const fault = await serviceFault(client.ingestChunk(CHUNK));
    expect(fault.message).toMatch(
      /POST \/metrology\/stream\/chunk\/multi: the answer \(60,000 bytes\) is nested deeper/,
    );
  });

  it('that is an error without an end keeps what its status says', async () => {
    for (const [status, kind] of [
      [404, 'held'],
      [422, 'refused'],
      [500, 'ambiguous'],
    ] as const) {
      const client = await pour(() => ['{"detail":"', ...repeat('no ', 1e8)], status);
      const fault = await serviceFault(client.listDataEntries({}));
      expect([fault.status, fault.failure.kind]).toEqual([status, kind]);
    }
  });

  it('of endless headers, and of one that drips', async () => {
    const endless = await clientOf(
      createSocketServer((socket: Socket) => {
        socket
          .on('error', () => {})
          .once('data', () => {
            socket.write('HTTP/1.1 200 OK\r\n');
            const more = () => {
              while (!socket.destroyed && socket.write('X-More: yes\r\n'.repeat(1000)));
              if (!socket.destroyed) socket.once('drain', more);
            };
            more();
          });
      }),
    );
    const tall = await serviceFault(endless.listDataEntries({}));
    expect([tall.failure.kind, tall.message]).toEqual([
      'ambiguous',
      expect.stringContaining('the head of the answer is larger than'),
    ]);

    const single = await pour(
      () =>
        (function* () {
          while (true) yield ' ';
        })(),
      201,
    );
    const many = await serviceFault(single.ingestChunk(CHUNK));
    expect(many.message).toContain('larger than this call may bring');
  });
});

describe('a long answer', () => {
  it('comes whole and unaltered, read on another thread', async () => {
    const entries = Array.from({ length: 2_000 }, (_, n) => entry(n));
    const text = JSON.stringify(entries);
    expect(text.length).toBeGreaterThan(4 * LONG);
    const client = await pour(() => [text]);
    expect(await client.listDataEntries({})).toEqual(entries);
    // The same thread reads the next one.
    expect((await client.listDataEntries({})).length).toBe(2_000);
  });

  it('keeps every name and number of a series', async () => {
    // More than go into a piece on the way from the other thread.
    const count = 12_000;
    const line = {
      relative_time_seconds: Array.from({ length: count }, (_, n) => n / 10),
      unix_timestamp_ms: Array.from({ length: count }, (_, n) => 1.8e12 + n * 100),
      values: Array.from({ length: count }, (_, n) => (n % 7 === 0 ? null : Math.sin(n))),
    };
    const names = ['cell', '', 'constructor', ...Array.from({ length: 12_000 }, (_, n) => `empty ${n}`)];
    const none = { relative_time_seconds: [], unix_timestamp_ms: [], values: [] };
    const properties = Object.fromEntries(names.map((name) => [name, name === 'cell' ? line : none]));
    Object.defineProperty(properties, '__proto__', { value: line, enumerable: true });
    const client = await pour(() => [JSON.stringify({ properties, series_max_time: 1 })]);
    const series = await client.readTimeSeries({ data_id: 'd' });
    expect(Object.keys(series?.properties ?? {})).toEqual(Object.keys(properties));
    expect(series?.properties.cell).toEqual(line);
    expect(Object.getOwnPropertyDescriptor(series?.properties, '__proto__')?.value).toEqual(line);
  });

  it('that does not fit says where, and one that is given up ends', async () => {
    const wrong = await pour(() => [
      JSON.stringify([...Array.from({ length: 1_000 }, (_, n) => entry(n)), { data_id: 7 }]),
    ]);
    expect((await serviceFault(wrong.listDataEntries({}))).message).toContain('another shape: 1000.data_id');
    const giveUp = new AbortController();
    const endless = await pour(() => {
      giveUp.abort();
      return repeat(' ', 1e7);
    });
    const fault = await serviceFault(endless.listDataEntries({}, { signal: giveUp.signal }));
    expect(fault.message).toContain('given up before the answer was complete');
  });

  it('whatever it is, is the same when it is put together again', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 1, max: 20 }), (value, pieceMax) => {
        const text = JSON.stringify(value);
        const whole: unknown = JSON.parse(text);
        const pieces = structuredClone(takeApart(whole, pieceMax));
        for (const piece of pieces) putBack(whole, piece);
        expect(JSON.stringify(whole)).toBe(text);
      }),
    );
  });
});

describe('a key that the service echoes', () => {
  const echoes = [`{"detail":"no such key: ${KEY}"}`, `{"detail":"\\u0063anary-key-7f3a9"}`, `plain ${KEY}`];

  it.each(echoes)('is in no error of any way to ask: %s', async (body) => {
    for (const status of [200, 201, 400, 401, 404, 500, 302]) {
      const client = await pour(() => [body], status, { Location: `https://${KEY}.example.org/` });
      const ways = [
        () => client.listDataEntries({}),
        () => client.ingestChunk(CHUNK),
        () => client.scanTimeSeries({ data_id: 'd' }, { onNumbers: () => {}, onProperty: () => {} }),
        () => client.endStream({ path: '/end/{data_id}', data_id: 'd' }),
        () => client.downloadRawData({ data_id: 'd' }, {}, keepFile),
      ];
      for (const way of ways) {
        const fault = await way().then(
          () => null,
          (thrown) => thrown,
        );
        const told = `${fault?.message} ${fault?.hint} ${fault?.body?.replaceAll('\\u0063', 'c')} ${JSON.stringify(fault?.context)}`;
        expect(told.replace(/\\u0063/g, 'c'), `${status}`).not.toContain(KEY);
      }
    }
  });

  it('names no saved file', async () => {
    const client = await pour(() => ['1,2'], 200, { 'Content-Disposition': `attachment; filename="${KEY}.csv"` });
    const saved = await client.downloadRawData({ data_id: 'd' }, {}, keepFile);
    expect(saved.name).not.toContain(KEY);
  });
});
