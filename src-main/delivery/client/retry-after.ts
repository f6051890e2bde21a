/** Longest wait the service may ask for, milliseconds. */
const RETRY_AFTER_MAX_MS = 600_000;

/**
 * Read a Retry-After header. Takes the header (whole seconds or an HTTP date), the answer's Date header, and this PC's clock
 * as a stand-in for it: a date is the service's own time, so it is compared with the service's clock where that is told.
 *
 * @returns 0 to 600,000 ms, or null when the header is missing or neither of the two.
 */
export function parseRetryAfter(header: string | undefined, date: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  let waitMs: number;
  if (/^\d+$/.test(text)) waitMs = Number(text) * 1000;
  else if (/^[A-Za-z]{3,9},? .*\d\d:\d\d:\d\d/.test(text)) {
    const serviceNowMs = Date.parse(date ?? '');
    waitMs = Date.parse(text) - (Number.isNaN(serviceNowMs) ? nowMs : serviceNowMs);
  } else return null;
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), RETRY_AFTER_MAX_MS);
}
