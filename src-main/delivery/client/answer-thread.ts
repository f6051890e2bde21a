// Long answers are read on a thread of their own: parsing and checking what others send must never hold the thread that
// captures. One idle thread is kept for the next answer; one that was given up, or died of an answer, is ended.
//
// Bounds: as many threads as long answers come in at once (connection.ts: 16 connections to a host); an idle one lives for
// 30 s.
import { addAbortListener } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { EndpointName } from '../../interface/table.ts';
import type { AnswerReply, AnswerRequest } from './answer-worker.ts';
import type { ReadAnswer } from './read-answer.ts';
import { putBack } from './take-apart.ts';

const IDLE_MS = 30_000;

let idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout; readonly onExit: () => void } | null = null;

/** Run from source the thread's file lies beside this one; bundled, beside the bundle. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './answer-worker.ts' : './answer-worker.js', import.meta.url);
}

function takeWorker(): Worker {
  const kept = idle?.worker;
  if (idle) {
    clearTimeout(idle.timer);
    idle.worker.off('exit', idle.onExit);
  }
  idle = null;
  if (kept) return kept;
  const worker = new Worker(workerFile(), { name: 'answers', execArgv: [] });
  // Between two answers nothing is asked of it: what it throws then only ends it.
  worker.on('error', () => undefined);
  return worker;
}

function keepWorker(worker: Worker): void {
  if (idle) {
    void worker.terminate();
    return;
  }
  worker.unref();
  const timer = setTimeout(() => void worker.terminate(), IDLE_MS).unref();
  const onExit = () => {
    clearTimeout(timer);
    if (idle?.worker === worker) idle = null;
  };
  worker.once('exit', onExit);
  idle = { worker, timer, onExit };
}

/** The thread ended before it had answered: the answer took more memory than there is. */
export class AnswerThreadFault extends Error {}

/** One long answer on its way through the thread. */
export class AnswerThread {
  readonly #worker = takeWorker();
  readonly #given: Disposable;
  #settle: ((reply: AnswerReply | Error) => void) | null = null;
  #fault: Error | null = null;
  readonly #onMessage = (reply: AnswerReply) => this.#settle?.(reply);
  readonly #onError = (fault: Error) => this.#fail(new AnswerThreadFault(fault.message, { cause: fault }));
  readonly #onExit = () => this.#fail(new AnswerThreadFault('the thread that reads answers ended'));

  /** Takes what gives the answer up; the thread is ended then, whatever it does. */
  constructor(abort: AbortSignal) {
    this.#worker.ref();
    this.#worker.on('message', this.#onMessage).on('error', this.#onError).on('exit', this.#onExit);
    this.#given = addAbortListener(abort, () => this.#fail(abort.reason as Error));
  }

  /** Hand over the next bytes of the answer, which are copied. */
  push(bytes: Uint8Array): void {
    if (!this.#fault) this.#worker.postMessage({ kind: 'bytes', bytes } satisfies AnswerRequest);
  }

  /**
   * Read what was handed over.
   *
   * @returns as `readAnswer`.
   * @throws AnswerThreadFault; the reason of the signal. Use it once.
   */
  async read(name: EndpointName, maxBytes: number): Promise<ReadAnswer> {
    const first = await this.#ask({ kind: 'read', name, maxBytes });
    if (!('read' in first)) throw new AnswerThreadFault('an answer out of turn');
    const { read, pieces } = first;
    for (let at = 0; at < pieces; at++) {
      const reply = await this.#ask({ kind: 'next' });
      if ('piece' in reply && read.kind === 'fits') putBack(read.value, reply.piece);
    }
    return read;
  }

  /** Done with it: the thread is kept for another answer, unless this one was not read to its end. */
  close(isRead: boolean): void {
    this.#given[Symbol.dispose]();
    // Not all listeners: the class has its own.
    this.#worker.off('message', this.#onMessage).off('error', this.#onError).off('exit', this.#onExit);
    if (isRead && !this.#fault) keepWorker(this.#worker);
    else void this.#worker.terminate();
  }

  #ask(request: AnswerRequest): Promise<AnswerReply> {
    return new Promise((resolve, reject) => {
      if (this.#fault) return reject(this.#fault);
      this.#settle = (reply) => {
        this.#settle = null;
        if (reply instanceof Error) reject(reply);
        else resolve(reply);
      };
      this.#worker.postMessage(request);
    });
  }

  #fail(fault: Error): void {
    this.#fault ??= fault;
    this.#settle?.(this.#fault);
  }
}
