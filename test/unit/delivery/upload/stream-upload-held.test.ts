// What becomes of a stream when a chunk is refused, when it is held, and when its entry is not known yet.
import { describe, expect, test } from 'vitest';
import type { EntryDesk } from '../../../../src-main/delivery/upload/ports.ts';
import { PLAIN_ENTRIES } from '../../../../src-main/delivery/upload/stream-entry.ts';
import { AgentError } from '../../../../src-main/model/agent-error.ts';
import { chunkOf, GA } from '../../../support/rigs/small-queue.ts';
import {
  conflict,
  forbidden,
  gone,
  HOLD_OFF_MS,
  noKey,
  offline,
  pointsOf,
  refused,
  rig,
} from '../../../support/rigs/stream-upload-rig.ts';

describe('a refusal', () => {
  test('of a chunk of several channels splits it; only the channel that is refused alone stays, with the words', async () => {
    const { service, queue, begin, told, tally } = rig();
    service.fates.push(refused, refused);
    await begin();
    expect(told()).toMatchObject({ end: true, failures: ['wire.refused', 'wire.refused'] });
    expect(service.asked.slice(1)).toEqual(['chunk 0 Ga+In', 'chunk 0 Ga', 'chunk 0 In', 'chunk 1 Ga+In']);
    expect(queue.refusedChunks(1)).toMatchObject([{ channel: 'Ga', index: 0, words: 'says 422' }]);
    expect(tally()).toMatchObject({ pointsAcknowledged: 6, pointsRefused: 2, isDelivered: true });
  });

  test('behind a lost request is believed only when the service was asked after the hold-off', async () => {
    const { service, queue, begin, pass, told } = rig({ resend: 'repeat', chunks: [chunkOf(0, [GA])] });
    service.fates.push('request lost', refused, refused);
    await begin(500);
    expect(queue.refusedChunks(1)).toEqual([]);
    expect(told().state).toBe('waiting');
    await pass(HOLD_OFF_MS + 1000);
    expect(told().end).toBe(true);
    expect(service.asked.slice(1)).toEqual(['chunk 0 Ga', 'read', 'chunk 0 Ga', 'read', 'chunk 0 Ga']);
    expect(queue.refusedChunks(1)).toHaveLength(1);
  });

  test('behind a lost answer holds the stream where something else than the chunk is there', async () => {
    const { service, queue, begin, told } = rig({ resend: 'repeat', chunks: [chunkOf(0, [GA])] });
    service.fates.push('request lost', refused);
    service.held.set('Ga', new Map([[0, { timesMs: [0, 1000], values: [7, 8] }]]));
    await begin(3_600_000);
    expect(told()).toMatchObject({ end: 'runs', state: 'blocked' });
    expect(queue.refusedChunks(1)).toEqual([]);
  });

  test('of a chunk behind one that was settled is believed at once', async () => {
    const { service, queue, begin } = rig({ resend: 'repeat', chunks: [chunkOf(0, [GA]), chunkOf(1, [GA])] });
    service.fates.push('answer lost', refused);
    await begin(60_000);
    expect(queue.refusedChunks(1)).toMatchObject([{ index: 1 }]);
    expect(service.asked.slice(1)).toEqual(['chunk 0 Ga', 'read', 'chunk 1 Ga']);
  });

  test('of a chunk that is there from an earlier run does not come about: it is looked up first', async () => {
    const { service, queue, begin, told } = rig({ resend: 'repeat', hasEntry: true, chunks: [chunkOf(0, [GA])] });
    service.held.set('Ga', new Map([[0, { timesMs: [0, 1000], values: pointsOf(GA, 0) }]]));
    await begin(60_000);
    expect(service.asked).toEqual(['read']);
    expect([told().end, queue.refusedChunks(1)]).toEqual([true, []]);
  });

  test('that says that it is there already is looked up, under either policy, after the hold-off', async () => {
    for (const resend of ['verify', 'repeat'] as const) {
      const { service, begin, pass, told, afterMs } = rig({ resend });
      service.fates.push(conflict);
      await begin();
      expect(afterMs()).toBe(HOLD_OFF_MS);
      await pass(60_000);
      expect(told().end).toBe(true);
      const reads = resend === 'verify' ? ['read', 'read'] : ['read'];
      expect(service.asked.slice(1)).toEqual(['chunk 0 Ga+In', ...reads, 'chunk 0 Ga+In', 'chunk 1 Ga+In']);
    }
  });
});

