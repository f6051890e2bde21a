// A disk that is full or does not answer at the start may take data a minute later, and nobody may be there to start again.
import { setTimeout as sleep } from 'node:timers/promises';
import { type AgentError, toAgentError } from '../model/agent-error.ts';
import type { Agent } from './agent.ts';

/** How often the start is tried again, milliseconds. */
const TRY_MS = 5000;
/** What passes without a person, of all that keeps an agent from starting. */
const PASSING = ['store.disk-fault', 'store.disk-full'];

/**
 * Start an agent, again and again while its disk is full or does not answer. The snapshot and the journal say why it waits.
 *
 * **Takes**: the agent, and what ends the waiting. **Gives**: fulfilled when it runs (or waits on the first-run page).
 * **Errors**: those of `Agent.start`: the last one when the waiting ends, any other than a disk's at once.
 */
export async function startPatiently(agent: Agent, ended: Promise<unknown>): Promise<void> {
  const end = ended.then(() => true);
  for (let isFirst = true; ; isFirst = false) {
    const fault = await agent.start().then(
      () => null,
      (thrown: unknown) => toAgentError(thrown),
    );
    if (!fault) return;
    if (!PASSING.includes(fault.code)) throw fault;
    if (isFirst) agent.tell(waiting(fault));
    const stop = new AbortController();
    const isEnded = await Promise.race([end, sleep(TRY_MS, false, { signal: stop.signal })]).finally(() =>
      stop.abort(),
    );
    if (isEnded) throw fault;
  }
}

function waiting({ message }: AgentError) {
  return {
    level: 'warning' as const,
    code: 'agent.start-waits',
    message: `Recording has not started: ${message} It is tried again every ${TRY_MS / 1000} s.`,
    hint: 'Nothing is recorded until then. Log files are read from where they were left; what instruments say now is a gap.',
  };
}
