// What a person can paste to answer a question of the reader. A question names it as a piece of a dialect; here it is made
// whole with what the settings say already, so that pasting it over the former `dialect:` keeps that.
import { stringify } from 'yaml';
import { Dialect, type DialectInput } from '../../../model/dialect.ts';
import { ownFields, shippedDialects } from './dialect-library.ts';

const PLAIN = Dialect.parse({});

/** Complete an answer with what the settings say already; of a dialect that is like a shipped one, what they add to that. */
function completeAnswer(answer: DialectInput, given: Dialect): DialectInput {
  const model = shippedDialects().find(({ name }) => name === given.name);
  const plain = model ?? PLAIN;
  const { time: _, ...own } = ownFields(given, plain);
  const time = { ...ownFields(given.time, plain.time), ...answer.time };
  return {
    ...own,
    ...(model && { like: model.name }),
    ...answer,
    ...(Object.keys(time).length > 0 && { time }),
  };
}

/**
 * Write an answer as one line of YAML.
 *
 * @returns `dialect: { ... }`, to be pasted into the source.
 */
export function writeAnswer(answer: DialectInput): string {
  return `dialect: ${stringify(answer, { collectionStyle: 'flow', lineWidth: 0 }).trim()}`;
}

/**
 * Complete the answers of a question, and end its hint with what can be pasted.
 *
 * @param question - the question with its answers.
 * @param given - the dialect as it is now.
 * @returns the same question; each of its answers is a dialect as the settings would hold it, and its hint ends with one
 *   `dialect: { ... }` for each, the likeliest first.
 */
export function withAnswers<T extends { readonly hint: string; readonly answers?: readonly DialectInput[] }>(
  question: T,
  given: Dialect,
): T {
  const answers = (question.answers ?? []).map((answer) => completeAnswer(answer, given));
  if (answers.length === 0) return question;
  const written = answers.map(writeAnswer).join(' or ');
  return { ...question, answers, hint: `${question.hint} To paste into the source: ${written}` };
}
