// Chunks of a stream side by side: when, what proves them, and what follows where something goes wrong on the way.
import { expect, test } from 'vitest';
import { chunkOf, GA, IN } from '../../../support/rigs/small-queue.ts';
import {
  both,
  offline,
  pointsOf,
  type RigOptions,
  refused,
  rig,
  type ServiceByHand,
} from '../../../support/rigs/stream-upload-rig.ts';

const chunks = (count: number, channels: readonly number[] = [GA]) =>
  Array.from({ length: count }, (_, index) => chunkOf(index, channels));

/** A service that tells how many chunks it has under way, and answers after 100 ms. */
function burstRig(more: RigOptions = {}) {
  const own = rig({ resend: 'repeat', window: 4, hasEntry: true, chunks: chunks(9), ...more });
  const { service, clock } = own;
  const ingestChunk = service.ingestChunk.bind(service);
  /** Indexes that were under way together. */
  const sets: number[][] = [];
  let underWay = 0;
  Object.assign(service, {
    ingestChunk: async (...[body, options]: Parameters<ServiceByHand['ingestChunk']>) => {
      if (underWay++ === 0) sets.push([]);
      sets.at(-1)?.push(body.chunk_index);
      await clock.sleep(100);
      underWay -= 1;
      options.signal.throwIfAborted();
      return ingestChunk(body, options);
    },
  });
  /** Until the first failure, of the stream or of the line. */
  const fails = () => clock.passUntil(() => own.told().failures.length > 0 || own.line.fault !== null, 10_000);
  return { ...own, sets, fails };
}

const everyPoint = (service: ServiceByHand, count: number) => {
  const indices = Array.from({ length: count }, (_, index) => index);
  expect(service.points('Ga').toSorted((a, b) => a - b)).toEqual(pointsOf(GA, ...indices));
};

test('goes out alone first, then twice as many each time up to the window, each once and in order', async () => {
  const { begin, sets, told, tally, service } = burstRig();
  await begin(1000);
  expect(sets).toEqual([[0], [1, 2], [3, 4, 5, 6], [7, 8]]);
  expect([told(), tally()?.pointsAcknowledged]).toMatchObject([{ end: true, failures: [] }, 18]);
  everyPoint(service, 9);
});

test('under verify each goes out alone', async () => {
  const { begin, sets, told } = burstRig({ resend: 'verify' });
  await begin(60_000);
  expect(sets.every((set) => set.length === 1)).toBe(true);
  expect(told().end).toBe(true);
});

test('takes further places only where they are free and nobody waits, and gives each back', async () => {
  const { begin, sets, line, told } = burstRig();
  const stop = new AbortController();
  for (let i = 0; i < 2; i++) await line.enter(stop.signal, true);
  await begin(1000);
  expect(Math.max(...sets.map((set) => set.length))).toBe(2);
  expect([told().end, line.spare]).toEqual([true, 2]);
});

test('a burst that takes long is followed by a smaller one', async () => {
  const { begin, sets, clock, service } = burstRig();
  const ingestChunk = service.ingestChunk.bind(service);
  Object.assign(service, {
    ingestChunk: async (...given: Parameters<ServiceByHand['ingestChunk']>) => {
      const answer = await ingestChunk(...given);
      if (given[0].chunk_index === 2) await clock.sleep(3000);
      return answer;
    },
  });
  await begin(60_000);
  expect(sets.slice(0, 4)).toEqual([[0], [1, 2], [3], [4, 5]]);
});

test.each([
  ['request lost', [5]],
  ['answer lost', []],
] as const)(
  'one in the middle whose %s: nothing of the burst is acknowledged before it was looked up, and what is there is not sent again',
  async (fate, again) => {
    const { run, pass, fails, sets, told, tally, service } = burstRig({ chunks: chunks(12) });
    service.fates.push('taken', 'taken', 'taken', 'taken', 'taken', fate);
    run();
    await fails();
    expect(tally()?.pointsAcknowledged).toBe(6);
    await pass(60_000);
    expect(sets.slice(2).flat()).toEqual([3, 4, 5, 6, ...again, 7, 8, 9, 10, 11]);
    expect(told()).toMatchObject({ end: true, failures: ['wire.ambiguous'] });
    everyPoint(service, 12);
  },
);

test('one in the middle that is refused: the others are looked up, and it alone is refused', async () => {
  const { begin, sets, told, tally, queue, service } = burstRig({ chunks: chunks(7) });
  service.fates.push('taken', 'taken', 'taken', 'taken', refused, 'taken', 'taken', refused);
  await begin(60_000);
  expect(sets.slice(2)).toEqual([[3, 4, 5, 6], [4]]);
  expect(queue.refusedChunks(1)).toMatchObject([{ index: 4 }]);
  expect(tally()).toMatchObject({ pointsAcknowledged: 12, pointsRefused: 2 });
  expect(told().failures).toEqual(['wire.refused', 'wire.refused']);
});

