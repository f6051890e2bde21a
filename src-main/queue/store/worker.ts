// The store's thread. It answers one message after the other, in the order they came. A message asks one call or several, and
// one message answers them all: each call with a value or a fault.
//
// Bounds: a file that is held is waited for at opening, 9.55 s in all; another agent that holds it, 1.55 s. Nothing is held
// between two messages. A chunk that is read for sending leaves with its memory: it is not the thread's any more.
import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { toAgentError } from '../../model/agent-error.ts';
import type { Commit, SealedChunk } from '../../model/queue.ts';
import type { StoredPage } from '../../model/receipt.ts';
import { columnsOfChunk, columnsOfCommit, giveBack } from '../../model/spent-memory.ts';
import type { CallName } from './calls.ts';
import { openQueue, type Queue } from './queue.ts';

/** What the thread is started with. */
export interface WorkerData {
  readonly path: string;
  /** False when it is started again: a damaged file is then reported and left as it is. */
  readonly mayRepair: boolean;
}

export interface StoreRequest {
  readonly id: number;
  readonly call: CallName;
  readonly args: readonly unknown[];
}

export type StoreReply = { readonly id: number } & (
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly error: { code: string; message: string; hint: string; retry: 'later' | 'after-human' | 'never' };
    }
);

function fault(id: number, thrown: unknown): StoreReply {
  const { code, message, hint, retry } = toAgentError(thrown);
  return { id, ok: false, error: { code, message, hint, retry } };
}

const port = parentPort;
if (!port) throw new Error('queue/store/worker.ts runs as a worker thread only');

/** Virus scanners and backups hold a file for moments, and another agent may just be ending: waits, milliseconds. */
const HELD_WAITS_MS = [50, 100, 200, 400, 800, 1600, 3200, 3200];
/** So often another agent is waited for; one that stays longer is not ending. */
const IN_USE_TIMES = 5;

function openPatiently({ path, mayRepair }: WorkerData): Queue {
  for (const [times, waitMs] of HELD_WAITS_MS.entries()) {
    try {
      return openQueue(path, { mayRepair });
    } catch (thrown) {
      const { code } = toAgentError(thrown);
      const mayPass = code === 'store.cannot-open' || (code === 'store.in-use' && times < IN_USE_TIMES);
      // Only a file can be held and let go: where none is, or a folder has its name, waiting does not help.
      if (!mayPass || !statSync(path, { throwIfNoEntry: false })?.isFile()) throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
    }
  }
  return openQueue(path, { mayRepair });
}

let queue: Queue | undefined;
try {
  queue = openPatiently(workerData as WorkerData);
  port.postMessage([{ id: 0, ok: true, value: null }] satisfies StoreReply[]);
} catch (thrown) {
  port.postMessage([fault(0, thrown)]);
}

/** Columns that were read for the caller: the thread has no more use for them, so their memory is handed over, not copied. */
function columnsIn(call: CallName | undefined, value: unknown): Float64Array[] {
  if (value === null) return [];
  if (call === 'nextChunk' || call === 'chunkAfter' || call === 'acknowledgedAfter')
    return columnsOfChunk(value as SealedChunk);
  if (call === 'nextChunks') return (value as SealedChunk[]).flatMap(columnsOfChunk);
  if (call === 'storedPage') return (value as StoredPage).blocks.flatMap(({ timesMs, values }) => [timesMs, values]);
  return [];
}

const memoryOf = (columns: readonly Float64Array[]) => [
  ...new Set(columns.map(({ buffer }) => buffer as ArrayBuffer).filter(({ byteLength }) => byteLength > 0)),
];

function answer(open: Queue, { id, call, args }: StoreRequest): StoreReply {
  try {
    return { id, ok: true, value: (open[call] as (...args: unknown[]) => unknown)(...args) };
  } catch (thrown) {
    return fault(id, thrown);
  }
}

port.on('message', (requests: readonly StoreRequest[]) => {
  if (!queue) return;
  const open = queue;
  const replies = requests.map((request) => answer(open, request));
  const columns = replies.flatMap((reply, at) => (reply.ok ? columnsIn(requests[at]?.call, reply.value) : []));
  try {
    port.postMessage(replies, memoryOf(columns));
  } catch (thrown) {
    port.postMessage(requests.map(({ id }) => fault(id, thrown)));
  }
  for (const [at, { call, args }] of requests.entries()) {
    // A copy that this thread was sent.
    if (call === 'commit') giveBack(columnsOfCommit(args[0] as Commit));
    if (call === 'close' && replies[at]?.ok === true) port.close();
  }
});
