import { type AgentError, toAgentError } from '../../model/agent-error.ts';

/**
 * Isolate a listener from its caller: what it throws, or rejects with, is reported and goes no further.
 *
 * @param onFault - who is told.
 * @returns one that never throws; it runs as far as its first wait at once.
 */
export function isolateErrors<A extends readonly unknown[]>(
  listener: (...args: A) => unknown,
  onFault: (fault: AgentError) => void,
): (...args: A) => void {
  return (...args) => {
    const done = (async () => listener(...args))();
    done.catch((thrown: unknown) => onFault(toAgentError(thrown)));
  };
}
