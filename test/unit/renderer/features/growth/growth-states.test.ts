import { expect, test } from 'vitest';
import type { ServiceView, StreamView } from '../../../../../src-main/contract/snapshot.ts';
import { growthWord, keptOf, worstKept } from '../../../../../src-renderer/features/growth/growth-states.ts';
import type { GrowthStream } from '../../../../../src-renderer/state/growth.ts';
import { runningSnapshot, streamView } from '../../../../support/page/page-snapshot.ts';

const stream = (id: number, isDelivered = false) =>
  ({ id, isDelivered, isClosed: true, pointsRefused: 0, pointsResent: 0 }) as GrowthStream;
const told = (service: Partial<ServiceView>, ...streams: Partial<StreamView>[]) => {
  const snapshot = runningSnapshot(0);
  if (snapshot.service === null) throw new Error('the picture has a service');
  return {
    ...snapshot,
    service: { ...snapshot.service, state: 'connected' as const, pausedSinceMs: null, ...service },
    streams: streams.map((one) => streamView(0, { upload: 'idle', message: '', hint: '', ...one })),
  };
};
const growth = (...streams: GrowthStream[]) => ({ state: 'ended' as const, parts: [{ streams, rheed: [] }] }) as never;
const wordOf = (snapshot: ReturnType<typeof told>, ...streams: GrowthStream[]) =>
  growthWord(growth(...streams), worstKept(growth(...streams), snapshot)).word;

test('says "being delivered" only of points that are on their way', () => {
  expect(wordOf(told({}, { id: 1 }), stream(1))).toBe('Being delivered');
  expect(wordOf(told({ state: 'held', message: 'The key is refused.' }, { id: 1 }), stream(1))).toBe('Kept here');
  expect(wordOf(told({}, { id: 1, upload: 'blocked', message: 'Recorded for another.' }), stream(1))).toBe('Needs you');
  expect(wordOf(told({}, { id: 1, upload: 'kept', message: 'You chose so.' }), stream(1))).toBe('Stays here');
  expect(wordOf(told({ state: 'offline', message: 'No way.' }, { id: 1 }), stream(1))).toBe('Kept here');
  expect(wordOf(told({ pausedSinceMs: 5 }, { id: 1 }), stream(1))).toBe('Kept here');
  // What is delivered waits for nothing.
  expect(wordOf(told({ state: 'held', message: 'The key is refused.' }, { id: 1 }), stream(1, true))).toBe('Delivered');
});

test('gives the reason of the headline, of several the one that needs a person', () => {
  const held = told({ state: 'held', message: 'The key is refused.', hint: 'Enter another.' }, { id: 1 });
  expect(keptOf(stream(1), held)).toMatchObject({ message: 'The key is refused.', hint: 'Enter another.' });
  const asks = { upload: 'blocked' as const, message: 'It belongs to the former service.', hint: 'Choose on Now.' };
  const both = told({ state: 'offline', message: 'No way.' }, { id: 1 }, { id: 2, ...asks });
  expect(worstKept(growth(stream(1), stream(2)), both)).toMatchObject({ tone: 'attention', message: asks.message });
});
