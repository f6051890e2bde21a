// What a command of this PC may ask of the growths of a running agent.
import { z } from 'zod';
import { GrowthAnswer, GrowthChange, GrowthNote, GrowthStart } from '../contract/growth.ts';
import { growthHandlers } from './handlers/growth.ts';
import type { Pipeline } from './pipeline.ts';

export const GrowthQuestion = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('growth-read'), growthId: z.string().max(64).nullable() }),
  z.object({ ask: z.literal('growth-start'), start: GrowthStart }),
  z.object({ ask: z.literal('growth-change'), change: GrowthChange }),
  z.object({ ask: z.literal('growth-end') }),
  z.object({ ask: z.literal('growth-note'), note: GrowthNote }),
  z.object({ ask: z.literal('growth-answer'), answer: GrowthAnswer }),
]);
export type GrowthQuestion = z.infer<typeof GrowthQuestion>;

/** Tell such a question from others that a command may ask. */
export function isGrowthQuestion(question: { readonly ask: string }): question is GrowthQuestion {
  return GrowthQuestion.options.some(({ shape }) => shape.ask.value === question.ask);
}

/** Answer a command as the screen is answered. **Errors**: those of the growths. */
export function answerGrowth(
  question: GrowthQuestion,
  running: () => Pick<Pipeline, 'growth' | 'store'>,
): Promise<unknown> {
  const growth = growthHandlers(running);
  switch (question.ask) {
    case 'growth-read':
      return growth.read({ growthId: question.growthId });
    case 'growth-start':
      return growth.start(question.start);
    case 'growth-change':
      return growth.change(question.change);
    case 'growth-end':
      return growth.end(null);
    case 'growth-note':
      return growth.note(question.note);
    case 'growth-answer':
      return growth.answer(question.answer);
  }
}
