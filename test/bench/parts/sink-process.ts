// A service that takes points and, unless told so, keeps none: what the agent sends to in benchmarks, so that only the agent is measured. It
// counts the points of each channel by the commas between them, without making numbers of them, and answers as the interface
// asks. A process of its own: `sink-process.ts [DELAY_MS [keep]]`, where each answer leaves that much later; one that keeps
// gives the texts of the values back when it is asked for the series. It prints a line with
// its port, then a line of JSON each 100 ms in which points came: how many came in all, when the last came, Unix milliseconds,
// how old the first row of each chunk was, and of each chunk when it came and how many points had come with it. A line on its input makes it refuse all connections; the next line lets them in
// again.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';

const delayMs = Number(process.argv[2] ?? 0);
const isKeeping = process.argv[3] === 'keep';
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET = 0x5d;
const VALUES = Buffer.from('"values":[');
const totals = new Map<string, number>();
/** What it keeps of each entry: the texts of values of each channel, and of the times, which all of them share. */
const kept = new Map<string, { timesMs: number[][]; values: Map<string, Buffer[]> }>();
let points = 0;
let lastMs = 0;
let agesMs: number[] = [];
let arrivals: { ms: number; points: number }[] = [];

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Numbers between `at` and the bracket that ends their list. */
function countNumbers(body: Buffer, at: number): number {
  const end = body.indexOf(BRACKET, at);
  let count = 1;
  for (let i = at; i < end; i++) if (body[i] === COMMA) count += 1;
  return count;
}

/** The first stamp of a list that begins there, Unix milliseconds. */
const firstMs = (body: Buffer, at: number) => 1000 * Number.parseFloat(body.toString('latin1', at + 14, at + 40));

function keep(dataId: string, name: string, body: Buffer, times: number, values: number, isFirst: boolean): void {
  const entry = kept.get(dataId) ?? { timesMs: [], values: new Map<string, Buffer[]>() };
  kept.set(dataId, entry);
  if (isFirst) {
    const seconds = body.toString('latin1', times, body.indexOf(BRACKET, times)).split(',');
    entry.timesMs.push(seconds.map((text) => Math.round(Number(text) * 1000)));
  }
  const texts = entry.values.get(name) ?? [];
  entry.values.set(name, texts);
  texts.push(Buffer.from(body.subarray(values, body.indexOf(BRACKET, values))));
}

/** The series of an entry, its channels one after the other. */
function* series(dataId: string): Generator<string | Buffer> {
  const { timesMs, values } = kept.get(dataId) ?? { timesMs: [], values: new Map<string, Buffer[]>() };
  const firstMs = timesMs[0]?.[0] ?? 0;
  const relative = Buffer.from(timesMs.map((part) => part.map((ms) => (ms - firstMs) / 1000).join(',')).join(','));
  const times = Buffer.from(timesMs.map((part) => part.join(',')).join(','));
  let comma = '';
  yield '{"properties":{';
  for (const [name, texts] of values) {
    yield `${comma}${JSON.stringify(name)}:{"relative_time_seconds":[`;
    yield relative;
    yield '],"unix_timestamp_ms":[';
    yield times;
    for (const [at, text] of texts.entries()) {
      yield at === 0 ? '],"values":[' : ',';
      yield text;
    }
    yield ']}';
    comma = ',';
  }
  yield '},"series_max_time":0}';
}

/** What stands in a chunk: names are plain words in benchmarks. */
function readChunk(body: Buffer): { dataId: string; index: number; channels: { name: string; rows: number }[] } {
  const head = body.toString('latin1', 0, 200);
  const [, dataId = ''] = /"data_id":"([^"]+)"/.exec(head) ?? [];
  const [, index = ''] = /"chunk_index":(\d+)/.exec(head) ?? [];
  const channels: { name: string; rows: number }[] = [];
  for (let at = body.indexOf('"timestamps":['); at >= 0; at = body.indexOf('"timestamps":[', at + 1)) {
    if (channels.length === 0) agesMs.push(Date.now() - firstMs(body, at));
    const before = body.toString('latin1', Math.max(0, at - 300), at);
    const [, name = ''] = /"([^"]*)":\{$/.exec(before) ?? [];
    const values = body.indexOf(VALUES, at);
    if (body[values + VALUES.length - 2] !== COLON) throw new Error('Not a chunk as this sink knows it.');
    channels.push({ name, rows: countNumbers(body, values + VALUES.length) });
    if (isKeeping) keep(dataId, name, body, at + 14, values + VALUES.length, channels.length === 1);
    at = values;
  }
  return { dataId, index: Number(index), channels };
}

function answerChunk(body: Buffer): unknown {
  const { dataId, index, channels } = readChunk(body);
  const receipts = channels.map(({ name, rows }) => {
    const key = `${dataId} ${name}`;
    const total = (totals.get(key) ?? 0) + rows;
    totals.set(key, total);
    points += rows;
    return { data_id: dataId, channel_name: name, chunk_index: index, total_points: total };
  });
  lastMs = Date.now();
  arrivals.push({ ms: lastMs, points });
  return receipts;
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  const send = () => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (delayMs > 0) setTimeout(send, delayMs);
  else send();
}

const server = createServer(async (request, response) => {
  const body = await bodyOf(request);
  if (request.url?.includes('/chunk/multi')) return answer(response, 201, answerChunk(body));
  if (request.url?.includes('/initialize')) {
    return answer(response, 200, { data_id: randomUUID(), processed_data_id: randomUUID() });
  }
  if (request.url?.startsWith('/data_entries/')) return answer(response, 200, []);
  const [, dataId = ''] = /^\/metrology\/([^/]+)\/timeseries\//.exec(request.url ?? '') ?? [];
  if (kept.has(dataId)) {
    response.writeHead(200, { 'content-type': 'application/json' });
    return void Readable.from(series(dataId), { objectMode: false }).pipe(response);
  }
  // Nothing is kept, so nothing can be read back.
  answer(response, 404, { detail: 'not kept' });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(String(port));
  createInterface({ input: process.stdin }).on('line', () => {
    if (server.listening) {
      server.close();
      server.closeAllConnections();
    } else server.listen(port, '127.0.0.1');
  });
});

let told = 0;
setInterval(() => {
  if (points === told) return;
  told = points;
  console.log(JSON.stringify({ points, lastMs, agesMs, arrivals }));
  agesMs = [];
  arrivals = [];
}, 100);
