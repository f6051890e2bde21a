// What one stream's upload is doing, and what follows from what happens to it. Pure: no clock, no chance, no I/O; the
// stream's upload does what the state says and comes back with an event. That nobody gets through to the service at all
// is not a stream's affair: line.ts holds all streams back then.
//
//   stopped ──started──> resuming ──entered──> sending ──nothing-waits──> idle ──sealed──> sending    (found again: checking)
//      │                    │                  │  ^ └──acknowledged──> sending
//      │                    │                  │  ├──settled── refusing <──failed: refused── sending
//      │                    │                  │  └──checked── checking <── a stream that goes on, ambiguous, a wrong count
//      └─ elsewhere ────────┴───── failed ─────┴──> waiting (ends by itself) | blocked (a person acts)
//
// A stream whose entry cannot be made yet (`not-yet`) waits and looks again, blocked where a person must act. Any state
// leaves for `stopped` on stop. A wait goes back to what it interrupted. What this queue believes of a stream is looked up
// at the service (`checking`) before the first byte of a run goes out, after each answer that leaves open what arrived, and
// where the service's count does not agree. Under `verify` an open outcome is looked up after a hold-off, longer than any
// request can still be on its way; under `repeat` at once, since the service replaces a chunk that is sent again. A chunk of
// which the service says that it is there already, or that is refused after an answer of it was lost, waits for the
// hold-off under either; so does an initialize, which cannot be repeated. An answer of somebody else leaves the outcome as
// open, also where the line holds everybody back for it. An entry that the service does not know is looked up by its name
// before the next try.
import { backoffMs } from './backoff.ts';

/** Time between two looks at a target that was gone, milliseconds. */
const GONE_RETRY_MS = 5 * 60_000;

interface Reason {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** What a wait interrupted. */
type Back = 'stopped' | 'resuming' | 'checking' | 'sending';

/** How an ambiguous outcome is settled. */
export interface ResendPolicy {
  readonly resend: 'verify' | 'repeat';
  /** Longest that a request can still arrive after this side gave it up, milliseconds. */
  readonly holdOffMs: number;
}

export type UploadState =
  | { readonly kind: 'stopped' }
  /** Make or find the stream's entry on the service, or find it again. */
  | { readonly kind: 'resuming'; readonly failures: number }
  /** Read the stream back from the service. */
  | { readonly kind: 'checking'; readonly failures: number }
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending'; readonly failures: number }
  /** The service refused this chunk: split it; when it is of one channel, keep it as refused. */
  | { readonly kind: 'refusing'; readonly chunkId: number; readonly isSingle: boolean; readonly words: string }
  | {
      readonly kind: 'waiting';
      readonly untilMs: number;
      readonly failures: number;
      readonly reason: Reason;
      readonly back: Back;
      /** A request may still be on its way: nobody may cut this wait short. */
      readonly isHoldOff: boolean;
    }
  /** `untilMs`: when it is tried again all the same; null: only a person ends it. */
  | { readonly kind: 'blocked'; readonly untilMs: number | null; readonly reason: Reason; readonly back: Back };

/**
 * Why a stream could not go on: `ambiguous` the service may or may not have it; `conflict` the service says that something
 * is there already, or refuses what may be there since an earlier try; `broken` nothing went out, and the fault on this
 * side may pass; `gone` the entry is not there any more, or this key may not write to it; `refused` this body will never be
 * taken; `suspicious` the service's count differs; `unproven` its counts do not show all chunks that it took side by side.
 */
export type StreamFailure = 'ambiguous' | 'conflict' | 'broken' | 'gone' | 'refused' | 'suspicious' | 'unproven';

export type UploadEvent =
  /** `elsewhere`: the stream belongs to another service than the settings name. */
  | {
      readonly kind: 'started';
      readonly hasEntry: boolean;
      /** An initialize may have gone out whose answer is not known. */
      readonly isUncertain: boolean;
      readonly elsewhere: Reason | null;
      readonly nowMs: number;
    }
  | { readonly kind: 'stopped' }
  /** `isNew`: it was made now, so there is nothing to be compared. */
  | { readonly kind: 'entered'; readonly isNew: boolean }
  /** It cannot be sent yet: what the entry is to carry is not known, or what the service holds of it already. */
  | { readonly kind: 'not-yet'; readonly reason: Reason; readonly isForPerson: boolean; readonly nowMs: number }
  | { readonly kind: 'sealed' }
  | { readonly kind: 'checked' }
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'nothing-waits' }
  | { readonly kind: 'settled' }
  /** The line held it back: try again, the line says when. `isOpen`: what was sent may have arrived. */
  | { readonly kind: 'held-back'; readonly isOpen: boolean; readonly nowMs: number }
  | {
      readonly kind: 'failed';
      readonly failure: StreamFailure;
      readonly reason: Reason;
      /** The chunk that was being sent; null while resuming. */
      readonly chunk: { readonly id: number; readonly isSingle: boolean } | null;
      readonly nowMs: number;
      /** In [0, 1). */
      readonly random: number;
    }
  /** The wait is over, or a person acted. */
  | { readonly kind: 'due' };

