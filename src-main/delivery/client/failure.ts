// What can come of a request that did not succeed, as a closed set. The sender decides on it without knowing HTTP.

/** Why nothing reached the service; `asked-to-wait`: a part of this program asked, before it was sent. */
export type NotSentCause =
  | 'dns'
  | 'refused-connection'
  | 'unreachable'
  | 'no-answer'
  | 'tls'
  | 'clock'
  | 'proxy'
  | 'proxy-login'
  | 'closed'
  | 'asked-to-wait';

export type Failure =
  /** Nothing was stored: send the same again, when told after `afterMs` (0 to 600,000 ms), else when due. */
  | { readonly kind: 'not-sent'; readonly afterMs: number | null; readonly cause: NotSentCause }
  /** The service may or may not have it: ask before sending again. */
  | { readonly kind: 'ambiguous' }
  /**
   * The same, and it asks to wait until it is asked again (429; 503 with Retry-After): it said so after it had the whole request,
   * and some store it all the same.
   */
  | { readonly kind: 'busy'; readonly afterMs: number | null }
  /** Waits for a person: the key is missing or refused, or the target (stream, sample, project) is gone. */
  | { readonly kind: 'held'; readonly reason: 'key' | 'target' }
  /** The service will not take this body; `isTooLarge`: for its size alone. */
  | { readonly kind: 'refused'; readonly isTooLarge: boolean }
  /**
   * Somebody else answers: a log-in page, a proxy, another address. The service may have it all the same: a filter of the network
   * lets requests through and holds back their answers.
   */
  | { readonly kind: 'not-the-service' };
