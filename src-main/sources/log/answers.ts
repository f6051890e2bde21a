// What a person can paste to answer a question of the reader. A question names it as a piece of a dialect; here it is made
// whole with what the settings say already, so that pasting it over the former `dialect:` keeps that.
import { stringify } from 'yaml';
import { Dialect, type DialectInput } from '../../model/dialect.ts';

const PLAIN = Dialect.parse({});

/** Fields that differ from the default, those of `time` one by one. */
function ownFields<T extends object>(given: T, plain: T): Record<string, unknown> {
  const isOwn = ([key, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify((plain as Record<string, unknown>)[key]);
  return Object.fromEntries(Object.entries(given).filter(isOwn));
}

/**
 * Write an answer as one line of YAML.
 * **Takes**: the answer, and the dialect as it is now. **Gives**: `dialect: { ... }`, to be pasted into the source.
 */
function writeAnswer(answer: DialectInput, given: Dialect): string {
  const isShipped = given.name !== PLAIN.name;
  const own = isShipped ? { like: given.name } : ownFields(given, PLAIN);
  const time = { ...(isShipped ? {} : ownFields(given.time, PLAIN.time)), ...answer.time };
  const whole = { ...own, ...answer, ...(Object.keys(time).length > 0 && { time }) };
  return `dialect: ${stringify(whole, { collectionStyle: 'flow', lineWidth: 0 }).trim()}`;
}

/**
 * End the hint of a question with what can be pasted.
 * **Takes**: the question with its answers, the dialect as it is now. **Gives**: the same question; its hint ends with one
 * `dialect: { ... }` for each answer, the likeliest first.
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
