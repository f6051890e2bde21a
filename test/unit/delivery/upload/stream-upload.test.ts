// What the work around the machine does while its service is sound, and when an answer does not come.
import { describe, expect, test } from 'vitest';
import { AgentError } from '../../../../src-main/model/agent-error.ts';
import { chunkOf, GA, IN } from '../../../support/rigs/small-queue.ts';
import { both, HOLD_OFF_MS, pointsOf, rig } from '../../../support/rigs/stream-upload-rig.ts';

describe('a sound service', () => {
  test('gets the entry, then each chunk once and in order, in seconds and with the units that are known', async () => {
    const { service, begin, told, tally, states, upload } = rig();
    expect(upload.state).toEqual({ kind: 'stopped' });
    await begin();
    expect(told()).toMatchObject({ end: true, failures: [] });
    expect(service.asked).toEqual(['initialize T s n', 'chunk 0 Ga+In', 'chunk 1 Ga+In']);
    expect(service.bodies[1]).toEqual({
      data_id: 'entry',
      chunk_index: 1,
      channels: {
        Ga: { timestamps: Float64Array.of(2, 3), values: chunkOf(1, [GA]).values, units: '°C' },
        In: { timestamps: Float64Array.of(2, 3), values: chunkOf(1, [IN]).values },
      },
    });
    expect(tally()).toMatchObject({ pointsAcknowledged: 8, isDelivered: true });
    expect(states).toEqual([
      ...['resuming', 'resuming on the line', 'sending', 'sending on the line', 'sending', 'sending on the line'],
      'sending',
    ]);
    expect(upload.isOnLine).toBe(false);
  });

  test('a stream that is not there is at its end; one whose end was not noted yet gets it noted', async () => {
    const none = rig({ streamId: 9 });
    await none.begin();
    expect(none.told()).toMatchObject({ end: true, failures: [] });
    const noted = rig({ chunks: [], isOpen: true, hasEntry: true, resend: 'repeat' });
    noted.run();
    noted.commit(2, [], 9);
    await noted.pass();
    expect([noted.told().end, noted.tally()?.isDelivered, noted.service.asked]).toEqual([true, true, ['read']]);
  });

  test('an open stream waits for its next chunk, continues when notified, and ends when it is closed', async () => {
    const { service, begin, pass, told, upload, commit, entered } = rig({ isOpen: true, chunks: [chunkOf(0, both)] });
    await begin(3_600_000);
    expect(told()).toMatchObject({ end: 'runs', state: 'idle' });
    commit(2, [chunkOf(1, both)]);
    await pass(3_600_000);
    expect(service.asked).toHaveLength(2);
    upload.notify();
    await pass();
    expect(service.asked.slice(2)).toEqual(['chunk 1 Ga+In']);
    expect(told().state).toBe('idle');
    commit(3, [chunkOf(2, both)], 9);
    upload.notify();
    await pass();
    expect(told()).toMatchObject({ end: true, failures: [] });
    // While it is written it comes before the backlog, as far as was seen when it asked for its place.
    expect(entered).toEqual([true, true, true, false]);
  });

  test('a stream of the backlog asks for a place behind those that are still being written', async () => {
    const { begin, entered } = rig();
    await begin();
    expect(entered).toEqual([false, false, false]);
  });

  test('a chunk that is sealed while the queue is being looked through is not overlooked', async () => {
    let looks = 0;
    const own = rig({
      isOpen: true,
      calls: (queue) => ({
        nextChunks: async (id, count) => {
          const seen = await queue.nextChunks(id, count);
          if (++looks === 3) {
            own.commit(2, [chunkOf(2, both)]);
            own.upload.notify();
          }
          return seen;
        },
      }),
    });
    await own.begin(3_600_000);
    expect(own.service.asked.slice(1)).toEqual(['chunk 0 Ga+In', 'chunk 1 Ga+In', 'chunk 2 Ga+In']);
  });

  test('an acknowledgement also requests the next chunk: one trip to the store a chunk, two where it waits', async () => {
    const trips: string[] = [];
    let isTogether = false;
    const own = rig({
      isOpen: true,
      hasEntry: true,
      resend: 'repeat',
      calls: (queue) => ({
        ...Object.fromEntries(
          Object.entries(queue).map(([name, call]) => [
            name,
            (...args: never[]) => {
              if (!isTogether) trips.push(name);
              return (call as (...given: never[]) => unknown)(...args);
            },
          ]),
        ),
        together: (ask) => {
          if (isTogether) return ask();
          trips.push('together');
          isTogether = true;
          try {
            return ask();
          } finally {
            isTogether = false;
          }
        },
      }),
    });
    await own.begin();
    // The start, and what is needed to hold the stream against the service; then the first look, and one for each chunk.
    const start = ['uploadStream', 'uploadStream', 'readWindow', 'nextChunk', 'acknowledgedPoints'];
    expect(trips.splice(0)).toEqual([...start, 'together', 'together', 'together']);
    own.commit(2, [chunkOf(2, both)]);
    own.upload.notify();
    await own.pass();
    expect(trips.splice(0)).toEqual(['together', 'together']);
    // The look went with the commit.
    isTogether = true;
    own.commit(3, [chunkOf(3, both)]);
    own.upload.prefetch();
    isTogether = false;
    own.upload.notify();
    await own.pass();
    expect(trips).toEqual(['together']);
    expect(own.tally()).toMatchObject({ pointsAcknowledged: 16 });
  });

  test.each(['sees nothing yet', 'fails'])(
    'a look with a commit that %s costs nothing but another look',
    async (how) => {
      let isBroken = false;
      const own = rig({
        isOpen: true,
        calls: (queue) => ({
          nextChunks: async (id, count) => {
            if (isBroken) throw new AgentError({ code: 'store.stopped', message: '', hint: '', retry: 'later' });
            return queue.nextChunks(id, count);
          },
        }),
      });
      await own.begin();
      isBroken = how === 'fails';
      own.upload.prefetch();
      await own.pass();
      isBroken = false;
      expect(own.told()).toEqual({ end: 'runs', state: 'idle', failures: [] });
      own.commit(2, [chunkOf(2, both)]);
      own.upload.notify();
      await own.pass();
      expect(own.told()).toEqual({ end: 'runs', state: 'idle', failures: [] });
      expect(own.tally()).toMatchObject({ pointsAcknowledged: 12 });
    },
  );

  test('nothing is asked about readings that are new; of a stream of the run before it is asked once', async () => {
    for (const isOfBefore of [false, true]) {
      let asked = 0;
      const find = async () => {
        asked += 1;
        return { kind: 'none' as const };
      };
      const cutter = {
        close: async () => {},
        begin: async () => Promise.reject(new Error('nothing to begin')),
        begun() {},
      };
      const own = rig({ isOfBefore, former: { former: { find }, cutter, onLeftOut: () => {} } });
      await own.begin();
      expect(asked).toBe(isOfBefore ? 1 : 0);
      expect(own.service.asked).toEqual(['initialize T s n', 'chunk 0 Ga+In', 'chunk 1 Ga+In']);
    }
  });

  test('a stop ends it where it stands, also in the middle of a wait, and another run takes it up', async () => {
    const { begin, pass, told, stop, upload, commit, service } = rig({ isOpen: true });
    await begin();
    stop.abort();
    await pass();
    expect(told()).toMatchObject({ end: false, state: 'stopped' });
    commit(2, [], 9);
    const again = upload.run(new AbortController().signal);
    await pass(HOLD_OFF_MS);
    expect(await again).toBe(true);
    expect(service.points('Ga')).toEqual(pointsOf(GA, 0, 1));
  });
});

