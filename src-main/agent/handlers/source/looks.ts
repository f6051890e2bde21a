// The looks under way, by number. One that nobody reads any more (the page was closed) ends by itself and lets its line go.
import { AgentError } from '../../../model/agent-error.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Look, LookView } from './line-look.ts';

/** A look that is not read for so long ends, milliseconds. */
const UNREAD_MS = 15_000;
const CHECK_MS = 2_000;
/** Looks at a time; the oldest makes room. */
const LOOKS_MAX = 4;

export class Looks {
  readonly #clock: Clock;
  readonly #looks = new Map<string, { look: Look; readMs: number }>();
  #last = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Take up a look.
   *
   * @returns its number.
   */
  async add(look: Look): Promise<string> {
    const [oldest] = this.#looks.keys();
    if (this.#looks.size >= LOOKS_MAX && oldest !== undefined) await this.end(oldest);
    this.#last += 1;
    const id = String(this.#last);
    this.#looks.set(id, { look, readMs: this.#clock.monotonicMs() });
    this.#timer ??= setInterval(() => this.#check(), CHECK_MS).unref();
    return id;
  }

  /**
   * Read what a look has found so far.
   * @throws `look.over` when there is none of this number any more.
   */
  read(id: string): LookView {
    const known = this.#looks.get(id);
    if (!known) {
      const hint = 'Start it again.';
      throw new AgentError({ code: 'look.over', message: 'The test timed out.', hint, retry: 'after-human' });
    }
    known.readMs = this.#clock.monotonicMs();
    return known.look.view();
  }

  async end(id: string): Promise<void> {
    const known = this.#looks.get(id);
    this.#looks.delete(id);
    await known?.look.end();
    if (this.#looks.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #check(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [id, { readMs }] of this.#looks) if (nowMs - readMs > UNREAD_MS) void this.end(id);
  }
}
