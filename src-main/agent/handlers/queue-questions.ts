// What a command asks of a queue: positions, receipts, refused chunks and sending them again. Question and answer are plain
// JSON; a running agent answers from the queue that it holds, a command itself where nobody holds it, by the same code.
import { z } from 'zod';
import { SendAgain, SendAsNew } from '../../contract/refused.ts';
import { answerReceipts, ReceiptQuestion } from '../../delivery/receipt/questions.ts';
import { answerExport, ExportQuestion, type ExportService } from '../../export/questions.ts';
import { HELD_ANSWERS } from '../../model/queue.ts';
import type { Store } from '../../queue/store/store.ts';
import { type ResendParts, sendAgain, sendAsNew } from '../pipeline/resend.ts';

export const QueueQuestion = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('positions'), sourceId: z.string() }),
  z.object({ ask: z.literal('refused'), streamId: z.int().positive() }),
  z.object({ ask: z.literal('answer-held'), streamId: z.int().positive(), answer: z.enum(HELD_ANSWERS) }),
  z.object({ ask: z.literal('send-again'), which: SendAgain }),
  z.object({ ask: z.literal('send-as-new'), which: SendAsNew }),
  ...ReceiptQuestion.options,
  ...ExportQuestion.options,
]);
export type QueueQuestion = z.infer<typeof QueueQuestion>;

export interface QueueParts {
  readonly store: Store;
  readonly resend: ResendParts;
  /** Who is asked for what is not kept here any more; null: nobody can be. */
  readonly service: ExportService | null;
  /** Stands in a receipt. */
  readonly version: string;
  /** The settings in force, as YAML without secrets; null: not known. */
  readonly settings: () => Promise<string | null>;
}

/**
 * Answer a question from a queue.
 *
 * @returns for `positions` those of the source, as key and value; for `refused` the chunks; for `send-again` and `send-as-new`
 *   what was sent; for `answer-held` whether the stream still waits; else the answer of `answerReceipts` or
 *   `answerExport`.
 * @throws those of `answerReceipts`, of `answerExport` and of the store.
 */
export async function answerQueue(
  question: QueueQuestion,
  { store, resend, service, version, settings }: QueueParts,
): Promise<unknown> {
  switch (question.ask) {
    case 'positions':
      return [...(await store.positions(question.sourceId))];
    case 'refused':
      return store.refusedChunks(question.streamId);
    case 'answer-held':
      return store.answerHeld(question.streamId, question.answer);
    case 'send-again':
      return sendAgain(question.which, resend);
    case 'send-as-new':
      return sendAsNew(question.which, resend);
    case 'export-plan':
    case 'export-span':
    case 'export-spool':
      return answerExport(store, question, { atMs: Date.now(), version, settings }, service);
    default:
      return answerReceipts(store, question, { atMs: Date.now(), version });
  }
}
