import { z } from 'zod';
import type { Agent } from '../agent/agent.ts';
import { AgentError } from '../model/agent-error.ts';

/** What another process of this user may ask a running agent. */
export const StatusQuestion = z.object({ ask: z.literal('status') });

/**
 * Answer a question that came over the control door.
 *
 * **Takes**: the running agent and the question, untrusted. **Gives**: the snapshot.
 * **Errors**: `control.unknown-question`.
 */
export async function statusAnswer(agent: Agent, question: unknown): Promise<unknown> {
  if (StatusQuestion.safeParse(question).success) return agent.snapshot;
  throw new AgentError({
    code: 'control.unknown-question',
    message: 'This agent does not know the question.',
    hint: 'Agent and command may be of different versions: use the same one.',
  });
}
