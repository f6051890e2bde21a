// What one stream's upload is doing, and what follows from what happens to it. Pure: no clock, no chance, no I/O; the
// stream's upload does what the state says and comes back with an event. That nobody gets through to the service at all
// is not a stream's affair: line.ts holds all streams back then.
//
//   stopped ──started──> resuming ──entered──> sending ──nothing-waits──> idle ──sealed──> sending
//                           │                  │  ^ └──acknowledged──> sending
//                           │                  │  └──settled── refusing <──failed: refused──┐
//                           │                  └────────────────────────────────────────────┘
//                           └───── failed ─────┴──> waiting (ends by itself) | blocked (a person acts)
//
// Any state leaves for `stopped` on stop. A wait goes back to what it interrupted.
import { backoffMs } from './backoff.ts';

/** Time between two looks at a target that was gone, milliseconds. */
export const GONE_RETRY_MS = 5 * 60_000;

export interface Reason {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** What a wait interrupted. */
type Back = 'stopped' | 'resuming' | 'sending';

export type UploadState =
  | { readonly is: 'stopped' }
  /** Make or find the stream's entry on the service. */
  | { readonly is: 'resuming'; readonly failures: number }
  | { readonly is: 'idle' }
  | { readonly is: 'sending'; readonly failures: number }
  /** The service refused this chunk: split it; when it is of one channel, keep it as refused. */
  | { readonly is: 'refusing'; readonly chunkId: number; readonly isSingle: boolean; readonly words: string }
  | {
      readonly is: 'waiting';
      readonly untilMs: number;
      readonly failures: number;
      readonly reason: Reason;
      readonly back: Back;
    }
  /** `untilMs`: when it is tried again all the same; null: only a person ends it. */
  | { readonly is: 'blocked'; readonly untilMs: number | null; readonly reason: Reason; readonly back: Back };

/**
 * Why a stream could not go on:
 * `ambiguous` the service may or may not have it; `broken` a fault on this side that may pass; `gone` the entry is not
 * there any more; `refused` this body will never be taken; `suspicious` the service's count differs.
 */
export type StreamFailure = 'ambiguous' | 'broken' | 'gone' | 'refused' | 'suspicious';

export type UploadEvent =
  /** `elsewhere`: the stream belongs to another service than the settings name. */
  | { readonly is: 'started'; readonly hasEntry: boolean; readonly elsewhere: Reason | null }
  | { readonly is: 'stopped' }
  | { readonly is: 'entered' }
  | { readonly is: 'sealed' }
  | { readonly is: 'acknowledged' }
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
 * What follows.
 *
 * **Takes**: a state and an event; an event that does not concern the state leaves it as it is.
 * **Gives**: the next state.
 */
export function transition(state: UploadState, event: UploadEvent): UploadState {
  if (event.is === 'stopped') return { is: 'stopped' };
  switch (state.is) {
    case 'stopped':
      if (event.is !== 'started') return state;
      if (event.elsewhere) return { is: 'blocked', untilMs: null, reason: event.elsewhere, back: 'stopped' };
      return { is: event.hasEntry ? 'sending' : 'resuming', failures: 0 };
    case 'resuming':
      if (event.is === 'entered') return { is: 'sending', failures: 0 };
      return event.is === 'failed' ? afterFailure(state, event) : state;
    case 'idle':
      return event.is === 'sealed' ? { is: 'sending', failures: 0 } : state;
    case 'sending':
      if (event.is === 'acknowledged') return { is: 'sending', failures: 0 };
      if (event.is === 'nothing-waits') return { is: 'idle' };
      return event.is === 'failed' ? afterFailure(state, event) : state;
    case 'refusing':
      return event.is === 'settled' ? { is: 'sending', failures: 0 } : state;
    case 'waiting':
    case 'blocked':
      if (event.is !== 'due') return state;
      if (state.back === 'stopped') return { is: 'stopped' };
      return { is: state.back, failures: state.is === 'waiting' ? state.failures : 0 };
  }
}

function afterFailure(
  state: Extract<UploadState, { is: 'resuming' | 'sending' }>,
  { failure, reason, chunk, nowMs, random }: Extract<UploadEvent, { is: 'failed' }>,
): UploadState {
  const back = state.is;
  switch (failure) {
    case 'ambiguous':
    case 'broken': {
      const failures = state.failures + 1;
      return { is: 'waiting', untilMs: nowMs + backoffMs(failures, random), failures, reason, back };
    }
    case 'gone':
      return { is: 'blocked', untilMs: nowMs + GONE_RETRY_MS, reason, back };
    case 'suspicious':
      return { is: 'blocked', untilMs: null, reason, back };
    case 'refused':
      if (chunk) return { is: 'refusing', chunkId: chunk.id, isSingle: chunk.isSingle, words: reason.message };
      return { is: 'blocked', untilMs: null, reason, back };
  }
}
