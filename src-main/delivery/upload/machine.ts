// What one stream's upload is doing, and what follows from what happens to it. Pure: no clock, no chance, no I/O; the
// stream's upload does what the state says and comes back with an event. That nobody gets through to the service at all
// is not a stream's affair: line.ts holds all streams back then.
//
//   stopped ──started──> resuming ──entered──> sending ──nothing-waits──> idle ──sealed──> sending
//      │                    │                  │  ^ └──acknowledged──> sending    idle ──rows-due──> ahead ──sent-ahead──> sending
//      │                    │                  │  ├──settled── refusing <──failed: refused── sending
//      │                    │                  │  └──checked── checking <──(hold-off)── ambiguous, or restarted
//      └─ elsewhere ────────┴───── failed ─────┴──> waiting (ends by itself) | blocked (a person acts)
//
// A stream whose entry cannot be made yet (`not-yet`) waits and looks again, blocked where a person must act. Any state
// leaves for `stopped` on stop. A wait goes back to what it interrupted. What an ambiguous outcome means is the
// policy's: `repeat` sends the same bytes again (the service replaces by position); `verify` holds off longer than any
// request can still be on its way, then asks the service what it holds before anything is sent again. An initialize
// cannot be repeated under either, so it is always looked up first. Neither can a chunk of which the service says that
// it is there already: sent again it would be refused for ever, so it is looked up under `repeat` too. So is one that
// is refused after an answer of it was lost: the first try may have arrived. An entry that the service does not know is
// looked up by its name before the next try.
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
  | { readonly is: 'stopped' }
  /** Make or find the stream's entry on the service, or find it again. */
  | { readonly is: 'resuming'; readonly failures: number }
  /** Ask the service what it holds of the first waiting chunks. */
  | { readonly is: 'checking'; readonly failures: number }
  | { readonly is: 'idle' }
  | { readonly is: 'sending'; readonly failures: number }
  /** Under `repeat` only: send what is still being filled, for the live view. */
  | { readonly is: 'ahead' }
  /** The service refused this chunk: split it; when it is of one channel, keep it as refused. */
  | { readonly is: 'refusing'; readonly chunkId: number; readonly isSingle: boolean; readonly words: string }
  | {
      readonly is: 'waiting';
      readonly untilMs: number;
      readonly failures: number;
      readonly reason: Reason;
      readonly back: Back;
      /** A request may still be on its way: nobody may cut this wait short. */
      readonly isHoldOff: boolean;
    }
  /** `untilMs`: when it is tried again all the same; null: only a person ends it. */
  | { readonly is: 'blocked'; readonly untilMs: number | null; readonly reason: Reason; readonly back: Back };

/**
 * Why a stream could not go on: `ambiguous` the service may or may not have it; `conflict` the service says that something
 * is there already, or refuses what may be there since an earlier try; `broken` nothing went out, and the fault on this
 * side may pass; `gone` the entry is not there any more, or this key may not write to it; `refused` this body will never be
 * taken; `suspicious` the service's count differs.
 */
export type StreamFailure = 'ambiguous' | 'conflict' | 'broken' | 'gone' | 'refused' | 'suspicious';

export type UploadEvent =
  /** `elsewhere`: the stream belongs to another service than the settings name. */
  | {
      readonly is: 'started';
      readonly hasEntry: boolean;
      /** An initialize may have gone out whose answer is not known. */
      readonly isUncertain: boolean;
      readonly elsewhere: Reason | null;
      /** A chunk that was not full yet may still be on its way. */
      readonly isAheadUnderWay: boolean;
      readonly nowMs: number;
    }
  | { readonly is: 'stopped' }
  | { readonly is: 'entered' }
  /** It cannot be sent yet: what the entry is to carry is not known, or what the service holds of it already. */
  | { readonly is: 'not-yet'; readonly reason: Reason; readonly isForPerson: boolean; readonly nowMs: number }
  | { readonly is: 'sealed' }
  | { readonly is: 'checked' }
  | { readonly is: 'acknowledged' }
  | { readonly is: 'rows-due' }
  | { readonly is: 'sent-ahead' }
  | { readonly is: 'nothing-waits' }
  | { readonly is: 'settled' }
  /** The line held it back: try again, the line says when. */
  | { readonly is: 'held-back' }
  | {
      readonly is: 'failed';
      readonly failure: StreamFailure;
      readonly reason: Reason;
      /** The chunk that was being sent; null while resuming. */
      readonly chunk: { readonly id: number; readonly isSingle: boolean } | null;
      readonly nowMs: number;
      /** In [0, 1). */
      readonly random: number;
    }
  /** The wait is over, or a person acted. */
  | { readonly is: 'due' };

/**
 * What follows. Takes a state, an event and the policy; an event that does not concern the state leaves it as it is.
 *
 * @returns the next state.
 */
