/** Does one thing after the other, in the order in which they were asked for. */
export class Turn {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Do something once everything before it is over, however that ended.
   *
   * @returns what it gives; rejects as it does, and the next begins all the same.
   */
  take<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Fulfilled when everything that was asked for by now is over. */
  async over(): Promise<void> {
    await this.#last;
  }
}