describe('what holds a stream', () => {
  test('a count that differs is read back: where the service holds what was sent, it goes on and says so', async () => {
    for (const resend of ['verify', 'repeat'] as const) {
      const { service, begin, told } = rig({ resend });
      service.fates.push('one point more');
      await begin(1000);
      expect(told()).toMatchObject({ end: true, failures: ['upload.count-differs', 'upload.miscounted'] });
      expect(service.asked.slice(1)).toEqual(['chunk 0 Ga+In', 'read', 'chunk 1 Ga+In']);
    }
  });

  test.each(['verify', 'repeat'] as const)(
    'a service that lost what it had acknowledged gets it again, and that is told (%s)',
    async (resend) => {
      const chunks = [0, 1, 2].map((index) => chunkOf(index, [GA]));
      const own = rig({ resend, isOpen: true, chunks });
      await own.begin(1000);
      expect(own.tally()).toMatchObject({ pointsAcknowledged: 6 });
      // Its database is put back to where it held the first chunk alone.
      own.service.held.get('Ga')?.delete(1);
      own.service.held.get('Ga')?.delete(2);
      own.commit(2, [chunkOf(3, [GA])], 9);
      own.upload.notify();
      await own.pass(120_000);
      expect(own.told()).toMatchObject({ end: true, failures: ['upload.count-differs', 'upload.service-lost'] });
      expect(own.service.points('Ga').toSorted((a, b) => a - b)).toEqual(pointsOf(GA, 0, 1, 2, 3));
      expect(own.tally()).toMatchObject({ pointsAcknowledged: 8, isDelivered: true });
    },
  );

  test('a count that differs because something else is there: nothing is sent until a person acts', async () => {
    const { service, begin, pass, told, upload, afterMs } = rig();
    const stray = { timesMs: [99_000], values: [7] };
    service.held.set('Ga', new Map([[99, stray]]));
    await begin(24 * 3_600_000);
    expect(told()).toMatchObject({ state: 'blocked', failures: ['upload.count-differs', 'upload.holds-more'] });
    expect(afterMs()).toBeNull();
    upload.releaseEntry();
    await pass();
    expect(told().state).toBe('blocked');
    service.held.get('Ga')?.delete(99);
    upload.release();
    await pass(1000);
    expect(told().end).toBe(true);
    expect(service.asked.slice(1)).toEqual(['chunk 0 Ga+In', 'read', 'read', 'read', 'chunk 1 Ga+In']);
  });

  test('what the service shows differs from the chunk: the stream is blocked and nothing more is sent', async () => {
    const { service, begin, told } = rig({ hasEntry: true, chunks: [chunkOf(0, [GA])] });
    service.held.set('Ga', new Map([[0, { timesMs: [0, 1000], values: [7, 8] }]]));
    await begin(60_000);
    expect(told()).toMatchObject({ state: 'blocked', failures: ['upload.holds-more'] });
    expect(service.asked).toEqual(['read', 'read']);
  });

  test('an entry that is gone is looked for again after five minutes; the line is free meanwhile', async () => {
    const { service, begin, pass, told, afterMs, line } = rig();
    service.fates.push(gone);
    await begin();
    expect([told().state, afterMs(), line.fault]).toEqual(['blocked', 300_000, null]);
    await pass(302_000);
    expect(told().end).toBe(true);
    expect(service.asked.slice(2)).toEqual(['search', 'read', 'read', 'chunk 0 Ga+In', 'chunk 1 Ga+In']);
  });

  test('an entry that is gone once it holds something is not looked for by its name', async () => {
    const { service, begin, told } = rig({ isOpen: true, chunks: [chunkOf(0, [GA]), chunkOf(1, [GA])] });
    service.fates.push('taken', gone);
    await begin(302_000);
    expect(told().state).toBe('idle');
    expect(service.asked.slice(1)).toEqual(['chunk 0 Ga', 'chunk 1 Ga', 'read', 'read', 'chunk 1 Ga']);
  });

  test('a right that is missing for one entry holds its stream; where it is missing altogether, the line', async () => {
    const one = rig();
    one.service.fates.push(forbidden);
    await one.begin();
    expect([one.told().state, one.line.fault]).toEqual(['blocked', null]);
    const all = rig();
    all.service.entryFates.push(forbidden);
    await all.begin();
    expect([all.told().state, all.line.fault?.trouble]).toEqual(['resuming', 'key']);
    const key = rig();
    key.service.fates.push(noKey);
    await key.begin();
    expect([key.told().state, key.line.fault?.trouble]).toEqual(['sending', 'key']);
  });

  test('nobody gets through: the line says when, no failure of the stream is told, and its place is not kept', async () => {
    const { service, begin, pass, told, line, upload } = rig();
    service.fates.push(offline, offline);
    await begin();
    expect(told()).toMatchObject({ state: 'sending', failures: [] });
    expect([line.fault?.trouble, upload.isOnLine]).toEqual(['offline', false]);
    await pass(500 + 1000);
    expect(told().end).toBe(true);
    expect(service.asked).toHaveLength(5);
    expect(line.fault).toBeNull();
  });

  test('another service in the settings: nothing at all goes out, also when a person says to try', async () => {
    const { queue, service, begin, pass, told, upload, afterMs } = rig();
    queue.setInitialized(1, { dataId: 'entry', processedDataId: '', service: 'there', isToFinalize: false });
    await begin(3_600_000);
    expect(upload.state).toMatchObject({ kind: 'blocked', reason: { code: 'upload.other-service' } });
    expect(afterMs()).toBeNull();
    upload.release();
    await pass(3_600_000);
    expect([told().state, service.asked]).toEqual(['blocked', []]);
  });

  test('a fault of the store: told, and the same is done again a second later', async () => {
    let faults = 2;
    const { begin, pass, told, service, clock } = rig({
      calls: (queue) => ({
        uploadStream: async (id) => {
          if (faults-- > 0) throw new Error('disk I/O error');
          return queue.uploadStream(id);
        },
      }),
    });
    await begin(1999);
    expect([told(), service.asked]).toEqual([
      { end: 'runs', state: 'stopped', failures: ['internal', 'internal'] },
      [],
    ]);
    await pass(1);
    expect([told().end, service.asked.length, clock.monotonicMs()]).toEqual([true, 3, 2000]);
  });

  test.each([
    ['later', 'waiting', 500],
    ['after-human', 'blocked', null],
  ] as const)('a chunk that the store cannot give, to be tried again %s: %s', async (retry, state, untilMs) => {
    const { begin, told, afterMs, service } = rig({
      calls: () => ({
        nextChunks: async () => {
          throw new AgentError({ code: 'store.fault', message: 'm', hint: 'h', retry });
        },
      }),
    });
    await begin();
    expect([told(), afterMs()]).toEqual([{ end: 'runs', state, failures: ['store.fault'] }, untilMs]);
    expect(service.asked).toEqual(['initialize T s n']);
  });
});