describe('an answer that does not come', () => {
  test.each(['request lost', 'answer lost'] as const)(
    'verify: %s, so nothing is sent before the service was asked, after the hold-off',
    async (fate) => {
      const { service, begin, pass, told, upload, tally } = rig();
      service.fates.push(fate);
      await begin(HOLD_OFF_MS - 1);
      // Neither news nor a person may cut that short: the request may still be on its way.
      upload.notify();
      upload.release();
      upload.releaseEntry();
      await pass();
      expect(upload.state).toMatchObject({ kind: 'waiting', isHoldOff: true });
      expect(service.asked).toEqual(['initialize T s n', 'chunk 0 Ga+In']);
      await pass(2001);
      expect(told()).toMatchObject({ end: true, failures: ['wire.ambiguous'] });
      const sentAgain = fate === 'request lost' ? ['chunk 0 Ga+In'] : [];
      // That it is not there needs two reads.
      const reads = fate === 'request lost' ? ['read', 'read'] : ['read'];
      expect(service.asked.slice(2)).toEqual([...reads, ...sentAgain, 'chunk 1 Ga+In']);
      expect(service.points('Ga')).toEqual(pointsOf(GA, 0, 1));
      expect(tally()).toMatchObject({ pointsAcknowledged: 8 });
    },
  );

  test('repeat: it is looked up after a moment, and the same is sent again where it is not there', async () => {
    const { service, begin, pass, told, upload } = rig({ resend: 'repeat' });
    service.fates.push('request lost', 'answer lost');
    await begin(499);
    expect(upload.state).toMatchObject({ kind: 'waiting', isHoldOff: false, failures: 1 });
    await pass(1001);
    expect(told()).toMatchObject({ end: true });
    expect(service.asked.slice(1)).toEqual([...['chunk 0 Ga+In', 'read', 'chunk 0 Ga+In', 'read', 'chunk 1 Ga+In']]);
    expect(service.bodies[1]).toEqual(service.bodies[0]);
    expect(service.points('In')).toEqual(pointsOf(IN, 0, 1));
  });

  test('the operator can cut short a wait, except a hold-off', async () => {
    const { service, begin, pass, told, upload } = rig({ resend: 'repeat' });
    service.fates.push('request lost');
    await begin();
    upload.release();
    await pass();
    expect(told().end).toBe(true);
  });

  test('a stream that was left with its entry is looked up first; nothing is sent twice', async () => {
    const { service, begin, pass, told } = rig({ hasEntry: true });
    service.held.set('Ga', new Map([[0, { timesMs: [0, 1000], values: pointsOf(GA, 0) }]]));
    service.held.set('In', new Map([[0, { timesMs: [0, 1000], values: pointsOf(IN, 0) }]]));
    await begin(HOLD_OFF_MS - 1);
    expect(service.asked).toEqual([]);
    await pass(1002);
    expect(told().end).toBe(true);
    expect(service.asked).toEqual(['read', 'chunk 1 Ga+In']);
  });

  test('an acknowledgement that the disk did not take leaves open whether the service has it', async () => {
    let isFull = true;
    const { service, begin, pass, told } = rig({
      calls: (queue) => ({
        acknowledge: async (id, atMs) => {
          if (isFull) throw new AgentError({ code: 'store.disk-full', message: '', hint: '', retry: 'later' });
          return queue.acknowledge(id, atMs);
        },
      }),
    });
    await begin();
    expect(told()).toMatchObject({ state: 'waiting', failures: ['store.disk-full'] });
    isFull = false;
    await pass(HOLD_OFF_MS + 1000);
    expect(told().end).toBe(true);
    expect(service.asked.slice(1)).toEqual(['chunk 0 Ga+In', 'read', 'chunk 1 Ga+In']);
  });

  test.each(['verify', 'repeat'] as const)(
    '%s: a look that fails behind an acknowledgement takes nothing of it back',
    async (resend) => {
      let looks = 0;
      const { service, begin, pass, told, tally } = rig({
        resend,
        calls: (queue) => ({
          nextChunks: async (id, count) => {
            // The second one goes with the acknowledgement of the first chunk.
            if (++looks === 2) throw new AgentError({ code: 'store.removed', message: '', hint: '', retry: 'later' });
            return queue.nextChunks(id, count);
          },
        }),
      });
      await begin();
      expect(told()).toMatchObject({ state: 'waiting', failures: ['store.removed'] });
      expect(tally()).toMatchObject({ pointsAcknowledged: 4 });
      await pass(1000);
      expect(told()).toMatchObject({ end: true, failures: ['store.removed'] });
      expect(service.asked.slice(1)).toEqual(['chunk 0 Ga+In', 'chunk 1 Ga+In']);
    },
  );

  test('an answer of an initialize that is lost is looked for by name before another one goes out', async () => {
    const { service, begin, pass, told, upload } = rig();
    service.entryFates.push({ failure: { kind: 'ambiguous' } });
    await begin(HOLD_OFF_MS - 1);
    expect(upload.state).toMatchObject({ kind: 'waiting', back: 'resuming', isHoldOff: true });
    await pass(3001);
    expect(told().end).toBe(true);
    expect(service.asked.slice(0, 5)).toEqual([
      ...['initialize T s n', 'search', 'search', 'initialize T s n', 'read'],
    ]);
  });
});
