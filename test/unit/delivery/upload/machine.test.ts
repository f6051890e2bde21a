import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BACKOFF_CAP_MS, BACKOFF_FIRST_MS, backoffMs } from '../../../../src-main/delivery/upload/backoff.ts';
import {
  transition as next,
  type ResendPolicy,
  type StreamFailure,
  type UploadEvent,
  type UploadState,
} from '../../../../src-main/delivery/upload/machine.ts';

const reason = { code: 'c', message: 'the words of the service', hint: 'h' };
const chunk = { id: 7, isSingle: false };
const failed = (failure: StreamFailure, more: Partial<Extract<UploadEvent, { is: 'failed' }>> = {}): UploadEvent => ({
  is: 'failed',
  failure,
  reason,
  chunk,
  nowMs: 1000,
  random: 0.5,
  ...more,
});
const started = (hasEntry: boolean, isUncertain = false): UploadEvent => ({
  is: 'started',
  hasEntry,
  isUncertain,
  isAheadUnderWay: false,
  elsewhere: null,
  nowMs: 0,
});
const repeat: ResendPolicy = { resend: 'repeat', holdOffMs: 15_000 };
const verify: ResendPolicy = { resend: 'verify', holdOffMs: 15_000 };
const transition = (state: UploadState, event: UploadEvent) => next(state, event, repeat);
const walk = (events: UploadEvent[], from: UploadState = { is: 'stopped' }, policy = repeat) =>
  events.reduce((state, event) => next(state, event, policy), from);

test('makes an entry first, then sends until nothing waits, and sends again when a chunk is sealed', () => {
  expect(walk([started(false)])).toEqual({ is: 'resuming', failures: 0 });
  expect(walk([started(false), { is: 'entered' }])).toEqual({ is: 'sending', failures: 0 });
  expect(walk([started(true), { is: 'acknowledged' }, { is: 'nothing-waits' }])).toEqual({ is: 'idle' });
  expect(walk([started(true), { is: 'nothing-waits' }, { is: 'sealed' }])).toEqual({ is: 'sending', failures: 0 });
});

test('never sends a stream that belongs to another service, not even when told to go on', () => {
  const held = walk([{ ...started(true), elsewhere: reason } as UploadEvent]);
  expect(held).toEqual({ is: 'blocked', untilMs: null, reason, back: 'stopped' });
  expect(walk([{ is: 'due' }], held)).toEqual({ is: 'stopped' });
});

test('waits longer after each failure in a row, and starts from the first wait once the position moved', () => {
  let state: UploadState = { is: 'sending', failures: 0 };
  const waits: number[] = [];
  for (let i = 0; i < 12; i++) {
    const waiting = transition(state, failed('ambiguous', { nowMs: 0, random: 0 }));
    waits.push((waiting as { untilMs: number }).untilMs);
    state = transition(waiting, { is: 'due' });
  }
  expect(waits.slice(0, 4)).toEqual([500, 1000, 2000, 4000]);
  expect(waits.at(-1)).toBe(BACKOFF_CAP_MS / 2);
  expect(transition(state, { is: 'acknowledged' })).toEqual({ is: 'sending', failures: 0 });
});

// Written out, not read from the code: whoever changes a wait is told here, and changes decision 80 with it.
test('waits a second at first and a minute at most, so that what waits is out about a minute after the service is back', () => {
  const longestMs = [1, 2, 7, 1000].map((failures) => backoffMs(failures, 1));
  expect(longestMs).toEqual([1000, 2000, 60_000, 60_000]);
});

test('a wait goes back to what it interrupted', () => {
  expect(walk([started(false), failed('ambiguous', { nowMs: 0 }), { is: 'due' }])).toEqual({
    is: 'resuming',
    failures: 1,
  });
  expect(walk([started(true), failed('ambiguous'), { is: 'due' }])).toEqual({ is: 'sending', failures: 1 });
});

test('under verify nothing is sent after an ambiguous outcome or a start before the hold-off is over and the service was asked', () => {
  const ambiguous = walk([started(true), { is: 'due' }, { is: 'checked' }, failed('ambiguous')], undefined, verify);
  expect(ambiguous).toMatchObject({ is: 'waiting', untilMs: 16_000, back: 'checking', isHoldOff: true });
  expect(walk([{ is: 'due' }, { is: 'checked' }], ambiguous, verify)).toEqual({ is: 'sending', failures: 0 });
  expect(walk([started(true)], undefined, verify)).toMatchObject({ is: 'waiting', untilMs: 15_000, back: 'checking' });
  const failing = walk([{ is: 'due' }, failed('ambiguous', { chunk: null })], ambiguous, verify);
  expect(failing).toMatchObject({ is: 'waiting', back: 'checking' });
});