describe('an entry that is not known yet', () => {
  const desk = (isForPerson: boolean) => {
    let isReady = false;
    const words = { message: 'The sample has no id yet.', hint: 'Name it.' };
    const entries: EntryDesk = {
      ...PLAIN_ENTRIES,
      look: (stream) => (isReady ? PLAIN_ENTRIES.look(stream) : { kind: 'waits', ...words, isForPerson }),
    };
    return { entries, ready: () => (isReady = true) };
  };

  test.each([
    [false, 'waiting'],
    [true, 'blocked'],
  ] as const)(
    'for a person %s: the stream is %s without a place on the line, and goes on when it is known',
    async (isForPerson, state) => {
      const { entries, ready } = desk(isForPerson);
      const { begin, pass, upload, service, entered, told, afterMs } = rig({ entries });
      await begin();
      const reason = { code: 'upload.entry-waits', message: 'The sample has no id yet.', hint: 'Name it.' };
      expect(upload.state).toMatchObject({ kind: state, reason });
      expect([entered, service.asked, afterMs()]).toEqual([[], [], 10_000]);
      upload.notify();
      ready();
      await pass();
      expect(upload.state.kind).toBe(state);
      upload.releaseEntry();
      await pass();
      expect(told()).toEqual({ end: true, state: 'sending', failures: [] });
    },
  );

  test('what has an entry, or may have one, needs nothing of it', async () => {
    for (const note of ['sent', 'made']) {
      const own = rig({ entries: desk(true).entries, hasEntry: note === 'made' });
      const { name } = own.queue.uploadStream(1) ?? { name: '' };
      if (note === 'sent') own.queue.markInitializeSent(1, 'here', { name, sampleId: null, projectId: null });
      await own.begin(60_000);
      expect(own.told().end).toBe(true);
    }
  });
});
