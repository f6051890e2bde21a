import { answerQueue, type QueueQuestion } from '../../agent/handlers/queue-questions.ts';
import { resendAlone } from '../../agent/pipeline/resend.ts';
import { toAgentError } from '../../model/agent-error.ts';
import { askAgent } from '../../platform/control.ts';
import type { Store } from '../../queue/store/store.ts';
import { readSharedSettings } from '../../settings/shared-settings.ts';
import { openQueueOf } from './open-queue.ts';
import { version } from './version.ts';

/** Questions that take longer than others, milliseconds: a long series of the service. */
const WAITS_MS: Readonly<Partial<Record<QueueQuestion['ask'], number>>> = { 'export-spool': 31 * 60_000 };

/** Asks one question of a queue. */
export type AskQueue = (question: QueueQuestion) => Promise<unknown>;

/**
 * Ask the agent that runs in a data folder, or its queue where none does. Takes the data folder, and what to do with the one
 * who answers; the queue is closed afterwards.
 *
 * @returns what `use` gave.
 * @throws `status.no-data` when there is no queue; those of agent and store.
 */
export async function withQueue<T>(folder: string, use: (ask: AskQueue) => Promise<T>): Promise<T> {
  let opened: Promise<Store> | null = null;
  const ownAnswer = async (question: QueueQuestion) => {
    opened ??= openQueueOf(folder);
    const store = await opened;
    const settings = () => readSharedSettings(folder);
    return answerQueue(question, { store, resend: resendAlone(store), service: null, version: version(), settings });
  };
  const ask: AskQueue = async (question) => {
    if (opened) return ownAnswer(question);
    try {
      return (await askAgent(folder, question, WAITS_MS[question.ask])) ?? (await ownAnswer(question));
    } catch (thrown) {
      // An agent that records nothing does not hold the queue either.
      if (toAgentError(thrown).code === 'agent.not-running') return ownAnswer(question);
      throw thrown;
    }
  };
  try {
    return await use(ask);
  } finally {
    await (opened as Promise<Store> | null)?.then(
      (store) => store.close(),
      () => {}, // It was not opened, which the caller has been told.
    );
  }
}
