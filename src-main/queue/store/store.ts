// The store as the rest of the agent sees it: the queue's calls as promises. The queue itself lives in a worker thread,
// because a commit waits for the disk and nothing on the main thread may wait.
//
// Bounds and invariants
//  1. One thread at a time. Calls are answered in the order in which they were made; none is made twice by itself. A message
//     wakes a thread, which costs more than most calls: those that one place makes at a time go as one (`together`).
//  2. A thread that died is started again after 0.1 s, then after twice as long each time, 1.5 s at most; while it cannot
//     open the queue, 30 s at most. One that lived 5 s begins at 0.1 s again.
//  3. Every call under way is rejected when the thread dies: none waits for ever.
//  4. Damage is repaired at the first start alone (queue-file.ts says why).
import { Worker } from 'node:worker_threads';
import { AgentError } from '../../model/agent-error.ts';
import { CALLS, type CallName, type StoreCallName } from './calls.ts';
import type { Queue } from './queue.ts';
import type { StoreReply, StoreRequest, WorkerData } from './worker.ts';

type Remote = {
  readonly [N in StoreCallName]: (...args: Parameters<Queue[N]>) => Promise<ReturnType<Queue[N]>>;
};

/** Calls that the store answers, each a promise; `close` ends the thread. */
export type Store = Remote & {
  /** Hear each time that the thread has died, or cannot be started again. Calls under way are rejected then. */
  readonly onFailure: (listener: (error: AgentError) => void) => void;
  /**
   * Let the calls that `ask` makes before it returns go to the thread as one message, and be answered by one. They are made in
   * their order with no other between them, and each is fulfilled or rejected as when it goes on its own.
   */
  readonly together: <T>(ask: () => T) => T;
};

/** Wait before a thread that died is started again, milliseconds; doubled while it keeps dying, */
const RESTART_MS = 100;
const RESTART_MAX_MS = 1500;
/** or while it cannot open the queue: for that there is no hurry. */
const REOPEN_MAX_MS = 30_000;
/** A thread that has lived this long has not died at once, milliseconds. */
const LIVED_MS = 5000;

/** Run from source the thread's file lies beside this one; bundled, beside the bundle. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './store-worker.js', import.meta.url);
}

function startWorker(data: WorkerData): Worker {
  return new Worker(workerFile(), { workerData: data });
}

function stopped(cause?: unknown): AgentError {
  return new AgentError({
    code: 'store.stopped',
    message: 'The part that stores data has stopped.',
    hint: 'Epistream starts it again automatically; if this stays, restart Epistream.',
    retry: 'later',
    cause,
  });
}

/** One life of the thread: what was asked of it and not answered yet. */
class WorkerLife {
  readonly worker: Worker;
  readonly startedMs = performance.now();
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  /** Calls that go as one message. */
  #gathered: StoreRequest[] | null = null;
  #isOver = false;

