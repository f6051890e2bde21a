import { AgentError, type Retry } from '../model/agent-error.ts';
import type { Failure } from './failure.ts';

/** Longest piece of an answer that an error carries, characters. */
const BODY_MAX = 2_000;

export interface ServiceErrorOptions {
  code: string;
  message: string;
  hint: string;
  failure: Failure;
  /** HTTP status; null when no answer came. */
  status?: number | null;
  body?: string;
  context?: Record<string, unknown>;
  cause?: unknown;
}

function retryOf({ kind }: Failure): Retry {
  if (kind === 'not-sent' || kind === 'ambiguous') return 'later';
  return kind === 'refused' ? 'never' : 'after-human';
}

/**
 * A request that did not succeed.
 *
 * **Gives**: beside code, message and hint: `failure`, the closed set to decide on; `status` (null without an answer)
 * and `body` (the answer's first 2,000 characters), for people.
 */
export class ServiceError extends AgentError {
  readonly failure: Failure;
  readonly status: number | null;
  readonly body: string;

  constructor({ failure, status = null, body = '', context = {}, ...rest }: ServiceErrorOptions) {
    super({ ...rest, context: { ...context, status }, retry: retryOf(failure) });
    this.name = 'ServiceError';
    this.failure = failure;
    this.status = status;
    this.body = body.slice(0, BODY_MAX);
  }
}