test('a chunk that is there already by the words of the service is looked up before it is sent again, under repeat too', () => {
  for (const policy of [repeat, verify]) {
    const sending: UploadState = { is: 'sending', failures: 0 };
    const conflict = walk([failed('conflict')], sending, policy);
    expect(conflict).toMatchObject({ is: 'waiting', untilMs: 16_000, back: 'checking', isHoldOff: true });
  }
  expect(walk([failed('conflict')], { is: 'resuming', failures: 0 })).toMatchObject({ back: 'resuming' });
});

test('a chunk that was sent before it was full holds everything of the stream back until it must have arrived', () => {
  const idle = walk([started(true), { is: 'nothing-waits' }]);
  const ahead = walk([{ is: 'rows-due' }], idle);
  expect(ahead).toEqual({ is: 'ahead' });
  expect(walk([{ is: 'sent-ahead' }], ahead)).toEqual({ is: 'sending', failures: 0 });
  for (const failure of ['ambiguous', 'broken'] as const) {
    const held = walk([failed(failure)], ahead);
    expect(held).toMatchObject({ is: 'waiting', untilMs: 16_000, back: 'sending', isHoldOff: true });
  }
  expect(walk([failed('refused')], ahead)).toEqual({ is: 'sending', failures: 0 });
  expect(walk([failed('suspicious')], ahead)).toMatchObject({ is: 'blocked', untilMs: null });
  const restarted = walk([{ ...started(true), isAheadUnderWay: true } as UploadEvent]);
  expect(restarted).toMatchObject({ is: 'waiting', untilMs: 15_000, back: 'sending', isHoldOff: true });
});

test('an initialize whose answer was lost is looked up after the hold-off, under repeat and verify alike', () => {
  for (const policy of [repeat, verify]) {
    expect(walk([started(false, true)], undefined, policy)).toMatchObject({ untilMs: 15_000, back: 'resuming' });
    expect(walk([started(false), failed('ambiguous')], undefined, policy)).toMatchObject({
      untilMs: 16_000,
      back: 'resuming',
    });
  }
});

test('a refused chunk of several channels is split, one of a single channel is kept as refused, later data goes on', () => {
  const refusing = walk([started(true), failed('refused')]);
  expect(refusing).toEqual({ is: 'refusing', chunkId: 7, isSingle: false, words: 'the words of the service' });
  expect(walk([{ is: 'settled' }], refusing)).toEqual({ is: 'sending', failures: 0 });
  expect(walk([started(true), failed('refused', { chunk: { id: 7, isSingle: true } })])).toMatchObject({
    isSingle: true,
  });
  expect(walk([started(false), failed('refused', { chunk: null })])).toMatchObject({ is: 'blocked', untilMs: null });
});

test('a count that differs holds the stream until a person acts; a target that is gone is looked at again', () => {
  expect(walk([started(true), failed('suspicious')])).toMatchObject({ is: 'blocked', untilMs: null });
  expect(walk([started(true), failed('gone')])).toMatchObject({ is: 'blocked', untilMs: 301_000 });
});

test('a count that differs is looked up when a person lets it go on, where the policy is to look up; else it is sent', () => {
  const sending: UploadState = { is: 'sending', failures: 2 };
  expect(walk([failed('suspicious')], sending, verify)).toMatchObject({ is: 'blocked', back: 'checking' });
  expect(walk([failed('suspicious')], sending, repeat)).toMatchObject({ is: 'blocked', back: 'sending' });
  for (const is of ['resuming', 'checking'] as const) {
    expect(walk([failed('suspicious')], { is, failures: 2 }, verify)).toMatchObject({ back: is });
  }
  // What was counted before a person acted is over.
  expect(walk([failed('gone'), { is: 'due' }], sending)).toEqual({ is: 'resuming', failures: 0 });
});

test('nothing but a chunk on its way is refused as a chunk', () => {
  for (const is of ['resuming', 'checking'] as const) {
    expect(walk([failed('refused')], { is, failures: 0 })).toMatchObject({ is: 'blocked', untilMs: null, back: is });
  }
  expect(walk([failed('refused', { chunk: null })], { is: 'sending', failures: 0 })).toMatchObject({ is: 'blocked' });
});

test('an entry whose content is not known yet is looked at again, and is told as blocked when a person has to act', () => {
  const notYet = (isForPerson: boolean): UploadEvent => ({ is: 'not-yet', reason, isForPerson, nowMs: 5000 });
  const waiting = walk([started(false), notYet(false)]);
  expect(waiting).toMatchObject({ is: 'waiting', failures: 0, back: 'resuming', isHoldOff: false, reason });
  const blocked = walk([started(false), notYet(true)]);
  expect(blocked).toMatchObject({ is: 'blocked', back: 'resuming', reason });
  for (const state of [waiting, blocked]) {
    expect((state as { untilMs: number }).untilMs).toBeGreaterThan(5000);
    expect(walk([{ is: 'due' }], state)).toEqual({ is: 'resuming', failures: 0 });
  }
});

