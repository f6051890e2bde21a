// What a command of this PC may ask of the RHEED sessions of a running agent.
import { z } from 'zod';
import type { Handlers } from '../contract/table.ts';
import { calls } from '../contract/table.ts';

const { start, end, retry } = calls.rheed;

export const RheedQuestion = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('rheed-show') }),
  z.object({ ask: z.literal('rheed-start'), start: start.argument }),
  z.object({ ask: z.literal('rheed-end'), end: end.argument }),
  z.object({ ask: z.literal('rheed-retry'), retry: retry.argument }),
]);
export type RheedQuestion = z.infer<typeof RheedQuestion>;

/** Tell such a question from others that a command may ask. */
export function isRheedQuestion(question: { readonly ask: string }): question is RheedQuestion {
  return RheedQuestion.options.some(({ shape }) => shape.ask.value === question.ask);
}

/** Answer a command as the screen is answered. **Errors**: those of the sessions. */
export function answerRheed(question: RheedQuestion, rheed: Handlers['rheed']): Promise<unknown> {
  switch (question.ask) {
    case 'rheed-show':
      return rheed.listSessions(null);
    case 'rheed-start':
      return rheed.start(question.start);
    case 'rheed-end':
      return rheed.end(question.end);
    case 'rheed-retry':
      return rheed.retry(question.retry);
  }
}
