// Local times of names as Unix times. Names come by the hundred thousand and a zone is slow to ask, so that it is asked once
// for each quarter of an hour: no zone changes its clocks but at the full quarter. Bound: 4,000 quarters, then all again.
import { Temporal } from 'temporal-polyfill';

const QUARTER_MS = 900_000;
/** Quarters kept: some weeks. */
const QUARTERS_MAX = 4000;

export class LocalTimes {
  readonly #zone: string;
  /** What is added to a local time of a quarter: before and after a change of the clocks; the same where there is none. */
  readonly #shifts = new Map<number, readonly [early: number, late: number]>();

  /**
   * @param zone - an IANA zone.
   */
  constructor(zone: string) {
    this.#zone = zone;
  }

  /**
   * Turn local time into Unix time. In the hour that comes twice in autumn, the reading nearest to `nearMs` is taken: a
   * camera does not go back an hour.
   *
   * @param localMs - local time as if it were UTC.
   * @param nearMs - a moment that it should be near to (Unix milliseconds).
   */
  toUnixMs(localMs: number, nearMs: number): number {
    const [early, late] = this.#shiftsOf(Math.floor(localMs / QUARTER_MS) * QUARTER_MS);
    return Math.abs(localMs + early - nearMs) <= Math.abs(localMs + late - nearMs) ? localMs + early : localMs + late;
  }

  #shiftsOf(quarterMs: number): readonly [number, number] {
    const known = this.#shifts.get(quarterMs);
    if (known) return known;
    const local = Temporal.Instant.fromEpochMilliseconds(quarterMs).toZonedDateTimeISO('UTC').toPlainDateTime();
    const shiftOf = (disambiguation: 'earlier' | 'later') =>
      local.toZonedDateTime(this.#zone, { disambiguation }).epochMilliseconds - quarterMs;
    const shifts = [shiftOf('earlier'), shiftOf('later')] as const;
    if (this.#shifts.size >= QUARTERS_MAX) this.#shifts.clear();
    this.#shifts.set(quarterMs, shifts);
    return shifts;
  }
}
