import type { AgentError } from '../model/agent-error.ts';
import type { Failure } from '../service/failure.ts';
import type { LineOutcome } from './line.ts';

/** What an outcome says about the line itself. */
export function lineOutcome(failure: Failure | undefined, error: AgentError): 'through' | 'unknown' | LineOutcome {
  const { code, message, hint } = error;
  switch (failure?.kind) {
    case 'not-sent':
      return {
        trouble: failure.cause === 'asked-to-wait' ? 'asked' : 'offline',
        code,
        message,
        hint,
        afterMs: failure.afterMs,
      };
    case 'held':
      return failure.reason === 'key' ? { trouble: 'key', code, message, hint, afterMs: null } : 'through';
    case 'not-the-service':
      return { trouble: 'foreign', code, message, hint, afterMs: null };
    case 'refused':
      return 'through';
    case 'ambiguous':
    case undefined:
      return 'unknown';
  }
}
