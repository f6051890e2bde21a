// How long the disk lasts. The rate is measured over the last hours from what the queue really occupies, so that data
// which is deleted after its time counts against what comes in.
//
// Bounds: one size a minute over six hours; no rate is told from less than five minutes.

/** Rates are measured over this much time at most, milliseconds. */
const WINDOW_MS = 6 * 3_600_000;
/** Below this much time a rate is chance, milliseconds. */
const LEAST_MS = 5 * 60_000;
/** One reading of the size a minute is enough, milliseconds. */
const STEP_MS = 60_000;

/**
 * Say in how many hours the disk is full. Takes bytes free, and bytes that the queue grows by in an hour (negative: it
 * shrinks).
 *
 * @returns hours, 0 when nothing is free; null when it does not fill or the rate is not known.
 */
export function hoursToFull(freeBytes: number | null, bytesPerHour: number | null): number | null {
  if (freeBytes === null) return null;
  if (freeBytes <= 0) return 0;
  if (bytesPerHour === null || bytesPerHour <= 0) return null;
  return freeBytes / bytesPerHour;
}

/** Measures how fast something grows. */
export class GrowthRate {
  #readings: { atMs: number; bytes: number }[] = [];

  /** Note a size. Takes monotonic or wall milliseconds and bytes. A clock that goes back restarts the measurement. */
  note(atMs: number, bytes: number): void {
    const last = this.#readings.at(-1);
    if (last && atMs < last.atMs) this.#readings = [];
    else if (last && atMs - last.atMs < STEP_MS) return;
    this.#readings.push({ atMs, bytes });
    while ((this.#readings[0]?.atMs ?? atMs) < atMs - WINDOW_MS) this.#readings.shift();
  }

  /** Bytes an hour over the time measured; null while that is too short. */
  get bytesPerHour(): number | null {
    const first = this.#readings[0];
    const last = this.#readings.at(-1);
    if (!first || !last || last.atMs - first.atMs < LEAST_MS) return null;
    return ((last.bytes - first.bytes) / (last.atMs - first.atMs)) * 3_600_000;
  }
}