test('those that were not sent go out again once the line is free', async () => {
  const { begin, service, told } = burstRig({ chunks: chunks(7) });
  service.fates.push('taken', 'taken', 'taken', 'taken', offline, offline, offline);
  await begin(60_000);
  expect(told()).toMatchObject({ end: true, failures: [] });
  everyPoint(service, 7);
});

test('one that somebody else answered for may have arrived all the same', async () => {
  const { begin, sets, service, told } = burstRig({ chunks: chunks(7) });
  const ingestChunk = service.ingestChunk.bind(service);
  let isFiltered = true;
  Object.assign(service, {
    ingestChunk: async (...given: Parameters<ServiceByHand['ingestChunk']>) => {
      const answer = await ingestChunk(...given);
      if (given[0].chunk_index !== 5 || !isFiltered) return answer;
      isFiltered = false;
      // A filter on the way lets the request through and puts a page in place of the answer.
      throw Object.assign(new Error('page'), { failure: { kind: 'not-the-service' }, status: 201 });
    },
  });
  await begin(300_000);
  expect(sets.slice(2)).toEqual([[3, 4, 5, 6]]);
  expect(told()).toMatchObject({ end: true, failures: [] });
  everyPoint(service, 7);
});

test('a stop while it is looked up settles nothing', async () => {
  const own = burstRig({
    chunks: chunks(3),
    calls: (real) => ({
      chunkAfter: async (...which) => {
        const found = await real.chunkAfter(...which);
        own.stop.abort();
        return found;
      },
    }),
  });
  own.service.fates.push('taken', 'answer lost', 'request lost');
  await own.begin(60_000);
  expect(own.service.asked.at(-1)).toBe('read');
  expect(own.tally()?.pointsAcknowledged).toBe(2);
});

test('counts that do not see each other prove nothing: what is there is looked up, and all that follows goes out alone', async () => {
  const { begin, sets, told, service } = burstRig({ chunks: chunks(8) });
  const ingestChunk = service.ingestChunk.bind(service);
  Object.assign(service, {
    ingestChunk: async (...[body, options]: Parameters<ServiceByHand['ingestChunk']>) => {
      const before = new Map(service.held.get('Ga') ?? []);
      await ingestChunk(body, options);
      const total_points = 2 * new Set([...before.keys(), body.chunk_index]).size;
      return [{ data_id: 'entry', channel_name: 'Ga', chunk_index: body.chunk_index, total_points }];
    },
  });
  await begin(60_000);
  expect(sets).toEqual([[0], [1, 2], [3], [4], [5], [6], [7]]);
  expect(told()).toMatchObject({ end: true, failures: ['upload.burst-unproven'] });
  everyPoint(service, 8);
});

test('a count that is larger than all of them is read back', async () => {
  const { begin, told, service } = burstRig({ chunks: chunks(3) });
  service.fates.push('taken', 'taken', 'one point more');
  await begin(60_000);
  expect(told()).toMatchObject({ end: true, failures: ['upload.count-differs', 'upload.miscounted'] });
  everyPoint(service, 3);
});

test.each(['verify', 'repeat'] as const)(
  'after a restart under %s those that arrived are acknowledged, and the others sent',
  async (resend) => {
    const again = burstRig({ resend, chunks: chunks(7) });
    again.queue.acknowledge([1, 2, 3], 1);
    for (const index of [0, 1, 2, 4, 6]) {
      const timesMs = [...chunkOf(index, [GA]).timesMs];
      const held = again.service.held.get('Ga') ?? new Map();
      again.service.held.set('Ga', held.set(index, { timesMs, values: pointsOf(GA, index) }));
    }
    await again.begin(60_000);
    expect(again.sets).toEqual([[3], [5]]);
    expect(again.told()).toMatchObject({ end: true, failures: [] });
    everyPoint(again.service, 7);
  },
);

test('channels count for themselves: each by the chunks that hold it', async () => {
  const sealed = [chunkOf(0, both), chunkOf(1, [GA]), chunkOf(1, [IN]), chunkOf(2, [GA]), chunkOf(2, both.slice(1))];
  const { begin, told, service, tally } = burstRig({ chunks: sealed });
  service.fates.push('taken', 'taken', 'taken', 'taken', 'answer lost');
  await begin(60_000);
  expect(told()).toMatchObject({ end: true, failures: ['wire.ambiguous'] });
  expect([tally()?.pointsAcknowledged, service.points('In').length]).toEqual([12, 6]);
});
