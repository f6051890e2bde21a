/** When each question is due. What could not be asked in time is left out, never made up for. */
export class PollPlan<Question extends { readonly everyMs: number }> {
  readonly #due: { readonly question: Question; dueMs: number }[];

  /** Takes the questions, and the monotonic clock at which all are due first. */
  constructor(questions: readonly Question[], startMs: number) {
    this.#due = questions.map((question) => ({ question, dueMs: startMs }));
  }

  /** The question that is due next, and when; null when there is none. */
  get next(): { readonly question: Question; readonly dueMs: number } | null {
    let next = this.#due[0];
    for (const entry of this.#due) if (next && entry.dueMs < next.dueMs) next = entry;
    return next ?? null;
  }

  /** It was asked: it is due again on its own beat, after now. */
  asked(question: Question, nowMs: number): void {
    const entry = this.#due.find((one) => one.question === question);
    if (!entry) return;
    const beats = Math.max(1, Math.floor((nowMs - entry.dueMs) / question.everyMs) + 1);
    entry.dueMs += beats * question.everyMs;
  }

  /** This question is not due before this moment. */
  rest(question: Question, untilMs: number): void {
    const entry = this.#due.find((one) => one.question === question);
    if (entry) entry.dueMs = Math.max(entry.dueMs, untilMs);
  }

  /** Nothing is due before this moment. */
  notBefore(ms: number): void {
    for (const entry of this.#due) entry.dueMs = Math.max(entry.dueMs, ms);
  }
}
