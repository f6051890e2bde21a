// What the service may hold of a stream already, sent by another queue or by a later state of this one.
import { expect, test } from 'vitest';
import type { FormerData, HeldPoints } from '../../../../src-main/delivery/upload/ports.ts';
import { chunkOf, GA, IN } from '../../../support/rigs/small-queue.ts';
import { both, HOLD_OFF_MS, pointsOf, type RigOptions, rig } from '../../../support/rigs/stream-upload-rig.ts';

/** A stream of the run before, and entries that hold points of it: by channel, their stamps. */
function formerRig(held: Readonly<Record<string, readonly number[]>>, more: RigOptions & { alias?: string } = {}) {
  const { alias = null, ...options } = more;
  const leftOut: unknown[] = [];
  const looks = { count: 0, areLater: 0 };
  const points: HeldPoints = {
    take: (channel, timeMs) => (held[channel]?.includes(timeMs) ? 'entry of before' : null),
    findAlias: () => alias,
    takeAliases: () => {},
    settle: () => {},
  };
  const data: FormerData = {
    former: {
      find: async () => {
        looks.count += 1;
        if (looks.areLater-- > 0) return { kind: 'later', why: 'the catalogue is listed' };
        return { kind: 'some', read: async () => points };
      },
    },
    cutter: { close: async () => {}, begin: async () => Promise.reject(new Error('nothing to begin')), begun() {} },
    onLeftOut: (...told) => leftOut.push(told),
  };
  return { ...rig({ isOfBefore: true, former: data, ...options }), leftOut, looks };
}

test('what is held in whole gets no entry, and is told', async () => {
  const { begin, told, service, leftOut } = formerRig({ Ga: [0, 1000], In: [0, 1000] }, { chunks: [chunkOf(0, both)] });
  await begin();
  expect(told()).toMatchObject({ end: true, failures: [] });
  expect(service.asked).toEqual([]);
  expect(leftOut).toEqual([[1, 4, ['entry of before']]]);
});

test('of what is held in part the rest is sent', async () => {
  const { begin, told, service, leftOut } = formerRig({ Ga: [0], In: [0, 1000] }, { chunks: [chunkOf(0, both)] });
  await begin();
  expect(told()).toMatchObject({ end: true, failures: [] });
  expect(service.asked).toEqual(['initialize T s n', 'chunk 0 Ga']);
  expect(service.points('Ga')).toEqual(pointsOf(GA, 0).slice(1));
  expect(leftOut).toEqual([[1, 3, ['entry of before']]]);
});

test('what cannot be told yet waits, without a failure, and is looked at again', async () => {
  const { begin, pass, told, service, upload, afterMs, looks } = formerRig({});
  looks.areLater = 2;
  await begin();
  expect(upload.state).toMatchObject({ kind: 'waiting', reason: { code: 'upload.looking-up' }, isHoldOff: false });
  expect([told().failures, afterMs(), service.asked]).toEqual([[], 10_000, []]);
  await pass(20_000);
  expect([told().end, looks.count, service.asked.length]).toEqual([true, 3, 3]);
});

test('what may stand there under another name is a question, and nothing goes out before its answer', async () => {
  const { begin, pass, told, service, upload, queue } = formerRig({}, { alias: 'Ga_2 of "a"' });
  await begin();
  expect(upload.state).toMatchObject({ kind: 'blocked', reason: { code: 'upload.held-under-other-name' } });
  expect(told().failures).toEqual(['upload.held-under-other-name']);
  await pass(60_000);
  expect(service.asked).toEqual([]);
  queue.answerHeld(1, 'send');
  await pass(10_000);
  expect([told().end, service.asked.length]).toEqual([true, 3]);
});

test('a stream goes on in its entry where other entries are there and hold nothing of it', async () => {
  const { begin, pass, told, service, leftOut } = formerRig({}, { hasEntry: true, chunks: [chunkOf(0, both)] });
  await begin();
  await pass(60_000);
  expect(told()).toMatchObject({ end: true, failures: [] });
  expect(service.points('Ga')).toEqual(pointsOf(GA, 0));
  expect(leftOut).toEqual([]);
});

test('what differs in an entry that a later state of the queue has filled is looked up, not held', async () => {
  for (const isKnown of [true, false]) {
    const own = formerRig({}, { hasEntry: true, ...(isKnown ? {} : { former: null }) });
    own.looks.areLater = 1000;
    for (const [name, id] of [
      ['Ga', GA],
      ['In', IN],
    ] as const) {
      own.service.held.set(
        name,
        new Map([
          [0, { timesMs: [0, 1000], values: pointsOf(id, 0) }],
          [1, { timesMs: [2000, 3000], values: [7, 8] }],
        ]),
      );
    }
    await own.begin(HOLD_OFF_MS + 60_000);
    const code = isKnown ? 'upload.looking-up' : 'upload.holds-more';
    expect(own.upload.state).toMatchObject({ kind: isKnown ? 'waiting' : 'blocked', reason: { code } });
    expect(own.queue.uploadStream(1)?.mayHoldMore).toBe(isKnown);
    expect(own.service.asked.filter((words) => words !== 'read')).toEqual([]);
  }
});
