import { answerResend, isResendQuestion, type ResendQuestion, withoutAgent } from '../agent/resend.ts';
import { toAgentError } from '../model/agent-error.ts';
import { askAgent } from '../platform/control.ts';
import { answerReceipts, type ReceiptQuestion } from '../receipt/questions.ts';
import type { Store } from '../store/store.ts';
import { openQueueOf } from './open-queue.ts';
import { version } from './version.ts';

/** Asks one question about receipts, or about what the service refused. */
export type AskReceipts = (question: ReceiptQuestion | ResendQuestion) => Promise<unknown>;

/**
 * Ask the agent that runs in a data folder, or its queue where none does.
 *
 * **Takes**: the data folder, and what to do with the one who answers; the queue is closed afterwards.
 * **Gives**: what `use` gave. **Errors**: `status.no-data` when there is no queue; those of agent and store.
 */
export async function withReceipts<T>(folder: string, use: (ask: AskReceipts) => Promise<T>): Promise<T> {
  let store: Promise<Store> | null = null;
  const ownAnswer = async (question: ReceiptQuestion | ResendQuestion) => {
    store ??= openQueueOf(folder);
    if (isResendQuestion(question)) return answerResend(question, withoutAgent(await store));
    return answerReceipts(await store, question, { atMs: Date.now(), version: version() });
  };
  const ask: AskReceipts = async (question) => {
    if (store) return ownAnswer(question);
    try {
      return (await askAgent(folder, question)) ?? (await ownAnswer(question));
    } catch (thrown) {
      // An agent that records nothing does not hold the queue either.
      if (toAgentError(thrown).code === 'agent.not-running') return ownAnswer(question);
      throw thrown;
    }
  };
  try {
    return await use(ask);
  } finally {
    await (store as Promise<Store> | null)?.then(
      (opened) => opened.close(),
      () => {}, // It was not opened, which whoever asked has been told.
    );
  }
}
