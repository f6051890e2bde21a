// What a page says of a question that failed. What came before may still be shown: then it is old, and says of when it is.
import { toCallError } from './ask.ts';
import { readContact } from './contact.ts';

/** The parts of a query that its fault is read from; an infinite one has those of its next page, too. */
interface AskedQuery {
  readonly error: Error | null;
  readonly data: unknown;
  readonly dataUpdatedAt: number;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
  readonly isFetchNextPageError?: boolean;
  readonly fetchNextPage?: () => unknown;
}

export interface QueryFault {
  readonly message: string;
  readonly hint: string;
  /** Since when the service cannot be reached; null: not known, or another fault. */
  readonly awaySinceMs: number | null;
  /** Calm where the service has nothing of the kind asked for (404), which is an answer too. */
  readonly tone: 'attention' | 'stopped';
  /** When the oldest came of what is shown although it could not be refreshed, Unix milliseconds; null: nothing old is shown. */
  readonly shownOfMs: number | null;
  readonly isFetching: boolean;
  readonly retry: () => void;
}

/**
 * Read why questions gave nothing new.
 *
 * @param queries - what a part of a page shows.
 * @returns the words of the first that failed, with the way to ask all that failed again; null when none did.
 */
export function faultOf(...queries: readonly AskedQuery[]): QueryFault | null {
  const failed = queries.filter(({ error }) => error !== null);
  const [first] = failed;
  if (!first) return null;
  const { code, message, hint } = toCallError(first.error);
  const service = readContact().snapshot?.service;
  // Pages that are here already do not age by one that did not come.
  const old = failed.filter(({ data, isFetchNextPageError }) => data !== undefined && isFetchNextPageError !== true);
  return {
    message,
    hint,
    awaySinceMs: code === 'service.away' && service?.state === 'offline' ? service.sinceMs : null,
    tone: code === 'service.target-gone' ? 'stopped' : 'attention',
    shownOfMs: old.length === 0 ? null : Math.min(...old.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    isFetching: failed.some(({ isFetching }) => isFetching),
    retry: () => {
      for (const { isFetchNextPageError, fetchNextPage, refetch } of failed) {
        void (isFetchNextPageError && fetchNextPage ? fetchNextPage() : refetch());
      }
    },
  };
}
