// A service that means harm: `hostile-service.ts [URL]`, a process of its own that prints its port. Each request gets the next
// of KINDS, or that one which its input names. With a URL, streams are begun there, so that chunks are sent here; the line
// "good" on its input makes it hand on everything to that URL from then on.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

const ENTRY = '{"data_id":"0d9bd8ec-4f0e-4a31-9b43-5bb0ac0d5a52","raw_name":"log","tags":[{"id":"1","name":"n"}]},';
const PIECE_BYTES = 65_536;
const DRIP_MS = 20;
const HEADERS_MS = 5;

/** Text that is repeated, with what stands before and behind. */
const repeated =
  (begin: string, piece: string, times: number, end: string) =>
  (response: ServerResponse): void => {
    const atOnce = Math.ceil(PIECE_BYTES / piece.length);
    let left = times;
    response.writeHead(200, { 'content-type': 'application/json' }).write(begin);
    const go = (): void => {
      while (left > 0 && !response.destroyed) {
        const count = Math.min(atOnce, left);
        left -= count;
        if (!response.write(piece.repeat(count))) return void response.once('drain', go);
      }
      response.end(end);
    };
    go();
  };

/** Text that never ends, a piece at a time, past the bounds of what an answer is. */
const endless =
  (begin: string, piece: string, everyMs: number) =>
  ({ socket }: ServerResponse): void => {
    socket?.write(begin);
    const timer = setInterval(() => socket?.write(piece), everyMs);
    socket?.once('close', () => clearInterval(timer));
  };

/** What it answers. */
export const KINDS = {
  '250 MB of objects': repeated('[', '{},', 83_000_000, '{}]'),
  '30 MB of objects': repeated('[', '{},', 10_000_000, '{}]'),
  '6 MB of brackets': repeated('', '[', 6_000_000, ''),
  'a million levels': repeated('', '{"a":', 1_000_000, ''),
  '10,000 entries': repeated('[', ENTRY, 9_999, `${ENTRY.slice(0, -1)}]`),
  'one byte at a time': endless(
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    '1\r\n[\r\n',
    DRIP_MS,
  ),
  'headers without end': endless('HTTP/1.1 200 OK\r\n', `x-more: ${'y'.repeat(1000)}\r\n`, HEADERS_MS),
} as const;
export type Kind = keyof typeof KINDS;

async function handOn(upstream: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const answer = await fetch(new URL(request.url ?? '/', upstream), {
    method: request.method ?? 'GET',
    headers: Object.entries(request.headers).filter(
      (header): header is [string, string] => /^(content-type|x-)/.test(header[0]) && typeof header[1] === 'string',
    ),
    body: parts.length > 0 ? Buffer.concat(parts) : null,
  });
  const body = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }).end(body);
}

if (process.argv[1] === import.meta.filename) {
  const upstream = process.argv[2];
  let [isGood, only, turn] = [false, '', 0];
  const server = createServer((request, response) => {
    if (upstream && (isGood || request.url?.includes('/initialize'))) {
      return void handOn(upstream, request, response).catch(() => response.destroy());
    }
    request.resume();
    const kind = only === '' ? Object.keys(KINDS)[turn++ % Object.keys(KINDS).length] : only;
    KINDS[kind as Kind](response);
  });
  createInterface({ input: process.stdin }).on('line', (word) => {
    if (word === 'good') isGood = true;
    else only = word;
    console.log(String(turn));
  });
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
}
