/** Replies that are looked back upon. */
const WINDOW = 100;
/** Replies from which on a share means anything, and how many of them must be unreadable. */
const LEAST = 5;
const LEAST_BAD = 3;
/** Shares at which it is told and at which it is over, percent. */
const TOLD_PERCENT = 5;
const OVER_PERCENT = 2;

/** The share of replies that could not be read, over the last 100. */
export class ErrorRate {
  #replies: boolean[] = [];
  #isTold = false;

  /**
   * Count a reply.
   *
   * @returns percent when that is to be told (each time it is another whole number), 0 when it is over, else null.
   */
  count(isReadable: boolean): number | null {
    const before = this.percent;
    this.#replies.push(isReadable);
    if (this.#replies.length > WINDOW) this.#replies.shift();
    const { percent } = this;
    const bad = this.#replies.filter((isGood) => !isGood).length;
    if (bad >= LEAST_BAD && this.#replies.length >= LEAST && percent >= TOLD_PERCENT) {
      const isNew = !this.#isTold || percent !== before;
      this.#isTold = true;
      return isNew ? percent : null;
    }
    if (!this.#isTold || percent > OVER_PERCENT) return null;
    this.#isTold = false;
    return 0;
  }

  get percent(): number {
    const bad = this.#replies.filter((isGood) => !isGood).length;
    return this.#replies.length === 0 ? 0 : Math.round((100 * bad) / this.#replies.length);
  }
}
