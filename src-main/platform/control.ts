// A door for commands on this PC: while an agent holds its data folder, `status` asks it instead of the store. JSON over
// HTTP on loopback, one question a request.
//
// A client must know the token (which only this user can read), name the server as it is called (that defeats DNS
// rebinding), and be no web page. Questions are at most QUESTION_BYTES_MAX, answers at most ANSWER_BYTES_MAX.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentError, toAgentError } from '../model/agent-error.ts';
import { findAgent } from './announce.ts';
import { findInstance } from './data-folder.ts';

const QUESTION_BYTES_MAX = 64 * 1024;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const ANSWER_WAIT_MS = 10_000;

export interface ControlOptions {
  /** Answer one question, both plain JSON values. What it throws is answered with code, message and hint. */
  readonly answer: (question: unknown) => Promise<unknown>;
}

export interface ControlServer {
  /** `http://127.0.0.1:41234`. */
  readonly address: string;
  readonly token: string;
  close(): Promise<void>;
}

/** Thrown inside the server for what is answered with a status alone. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest();

async function readBody(stream: IncomingMessage, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) throw new Refusal(413, 'That is too long.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function checkHead({ method, url, headers }: IncomingMessage, host: string, token: string): void {
  if (headers.host !== host) throw new Refusal(421, 'This address is not served here.');
  const { origin, authorization = '' } = headers;
  if (origin !== undefined || headers['sec-fetch-site'] !== undefined)
    throw new Refusal(403, 'Pages are not answered.');
  if (!timingSafeEqual(digest(authorization), digest(`Bearer ${token}`)))
    throw new Refusal(401, 'Missing or invalid token.');
  if (method !== 'POST' || url !== '/') throw new Refusal(404, 'Only POST / is answered.');
  if (headers['content-type'] !== 'application/json') throw new Refusal(415, 'Only JSON is answered.');
}

async function serve(
  stream: IncomingMessage,
  host: string,
  token: string,
  { answer }: ControlOptions,
): Promise<string> {
  checkHead(stream, host, token);
  const text = await readBody(stream, QUESTION_BYTES_MAX);
  let question: unknown;
  try {
    question = JSON.parse(text);
  } catch {
    throw new Refusal(400, 'That is not JSON.');
  }
  try {
    return JSON.stringify({ ok: true, value: (await answer(question)) ?? null });
  } catch (thrown) {
    const { code, message, hint } = toAgentError(thrown);
    return JSON.stringify({ ok: false, error: { code, message, hint } });
  }
}

function reply(response: ServerResponse, status: number, text: string): void {
  const isRefused = status >= 400;
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // What is left of a refused question is not read.
    ...(isRefused ? { connection: 'close' } : {}),
  });
  response.end(text);
}

/**
 * Start answering commands of this PC.
 *
 * @returns address and token, to be announced; on loopback, at a free port.
 * @throws those of the system when no port can be had.
 */
export async function startControlServer(options: ControlOptions): Promise<ControlServer> {
  const token = randomBytes(32).toString('base64url');
  let host = '';
  const server = createServer(
    { requestTimeout: ANSWER_WAIT_MS, headersTimeout: ANSWER_WAIT_MS },
    (stream, response) => {
      serve(stream, host, token, options).then(
        (text) => reply(response, 200, text),
        (thrown: unknown) => {
          const { status = 500, message } = thrown as Partial<Refusal>;
          reply(response, status, JSON.stringify({ message }));
        },
      );
    },
  );
  await new Promise<void>((settle, fail) => {
    server.once('error', fail);
    server.listen({ host: '127.0.0.1', port: 0 }, settle);
  });
  // A connection that cannot be taken is the asker's trouble; the next one is taken again.
  server.on('error', () => undefined);
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () =>
    new Promise<void>((settle) => {
      server.close(() => settle());
      server.closeAllConnections();
    });
  return { address: `http://${host}`, token, close };
}

function silent(message: string, cause?: unknown): AgentError {
  const hint = 'It may be starting, stopping or hanging: try again in a moment, else look at its window or log.';
  return new AgentError({ code: 'agent.silent', message, hint, retry: 'later', cause });
}

function post(address: string, token: string, body: string, waitMs: number): Promise<string> {
  return new Promise((settle, fail) => {
    const outgoing = request(address, {
      method: 'POST',
      agent: false,
      signal: AbortSignal.timeout(waitMs),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    outgoing.once('error', fail);
    outgoing.once('response', (stream) => {
      readBody(stream, ANSWER_BYTES_MAX).then((text) => {
        if (stream.statusCode === 200) settle(text);
        else fail(new Error(`status ${stream.statusCode}: ${text.slice(0, 200)}`));
      }, fail);
    });
    outgoing.end(body);
  });
}

/** An agent may hold the folder and not have said where it answers: it is starting, or the disk does not take its note. */
async function explainUnannounced(dataFolder: string): Promise<undefined> {
  const holder = await findInstance(dataFolder);
  if (!holder || holder.pid === process.pid) return undefined;
  throw silent(
    `An agent runs in ${dataFolder} (process ${holder.pid}) and cannot be asked: it has not left a note there of where it answers. It may be starting, or the disk is full.`,
  );
}

/**
 * Ask the agent that runs in a data folder. Takes the folder, a question, a plain JSON value, and how long it may take, ms.
 *
 * @returns its answer; undefined when no agent runs there (then the store may be opened).
 * @throws the agent's own error with its code; `agent.silent` when it runs and does not answer in that time, or has not said
 *   where it answers.
 */
export async function askAgent(dataFolder: string, question: unknown, waitMs = ANSWER_WAIT_MS): Promise<unknown> {
  const agent = await findAgent(dataFolder);
  if (!agent) return explainUnannounced(dataFolder);
  const text = await post(agent.address, agent.token, JSON.stringify(question), waitMs).catch((cause: unknown) => {
    throw silent(`The agent (process ${agent.pid}) does not answer: ${(cause as Error).message}.`, cause);
  });
  let answer: { ok: true; value: unknown } | { ok: false; error: { code: string; message: string; hint: string } };
  try {
    answer = JSON.parse(text);
  } catch (cause) {
    throw silent(`The agent (process ${agent.pid}) answered something else than JSON.`, cause);
  }
  if (answer.ok) return answer.value;
  throw new AgentError(answer.error);
}
