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
const failed = (failure: StreamFailure, more: Partial<Extract<UploadEvent, { kind: 'failed' }>> = {}): UploadEvent => ({
  kind: 'failed',
  failure,
  reason,
  chunk,
  nowMs: 1000,
  random: 0.5,
  ...more,
});
const started = (hasEntry: boolean, isUncertain = false): UploadEvent => ({
  kind: 'started',
  hasEntry,
  isUncertain,
  elsewhere: null,
  nowMs: 0,
});
const heldBack = (isOpen: boolean): UploadEvent => ({ kind: 'held-back', isOpen, nowMs: 1000 });
const repeat: ResendPolicy = { resend: 'repeat', holdOffMs: 15_000 };
const verify: ResendPolicy = { resend: 'verify', holdOffMs: 15_000 };
const sending: UploadState = { kind: 'sending', failures: 0 };
const transition = (state: UploadState, event: UploadEvent) => next(state, event, repeat);
const walk = (events: UploadEvent[], from: UploadState = { kind: 'stopped' }, policy = repeat) =>
  events.reduce((state, event) => next(state, event, policy), from);

test('makes an entry first, then sends until nothing waits, and sends again when a chunk is sealed', () => {
  expect(walk([started(false)])).toEqual({ kind: 'resuming', failures: 0 });
  expect(walk([started(false), { kind: 'entered', isNew: true }])).toEqual({ kind: 'sending', failures: 0 });
  const goesOn = [started(true), { kind: 'checked' } as const];
  expect(walk([...goesOn, { kind: 'acknowledged' }, { kind: 'nothing-waits' }])).toEqual({ kind: 'idle' });
  expect(walk([...goesOn, { kind: 'nothing-waits' }, { kind: 'sealed' }])).toEqual({ kind: 'sending', failures: 0 });
});

test('a stream that goes on is looked up before its first byte goes out, under verify after the hold-off', () => {
  expect(walk([started(true)])).toEqual({ kind: 'checking', failures: 0 });
  expect(walk([started(true)], undefined, verify)).toMatchObject({
    kind: 'waiting',
    back: 'checking',
    isHoldOff: true,
  });
});

test('never sends a stream that belongs to another service, not even when told to go on', () => {
  const held = walk([{ ...started(true), elsewhere: reason } as UploadEvent]);
  expect(held).toEqual({ kind: 'blocked', untilMs: null, reason, back: 'stopped' });
  expect(walk([{ kind: 'due' }], held)).toEqual({ kind: 'stopped' });
});

test('waits longer after each failure in a row, and starts from the first wait once the position moved', () => {
  let state: UploadState = { kind: 'sending', failures: 0 };
  const waits: number[] = [];
  for (let i = 0; i < 12; i++) {
    const waiting = transition(state, failed('broken', { nowMs: 0, random: 0 }));
    waits.push((waiting as { untilMs: number }).untilMs);
    state = transition(waiting, { kind: 'due' });
  }
  expect(waits.slice(0, 4)).toEqual([500, 1000, 2000, 4000]);
  expect(waits.at(-1)).toBe(BACKOFF_CAP_MS / 2);
  expect(transition(state, { kind: 'acknowledged' })).toEqual({ kind: 'sending', failures: 0 });
});

// Written out, not read from the code: a change of a wait fails here, so that decision 80 changes with it.
test('waits a second at first and a minute at most, so that the queue is sent about a minute after the service is back', () => {
  const longestMs = [1, 2, 7, 1000].map((failures) => backoffMs(failures, 1));
  expect(longestMs).toEqual([1000, 2000, 60_000, 60_000]);
});

test('a wait returns to the state that it interrupted', () => {
  expect(walk([started(false), failed('ambiguous', { nowMs: 0 }), { kind: 'due' }])).toEqual({
    kind: 'resuming',
    failures: 1,
  });
  expect(walk([failed('broken'), { kind: 'due' }], sending)).toEqual({ kind: 'sending', failures: 1 });
});

test('under repeat an open outcome is looked up without a hold-off', () => {
  expect(walk([failed('ambiguous', { random: 0 })], sending)).toMatchObject({
    ...{ kind: 'waiting', untilMs: 1000 + BACKOFF_FIRST_MS / 2, back: 'checking', isHoldOff: false },
  });
});