test('a stream that is being looked up waits before it looks again, or before a person answers, and sends nothing until then', () => {
  for (const from of ['checking', 'sending'] as const) {
    const notYet = (isForPerson: boolean) =>
      transition({ is: from, failures: 3 }, { is: 'not-yet', reason, isForPerson, nowMs: 5000 });
    expect(notYet(false)).toMatchObject({ is: 'waiting', failures: 0, back: 'checking', isHoldOff: false, reason });
    expect(notYet(true)).toMatchObject({ is: 'blocked', back: 'checking', reason });
    expect(transition(notYet(true), { is: 'due' })).toEqual({ is: 'checking', failures: 0 });
  }
});

test('a wait after a fault on this side is no hold-off', () => {
  const broken = walk([started(true), failed('broken', { random: 0 })]);
  expect(broken).toMatchObject({
    is: 'waiting',
    untilMs: 1000 + BACKOFF_FIRST_MS / 2,
    back: 'sending',
    isHoldOff: false,
  });
});

test('an entry that is gone holds chunks sent ahead, too; and what the line held back is tried by sending', () => {
  expect(walk([failed('gone')], { is: 'ahead' })).toMatchObject({ is: 'blocked', untilMs: 301_000, back: 'resuming' });
  expect(walk([{ is: 'held-back' }], { is: 'ahead' })).toEqual({ is: 'sending', failures: 0 });
});

test('an event that does not concern a state leaves it as it is', () => {
  const still = (state: UploadState, concerned: readonly UploadEvent['is'][]) => {
    for (const event of everyEvent.filter(({ is }) => is !== 'stopped' && !concerned.includes(is))) {
      expect(transition(state, event), `${state.is} at ${event.is}`).toBe(state);
    }
  };
  still({ is: 'stopped' }, ['started']);
  still({ is: 'resuming', failures: 1 }, ['entered', 'not-yet', 'failed']);
  still({ is: 'checking', failures: 1 }, ['checked', 'not-yet', 'failed']);
  still({ is: 'idle' }, ['sealed', 'rows-due']);
  still({ is: 'ahead' }, ['sent-ahead', 'held-back', 'failed']);
  still({ is: 'sending', failures: 1 }, ['acknowledged', 'nothing-waits', 'not-yet', 'failed']);
  still({ is: 'refusing', chunkId: 7, isSingle: true, words: '' }, ['settled']);
  still({ is: 'waiting', untilMs: 1, failures: 1, reason, back: 'sending', isHoldOff: false }, ['due']);
  still({ is: 'blocked', untilMs: null, reason, back: 'sending' }, ['due']);
});

const everyEvent: readonly UploadEvent[] = [
  started(true),
  { is: 'entered' },
  { is: 'not-yet', reason, isForPerson: false, nowMs: 0 },
  { is: 'sealed' },
  { is: 'checked' },
  { is: 'acknowledged' },
  { is: 'rows-due' },
  { is: 'sent-ahead' },
  { is: 'nothing-waits' },
  { is: 'settled' },
  { is: 'held-back' },
  failed('broken'),
  { is: 'due' },
];

const events = fc.oneof(
  fc.constantFrom<UploadEvent>(
    started(true),
    started(false),
    { is: 'entered' },
    { is: 'sealed' },
    { is: 'checked' },
    { is: 'acknowledged' },
    { is: 'nothing-waits' },
    { is: 'rows-due' },
    { is: 'sent-ahead' },
    { is: 'settled' },
    { is: 'held-back' },
    { is: 'due' },
  ),
  fc
    .constantFrom<StreamFailure>('ambiguous', 'conflict', 'broken', 'gone', 'refused', 'suspicious')
    .map((kind) => failed(kind)),
);

test('is never stuck: from wherever it got, `due`, `settled` or `sealed` lead on, and `stopped` always stops', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 40 }), fc.constantFrom(repeat, verify), (list, policy) => {
      const state = walk(list, undefined, policy);
      expect(transition(state, { is: 'stopped' })).toEqual({ is: 'stopped' });
      const leads: UploadEvent[] = [
        { is: 'due' },
        { is: 'settled' },
        { is: 'sealed' },
        { is: 'entered' },
        { is: 'checked' },
        started(true),
        { is: 'sent-ahead' },
      ];
      const isBusy = state.is === 'sending';
      expect(isBusy || leads.some((event) => transition(state, event) !== state)).toBe(true);
    }),
  );
});

test('backoff stays between half of its step and the step, and never over the cap', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (failures, random) => {
        const ms = backoffMs(failures, random);
        expect(ms).toBeGreaterThanOrEqual(BACKOFF_FIRST_MS / 2);
        expect(ms).toBeLessThanOrEqual(BACKOFF_CAP_MS);
      },
    ),
  );
});
