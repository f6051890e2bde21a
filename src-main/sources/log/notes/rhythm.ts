// How one channel is written: on a beat, or when its value changes. Learned from its own rows, in bounded memory.
//
// A log on a beat writes the same value twice when nothing changes; a log on change never does, and pauses instead. So a
// regular rhythm alone proves nothing: a ramp that is logged on change is regular as long as it lasts.

/** Intervals that are remembered, and how many of them a judgement needs. */
const REMEMBERED = 32;
const NEEDED = 16;
/** An interval is regular within these multiples of the median, and a rhythm when so many of its intervals are. */
const REGULAR = { least: 0.4, most: 2.5, share: 0.9 };
/** An interval of so many medians is a pause: a beat was left out. */
const PAUSE = 1.8;
/** So much of a remembered pause is left with each interval: after about 700 half of it. */
const FADING = 0.999;
/** Steps after which the counts of turns are halved, so that what a channel does now weighs most. */
const STEPS_MAX = 64;

/**
 * What a channel was found to be. `unclear`: regular so far, but every value was new and went one way, as in a ramp that is
 * logged on change.
 */
export type RhythmKind = 'learning' | 'beat' | 'on-change' | 'unclear';

/** What is known of the rows that a channel stands in. */
export interface RowFacts {
  /** Two of them in a row were the same, whole. */
  readonly hasRepeated: boolean;
  /** Channels of it whose values go up and down, as measured values do. */
  readonly noisyChannels: number;
}

export class Rhythm {
  readonly #intervals = new Float64Array(REMEMBERED);
  #count = 0;
  #lastMs = Number.NaN;
  #lastValue = Number.NaN;
  #direction = 0;
  #steps = 0;
  #turns = 0;
  #pauses = 0;
  #longestPauseMs = 0;
  /** Median of the intervals as it was when it was last worked out. */
  #medianMs = Number.NaN;

  /**
   * Take the next row of the channel in. Takes its stamp and value; and whether a long time since the row before was a
   * pause of this channel alone.
   */
  note(timeMs: number, value: number, isOwnPause: boolean): void {
    const intervalMs = timeMs - this.#lastMs;
    // Rows that go back or stand still (a clock change, a copied block) tell nothing of the rhythm.
    if (intervalMs > 0) this.#noteInterval(intervalMs, isOwnPause);
    if (!Number.isNaN(this.#lastValue) && value !== this.#lastValue) this.#noteStep(Math.sign(value - this.#lastValue));
    this.#lastMs = timeMs;
    this.#lastValue = value;
  }

  /** Rows were skipped: the next one has no interval. */
  skip(): void {
    this.#lastMs = Number.NaN;
  }

  /** Its values go up and down, as measured values do; set points and ramps go one way. */
  get isNoisy(): boolean {
    return this.#steps >= 8 && this.#turns >= this.#steps * 0.2;
  }

  /** What the channel is. */
  kind({ hasRepeated, noisyChannels }: RowFacts): RhythmKind {
    const known = this.#known();
    if (known.length < NEEDED) return 'learning';
    const median = this.#quantile(0.5);
    const regular = known.filter((one) => one >= REGULAR.least * median && one <= REGULAR.most * median).length;
    if (regular < known.length * REGULAR.share) return 'on-change';
    if (hasRepeated || noisyChannels >= 3) return 'beat';
    if (this.#pauses >= 2) return 'on-change';
    return this.isNoisy ? 'beat' : 'unclear';
  }

  /** Median time between two rows, milliseconds; NaN before the first. */
  get beatMs(): number {
    return this.#quantile(0.5);
  }

  /** Longest time between two rows that is nothing special, milliseconds. */
  get usualMs(): number {
    return Math.max(6 * this.#quantile(0.9), 1.5 * this.#longestPauseMs);
  }

  #noteInterval(intervalMs: number, isOwnPause: boolean): void {
    if (this.#count >= NEEDED) {
      if (intervalMs >= PAUSE * this.#medianMs) this.#pauses += 1;
      if (isOwnPause && intervalMs >= 6 * this.#medianMs) {
        this.#longestPauseMs = Math.max(this.#longestPauseMs, intervalMs);
      }
    }
    this.#longestPauseMs *= FADING;
    this.#intervals[this.#count % REMEMBERED] = intervalMs;
    this.#count += 1;
    // Sorting at each row would cost more than reading it.
    if (this.#count <= NEEDED || this.#count % 8 === 0) this.#medianMs = this.#quantile(0.5);
  }

  #noteStep(direction: number): void {
    if (this.#direction !== 0) {
      this.#steps += 1;
      if (direction !== this.#direction) this.#turns += 1;
      if (this.#steps >= STEPS_MAX) {
        this.#steps /= 2;
        this.#turns /= 2;
      }
    }
    this.#direction = direction;
  }

  #known(): Float64Array {
    return this.#intervals.subarray(0, Math.min(this.#count, REMEMBERED));
  }

  #quantile(part: number): number {
    const sorted = this.#known().slice().sort();
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  }
}
