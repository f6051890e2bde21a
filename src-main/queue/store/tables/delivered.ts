// How far a stream is delivered. Stamps need not rise and lanes go out one after the other, so the newest acknowledged
// stamp says nothing of what lies before it. What is true is told by what still waits:
//
//   delivered up to = the newest acknowledged stamp, if no stamp that waits is as old or older; else the last whole
//                     millisecond before the oldest stamp that waits
//
// Every stored point of the stream with a stamp up to there is acknowledged, or was refused and is counted as refused. Two
// look-ups in an index find it, however many chunks wait: sealed ones by `chunk_oldest_waiting`, open readings by the lane
// that they stand in.

/** Times from which the mark is computed, Unix milliseconds; each null when there is none. */
export interface DeliveredFacts {
  readonly newestAcknowledgedMs: number | null;
  readonly oldestStoredMs: number | null;
  /** Oldest stamp of the sealed chunks that wait. */
  readonly oldestSealedMs: number | null;
  /** Oldest stamp of the readings that are not sealed. */
  readonly oldestOpenMs: number | null;
}

/** The columns for that, of a stream `s`. */
export const DELIVERED_COLUMNS = `s.last_acknowledged_ms AS newestAcknowledgedMs, s.first_reading_ms AS oldestStoredMs,
  (SELECT min(first_ms) FROM chunk WHERE stream = s.id AND state = 'sealed') AS oldestSealedMs,
  (SELECT min(first_ms) FROM lane WHERE stream = s.id) AS oldestOpenMs`;

/**
 * Say up to which stamp a stream is delivered.
 *
 * @returns Unix milliseconds; null while nothing is acknowledged, or while its oldest stamp waits.
 */
export function deliveredUpTo(facts: DeliveredFacts): number | null {
  const { newestAcknowledgedMs, oldestStoredMs, oldestSealedMs, oldestOpenMs } = facts;
  if (newestAcknowledgedMs === null) return null;
  const waitingMs = Math.min(oldestSealedMs ?? Infinity, oldestOpenMs ?? Infinity);
  const upToMs = newestAcknowledgedMs < waitingMs ? newestAcknowledgedMs : Math.ceil(waitingMs) - 1;
  return oldestStoredMs !== null && upToMs < oldestStoredMs ? null : upToMs;
}
