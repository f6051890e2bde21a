// How far the clock of the tool is from this PC's, from lines that were written while the file was watched. A stamp is
// never changed for it: it is said, and both times are told.
//
// A line reaches us a little after its stamp, later when the tool gathers lines before it writes them: so the smallest lag
// of several looks is nearest to the difference of the clocks. What was there before, or came as a new file, says nothing:
// it may be old.

/** Looks of which the smallest lag counts, and how many there must be. */
const LOOKS = 10;
const LOOKS_MIN = 3;
/** A smaller difference is not worth a word, milliseconds. */
const TOLD_MS = 60_000;
/** What was said is said again when it changed by this much, milliseconds. */
const CHANGED_MS = 10_000;
const HOUR_MS = 3_600_000;

export interface ClockDifference {
  /** Time of this PC minus time of the tool, milliseconds: above 0 the tool is behind. */
  readonly lagMs: number;
  /** The stamp and the time of this PC that show it, Unix ms. */
  readonly stampMs: number;
  readonly nowMs: number;
}

/** Compares the two clocks of one source. */
export class ToolClock {
  #looks: ClockDifference[] = [];
  #best: ClockDifference | null = null;
  #told: ClockDifference | null = null;

  /** Take the newest stamp of a file that has grown since the look before and was read to its end. */
  add(stampMs: number, nowMs: number): void {
    const lagMs = nowMs - stampMs;
    if (Number.isFinite(lagMs) && (this.#best === null || lagMs < this.#best.lagMs)) {
      this.#best = { lagMs, stampMs, nowMs };
    }
  }

  /**
   * End a look.
   *
   * @returns the difference when it is to be said, null when what was said no longer holds, undefined when there is nothing new
   *   to say.
   */
  endLook(): ClockDifference | null | undefined {
    if (this.#best === null) return undefined;
    this.#looks = [...this.#looks, this.#best].slice(-LOOKS);
    this.#best = null;
    if (this.#looks.length < LOOKS_MIN) return undefined;
    const nearest = this.#looks.reduce((a, b) => (b.lagMs < a.lagMs ? b : a));
    const isTold = Math.abs(nearest.lagMs) >= TOLD_MS;
    if (!isTold && this.#told === null) return undefined;
    if (isTold && this.#told !== null && Math.abs(nearest.lagMs - this.#told.lagMs) < CHANGED_MS) return undefined;
    this.#told = isTold ? nearest : null;
    return this.#told;
  }
}

/** True when a difference is about a whole number of hours: then the zone is more likely wrong than the clock. */
export function looksLikeZone({ lagMs }: ClockDifference): boolean {
  const hours = Math.round(lagMs / HOUR_MS);
  return hours !== 0 && Math.abs(hours) <= 14 && Math.abs(lagMs - hours * HOUR_MS) < 5 * 60_000;
}
