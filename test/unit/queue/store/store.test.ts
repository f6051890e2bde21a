// What goes to the store's thread and comes back from it. That it may die stands in row 25 of the fault matrix.
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../../src-main/queue/store/store.ts';
import { chunkOf, GA, IN, openSmallQueue } from '../../../support/rigs/small-queue.ts';

const both = [GA, IN];

/** The store over its real thread, and the messages that went there and came back. */
async function threadOf(chunks: number) {
  const { queue, path } = openSmallQueue(
    Array.from({ length: chunks }, (_, index) => chunkOf(index, both)),
    false,
  );
  queue.close();
  const sent: string[][] = [];
  let answers = 0;
  const store = await openStore(path, (workerData) => {
    const worker = new Worker(new URL('../../../../src-main/queue/store/worker.ts', import.meta.url), { workerData });
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (message: { call: string }[]) => {
      sent.push(message.map(({ call }) => call));
      post(message);
    };
    worker.on('message', () => (answers += 1));
    return worker;
  });
  onTestFinished(() => store.close());
  answers = 0;
  return { store, sent, answers: () => answers };
}

test('calls that are made together go as one message and are answered by one, in their order', async () => {
  const { store, sent, answers } = await threadOf(3);
  const first = await store.nextChunk(1);
  const [, next, stream] = await Promise.all(
    store.together(() => [
      store.acknowledge(first?.id ?? 0, 1),
      // What asks together within what is asked together belongs to it.
      ...store.together(() => [store.nextChunk(1), store.uploadStream(1)] as const),
    ]),
  );
  expect(next).toMatchObject({ index: 1, timesMs: chunkOf(1, both).timesMs });
  expect(stream).toMatchObject({ chunksWaiting: 2, isClosed: false });
  expect(sent).toEqual([['nextChunk'], ['acknowledge', 'nextChunk', 'uploadStream']]);
  expect(answers()).toBe(2);
});

test('each call of them has its own end: one that fails says nothing of the others', async () => {
  const { store } = await threadOf(1);
  const asked = store.together(() => [
    store.acknowledge(1, 1),
    store.markInitializeSent(1, {} as string, { name: 'n', sampleId: null, projectId: null }),
    store.uploadStream(9),
    store.tally(9),
  ]);
  const [done, failed, none, tally] = await Promise.allSettled(asked);
  expect([done?.status, none]).toEqual(['fulfilled', { status: 'fulfilled', value: null }]);
  expect(failed?.status).toBe('rejected');
  expect(tally).toMatchObject({ value: { waitingChunks: 0 } });
});

test('what asks nothing sends nothing, and what breaks while it asks has sent what it asked', async () => {
  const { store, sent } = await threadOf(1);
  expect(store.together(() => 7)).toBe(7);
  expect(sent).toEqual([]);
  let asked: Promise<unknown> | undefined;
  const ask = () => {
    asked = store.acknowledge(1, 1);
    throw new Error('in between');
  };
  expect(() => store.together(ask)).toThrow('in between');
  await asked;
  expect(await store.tally(9)).toMatchObject({ waitingChunks: 0 });
  expect(sent).toEqual([['acknowledge'], ['tally']]);
});

test('what cannot be posted is rejected, each call of it, and nothing waits for an answer', async () => {
  const { store } = await threadOf(1);
  const asked = store.together(() => [store.uploadStream(1), store.putLimitStates((() => 0) as never)]);
  const ends = await Promise.allSettled(asked);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(store.putLimitStates((() => 0) as never)).rejects.toThrow(/clone/);
  expect(await store.tally(9)).toMatchObject({ waitingChunks: 1 });
});
