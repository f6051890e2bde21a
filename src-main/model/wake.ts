/** Where a wait sleeps: a clock. */
interface Sleeper {
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
}

/** A wait that can be ended early, one at a time. */
export class Wake {
  #end: (() => void) | null = null;

  /** End the wait that is under way, if there is one. */
  now(): void {
    this.#end?.();
  }

  /**
   * Wait.
   *
   * @param durationMs - milliseconds >= 0.
   * @param signal - ends the wait, too.
   */
  async wait(clock: Sleeper, durationMs: number, signal: AbortSignal): Promise<void> {
    const early = new AbortController();
    // Without a reason of its own each abort makes an exception with its stack.
    const end = () => early.abort('woken');
    this.#end = end;
    // Not AbortSignal.any: what it makes stays in memory for as long as one of its sources.
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    await clock.sleep(durationMs, early.signal);
    signal.removeEventListener('abort', end);
    this.#end = null;
  }
}
