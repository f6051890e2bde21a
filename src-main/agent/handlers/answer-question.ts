// What another process of this user may ask a running agent, over the door that platform/control.ts keeps: how things
// stand, entries that belong to no stream here, a question of the queue, a call of the contract.
import { z } from 'zod';
import type { Snapshot } from '../../contract/snapshot.ts';
import type { Handlers } from '../../contract/table.ts';
import { AgentError } from '../../model/agent-error.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { answerCall, CommandCall } from './command-calls.ts';
import { findOrphans } from './orphans.ts';
import { answerQueue, QueueQuestion } from './queue-questions.ts';

/** What answers need of the agent. */
export interface AnsweringAgent {
  readonly snapshot: Snapshot;
  /** Null: nothing runs. */
  readonly pipeline: Pipeline | null;
  readonly handlers: Handlers;
  /** Makes a link that opens the screen once; null: this agent shows none in a browser. */
  readonly mintLink: (() => string) | null;
}

const AgentQuestion = z.union([
  z.object({ ask: z.literal('status') }),
  z.object({ ask: z.literal('screen-link') }),
  z.object({ ask: z.literal('orphans') }),
  QueueQuestion,
  CommandCall,
]);

/**
 * Answer a question that came over the control door. Takes the running agent and the question, untrusted.
 *
 * @returns for `status` the snapshot; for `screen-link` a link; for `orphans` an `OrphansAnswer`; for a call what the screen is
 *   told; else the answer of `answerQueue` from the agent's own queue.
 * @throws `control.unknown-question`; `agent.no-screen`; `agent.not-running` when something else than the status is asked for
 *   while nothing is recorded: the queue is then nobody's, and the caller may open it; those of the call, of `findOrphans` and of
 *   `answerQueue`.
 */
export async function answerQuestion(agent: AnsweringAgent, question: unknown): Promise<unknown> {
  const asked = AgentQuestion.safeParse(question);
  if (!asked.success) {
    throw new AgentError({
      code: 'control.unknown-question',
      message: 'This agent does not know the question.',
      hint: 'Agent and command may be of different versions: use the same one.',
    });
  }
  const { pipeline, snapshot, handlers } = agent;
  if ('ask' in asked.data && asked.data.ask === 'status') return snapshot;
  if ('ask' in asked.data && asked.data.ask === 'screen-link') return linkOf(agent);
  if (!pipeline) {
    throw new AgentError({
      code: 'agent.not-running',
      message: 'Nothing is recorded at the moment.',
      hint: 'Start the recording, or end the agent: the queue can then be read.',
      retry: 'later',
    });
  }
  if ('call' in asked.data) return answerCall(asked.data, handlers);
  if (asked.data.ask === 'orphans') return findOrphans(pipeline, snapshot);
  const { store, resendParts: resend, link: service, sharedSettings: settings } = pipeline;
  return answerQueue(asked.data, { store, resend, service, settings, version: snapshot.version });
}

function linkOf({ mintLink }: AnsweringAgent): string {
  if (mintLink) return mintLink();
  throw new AgentError({
    code: 'agent.no-screen',
    message: 'The agent that runs there shows no screen in a browser.',
    hint: 'The desktop program has a window of its own. Else end the agent and start it with --ui 4310.',
  });
}