/**
 * What follows. Takes a state, an event and the policy; an event that does not concern the state leaves it as it is.
 *
 * @returns the next state.
 */
export function transition(state: UploadState, event: UploadEvent, policy: ResendPolicy): UploadState {
  if (event.kind === 'stopped') return { kind: 'stopped' };
  switch (state.kind) {
    case 'stopped':
      if (event.kind !== 'started') return state;
      return afterStart(event, policy);
    case 'resuming':
      if (event.kind === 'entered') return { kind: event.isNew ? 'sending' : 'checking', failures: 0 };
      if (event.kind === 'not-yet') return notYet(event, state.kind);
      if (event.kind === 'held-back' && event.isOpen) return holdOff(state.kind, event.nowMs, policy);
      return event.kind === 'failed' ? afterFailure(state, event, policy) : state;
    case 'checking':
      if (event.kind === 'checked') return { kind: 'sending', failures: 0 };
      if (event.kind === 'not-yet') return notYet(event, state.kind);
      return event.kind === 'failed' ? afterFailure(state, event, policy) : state;
    case 'idle':
      return event.kind === 'sealed' ? { kind: 'sending', failures: 0 } : state;
    case 'sending':
      if (event.kind === 'acknowledged') return { kind: 'sending', failures: 0 };
      if (event.kind === 'nothing-waits') return { kind: 'idle' };
      if (event.kind === 'not-yet') return notYet(event, 'checking');
      if (event.kind === 'held-back' && event.isOpen) return look(event.nowMs, policy);
      return event.kind === 'failed' ? afterFailure(state, event, policy) : state;
    case 'refusing':
      return event.kind === 'settled' ? { kind: 'sending', failures: 0 } : state;
    case 'waiting':
    case 'blocked':
      if (event.kind !== 'due') return state;
      if (state.back === 'stopped') return { kind: 'stopped' };
      return { kind: state.back, failures: state.kind === 'waiting' ? state.failures : 0 };
  }
}

/** Time between two looks at what an entry waits for; the part that knows it says so at once, milliseconds. */
const NOT_YET_MS = 10_000;

function notYet({ reason, isForPerson, nowMs }: Extract<UploadEvent, { kind: 'not-yet' }>, back: Back): UploadState {
  const untilMs = nowMs + NOT_YET_MS;
  if (isForPerson) return { kind: 'blocked', untilMs, reason, back };
  return { kind: 'waiting', untilMs, failures: 0, reason, back, isHoldOff: false };
}

const CHECKING: Reason = {
  code: 'upload.checking',
  message: 'Response lost. Checking what the service stored before resending.',
  hint: '',
};

function holdOff(back: Back, nowMs: number, { holdOffMs }: ResendPolicy): UploadState {
  return { kind: 'waiting', untilMs: nowMs + holdOffMs, failures: 0, reason: CHECKING, back, isHoldOff: true };
}

/** Look up what the service holds, under `verify` after the hold-off. */
function look(nowMs: number, policy: ResendPolicy): UploadState {
  return policy.resend === 'verify' ? holdOff('checking', nowMs, policy) : { kind: 'checking', failures: 0 };
}

function afterStart(
  { hasEntry, isUncertain, elsewhere, nowMs }: Extract<UploadEvent, { kind: 'started' }>,
  policy: ResendPolicy,
): UploadState {
  if (elsewhere) return { kind: 'blocked', untilMs: null, reason: elsewhere, back: 'stopped' };
  if (hasEntry) return look(nowMs, policy);
  return isUncertain ? holdOff('resuming', nowMs, policy) : { kind: 'resuming', failures: 0 };
}

function afterFailure(
  state: Extract<UploadState, { kind: 'resuming' | 'checking' | 'sending' }>,
  { failure, reason, chunk, nowMs, random }: Extract<UploadEvent, { kind: 'failed' }>,
  { resend, holdOffMs }: ResendPolicy,
): UploadState {
  const failures = state.failures + 1;
  const wait = (back: Back, leastMs: number): UploadState => ({
    kind: 'waiting',
    untilMs: nowMs + Math.max(leastMs, backoffMs(failures, random)),
    failures,
    reason,
    back,
    isHoldOff: leastMs > 0,
  });
  switch (failure) {
    case 'ambiguous':
    case 'conflict':
      if (state.kind === 'checking') return wait('checking', 0);
      if (state.kind === 'resuming') return wait('resuming', holdOffMs);
      return wait('checking', resend === 'verify' || failure === 'conflict' ? holdOffMs : 0);
    case 'broken':
      return wait(state.kind, 0);
    case 'gone':
      return { kind: 'blocked', untilMs: nowMs + GONE_RETRY_MS, reason, back: 'resuming' };
    case 'suspicious':
      // Read the series before the count decides anything.
      if (state.kind === 'sending' && chunk) return { kind: 'checking', failures };
      return { kind: 'blocked', untilMs: null, reason, back: state.kind };
    case 'unproven':
      return { kind: 'checking', failures };
    case 'refused':
      if (state.kind === 'sending' && chunk) {
        return { kind: 'refusing', chunkId: chunk.id, isSingle: chunk.isSingle, words: reason.message };
      }
      return { kind: 'blocked', untilMs: null, reason, back: state.kind };
  }
}
