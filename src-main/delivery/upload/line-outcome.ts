import { type AgentError, isNotTaken, toAgentError } from '../../model/agent-error.ts';
import type { Failure, NotSentCause } from '../client/failure.ts';
import type { LineOutcome, LineTrouble } from './line.ts';
import type { StreamFailure } from './machine.ts';

/**
 * Say what an outcome means for the line itself.
 *
 * @param failure - the failure, undefined where the fault is not of the service's client.
 * @param error - the error, for its words.
 * @returns `through` when the service itself answered, whatever it said; `unknown` when nothing is told; else the trouble.
 */
export function lineOutcome(failure: Failure | undefined, error: AgentError): 'through' | 'unknown' | LineOutcome {
  const { code, message, hint } = error;
  switch (failure?.kind) {
    case 'not-sent':
      return {
        trouble: troubleOf(failure.cause),
        code,
        message,
        hint,
        afterMs: failure.afterMs,
      };
    case 'busy':
      return { trouble: 'asked', code, message, hint, afterMs: failure.afterMs };
    case 'held':
      return failure.reason === 'key' ? { trouble: 'key', code, message, hint, afterMs: null } : 'through';
    case 'not-the-service':
      return { trouble: 'foreign', code, message, hint, afterMs: null };
    case 'refused':
      return 'through';
    case 'ambiguous':
    case undefined:
      return 'unknown';
  }
}

/** An authority that is not known and a clock that is wrong need a person; what else keeps a request here may pass. */
function troubleOf(cause: NotSentCause): LineTrouble {
  if (cause === 'asked-to-wait') return 'asked';
  return cause === 'tls' || cause === 'clock' || cause === 'proxy-login' ? 'certificate' : 'offline';
}

/** What a request that failed means. */
export interface RequestFault {
  readonly error: AgentError;
  /** For the line; `unknown`: it may have arrived. */
  readonly outcome: 'through' | 'unknown' | LineOutcome;
  /** For the stream; null: the line held it back. */
  readonly failure: StreamFailure | null;
  /** It is certain that the service did not take it. */
  readonly isAbsent: boolean;
}

/**
 * Judge what a request of a stream was answered with. Takes what was thrown, and whether a chunk was on its way.
 *
 * @param hasEntry - the stream has its entry: a right that is missing for that entry says nothing of the others.
 */
export function requestFault(thrown: unknown, wasSending: boolean, hasEntry: boolean): RequestFault {
  const error = toAgentError(thrown);
  const { failure, status } = thrown as { failure?: Failure; status?: number | null };
  const isForbidden = status === 403 && failure?.kind === 'held' && hasEntry;
  const outcome = isForbidden ? 'through' : lineOutcome(failure, error);
  const isHeldBack = typeof outcome === 'object';
  const isAbsent = failure !== undefined && isNotTaken(failure);
  return { error, outcome, failure: isHeldBack ? null : streamFailure(failure, status, wasSending), isAbsent };
}

/**
 * What an outcome that got past the line means for the stream. A fault of this side while a chunk was on its way (the
 * store did not take the acknowledgement, say) leaves open whether the service has it.
 *
 * @returns `ambiguous` where the service may have it, `broken` where it has not.
 */
function streamFailure(
  failure: Failure | undefined,
  status: number | null | undefined,
  wasSending: boolean,
): StreamFailure {
  if (failure?.kind === 'held') return 'gone';
  if (failure?.kind === 'refused') return 'refused';
  if (failure?.kind === 'ambiguous' && status === 409) return 'conflict';
  return failure?.kind === 'ambiguous' || wasSending ? 'ambiguous' : 'broken';
}