test('under verify nothing is sent after an ambiguous outcome or a start before the hold-off is over and the service was asked', () => {
  const ambiguous = walk([started(true), { kind: 'due' }, { kind: 'checked' }, failed('ambiguous')], undefined, verify);
  expect(ambiguous).toMatchObject({ kind: 'waiting', untilMs: 16_000, back: 'checking', isHoldOff: true });
  expect(walk([{ kind: 'due' }, { kind: 'checked' }], ambiguous, verify)).toEqual({ kind: 'sending', failures: 0 });
  expect(walk([started(true)], undefined, verify)).toMatchObject({
    kind: 'waiting',
    untilMs: 15_000,
    back: 'checking',
  });
  const failing = walk([{ kind: 'due' }, failed('ambiguous', { chunk: null })], ambiguous, verify);
  expect(failing).toMatchObject({ kind: 'waiting', back: 'checking' });
});

test('a chunk that is there already by the words of the service is looked up before it is sent again, under repeat too', () => {
  for (const policy of [repeat, verify]) {
    const conflict = walk([failed('conflict')], sending, policy);
    expect(conflict).toMatchObject({ kind: 'waiting', untilMs: 16_000, back: 'checking', isHoldOff: true });
  }
  expect(walk([failed('conflict')], { kind: 'resuming', failures: 0 })).toMatchObject({ back: 'resuming' });
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
  const refusing = walk([failed('refused')], sending);
  expect(refusing).toEqual({ kind: 'refusing', chunkId: 7, isSingle: false, words: 'the words of the service' });
  expect(walk([{ kind: 'settled' }], refusing)).toEqual({ kind: 'sending', failures: 0 });
  expect(walk([failed('refused', { chunk: { id: 7, isSingle: true } })], sending)).toMatchObject({ isSingle: true });
  expect(walk([started(false), failed('refused', { chunk: null })])).toMatchObject({ kind: 'blocked', untilMs: null });
});

test('a count that differs or does not prove is read back at once; what the read shows may hold the stream for a person', () => {
  for (const policy of [repeat, verify]) {
    expect(walk([failed('suspicious')], sending, policy)).toEqual({ kind: 'checking', failures: 1 });
    expect(walk([failed('unproven')], sending, policy)).toEqual({ kind: 'checking', failures: 1 });
    // Of a chunk that the store cannot give there is nothing to be read.
    expect(walk([failed('suspicious', { chunk: null })], sending, policy)).toMatchObject({
      kind: 'blocked',
      untilMs: null,
    });
    for (const kind of ['resuming', 'checking'] as const) {
      const held = walk([failed('suspicious', { chunk: null })], { kind, failures: 2 }, policy);
      expect(held).toMatchObject({ kind: 'blocked', untilMs: null, back: kind });
    }
  }
  expect(walk([failed('gone')], sending)).toMatchObject({ kind: 'blocked', untilMs: 301_000 });
  // What was counted before a person acted is over.
  expect(walk([failed('gone'), { kind: 'due' }], sending)).toEqual({ kind: 'resuming', failures: 0 });
});

test('nothing but a chunk on its way is refused as a chunk', () => {
  for (const kind of ['resuming', 'checking'] as const) {
    expect(walk([failed('refused')], { kind, failures: 0 })).toMatchObject({
      kind: 'blocked',
      untilMs: null,
      back: kind,
    });
  }
  expect(walk([failed('refused', { chunk: null })], { kind: 'sending', failures: 0 })).toMatchObject({
    kind: 'blocked',
  });
});

test('checks an entry of unknown content again, and reports it as blocked when the operator has to act', () => {
  const notYet = (isForPerson: boolean): UploadEvent => ({ kind: 'not-yet', reason, isForPerson, nowMs: 5000 });
  const waiting = walk([started(false), notYet(false)]);
  expect(waiting).toMatchObject({ kind: 'waiting', failures: 0, back: 'resuming', isHoldOff: false, reason });
  const blocked = walk([started(false), notYet(true)]);
  expect(blocked).toMatchObject({ kind: 'blocked', back: 'resuming', reason });
  for (const state of [waiting, blocked]) {
    expect((state as { untilMs: number }).untilMs).toBeGreaterThan(5000);
    expect(walk([{ kind: 'due' }], state)).toEqual({ kind: 'resuming', failures: 0 });
  }
});

