// The queue's calls as promises, answered in the thread of the test: a store without its thread, which takes a fifth of a
// second of a core to load. What the thread itself does, and that it may die, is tested in row 25 of the fault
// matrix.
import { setImmediate as turn } from 'node:timers/promises';
import { openQueue, type Queue } from '../../../src-main/queue/store/queue.ts';
import type { Store } from '../../../src-main/queue/store/store.ts';

export type PromisedQueue = {
  readonly [N in keyof Queue]: (...args: Parameters<Queue[N]>) => Promise<ReturnType<Queue[N]>>;
} & Pick<Store, 'together'>;

/**
 * Answer the calls of a queue as promises.
 *
 * @param onItsWay - what an answer waits for: nothing by default.
 */
export function promiseQueue(queue: Queue, onItsWay?: () => Promise<unknown>): PromisedQueue {
  const calls = Object.entries(queue).map(([call, work]) => [
    call,
    async (...args: never[]) => {
      try {
        return (work as (...given: never[]) => unknown)(...args);
      } finally {
        await onItsWay?.();
      }
    },
  ]);
  return { ...Object.fromEntries(calls), together: (ask: () => unknown) => ask() } as unknown as PromisedQueue;
}

/** Open a store whose answers come with the next turn of the event loop, as those of the thread do at the earliest. */
export function openStoreHere(path: string): Store {
  return { ...promiseQueue(openQueue(path, { reserveBytes: 0 }), turn), onFailure: () => {} };
}
