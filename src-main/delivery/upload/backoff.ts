/** First wait after a failure, milliseconds. */
export const BACKOFF_FIRST_MS = 1000;
/**
 * Longest wait between two tries, milliseconds. There is no last try. A minute, since what waits must go out within about a
 * minute of the service's return, however long it was away; a small question a minute is no burden to it.
 */
export const BACKOFF_CAP_MS = 60_000;

/**
 * How long to wait after the n-th failure in a row. Takes failures >= 1, a random number in [0, 1) so that many agents do
 * not come back at the same moment, and the longest wait, milliseconds.
 *
 * @returns milliseconds; doubles each time up to the cap, then between half of that and all of it.
 */
export function backoffMs(failures: number, random: number, capMs = BACKOFF_CAP_MS): number {
  const fullMs = Math.min(capMs, BACKOFF_FIRST_MS * 2 ** Math.min(30, failures - 1));
  return Math.round(fullMs * (0.5 + random / 2));
}
