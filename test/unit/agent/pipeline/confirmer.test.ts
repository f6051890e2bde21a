import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { Confirmer, type ConfirmerParts } from '../../../../src-main/agent/pipeline/confirmer.ts';
import { Journal } from '../../../../src-main/agent/pipeline/journal.ts';
import { systemClock } from '../../../../src-main/platform/clock.ts';

/** A service that gives no answer until the read is given up, and a store that has some streams to be read back. */
function rig() {
  const told: string[] = [];
  const asked: string[] = [];
  const tally = { isDelivered: true, dataId: 'entry', pointsAcknowledged: 1 };
  const store = { streamFacts: async (id: number) => ({ tally: { ...tally, dataId: `entry ${id}` }, channels: [] }) };
  const scanTimeSeries = ({ data_id }: { data_id: string }, _: unknown, { signal }: { signal: AbortSignal }) => {
    asked.push(data_id);
    return new Promise((_, fail) => signal.addEventListener('abort', () => fail(new Error('given up'))));
  };
  const journal = new Journal({ ...systemClock, keep: async () => {}, onEntry: ({ message }) => told.push(message) });
  const end = new AbortController();
  const parts = {
    ...{ store, clock: systemClock },
    serviceOf: async () => ({ scanTimeSeries }),
  } as unknown as ConfirmerParts;
  return { told, asked, end, confirmer: new Confirmer(parts, journal, end.signal) };
}

test('streams that were read back leave nothing at the signal of the run, which may last for months', async () => {
  const { asked, end, confirmer } = rig();
  const held = Reflect.ownKeys(end.signal);
  for (const id of [1, 2, 3]) {
    const done = confirmer.confirm(id);
    await expect.poll(() => asked.at(-1)).toBe(`entry ${id}`);
    confirmer.forget(id);
    await done;
  }
  expect(getEventListeners(end.signal, 'abort')).toEqual([]);
  // Signals that are made of it would be kept by it under a name of their own.
  expect(Reflect.ownKeys(end.signal)).toEqual(held);
});

test('the end of the run gives up what is being read and begins nothing that waits behind it, without a word', async () => {
  const { asked, told, end, confirmer } = rig();
  const all = [1, 2, 3].map((id) => confirmer.confirm(id));
  await expect.poll(() => asked).toEqual(['entry 1']);
  end.abort();
  await Promise.all([...all, confirmer.close()]);
  expect([asked, told]).toEqual([['entry 1'], []]);
});
