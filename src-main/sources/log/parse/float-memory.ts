// Memory for times and values that is used again and again. Fresh arrays of some megabytes each make the collector of
// garbage run through the whole heap every few blocks; that took as long as reading the numbers.

/** Hands out pieces of one array, until they are all given back at once. What a piece holds at first is left over. */
export class FloatMemory {
  #memory = new Float64Array(0);
  #used = 0;

  /** A piece of some numbers. It is the taker's until `reset`. */
  take(length: number): Float64Array {
    if (this.#used + length > this.#memory.length) {
      // Pieces that were taken keep the former memory alive as long as they need it.
      this.#memory = new Float64Array(Math.max(length, 2 * this.#memory.length));
      this.#used = 0;
    }
    this.#used += length;
    return this.#memory.subarray(this.#used - length, this.#used);
  }

  /** All pieces are given back: the next ones may lie where they lay. */
  reset(): void {
    this.#used = 0;
  }
}
