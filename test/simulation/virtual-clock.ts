// Time that passes only when nothing else can happen: the next sleeper is woken once everybody has come to rest. Hours
// take milliseconds, and two runs of the same seed see the same order of events.
import type { Clock } from '../../src-main/platform/clock.ts';

interface Sleeper {
  readonly atMs: number;
  readonly order: number;
  readonly wake: () => void;
  /** Sleeps in the network or the service, which do not crash with the agent. */
  readonly isOutside: boolean;
}

export class VirtualClock implements Clock {
  #nowMs = Date.UTC(2026, 10, 20);
  readonly #startMs = this.#nowMs;
  #order = 0;
  #sleepers: Sleeper[] = [];

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs - this.#startMs;
  }

  sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const sleeper = this.#sleeper(durationMs, done, false);
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', done);
    });
  }

  /** The process has something else to do: time passes, and sleeping tasks wake after it. */
  standStill(durationMs: number): void {
    this.#nowMs += durationMs;
  }

  /** Sleep outside of the agent: a request that is still on its way when the agent crashes. */
  sleepBeyondCrash(durationMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#sleepers.push(this.#sleeper(durationMs, resolve, true));
    });
  }

  /** Forget everybody of the agent who sleeps: their program is gone. */
  crash(): void {
    this.#sleepers = this.#sleepers.filter(({ isOutside }) => isOutside);
  }

  #sleeper(durationMs: number, wake: () => void, isOutside: boolean): Sleeper {
    return { atMs: this.#nowMs + durationMs, order: this.#order++, wake, isOutside };
  }

  /** Let time pass, event after event, until `untilMs` from now. */
  async pass(durationMs: number): Promise<void> {
    const untilMs = this.#nowMs + durationMs;
    while (await this.#step(untilMs));
    this.#nowMs = untilMs;
  }

  /**
   * Let time pass, event after event, until a condition holds.
   *
   * @returns whether it holds; false when it did not within `longestMs`.
   */
  async passUntil(isDone: () => boolean, longestMs: number): Promise<boolean> {
    const untilMs = this.#nowMs + longestMs;
    await rest();
    while (!isDone()) if (!(await this.#step(untilMs))) return isDone();
    return true;
  }

  /**
   * Let time pass until a promise is settled.
   *
   * @returns what it gives, or what it was rejected with.
   */
  async passWhile<T>(work: Promise<T>, longestMs: number): Promise<T> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    work.then(over, over);
    if (await this.passUntil(() => isOver, longestMs)) return work;
    throw new Error(`after ${longestMs} ms it goes on`);
  }

  /** Wake the next sleeper and wait until everybody has come to rest; gives whether there was one until then. */
  async #step(untilMs: number): Promise<boolean> {
    await rest();
    let next: Sleeper | undefined;
    for (const sleeper of this.#sleepers) {
      if (!next || sleeper.atMs < next.atMs || (sleeper.atMs === next.atMs && sleeper.order < next.order))
        next = sleeper;
    }
    if (!next || next.atMs > untilMs) return false;
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper !== next);
    this.#nowMs = Math.max(this.#nowMs, next.atMs);
    next.wake();
    await rest();
    return true;
  }
}

/** Until every promise that can go on has gone on. */
function rest(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
