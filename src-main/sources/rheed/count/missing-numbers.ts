// Numbers that were skipped: first missing, since files may be seen out of order; after a while lost. Ranges and not
// numbers, so that a gap of a million costs as much as one of two.
//
// Bounds: 200 ranges; of those that are lost the oldest go first, what is only missing is kept. Invariant: a number is
// given as lost once, and one that comes after all is taken out, whether it was told as lost or not.

/** Ranges kept at most. */
const RANGES_MAX = 200;

export interface MissingRange {
  readonly from: number;
  readonly to: number;
  /** When it was skipped, steady Unix milliseconds. */
  readonly sinceMs: number;
  /** Told as lost. */
  readonly isLost: boolean;
}

export class MissingNumbers {
  #ranges: MissingRange[];

  constructor(ranges: readonly MissingRange[] = []) {
    this.#ranges = [...ranges];
  }

  get ranges(): readonly MissingRange[] {
    return this.#ranges;
  }

  /** Numbers `from` to `to`, both included, were skipped; none when `to` is less. */
  add(from: number, to: number, sinceMs: number): void {
    if (to < from) return;
    // Times of frames can overtake each other by what they are uncertain; losses are told in the order of their numbers.
    const formerMs = this.#ranges.at(-1)?.sinceMs ?? sinceMs;
    this.#ranges.push({ from, to, sinceMs: Math.max(sinceMs, formerMs), isLost: false });
  }

  /** Whether a number is missing or lost. */
  has(number: number): boolean {
    return this.#ranges.some(({ from, to }) => number >= from && number <= to);
  }

  /**
   * Take a number out that came after all.
   *
   * @returns what it was; null when it was not missing.
   */
  take(number: number): 'missing' | 'lost' | null {
    const at = this.#ranges.findIndex(({ from, to }) => number >= from && number <= to);
    const range = this.#ranges[at];
    if (!range) return null;
    const parts = [
      { ...range, to: number - 1 },
      { ...range, from: number + 1 },
    ].filter(({ from, to }) => to >= from);
    this.#ranges.splice(at, 1, ...parts);
    return range.isLost ? 'lost' : 'missing';
  }

  /** Those that were skipped before a moment and are lost now; each is given once. */
  settle(beforeMs: number): MissingRange[] {
    const lost = this.#ranges.filter(({ isLost, sinceMs }) => !isLost && sinceMs <= beforeMs);
    if (lost.length === 0) return lost;
    this.#ranges = this.#ranges.map((range) => (lost.includes(range) ? { ...range, isLost: true } : range));
    const over = this.#ranges.length - RANGES_MAX;
    if (over > 0) {
      let dropped = 0;
      this.#ranges = this.#ranges.filter(({ isLost }) => !isLost || ++dropped > over);
    }
    return lost;
  }
}
