import { AgentError, type Retry } from '../../model/agent-error.ts';
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

/** Take a secret out of a text, also as JSON and addresses write it. */
export function hideSecret(text: string, secret: string): string {
  const written = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
  const hide = (given: string) => written.reduce((rest, one) => rest.replaceAll(one, '[key]'), given);
  const plain = text.replaceAll(/\\u00([2-7][\da-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return plain.includes(secret) ? hide(plain) : hide(text);
}

function retryOf({ kind }: Failure): Retry {
  if (kind === 'not-sent' || kind === 'ambiguous' || kind === 'busy') return 'later';
  return kind === 'refused' ? 'never' : 'after-human';
}

/**
 * A request that did not succeed. It carries beside code, message and hint: `failure`, the closed set to decide on; `status`
 * (null without an answer) and `body` (the answer's first 2,000 characters), for people.
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

  /**
   * Say the same without a secret, should the service have echoed it.
   *
   * @param secret - the secret, not empty.
   */
  without(secret: string): ServiceError {
    const { code, failure, status, context } = this;
    const hide = (text: string) => hideSecret(text, secret);
    const told = { message: hide(this.message), hint: hide(this.hint), body: hide(this.body) };
    return new ServiceError({ code, failure, status, context, ...told, cause: this.cause });
  }
}
