// Chunks of a stream side by side: when, what proves them, and what follows where something goes wrong on the way.
import { expect, test } from 'vitest';
import type { Queue } from '../../../../src-main/queue/store/queue.ts';
import { chunkOf, GA, IN, openUntilEnd } from '../../../support/rigs/small-queue.ts';
import {
  both,
  conflict,
  HOLD_OFF_MS,
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

const noted = (queue: Queue) => queue.burstChunks(1).map(({ index }) => index);
const everyPoint = (service: ServiceByHand, count: number) => {
  const indices = Array.from({ length: count }, (_, index) => index);
  expect(service.points('Ga').toSorted((a, b) => a - b)).toEqual(pointsOf(GA, ...indices));
};

test('goes out alone first, then twice as many each time up to the window, each once and in order', async () => {
  const { begin, sets, told, tally, service, queue } = burstRig();
  await begin(1000);
  expect(sets).toEqual([[0], [1, 2], [3, 4, 5, 6], [7, 8]]);
  expect([told(), tally()?.pointsAcknowledged, noted(queue)]).toMatchObject([{ end: true, failures: [] }, 18, []]);
  everyPoint(service, 9);
});

test('under verify, and where the service may hold more than is known, each goes out alone', async () => {
  const verify = burstRig({ resend: 'verify' });
  await verify.begin(60_000);
  expect(verify.sets.every((set) => set.length === 1)).toBe(true);
  expect(verify.told().end).toBe(true);
  const older = burstRig();
  older.queue.noteHoldsMore(1);
  await older.begin(0);
  expect(older.service.asked).toEqual(['read']);
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

test('that they may be there is on disk before they go out, and gone when they are acknowledged, all in one step', async () => {
  const seen: string[] = [];
  const { begin, queue } = burstRig({
    chunks: chunks(3),
    calls: (real) => ({
      noteBurst: async (ids) => {
        seen.push(`note ${ids}`);
        return real.noteBurst(ids);
      },
      acknowledge: async (ids, atMs) => {
        seen.push(`acknowledge ${ids}, noted ${noted(queue)}`);
        return real.acknowledge(ids, atMs);
      },
    }),
  });
  await begin(1000);
  expect(seen).toEqual(['acknowledge 1, noted ', 'note 2,3', 'acknowledge 2,3, noted 1,2']);
});

test('the store does not take the note: nothing went out, and every place is given back', async () => {
  let times = 0;
  const { begin, pass, sets, told, line } = burstRig({
    chunks: chunks(3),
    calls: (real) => ({
      noteBurst: async (ids) => {
        if (++times === 1) throw new Error('full');
        return real.noteBurst(ids);
      },
    }),
  });
  await begin(150);
  expect([sets, line.spare]).toEqual([[[0]], 4]);
  await pass(60_000);
  expect(sets).toEqual([[0], [1], [2]]);
  expect(told().end).toBe(true);
});

test.each(['request lost', 'answer lost'] as const)(
  'one in the middle whose %s: nothing of the burst is acknowledged, each goes out again alone, then side by side again',
  async (fate) => {
    const { run, pass, fails, sets, told, tally, queue, service } = burstRig({ chunks: chunks(12) });
    service.fates.push('taken', 'taken', 'taken', 'taken', fate);
    run();
    await fails();
    expect([tally()?.pointsAcknowledged, noted(queue)]).toEqual([6, [3, 4, 5, 6]]);
    await pass(60_000);
    expect(sets.slice(2, 7)).toEqual([[3, 4, 5, 6], [3], [4], [5], [6]]);
    expect(sets[7]?.length).toBeGreaterThan(1);
    expect(told()).toMatchObject({ end: true, failures: ['wire.ambiguous'] });
    everyPoint(service, 12);
  },
);

test('the last of those that may be there is exact again: a point too many holds the stream', async () => {
  const { begin, told, service, queue } = burstRig({ chunks: chunks(3) });
  service.fates.push('taken', 'answer lost', 'request lost', 'taken', 'one point more');
  await begin(60_000);
  expect(told()).toEqual({ end: 'runs', state: 'blocked', failures: ['wire.ambiguous', 'upload.count-differs'] });
  expect(noted(queue)).toEqual([2]);
});

test('one in the middle that is refused: it is refused and no more in doubt, the others go out again alone', async () => {
  const { run, pass, fails, sets, told, tally, queue, service } = burstRig({ chunks: chunks(7) });
  service.fates.push('taken', 'taken', 'taken', 'taken', refused);
  run();
  await fails();
  expect(noted(queue)).toEqual([3, 5, 6]);
  await pass(60_000);
  expect(sets.slice(2)).toEqual([[3, 4, 5, 6], [3], [5], [6]]);
  expect(queue.refusedChunks(1)).toMatchObject([{ index: 4 }]);
  expect([told().failures, tally()]).toMatchObject([['wire.refused'], { pointsAcknowledged: 12, pointsRefused: 2 }]);
});

test('those that were certainly not sent are not in doubt', async () => {
  const { run, pass, fails, queue, service, told } = burstRig({ chunks: chunks(7) });
  service.fates.push('taken', 'taken', 'taken', 'taken', offline, offline, offline);
  run();
  await fails();
  await pass(300);
  expect(noted(queue)).toEqual([3]);
  await pass(60_000);
  expect(told()).toMatchObject({ end: true, failures: [] });
});

test('one that somebody else answered for may have arrived all the same: it stays in doubt', async () => {
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
  expect(sets.slice(2)).toEqual([[3, 4, 5, 6], [3], [4], [5], [6]]);
  expect(told()).toMatchObject({ end: true, failures: [] });
  everyPoint(service, 7);
});

test('a stop while it is looked up settles nothing: what may be there is still in doubt', async () => {
  const own = burstRig({
    chunks: chunks(3),
    calls: (real) => ({
      burstChunks: async (id) => {
        const found = await real.burstChunks(id);
        own.stop.abort();
        return found;
      },
    }),
  });
  const { begin, queue, service } = own;
  service.fates.push('taken', 'answer lost', 'request lost', conflict);
  await begin(60_000);
  expect(service.asked.at(-1)).toBe('read');
  expect(noted(queue)).toEqual([1, 2]);
  expect(queue.uploadStream(1)?.mayHoldMore).toBe(false);
});

test('one that may be there and is refused when it is sent again is looked for first, with others behind it that are there', async () => {
  const { begin, pass, told, queue, service } = burstRig({ chunks: chunks(7) });
  service.fates.push('taken', 'taken', 'taken', 'request lost', 'taken', 'answer lost', 'taken', refused, refused);
  await begin(1000);
  await pass(HOLD_OFF_MS);
  await pass(60_000);
  expect(service.asked.slice(7, 11)).toEqual(['chunk 3 Ga', 'read', 'read', 'chunk 3 Ga']);
  expect(queue.refusedChunks(1)).toMatchObject([{ index: 3 }]);
  expect(told().end).toBe(true);
  expect(service.points('Ga').toSorted((a, b) => a - b)).toEqual(pointsOf(GA, 0, 1, 2, 4, 5, 6));
});

test('one that arrived and is called a conflict when it is sent again is acknowledged as it stands there', async () => {
  const { begin, told, queue, service, tally } = burstRig({ chunks: chunks(3) });
  service.fates.push('taken', 'answer lost', 'request lost', conflict);
  await begin(60_000);
  expect(queue.refusedChunks(1)).toEqual([]);
  expect([told().end, tally()?.pointsAcknowledged]).toEqual([true, 6]);
  everyPoint(service, 3);
});

test('counts that do not see each other prove nothing: each goes out again alone, and so does all that follows', async () => {
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
  expect(sets).toEqual([[0], [1, 2], [1], [2], [3], [4], [5], [6], [7]]);
  expect(told()).toMatchObject({ end: true, failures: ['upload.burst-unproven'] });
  everyPoint(service, 8);
});

test('a count that is larger than all of them holds the stream', async () => {
  const { begin, told, service, tally } = burstRig({ chunks: chunks(3) });
  service.fates.push('taken', 'taken', 'one point more');
  await begin(60_000);
  expect(told()).toMatchObject({ state: 'blocked', failures: ['upload.count-differs'] });
  expect(tally()?.pointsAcknowledged).toBe(2);
});

test('after a restart those that may be there go out again one at a time, whatever the settings say now', async () => {
  const first = burstRig({ chunks: chunks(7) });
  first.run();
  await first.clock.passUntil(() => first.sets.at(-1)?.length === 4, 10_000);
  first.stop.abort();
  await first.pass(1000);
  expect(noted(first.queue)).toEqual([3, 4, 5, 6]);
  first.queue.close();
  const queue = openUntilEnd(first.path);
  expect([queue.uploadStream(1)?.hasBurst, queue.nextChunk(1)]).toMatchObject([
    true,
    { index: 3, isOfBurst: true, channels: [{ besides: 6 }] },
  ]);
  const again = burstRig({ resend: 'verify', chunks: chunks(7) });
  again.queue.acknowledge([1, 2, 3], 1);
  again.queue.noteBurst([4, 5, 6, 7]);
  for (const index of [0, 1, 2, 4, 6]) {
    const timesMs = [...chunkOf(index, [GA]).timesMs];
    const held = again.service.held.get('Ga') ?? new Map();
    again.service.held.set('Ga', held.set(index, { timesMs, values: pointsOf(GA, index) }));
  }
  await again.begin(60_000);
  expect(again.sets).toEqual([[3], [4], [5], [6]]);
  expect(again.service.asked).not.toContain('read');
  expect(again.told()).toMatchObject({ end: true, failures: [] });
  everyPoint(again.service, 7);
});

test('once they are settled the settings hold again', async () => {
  const { begin, pass, service, told, queue } = burstRig({ resend: 'verify', chunks: chunks(2) });
  queue.noteBurst([1]);
  service.fates.push('taken', 'answer lost');
  await begin(1000);
  expect(told().state).toBe('waiting');
  await pass(60_000);
  expect(service.asked).toEqual(['chunk 0 Ga', 'chunk 1 Ga', 'read']);
  expect(told().end).toBe(true);
});

test('channels count for themselves: each by the chunks that hold it', async () => {
  const sealed = [chunkOf(0, both), chunkOf(1, [GA]), chunkOf(1, [IN]), chunkOf(2, [GA]), chunkOf(2, both.slice(1))];
  const { begin, told, service, tally } = burstRig({ chunks: sealed });
  service.fates.push('taken', 'taken', 'taken', 'taken', 'answer lost');
  await begin(60_000);
  expect(told()).toMatchObject({ end: true, failures: ['wire.ambiguous'] });
  expect([tally()?.pointsAcknowledged, service.points('In').length]).toEqual([12, 6]);
});
