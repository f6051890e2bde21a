/** When to try again: by itself after a while, after a person has acted, or never. */
export type Retry = 'later' | 'after-human' | 'never';

export interface AgentErrorOptions {
  /** Stable, dotted, matched on by code: `log.folder-missing`. */
  code: string;
  /** What happened, with its place: file, line, field, byte. */
  message: string;
  /** What a person can do about it. */
  hint: string;
  retry?: Retry;
  context?: Record<string, unknown>;
  cause?: unknown;
}

/**
 * The one error of the agent. It carries a stable `code` to match on (classes do not survive a process boundary), a message
 * that names the place, a hint that says what to do, and whether trying again can help. The part that decides logs it, once.
 */
export class AgentError extends Error {
  readonly code: string;
  readonly hint: string;
  readonly retry: Retry;
  readonly context: Record<string, unknown>;

  constructor({ code, message, hint, retry = 'never', context = {}, cause }: AgentErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AgentError';
    this.code = code;
    this.hint = hint;
    this.retry = retry;
    this.context = context;
  }
}

/** A refusal that a person can correct. */
export function refuse(code: string, message: string, hint: string): AgentError {
  return new AgentError({ code, message, hint, retry: 'after-human' });
}

/**
 * Turn anything thrown into an AgentError.
 *
 * @param thrown - whatever was caught.
 * @returns the same AgentError, or one with code `internal` that says a bug happened.
 */
export function toAgentError(thrown: unknown): AgentError {
  if (thrown instanceof AgentError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AgentError({
    code: 'internal',
    message: `Unexpected fault: ${message}`,
    hint: 'This is a bug. Capture of the other sources goes on; please report it with the journal.',
    cause: thrown,
  });
}

/**
 * True where it is certain that the service did not take what was sent. Takes the failure of a request. Where no answer came, or
 * somebody else's, it may have: a filter of the network lets requests through and holds back their answers.
 */
export function isNotTaken({ kind }: { readonly kind: string }): boolean {
  return kind === 'not-sent' || kind === 'held' || kind === 'refused';
}
