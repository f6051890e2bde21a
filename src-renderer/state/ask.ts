import type { Answer, CallError } from '../../src-main/contract/table.ts';

/** A refused or failed call, thrown for TanStack Query; carries what the agent said. */
class CallFailure extends Error {
  readonly error: CallError;

  constructor(error: CallError) {
    super(error.message);
    this.name = 'CallFailure';
    this.error = error;
  }
}

/**
 * Unpack the answer of a call.
 *
 * @returns the value.
 * @throws throws CallFailure with the agent's code, message and hint.
 */
export async function ask<V>(answering: Promise<Answer<V>>): Promise<V> {
  const answer = await answering;
  if (answer.ok) return answer.value;
  throw new CallFailure(answer.error);
}

/** True for a question that did not reach the agent. */
export const isUnasked = (thrown: unknown): boolean => toCallError(thrown).code === 'link.lost';

/** What to show of whatever a call failed with. */
export function wordsOf(thrown: unknown): { message: string; hint: string } {
  const { message, hint } = toCallError(thrown);
  return { message, hint };
}

/** Read the agent's words from whatever a query failed with. */
export function toCallError(thrown: unknown): CallError {
  if (thrown instanceof CallFailure) return thrown.error;
  return {
    code: 'page.fault',
    message: thrown instanceof Error ? thrown.message : String(thrown),
    hint: 'This is a fault of the page. Capture goes on; reload the page.',
  };
}
