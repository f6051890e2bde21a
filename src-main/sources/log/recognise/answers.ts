// What a person can paste to answer a question of the reader. A question names it as a piece of a dialect; here it is made
// whole with what the settings say already, so that pasting it over the former `dialect:` keeps that.
import { stringify } from 'yaml';
import { Dialect, type DialectInput } from '../../../model/dialect.ts';
import { ownFields, shippedDialects } from './dialect-library.ts';

const PLAIN = Dialect.parse({});

/**
 * Write an answer as one line of YAML.
 *
 * @param given - the dialect as it is now.
 * @returns `dialect: { ... }`, to be pasted into the source.
 */
function writeAnswer(answer: DialectInput, given: Dialect): string {
  // Of one that is like a shipped one, what the settings add to that.
  const model = shippedDialects().find(({ name }) => name === given.name);
  const plain = model ?? PLAIN;
  const { time: _, ...own } = ownFields(given, plain);
  const time = { ...ownFields(given.time, plain.time), ...answer.time };
  const whole = {
    ...own,
    ...(model && { like: model.name }),
    ...answer,
    ...(Object.keys(time).length > 0 && { time }),
  };
  return `dialect: ${stringify(whole, { collectionStyle: 'flow', lineWidth: 0 }).trim()}`;
}

/**
 * End the hint of a question with what can be pasted.
 *
 * @param question - the question with its answers.
 * @param given - the dialect as it is now.
 * @returns the same question; its hint ends with one `dialect: { ... }` for each answer, the likeliest first.
 */
export function withAnswers<T extends { readonly hint: string; readonly answers?: readonly DialectInput[] }>(
  question: T,
  given: Dialect,
): T {
  const { answers = [] } = question;
  if (answers.length === 0) return question;
  const written = answers.map((answer) => writeAnswer(answer, given)).join(' or ');
  return { ...question, answers: [], hint: `${question.hint} To paste into the source: ${written}` };
}
