// Sends written requests to a service, some at a time, and judges each answer: no fault of the service, no answer that breaks
// its own form, none that does not come.
import { Agent, request } from 'node:http';
import { Chance } from '../../simulation/random.ts';
import { operationsOf, RequestWriter, type WrittenRequest } from './write-requests.ts';

const AT_ONCE = 4;
/** What takes longer is asked again, alone: a busy machine is late once, a service that hangs each time. */
const HANG_MS = 1000;
const ASKED_AGAIN = 5;
const GIVEN_UP_MS = 60_000;
/** Characters of an address that a service reads at most, less its other headers. */
const HEAD_MAX = 1_000_000;

export interface Fuzzed {
  readonly requests: number;
  /** Answers by the first digit of their status. */
  readonly answers: Readonly<Record<string, number>>;
  /** Slowest answer, ms. */
  readonly slowestMs: number;
  /** Requests that were late once, and not when they were asked again. */
  readonly late: number;
  /** Each fault with the request that shows it. */
  readonly faults: readonly string[];
}

interface Answered {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly tookMs: number;
}

const toldOf = ({ method, target, body }: WrittenRequest) =>
  `${method} ${target.slice(0, 300)} ${body === null ? '' : Buffer.from(body).toString('latin1').slice(0, 300)}`;

function ask(url: string, agent: Agent, written: WrittenRequest): Promise<Answered> {
  const { method, target, body } = written;
  // Without its length Node would send the body of a DELETE as if it were another request.
  const headers = { ...written.headers, ...(body === null ? {} : { 'Content-Length': String(body.length) }) };
  const { hostname, port } = new URL(url);
  const beganMs = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, agent, method, path: target, headers, timeout: GIVEN_UP_MS }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          type: answer.headers['content-type'] ?? '',
          text: Buffer.concat(parts).toString('utf8'),
          tookMs: performance.now() - beganMs,
        }),
      );
    });
    asked.on('timeout', () => asked.destroy(new Error(`no answer within ${GIVEN_UP_MS} ms`)));
    asked.on('error', reject);
    asked.end(body ?? undefined);
  });
}

/** What is wrong with an answer; null: nothing. */
function faultOf({ status, type, text }: Answered, { method, target }: WrittenRequest): string | null {
  if (status >= 500) return `${status} ${text.slice(0, 200)}`;
  if (status < 400 || method === 'HEAD') return null;
  // A head that is too long is refused before it is read.
  if (status === 431 && target.length > HEAD_MAX) return null;
  if (!type.startsWith('application/problem+json'))
    return `${status} is told as ${type || 'nothing'}: ${text.slice(0, 200)}`;
  const { detail, title } = JSON.parse(text) as Record<string, unknown>;
  return detail === undefined || typeof title !== 'string' ? `${status} without title or detail: ${text}` : null;
}

/** Send so many requests of a seed. Takes the address and the key of the service. */
export async function fuzz(url: string, key: string, requests: number, seed: number): Promise<Fuzzed> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Record<string, unknown>;
  const writer = new RequestWriter(new Chance(seed), operationsOf(document), key);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const answers: Record<string, number> = {};
  const faults: string[] = [];
  const suspects: WrittenRequest[] = [];
  let [sent, slowestMs, late] = [0, 0, 0];
  const judge = async (written: WrittenRequest) => {
    try {
      const answer = await ask(url, agent, written);
      const fault = faultOf(answer, written);
      if (fault !== null) faults.push(`${toldOf(written)}: ${fault}`);
      const kind = `${Math.floor(answer.status / 100)}xx`;
      answers[kind] = (answers[kind] ?? 0) + 1;
      slowestMs = Math.max(slowestMs, answer.tookMs);
      if (answer.tookMs > HANG_MS) suspects.push(written);
      if (answer.status < 300) writer.learn(answer.text);
    } catch (fault) {
      // A longer head is cut off before it is written whole.
      if (written.target.length > HEAD_MAX) return;
      faults.push(`${toldOf(written)}: ${(fault as Error).message}`);
    }
  };
  const work = async () => {
    while (sent < requests) {
      sent += 1;
      await judge(writer.next());
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const suspect of suspects) {
    const times: number[] = [];
    for (let again = 0; again < ASKED_AGAIN; again++) times.push((await ask(url, agent, suspect)).tookMs);
    if (Math.min(...times) > HANG_MS) faults.push(`${toldOf(suspect)}: hangs for ${Math.round(Math.min(...times))} ms`);
    else late += 1;
  }
  agent.destroy();
  return { requests: sent, answers, slowestMs: Math.round(slowestMs), late, faults };
}
