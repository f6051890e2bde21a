// Reads each delivered stream back once, point by point, one after the other, so that a receipt can say "confirmed". It
// takes its time behind the uploads: a stream that could not be read back is delivered all the same, and says so.

import { addAbortListener } from 'node:events';
import { type ConfirmParts, confirmStream } from '../../delivery/receipt/confirm-stream.ts';
import { toAgentError } from '../../model/agent-error.ts';
import { Turn } from '../../model/turn.ts';
import type { Journal } from './journal.ts';

export class Confirmer {
  readonly #parts: ConfirmParts;
  readonly #journal: Journal;
  readonly #signal: AbortSignal;
  readonly #asked = new Map<number, { done: Promise<void>; stop: AbortController }>();
  readonly #turn = new Turn();

  constructor(parts: ConfirmParts, journal: Journal, signal: AbortSignal) {
    this.#parts = parts;
    this.#journal = journal;
    this.#signal = signal;
  }

  /**
   * Read a delivered stream back.
   *
   * @returns fulfilled when that is done, could not be done, or was stopped; asking again while it lasts gives the same.
   */
  confirm(streamId: number): Promise<void> {
    const known = this.#asked.get(streamId);
    if (known) return known.done;
    const stop = new AbortController();
    const done = this.#turn.take(() => this.#read(streamId, stop));
    this.#asked.set(streamId, { done, stop });
    return done;
  }

  /** Something of the stream is sent again: what is being read of it no longer holds, and it is read again when asked for. */
  forget(streamId: number): void {
    this.#asked.get(streamId)?.stop.abort();
    this.#asked.delete(streamId);
  }

  /** Wait until nothing is being read any more. */
  close(): Promise<void> {
    return this.#turn.over();
  }

  async #read(streamId: number, stop: AbortController): Promise<void> {
    const { signal } = stop;
    if (this.#signal.aborted || signal.aborted) return;
    // Not AbortSignal.any: there is one stream after the other for as long as the run lasts.
    using _end = addAbortListener(this.#signal, () => stop.abort());
    try {
      const confirmation = await confirmStream(streamId, this.#parts, signal);
      if (confirmation?.outcome !== 'differs') return;
      this.#journal.record(
        {
          level: 'error',
          code: 'receipt.differs',
          message: `Stream ${streamId} was delivered, and the service gives back something else: ${confirmation.notes[0] ?? ''}`,
          hint: 'See its receipt. What was captured is still kept here.',
        },
        `stream ${streamId}`,
      );
    } catch (thrown) {
      if (signal.aborted) return;
      // The next request gets another try.
      this.#asked.delete(streamId);
      const { code, message } = toAgentError(thrown);
      const hint = 'The stream is delivered all the same: the service counted every chunk.';
      const text = `Stream ${streamId} could not be read back: ${message}`;
      this.#journal.record({ level: 'warning', code, message: text, hint }, `stream ${streamId}`);
    }
  }
}
