// Questions of the screen that take their time. A page that is left gives its questions up, so that the service is not
// asked for what nobody looks at.

/** The questions under way, by their ticket. */
export class PageQuestions {
  readonly #open = new Map<string, AbortController>();

  /**
   * Ask something that can be given up. Takes the ticket of the page, and what asks, with the signal that ends it.
   *
   * @returns what it gave.
   * @throws its own; it fails when it is given up.
   */
  async ask<T>(ticket: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.#open.set(ticket, controller);
    try {
      return await work(controller.signal);
    } finally {
      // A ticket that was used twice belongs to the later question.
      if (this.#open.get(ticket) === controller) this.#open.delete(ticket);
    }
  }

  /** Give a question up; nothing happens when it was answered already. */
  giveUp(ticket: string): void {
    this.#open.get(ticket)?.abort();
  }

  /** Questions under way. */
  get count(): number {
    return this.#open.size;
  }
}
