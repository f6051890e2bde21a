// How far a line is doubted after a time-out or a reply that made no sense: how long it must be quiet before the next question,
// and how long the reply to that is held before it is believed.
//
// Bounds: a reply is held until its question is three reply times old at most, or for the quiet that was wanted after it came.
// Invariant: doubt only grows until what it asks for was done.

/** After a time-out the next reply is held until its question is so many reply times old: its own may be as late. */
const LATE_TIMEOUTS = 3;

/** How long a reply is held, milliseconds: after it came, and after its question. */
export interface Hold {
  readonly afterReplyMs: number;
  readonly afterQuestionMs: number;
}

export class Doubt {
  #quietMs: number | null = null;
  #hold: Hold | null = null;

  /** How long the line must be quiet before the next question, milliseconds; null: it is in step. */
  get quietMs(): number | null {
    return this.#quietMs;
  }

  /** How long the next reply is held; null: it is not. */
  get hold(): Hold | null {
    return this.#hold;
  }

  /** Doubt it, because nothing whole came within the reply time, milliseconds. */
  addSilence(timeoutMs: number, provesReply: boolean): void {
    this.add(timeoutMs, provesReply, LATE_TIMEOUTS * timeoutMs);
  }

  /**
   * Doubt it. Takes the quiet that is wanted, milliseconds, whether a reply names its question, so that none is held, and
   * how old the question of a held reply is to be, milliseconds.
   */
  add(quietMs: number, provesReply: boolean, afterQuestionMs = 0): void {
    this.#quietMs = Math.max(this.#quietMs ?? 0, quietMs);
    this.#hold = provesReply
      ? null
      : {
          afterReplyMs: Math.max(this.#hold?.afterReplyMs ?? 0, quietMs),
          afterQuestionMs: Math.max(this.#hold?.afterQuestionMs ?? 0, afterQuestionMs),
        };
  }

  /** Note that the line was quiet, and its neutral bytes were sent. */
  endQuiet(): void {
    this.#quietMs = null;
  }

  /** Note that a reply is held, or was. */
  endHold(): void {
    this.#hold = null;
  }
}
