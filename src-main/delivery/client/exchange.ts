// One request and its whole answer. Bounds: the answer's size (as told), the time of the whole exchange.
// Nothing is retried, no redirect is followed, no answer is unpacked. Every fault comes out as a ServiceError, `not-sent`
// only where no byte can have gone out; an error that the reader of the answer throws goes through as it is, without the key
// that the service may have echoed.
import { addAbortListener } from 'node:events';
import { maxHeaderSize } from 'node:http';
import { rootCertificates } from 'node:tls';
import { type Agent, type Dispatcher, errors, request } from 'undici';
import { AgentError } from '../../model/agent-error.ts';
import { ConnectFault, openConnections, type Timeouts } from './connection.ts';
import { type Answer, ambiguousError, closedError, connectError, type Target } from './faults.ts';
import type { FindProxy } from './proxy.ts';
import { ServiceError } from './service-error.ts';

/** So much is read of an answer that is no success, bytes. */
const START_MAX_BYTES = 64 * 1024;

export interface Question {
  readonly method: Dispatcher.HttpMethod;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | null;
  readonly target: Target;
  readonly signal?: AbortSignal | undefined;
  /** How long the whole exchange may take, milliseconds. */
  readonly totalMs: number;
}

/** Trust the usual authorities and the lab's own. */
export function openServiceConnections(timeouts: Timeouts, caPem: string | undefined, findProxy?: FindProxy): Agent {
  return openConnections({ timeouts, caPem, rootCertificates, findProxy });
}

function describe(fault: unknown): string {
  const { name, code, message } = fault as { name?: string; code?: string; message?: string };
  // The caller had a limit of its own: how long that is, is not known here.
  if (name === 'TimeoutError') return 'no complete answer in time';
  if (name === 'AbortError') return 'given up before the answer was complete';
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return 'no answer in time';
  if (code === 'UND_ERR_BODY_TIMEOUT') return 'the answer stopped in the middle';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return `the head of the answer is larger than ${maxHeaderSize} bytes`;
  return `the connection broke (${code ?? message ?? 'unknown'})`;
}

/**
 * Send a request; hand its answer over as it comes in. Takes what to send, and what reads the answer; both stand under the
 * deadline.
 *
 * @returns what the reader gave.
 * @throws ServiceError: `not-sent` when no connection came about, `ambiguous` for every later fault.
 */
export async function exchange<T>(
  agent: Agent,
  { method, url, headers, body, target, signal, totalMs }: Question,
  read: (answer: Dispatcher.ResponseData, abort: AbortSignal) => Promise<T>,
): Promise<T> {
  if (agent.closed || agent.destroyed) throw closedError(target);
  // A controller of its own, not AbortSignal.any and AbortSignal.timeout: these stay in memory, about 1 kB a request, until
  // the time is over or the outer signal goes, which is the agent's whole life.
  const over = new AbortController();
  using _giveUp = signal && addAbortListener(signal, () => over.abort(signal.reason));
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    over.abort();
  }, totalMs).unref();
  try {
    if (signal?.aborted) throw new errors.RequestAbortedError();
    const answer = await request(url, { dispatcher: agent, method, headers, body, signal: over.signal });
    // Faults of the body reach its reader; without a listener of its own one that nobody reads any more (it was
    // dropped half-way) would end the process.
    answer.body.on('error', () => undefined);
    try {
      return await read(answer, over.signal);
    } finally {
      if (!answer.body.readableEnded) answer.body.destroy();
    }
  } catch (fault) {
    if (fault instanceof ConnectFault) throw connectError(fault, target);
    if (fault instanceof errors.ClientClosedError) throw closedError(target);
    const key = headers['X-API-KEY'];
    if (fault instanceof ServiceError) throw key ? fault.without(key) : fault;
    if (fault instanceof AgentError) throw fault;
    const isOverdue = isLate && !signal?.aborted;
    const what = isOverdue ? `no complete answer within ${totalMs / 1000} s` : describe(fault);
    throw ambiguousError(what, target, undefined, fault);
  } finally {
    clearTimeout(deadline);
  }
}

/**
 * Read the beginning of an answer that is no success: what the service says of it stands there.
 *
 * @param dispatcher - the answer.
 * @returns its first 64 KiB; the rest is not read.
 */
export async function readStart({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Answer> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part);
    sizeBytes += part.length;
    if (sizeBytes >= START_MAX_BYTES) break;
  }
  return { status: statusCode, headers, text: Buffer.concat(parts).toString('utf8', 0, START_MAX_BYTES) };
}
