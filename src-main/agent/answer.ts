// What another process of this user may ask a running agent, over the door that platform/control.ts keeps.
import { z } from 'zod';
import { AgentError } from '../model/agent-error.ts';
import { answerReceipts, ReceiptQuestion } from '../receipt/questions.ts';
import type { Agent } from './agent.ts';
import { answerGrowth, GrowthQuestion, isGrowthQuestion } from './growth-questions.ts';
import { answerResend, isResendQuestion, ResendQuestion } from './resend.ts';
import { answerRheed, isRheedQuestion, RheedQuestion } from './rheed-questions.ts';

const PositionsQuestion = z.object({ ask: z.literal('positions'), sourceId: z.string() });

const AgentQuestion = z.union([
  z.object({ ask: z.literal('status') }),
  PositionsQuestion,
  ReceiptQuestion,
  ResendQuestion,
  GrowthQuestion,
  RheedQuestion,
]);

/**
 * Answer a question that came over the control door.
 *
 * **Takes**: the running agent and the question, untrusted. **Gives**: for `status` the snapshot; for `positions` those
 * of a source, as key and value; of a growth and of RHEED sessions what the screen is told; else the answer of
 * `answerReceipts` or `answerResend` from the agent's own queue.
 * **Errors**: `control.unknown-question`; `agent.not-running` when receipts are asked for while nothing is recorded: the
 * queue is then nobody's, and whoever asks may open it; those of `answerReceipts`.
 */
export async function answerQuestion(agent: Agent, question: unknown): Promise<unknown> {
  const asked = AgentQuestion.safeParse(question);
  if (!asked.success) {
    throw new AgentError({
      code: 'control.unknown-question',
      message: 'This agent does not know the question.',
      hint: 'Agent and command may be of different versions: use the same one.',
    });
  }
  if (asked.data.ask === 'status') return agent.snapshot;
  const { pipeline, snapshot } = agent;
  if (!pipeline) {
    throw new AgentError({
      code: 'agent.not-running',
      message: 'Nothing is recorded at the moment.',
      hint: 'Start the recording, or end the agent: the queue can then be read.',
      retry: 'later',
    });
  }
  if (asked.data.ask === 'positions') return [...(await pipeline.store.positions(asked.data.sourceId))];
  if (isGrowthQuestion(asked.data)) return answerGrowth(asked.data, () => pipeline);
  if (isRheedQuestion(asked.data)) return answerRheed(asked.data, agent.handlers.rheed);
  if (isResendQuestion(asked.data)) return answerResend(asked.data, pipeline.resendParts);
  return answerReceipts(pipeline.store, asked.data, { atMs: Date.now(), version: snapshot.version });
}
