// How far a line is doubted after a time-out or a reply that made no sense: how long it must be quiet before the next question,
// and how long the reply to that is held before it is believed.
//
// Invariant: doubt only grows until what it asks for was done.

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

  /** Doubt it. `provesReply`: a reply names its question, so none is held. */
  add(quietMs: number, provesReply: boolean, afterQuestionMs = 0): void {
    this.#quietMs = Math.max(this.#quietMs ?? 0, quietMs);
    this.#hold = provesReply
      ? null
      : {
          afterReplyMs: Math.max(this.#hold?.afterReplyMs ?? 0, quietMs),
          afterQuestionMs: Math.max(this.#hold?.afterQuestionMs ?? 0, afterQuestionMs),
        };
  }

  /** The line was quiet, and its neutral bytes were sent. */
  wasQuiet(): void {
    this.#quietMs = null;
  }

  /** A reply is held. */
  isHeld(): void {
    this.#hold = null;
  }
}