test('a stream that is being looked up waits before it looks again, or before a person answers, and sends nothing until then', () => {
  for (const from of ['checking', 'sending'] as const) {
    const notYet = (isForPerson: boolean) =>
      transition({ kind: from, failures: 3 }, { kind: 'not-yet', reason, isForPerson, nowMs: 5000 });
    expect(notYet(false)).toMatchObject({ kind: 'waiting', failures: 0, back: 'checking', isHoldOff: false, reason });
    expect(notYet(true)).toMatchObject({ kind: 'blocked', back: 'checking', reason });
    expect(transition(notYet(true), { kind: 'due' })).toEqual({ kind: 'checking', failures: 0 });
  }
});

test('a wait after a fault on this side is no hold-off', () => {
  const broken = walk([failed('broken', { random: 0 })], sending);
  expect(broken).toMatchObject({
    kind: 'waiting',
    untilMs: 1000 + BACKOFF_FIRST_MS / 2,
    back: 'sending',
    isHoldOff: false,
  });
});

test('what may have arrived when the line held it back is looked up', () => {
  const lookUp = { kind: 'waiting', untilMs: 1000 + verify.holdOffMs, isHoldOff: true };
  expect(next({ kind: 'sending', failures: 1 }, heldBack(true), verify)).toMatchObject({ ...lookUp, back: 'checking' });
  for (const policy of [verify, repeat]) {
    expect(next({ kind: 'resuming', failures: 1 }, heldBack(true), policy)).toMatchObject({
      ...lookUp,
      back: 'resuming',
    });
  }
  expect(next(sending, heldBack(true), repeat)).toEqual({ kind: 'checking', failures: 0 });
  expect(next(sending, heldBack(false), verify)).toBe(sending);
});

test('an event that does not concern a state leaves it as it is', () => {
  const still = (state: UploadState, concerned: readonly UploadEvent['kind'][]) => {
    for (const event of everyEvent.filter(({ kind }) => kind !== 'stopped' && !concerned.includes(kind))) {
      expect(transition(state, event), `${state.kind} at ${event.kind}`).toBe(state);
    }
  };
  still({ kind: 'stopped' }, ['started']);
  still({ kind: 'resuming', failures: 1 }, ['entered', 'not-yet', 'failed']);
  still({ kind: 'checking', failures: 1 }, ['checked', 'not-yet', 'failed']);
  still({ kind: 'idle' }, ['sealed']);
  still({ kind: 'sending', failures: 1 }, ['acknowledged', 'nothing-waits', 'not-yet', 'failed']);
  still({ kind: 'refusing', chunkId: 7, isSingle: true, words: '' }, ['settled']);
  still({ kind: 'waiting', untilMs: 1, failures: 1, reason, back: 'sending', isHoldOff: false }, ['due']);
  still({ kind: 'blocked', untilMs: null, reason, back: 'sending' }, ['due']);
});

const everyEvent: readonly UploadEvent[] = [
  started(true),
  { kind: 'entered', isNew: true },
  { kind: 'not-yet', reason, isForPerson: false, nowMs: 0 },
  { kind: 'sealed' },
  { kind: 'checked' },
  { kind: 'acknowledged' },
  { kind: 'nothing-waits' },
  { kind: 'settled' },
  heldBack(false),
  failed('broken'),
  { kind: 'due' },
];

const events = fc.oneof(
  fc.constantFrom<UploadEvent>(
    started(true),
    started(false),
    { kind: 'entered', isNew: true },
    { kind: 'sealed' },
    { kind: 'checked' },
    { kind: 'acknowledged' },
    { kind: 'nothing-waits' },
    { kind: 'settled' },
    heldBack(false),
    heldBack(true),
    { kind: 'due' },
  ),
  fc
    .constantFrom<StreamFailure>('ambiguous', 'conflict', 'broken', 'gone', 'refused', 'suspicious')
    .map((kind) => failed(kind)),
);

test('is never stuck: from wherever it got, `due`, `settled` or `sealed` lead on, and `stopped` always stops', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 40 }), fc.constantFrom(repeat, verify), (list, policy) => {
      const state = walk(list, undefined, policy);
      expect(transition(state, { kind: 'stopped' })).toEqual({ kind: 'stopped' });
      const leads: UploadEvent[] = [
        { kind: 'due' },
        { kind: 'settled' },
        { kind: 'sealed' },
        { kind: 'entered', isNew: true },
        { kind: 'checked' },
        started(true),
      ];
      const isBusy = state.kind === 'sending';
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
