// What a person can paste to answer a question of the reader. A question names it as a piece of a dialect; here it is made
// whole with what the settings say already, so that pasting it over the former `dialect:` keeps that.
import { stringify } from 'yaml';
import { Dialect, type DialectInput } from '../../../model/dialect.ts';
import { ownFields, shippedDialects } from './dialect-library.ts';

const PLAIN = Dialect.parse({});

/** Lists each of whose entries speaks of one column: those of several answers stand side by side. Any other list is one statement. */
const BY_COLUMN = ['leave_out', 'numeric', 'quality'] as const;

/**
 * Complete an answer with what the settings say already; of a dialect that is like a shipped one, what they add to that, but its
 * lists as a whole: the one that is pasted stands in their place.
 */
export function completeAnswer(answer: DialectInput, given: Dialect): DialectInput {
  const model = shippedDialects().find(({ name }) => name === given.name);
  const plain = model ?? PLAIN;
  const { time: _, ...own } = ownFields(given, plain);
  const time = { ...ownFields(given.time, plain.time), ...answer.time };
  return {
    ...own,
    ...(model && { like: model.name }),
    ...answer,
    ...Object.fromEntries(BY_COLUMN.flatMap((field) => joined(field, answer, given))),
    ...(answer.units && { units: { ...given.units, ...answer.units } }),
    ...(Object.keys(time).length > 0 && { time }),
  };
}

/** A list of the answer behind what the settings say of other columns; none where the answer has no such list. */
function joined(field: (typeof BY_COLUMN)[number], answer: DialectInput, given: Dialect): [string, unknown][] {
  type Entry = Dialect[typeof field][number];
  const columnOf = (entry: Entry) => (typeof entry === 'object' ? entry.column : entry);
  const added: readonly Entry[] | undefined = answer[field];
  if (added === undefined) return [];
  const columns = new Set(added.map(columnOf));
  const former = (given[field] as readonly Entry[]).filter((entry) => !columns.has(columnOf(entry)));
  return [[field, [...former, ...added]]];
}

/**
 * Write an answer as one line of YAML.
 *
 * @returns `dialect: { ... }`, to be pasted into the source.
 */
export function writeAnswer(answer: DialectInput): string {
  return `dialect: ${stringify(answer, { collectionStyle: 'flow', lineWidth: 0 }).trim()}`;
}

/** A question with what a person may add to the dialect. */
interface Asked {
  readonly hint: string;
  readonly answers?: readonly DialectInput[];
}

/** Make the answers of a question whole. Takes the question, and the dialect as it is now. */
export function completeAnswers<T extends Asked>(question: T, given: Dialect): T {
  return { ...question, answers: (question.answers ?? []).map((answer) => completeAnswer(answer, given)) };
}

/** End the hint of a question with one `dialect: { ... }` for each of its answers, the likeliest first. */
export function writeAnswers<T extends Asked>(question: T): T {
  const { answers = [], hint } = question;
  if (answers.length === 0) return question;
  return { ...question, hint: `${hint} To paste into the source: ${answers.map(writeAnswer).join(' or ')}` };
}

/**
 * Complete the answers of a question, and end its hint with what can be pasted.
 *
 * @param question - the question with its answers.
 * @param given - the dialect as it is now.
 * @returns the same question; each of its answers is a dialect as the settings would hold it.
 */
export function withAnswers<T extends Asked>(question: T, given: Dialect): T {
  return writeAnswers(completeAnswers(question, given));
}