  constructor(worker: Worker, onEnd: (cause: unknown) => void) {
    this.worker = worker;
    worker.on('message', (replies: readonly StoreReply[]) => {
      for (const reply of replies) {
        const answer = this.#waiting.get(reply.id);
        this.#waiting.delete(reply.id);
        if (reply.ok) answer?.resolve(reply.value);
        else answer?.reject(new AgentError(reply.error));
      }
    });
    const end = (cause: unknown) => {
      if (this.#isOver) return;
      this.#isOver = true;
      for (const { reject } of this.#waiting.values()) reject(stopped(cause));
      this.#waiting.clear();
      onEnd(cause);
    };
    worker.on('error', end);
    worker.on('exit', () => end(undefined));
  }

  /** Fulfilled when the thread has opened the queue. */
  opened(): Promise<unknown> {
    return this.#expect(0);
  }

  ask(call: CallName, args: readonly unknown[]): Promise<unknown> {
    if (this.#isOver) return Promise.reject(stopped());
    this.#lastId += 1;
    const answer = this.#expect(this.#lastId);
    const request = { id: this.#lastId, call, args } satisfies StoreRequest;
    if (this.#gathered) this.#gathered.push(request);
    else this.#post([request]);
    return answer;
  }

  together<T>(ask: () => T): T {
    if (this.#gathered) return ask();
    const gathered: StoreRequest[] = [];
    this.#gathered = gathered;
    try {
      return ask();
    } finally {
      this.#gathered = null;
      if (gathered.length > 0) this.#post(gathered);
    }
  }

  /** What cannot be posted was never asked: its calls are rejected. */
  #post(requests: readonly StoreRequest[]): void {
    try {
      this.worker.postMessage(requests);
    } catch (thrown) {
      for (const { id } of requests) {
        this.#waiting.get(id)?.reject(thrown);
        this.#waiting.delete(id);
      }
    }
  }

  #expect(id: number): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    return answer.promise;
  }
}

/** The thread through all its lives. */
class StoreThread {
  readonly #path: string;
  readonly #start: (data: WorkerData) => Worker;
  readonly #listeners = new Set<(error: AgentError) => void>();
  #life: WorkerLife | null = null;
  #waitMs = RESTART_MS;
  #timer: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(path: string, start: (data: WorkerData) => Worker) {
    this.#path = path;
    this.#start = start;
  }

  async open(mayRepair: boolean): Promise<void> {
    const life = new WorkerLife(this.#start({ path: this.#path, mayRepair }), (cause) => this.#ended(life, cause));
    try {
      await life.opened();
    } catch (error) {
      await life.worker.terminate();
      throw error;
    }
    this.#life = life;
  }

  onFailure(listener: (error: AgentError) => void): void {
    this.#listeners.add(listener);
  }

  send(call: CallName, args: readonly unknown[]): Promise<unknown> {
    return this.#life?.ask(call, args) ?? Promise.reject(stopped());
  }

  together<T>(ask: () => T): T {
    return this.#life ? this.#life.together(ask) : ask();
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    clearTimeout(this.#timer);
    const life = this.#life;
    this.#life = null;
    // A thread that is gone has nothing left to close: what it had committed is on disk.
    await life?.ask('close', []);
  }

  #ended(life: WorkerLife, cause: unknown): void {
    if (this.#life !== life) return;
    this.#life = null;
    if (this.#isClosing) return;
    if (performance.now() - life.startedMs > LIVED_MS) this.#waitMs = RESTART_MS;
    this.#tell(stopped(cause));
    this.#restartSoon(RESTART_MAX_MS);
  }

  #restartSoon(maxMs: number): void {
    const waitMs = Math.min(this.#waitMs, maxMs);
    this.#waitMs = 2 * waitMs;
    this.#timer = setTimeout(() => void this.#restart(), waitMs);
  }

  /** Damage is not repaired here: the recorder's numbers rest on the file that it loaded. */
  async #restart(): Promise<void> {
    try {
      await this.open(false);
      if (this.#isClosing) await this.#life?.ask('close', []);
    } catch (error) {
      if (this.#isClosing) return;
      this.#tell(error as AgentError);
      this.#restartSoon(REOPEN_MAX_MS);
    }
  }

  #tell(error: AgentError): void {
    for (const listener of this.#listeners) listener(error);
  }
}

/**
 * Open the queue file in a thread of its own. A thread that dies is started again within 2 s; nothing is asked again by
 * itself: the recorder offers its commit again, and the commit's sequence makes that exact.
 *
 * @param path - the file's path.
 * @param start - for tests how the thread is started.
 * @returns the store, once the file is open.
 * @throws those of `openQueue`. Every call rejects with an AgentError and has then changed nothing; `store.stopped` when the
 *   thread is gone: whether a call under way was applied is then not known, and any later call may succeed.
 */
export async function openStore(path: string, start: (data: WorkerData) => Worker = startWorker): Promise<Store> {
  const thread = new StoreThread(path, start);
  await thread.open(true);
  const names = (Object.keys(CALLS) as CallName[]).filter((name) => CALLS[name] !== 'inner');
  const remote = Object.fromEntries(names.map((name) => [name, (...args: unknown[]) => thread.send(name, args)]));
  return {
    ...(remote as unknown as Remote),
    close: () => thread.close(),
    onFailure: (listener) => thread.onFailure(listener),
    together: (ask) => thread.together(ask),
  };
}