export function transition(state: UploadState, event: UploadEvent, policy: ResendPolicy): UploadState {
  if (event.is === 'stopped') return { is: 'stopped' };
  switch (state.is) {
    case 'stopped':
      if (event.is !== 'started') return state;
      return afterStart(event, policy);
    case 'resuming':
      if (event.is === 'entered') return { is: 'sending', failures: 0 };
      if (event.is === 'not-yet') return notYet(event, state.is);
      return event.is === 'failed' ? afterFailure(state, event, policy) : state;
    case 'checking':
      if (event.is === 'checked') return { is: 'sending', failures: 0 };
      if (event.is === 'not-yet') return notYet(event, state.is);
      return event.is === 'failed' ? afterFailure(state, event, policy) : state;
    case 'idle':
      if (event.is === 'rows-due') return { is: 'ahead' };
      return event.is === 'sealed' ? { is: 'sending', failures: 0 } : state;
    case 'ahead':
      if (event.is === 'failed') return afterAhead(event, policy);
      return event.is === 'sent-ahead' || event.is === 'held-back' ? { is: 'sending', failures: 0 } : state;
    case 'sending':
      if (event.is === 'acknowledged') return { is: 'sending', failures: 0 };
      if (event.is === 'nothing-waits') return { is: 'idle' };
      if (event.is === 'not-yet') return notYet(event, 'checking');
      return event.is === 'failed' ? afterFailure(state, event, policy) : state;
    case 'refusing':
      return event.is === 'settled' ? { is: 'sending', failures: 0 } : state;
    case 'waiting':
    case 'blocked':
      if (event.is !== 'due') return state;
      if (state.back === 'stopped') return { is: 'stopped' };
      return { is: state.back, failures: state.is === 'waiting' ? state.failures : 0 };
  }
}

/** Time between two looks at what an entry waits for; the part that knows it says so at once, milliseconds. */
const NOT_YET_MS = 10_000;

function notYet({ reason, isForPerson, nowMs }: Extract<UploadEvent, { is: 'not-yet' }>, back: Back): UploadState {
  const untilMs = nowMs + NOT_YET_MS;
  if (isForPerson) return { is: 'blocked', untilMs, reason, back };
  return { is: 'waiting', untilMs, failures: 0, reason, back, isHoldOff: false };
}

const CHECKING: Reason = {
  code: 'upload.checking',
  message: 'The last answer of the service is not known: what it holds is looked up before anything is sent again.',
  hint: '',
};

function afterStart(
  { hasEntry, isUncertain, isAheadUnderWay, elsewhere, nowMs }: Extract<UploadEvent, { is: 'started' }>,
  { resend, holdOffMs }: ResendPolicy,
): UploadState {
  if (elsewhere) return { is: 'blocked', untilMs: null, reason: elsewhere, back: 'stopped' };
  const holdOff = (back: Back): UploadState => ({
    is: 'waiting',
    untilMs: nowMs + holdOffMs,
    failures: 0,
    reason: CHECKING,
    back,
    isHoldOff: true,
  });
  if (hasEntry && resend === 'verify') return holdOff('checking');
  if (hasEntry) return isAheadUnderWay ? holdOff('sending') : { is: 'sending', failures: 0 };
  return isUncertain ? holdOff('resuming') : { is: 'resuming', failures: 0 };
}

/** A shorter form of a chunk that arrived after the full one would cut it: nothing is sent before it must have arrived. */
function afterAhead(
  { failure, reason, nowMs }: Extract<UploadEvent, { is: 'failed' }>,
  { holdOffMs }: ResendPolicy,
): UploadState {
  if (failure === 'gone') return { is: 'blocked', untilMs: nowMs + GONE_RETRY_MS, reason, back: 'resuming' };
  if (failure === 'suspicious') return { is: 'blocked', untilMs: null, reason, back: 'sending' };
  if (failure === 'refused') return { is: 'sending', failures: 0 };
  return { is: 'waiting', untilMs: nowMs + holdOffMs, failures: 1, reason, back: 'sending', isHoldOff: true };
}

function afterFailure(
  state: Extract<UploadState, { is: 'resuming' | 'checking' | 'sending' }>,
  { failure, reason, chunk, nowMs, random }: Extract<UploadEvent, { is: 'failed' }>,
  { resend, holdOffMs }: ResendPolicy,
): UploadState {
  const failures = state.failures + 1;
  const wait = (back: Back, leastMs: number): UploadState => ({
    is: 'waiting',
    untilMs: nowMs + Math.max(leastMs, backoffMs(failures, random)),
    failures,
    reason,
    back,
    isHoldOff: leastMs > 0,
  });
  switch (failure) {
    case 'ambiguous':
    case 'conflict':
      if (state.is === 'sending' && (resend === 'verify' || failure === 'conflict')) return wait('checking', holdOffMs);
      return wait(state.is, state.is === 'resuming' ? holdOffMs : 0);
    case 'broken':
      return wait(state.is, 0);
    case 'gone':
      return { is: 'blocked', untilMs: nowMs + GONE_RETRY_MS, reason, back: 'resuming' };
    case 'suspicious':
      return {
        is: 'blocked',
        untilMs: null,
        reason,
        back: resend === 'verify' && state.is === 'sending' ? 'checking' : state.is,
      };
    case 'refused':
      if (state.is === 'sending' && chunk) {
        return { is: 'refusing', chunkId: chunk.id, isSingle: chunk.isSingle, words: reason.message };
      }
      return { is: 'blocked', untilMs: null, reason, back: state.is };
  }
}
