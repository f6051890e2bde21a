// The body of an answer that should be JSON, up to the bound of its call. A short one is read at once; a longer one goes to
// the thread of answer-thread.ts as it comes in, and nothing of it stays here.

import type { Dispatcher } from 'undici';
import type { EndpointName } from '../../interface/table.ts';
import { formatCount } from '../../model/format.ts';
import { AnswerThread, AnswerThreadFault } from './answer-thread.ts';
import { ambiguousError, looksLikePage, pageError, type Target } from './faults.ts';
import { type ReadAnswer, readAnswer } from './read-answer.ts';
import type { ServiceError } from './service-error.ts';

/** Pieces of an answer are joined to blocks of at least this; an answer of one block is read here, bytes. */
const BLOCK_BYTES = 64 * 1024;
/** So much of an answer is kept for a person, bytes. */
const HEAD_BYTES = 500;

/** Join what comes in: a service may send every byte by itself, and each piece has its cost. */
async function* blocksOf(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of body) {
    parts.push(part);
    sizeBytes += part.length;
    if (sizeBytes < BLOCK_BYTES) continue;
    yield Buffer.concat(parts);
    parts = [];
    sizeBytes = 0;
  }
  if (sizeBytes > 0) yield Buffer.concat(parts);
}

/**
 * Read the answer to a call. Takes the call, its answer, what gives it up, and how long it may be, bytes.
 *
 * @returns the value, which fits the row.
 * @throws ServiceError: `ambiguous` with what is wrong with it, `not-the-service` for a web page.
 */
export async function readBody(
  name: EndpointName,
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  target: Target,
  maxBytes: number,
  abort: AbortSignal,
): Promise<unknown> {
  let first: Buffer | null = null;
  let thread: AnswerThread | null = null;
  let isRead = false;
  const head = () => ({ status, headers, text: first?.toString('utf8', 0, HEAD_BYTES) ?? '' });
  const fail = (what: string, cause?: unknown): ServiceError => ambiguousError(what, target, head(), cause);
  const tooLarge = (sizeBytes: number) =>
    fail(
      `the answer is larger than this call may bring: ${formatCount(sizeBytes)} bytes or more, bound ${formatCount(maxBytes)}`,
    );
  try {
    const announced = Number(headers['content-length']);
    if (announced > maxBytes) throw tooLarge(announced);
    let sizeBytes = 0;
    for await (const block of blocksOf(body as AsyncIterable<Buffer>)) {
      sizeBytes += block.length;
      if (sizeBytes > maxBytes) throw tooLarge(sizeBytes);
      if (first === null) {
        first = block;
        continue;
      }
      if (thread === null) {
        thread = new AnswerThread(abort);
        thread.push(first);
      }
      thread.push(block);
    }
    const read: ReadAnswer = thread
      ? await thread.read(name, maxBytes)
      : readAnswer(name, first ?? Buffer.alloc(0), maxBytes);
    isRead = true;
    if (read.kind === 'fits') return read.value;
    if (read.kind === 'excess') throw fail(`the answer (${formatCount(sizeBytes)} bytes) ${read.why}`);
    if (read.kind === 'no-fit') throw fail(`the answer has another shape: ${read.why}`);
    if (looksLikePage(head())) throw pageError(target, head());
    throw fail('the answer is not JSON, or was cut');
  } catch (fault) {
    if (fault instanceof AnswerThreadFault) throw fail(`the answer cannot be read: ${fault.message}`, fault);
    throw fault;
  } finally {
    thread?.close(isRead);
  }
}
