// Servers of tests whose callers may hang up at any moment, as an agent that is ended does.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/**
 * A listener that works until it has answered or its caller has gone.
 *
 * What fails in it after the caller has gone without an answer is no fault of the test and passes; everything else stays an
 * unhandled one.
 */
export function untilHungUp(
  work: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
): RequestListener {
  return (incoming, outgoing) => {
    work(incoming, outgoing).catch((thrown: unknown) => {
      if (!outgoing.destroyed || outgoing.writableFinished) throw thrown;
    });
  };
}
