// The start of an agent whose disk is full or does not answer, and may later.
import type { AgentError } from '../model/agent-error.ts';
import { TRY_EVERY_S, tryPatiently } from '../platform/try-patiently.ts';
import type { Agent } from './agent.ts';

/** What passes without a person, of all that keeps an agent from starting. */
const PASSING = ['store.disk-fault', 'store.disk-full'];

/**
 * Start an agent, again and again while its disk is full or does not answer. The snapshot and the journal say why it waits.
 *
 * @param ended - what ends the waiting.
 * @returns fulfilled when it runs (or waits on the first-run page).
 * @throws those of `Agent.start`: the last one when the waiting ends, any other than a disk's at once.
 */
export function startPatiently(agent: Agent, ended: Promise<unknown>): Promise<void> {
  const isPassing = ({ code }: AgentError) => PASSING.includes(code);
  return tryPatiently(
    () => agent.start(),
    isPassing,
    (fault) => agent.tell(waiting(fault)),
    ended,
  );
}

function waiting({ message }: AgentError) {
  return {
    level: 'warning' as const,
    code: 'agent.start-waits',
    message: `Recording has not started: ${message} It is tried again every ${TRY_EVERY_S} s.`,
    hint: 'Nothing is recorded until then. Log files are read from where they were left; what instruments say now is a gap.',
  };
}
