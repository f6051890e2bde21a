// The client's faults are worded for the upload, where a point waits. What a person asked or changed by hand needs other
// advice; what happened, with the service's own words, stays.

import type { Failure, NotSentCause } from '../../delivery/client/failure.ts';
import { ServiceError } from '../../delivery/client/service-error.ts';
import { AgentError } from '../../model/agent-error.ts';

const AGAIN = 'Ask again. Recording and delivery are not touched by this.';

const hints: Readonly<Record<'read' | 'change', Partial<Record<Failure['kind'], string>>>> = {
  read: {
    ambiguous: AGAIN,
    refused: 'The service does not take this question; its words say what is wrong.',
  },
  change: {
    ambiguous: 'It may have been done all the same: look at the service before doing it again.',
    'not-the-service':
      'This network answers instead of the service, which may have done it all the same: log in with a browser, then look before ' +
      'doing it again.',
    refused: 'Nothing was changed. Correct what the service names, then try again.',
  },
};

const NOT_REACHED = 'The service cannot be reached.';

/** What keeps a request on this PC, in the words of the headline; null: the fault has words of its own. */
function notSentWords(cause: NotSentCause): string | null {
  if (cause === 'closed' || cause === 'asked-to-wait') return null;
  return cause === 'tls' || cause === 'clock' ? 'The certificate of the service is not accepted.' : NOT_REACHED;
}

const targetHints = {
  read: 'It was never there, was deleted, or belongs to another organization.',
  change: 'Nothing was changed. What is named was deleted, or belongs to another organization.',
} as const;

/**
 * Tell a fault of the service for what a person asked by hand. Takes the work, whether it reads or changes something at the
 * service, and what of an entry is read, such as `raw file`.
 *
 * @returns what the work gives.
 * @throws AgentError with the fault's code and message, and a hint that fits; in plain words where the entry has no such thing,
 *   and where the service cannot be reached: `service.away`.
 */
export async function retell<T>(kind: 'read' | 'change', work: Promise<T>, what = ''): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    const { code, failure, retry, context } = thrown;
    const words = failure.kind === 'not-sent' ? notSentWords(failure.cause) : null;
    if (words !== null) {
      const hint = kind === 'change' ? `Nothing was changed. ${thrown.hint}` : thrown.hint;
      const away = words === NOT_REACHED ? 'service.away' : code;
      throw new AgentError({ code: away, message: words, hint, retry, context, cause: thrown });
    }
    const isTarget = failure.kind === 'held' && failure.reason === 'target';
    const hint = isTarget ? targetHints[kind] : (hints[kind][failure.kind] ?? thrown.hint);
    const message = isTarget && what !== '' ? `The service has no ${what} for this entry.` : thrown.message;
    throw new AgentError({ code, message, hint, retry, context, cause: thrown });
  }
}
