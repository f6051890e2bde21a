// Which time a PC clock can show, as one rule: what sends asks it, and `epistream check` reports it.

/** A right clock never shows less: this program did not exist. A dead battery shows the year its board was made. */
export const EARLIEST_MS = Date.UTC(2026, 0, 1);
/** A right clock never shows more. */
const LATEST_MS = Date.UTC(2076, 0, 1);

/** Say whether a clock that shows this time, Unix milliseconds, is plausible. NaN is not. */
export function isPlausibleTime(timeMs: number): boolean {
  return timeMs >= EARLIEST_MS && timeMs <= LATEST_MS;
}
