// The store's thread. It answers one message after the other, in the order they came.
import { parentPort, workerData } from 'node:worker_threads';
import { toAgentError } from '../model/agent-error.ts';
import { openQueue, type Queue } from './queue.ts';

export interface StoreRequest {
  readonly id: number;
  readonly call: keyof Queue;
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
if (!port) throw new Error('store/worker.ts runs as a worker thread only');

let queue: Queue | undefined;
try {
  queue = openQueue((workerData as { path: string }).path);
  port.postMessage({ id: 0, ok: true, value: null } satisfies StoreReply);
} catch (thrown) {
  port.postMessage(fault(0, thrown));
}

port.on('message', ({ id, call, args }: StoreRequest) => {
  if (!queue) return;
  try {
    const value = (queue[call] as (...args: unknown[]) => unknown)(...args);
    port.postMessage({ id, ok: true, value } satisfies StoreReply);
    if (call === 'close') port.close();
  } catch (thrown) {
    port.postMessage(fault(id, thrown));
  }
});
