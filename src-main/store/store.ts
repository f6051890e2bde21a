// The store as the rest of the agent sees it: the queue's calls as promises. The queue itself lives in a worker thread,
// because a commit waits for the disk and nothing on the main thread may wait.
import { Worker } from 'node:worker_threads';
import { AgentError } from '../model/agent-error.ts';
import type { Queue } from './queue.ts';
import type { StoreReply, StoreRequest } from './worker.ts';

type Remote<C> = {
  readonly [N in keyof C]: C[N] extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : never;
};

/** Calls that the store answers, each a promise; `close` ends the thread. */
export type Store = Remote<Queue> & {
  /** Hear, once, that the thread has died without being closed. Calls under way are then rejected. */
  readonly onFailure: (listener: (error: AgentError) => void) => void;
};

const CALLS: readonly (keyof Queue)[] = [
  'load',
  'commit',
  'positions',
  'uploadStreams',
  'uploadStream',
  'markInitializeSent',
  'unmarkInitializeSent',
  'setInitialized',
  'nextChunk',
  'readWindow',
  'countAcknowledgedAfter',
  'acknowledgePart',
  'acknowledge',
  'refuse',
  'split',
  'finish',
  'sweep',
  'tally',
  'listChannels',
  'readPoints',
  'findStreams',
  'listStreams',
  'streamFacts',
  'storedPage',
  'unconfirmedStreams',
  'putConfirmation',
  'addEvent',
  'listEvents',
  'close',
];

/** Run from source the thread's file lies beside this one; bundled, beside the bundle. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './store-worker.js', import.meta.url);
}

/**
 * Open the queue file in a thread of its own.
 *
 * **Takes**: the file's path. **Gives**: the store, once the file is open and in safe mode.
 * **Errors**: those of `openDatabase`. Every call rejects with an AgentError and has then changed nothing;
 * `store.stopped` when the thread is gone (whether a commit under way was applied is then found by its sequence).
 */
export async function openStore(path: string): Promise<Store> {
  const worker = new Worker(workerFile(), { workerData: { path } });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const listeners = new Set<(error: AgentError) => void>();
  let last = 0;
  let isClosing = false;

  const stopped = (cause?: unknown) =>
    new AgentError({
      code: 'store.stopped',
      message: 'The part that stores data has stopped.',
      hint: 'It is started again by itself; if this stays, restart Epistream.',
      retry: 'later',
      cause,
    });

  const fail = (cause: unknown) => {
    const error = stopped(cause);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    if (!isClosing) for (const listener of listeners) listener(error);
    isClosing = true;
  };

  const ask = (id: number): Promise<unknown> => {
    const answer = Promise.withResolvers<unknown>();
    waiting.set(id, answer);
    return answer.promise;
  };

  worker.on('message', (reply: StoreReply) => {
    const answer = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (reply.ok) answer?.resolve(reply.value);
    else answer?.reject(new AgentError(reply.error));
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(undefined));

  const opened = ask(0);
  try {
    await opened;
  } catch (error) {
    isClosing = true;
    await worker.terminate();
    throw error;
  }

  const send = (call: keyof Queue, args: unknown[]): Promise<unknown> => {
    if (isClosing) return Promise.reject(stopped());
    last += 1;
    const answer = ask(last);
    worker.postMessage({ id: last, call, args } satisfies StoreRequest);
    if (call === 'close') isClosing = true;
    return answer;
  };
  const remote = Object.fromEntries(CALLS.map((call) => [call, (...args: unknown[]) => send(call, args)]));
  return {
    ...(remote as unknown as Remote<Queue>),
    onFailure: (listener) => void listeners.add(listener),
  };
}
