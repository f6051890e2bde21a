// Messages between the main thread and a thread that reads logs: of runs of sources and of previews, each with a number. Those of
// one run arrive in the order in which they were sent. A question of a run is answered once; one of the main thread to a run is
// answered once or never, if the run ends.
import { AgentError, type Retry, toAgentError } from '../../../model/agent-error.ts';
import type { ChannelDeclaration } from '../../../model/channel.ts';
import type { News } from '../../../model/news.ts';
import type { Capture } from '../../../model/readings.ts';
import type { HeldAnswer, HeldFile } from '../follow/held-desk.ts';
import type { LogSourceOptions } from '../log-source.ts';
import type { LogPreview, PreviewOptions } from '../preview.ts';

/** Settings of a run; functions stay where they are and are asked for. */
export type RunSettings = Omit<LogSourceOptions, 'beforeNewColumns' | 'held' | 'clock' | 'files'> & {
  readonly isWatchable: boolean;
};

/** An AgentError as it crosses threads. */
interface PlainError {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly retry: Retry;
  readonly context: Record<string, unknown>;
}

export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: PlainError };

/** What a run asks of the main thread. */
export type RunQuestion =
  | { readonly kind: 'positions' }
  | { readonly kind: 'capture'; readonly capture: Capture }
  | { readonly kind: 'before-new-columns' }
  /** To be done before an answer of a person takes effect. */
  | { readonly kind: 'before-reading'; readonly call: number };

/** What a person asks of a run. */
export type DeskQuestion =
  | { readonly kind: 'look'; readonly file: string }
  | { readonly kind: 'answer'; readonly file: string; readonly answer: HeldAnswer };

export type ToReader = { readonly run: number } & (
  | { readonly kind: 'start'; readonly settings: RunSettings }
  | { readonly kind: 'abort' }
  | { readonly kind: 'answer'; readonly call: number; readonly outcome: Outcome }
  | { readonly kind: 'desk'; readonly call: number; readonly question: DeskQuestion }
  | { readonly kind: 'preview'; readonly options: PreviewOptions }
);

export type FromReader = { readonly run: number } & (
  | { readonly kind: 'declare'; readonly channels: readonly ChannelDeclaration[] }
  | { readonly kind: 'note'; readonly note: News }
  | { readonly kind: 'gap'; readonly fromMs: number; readonly toMs: number; readonly cause: string }
  | { readonly kind: 'ask'; readonly call: number; readonly question: RunQuestion }
  | { readonly kind: 'held'; readonly files: readonly HeldFile[] }
  | { readonly kind: 'desk'; readonly call: number; readonly outcome: Outcome }
  | { readonly kind: 'ended'; readonly error: PlainError | null }
  | { readonly kind: 'previewed'; readonly preview: LogPreview }
);

/** The memory that a capture lies in: it goes from thread to thread, and is freed at once when all is on disk. */
export function memoryOf({ blocks, sourceBytes = [] }: Capture): ArrayBuffer[] {
  const arrays = [
    ...blocks.flatMap(({ timesMs, values }) => [timesMs, values]),
    ...sourceBytes.map(({ bytes }) => bytes),
  ];
  return arrays.map(({ buffer }) => buffer as ArrayBuffer);
}

export function plainError(thrown: unknown): PlainError {
  const { code, message, hint, retry, context } = toAgentError(thrown);
  return { code, message, hint, retry, context };
}

/** The outcome of a promise, as a value that crosses threads. */
export function outcomeOf(work: Promise<unknown>): Promise<Outcome> {
  return work.then(
    (value) => ({ ok: true, value }),
    (thrown) => ({ ok: false, error: plainError(thrown) }),
  );
}

/** Questions that were sent, and who waits for their answers. */
export class Calls {
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #last = 0;

  /** Takes what sends the question under its number. */
  ask(send: (call: number) => void): Promise<unknown> {
    this.#last += 1;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#last, answer);
    send(this.#last);
    return answer.promise;
  }

  settle(call: number, outcome: Outcome): void {
    const answer = this.#waiting.get(call);
    this.#waiting.delete(call);
    if (outcome.ok) answer?.resolve(outcome.value);
    else answer?.reject(new AgentError(outcome.error));
  }

  /** No answer comes any more. */
  failAll(error: AgentError): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
