// Each answer that a question offers is tried on the lines at hand first: one that would read them worse than another, whose
// time jumps back, or that leads nowhere is not offered.
import { AgentError } from '../../../model/agent-error.ts';
import { Dialect, type DialectInput } from '../../../model/dialect.ts';
import { shapeOfCell } from '../cells/cell-shape.ts';
import { encodingOf } from '../cells/encoding.ts';
import { frameLines } from '../cells/framer.ts';
import { makeParser } from '../parse/make-parser.ts';
import { completeAnswer } from './answers.ts';
import { completeDialect, shippedDialects } from './dialect-library.ts';
import type { Undecided } from './header-line.ts';
import type { Recognised } from './recognised.ts';

/** More than the end of summer time sets a clock back. */
const BACK_MS = 3_700_000;

type Recognise = (dialect: Dialect) => Recognised | Undecided;

/** What an answer leaves of the lines. */
interface Leftover {
  /** It leads to a question that nothing answers. */
  readonly isDeadEnd: boolean;
  /** Times that lie before the one above them by more than an hour. */
  readonly jumps: number;
  /** Numbers that would name a channel. */
  readonly numbersAsNames: number;
}

const NOTHING_LEFT: Leftover = { isDeadEnd: false, jumps: 0, numbersAsNames: 0 };

/**
 * Try the answers of a question.
 *
 * @param question - it, each of its answers a whole dialect.
 * @param bytes - the head of the file.
 * @param recognise - reads the head by a dialect.
 * @returns the question with those answers that are worth to be offered, the best first.
 */
export function keepTried<T extends Pick<Undecided, 'answers'>>(
  question: T,
  bytes: Uint8Array,
  recognise: Recognise,
): T {
  const tried = (question.answers ?? []).map((answer) => ({ answer, left: tryOne(answer, bytes, recognise) }));
  const fewest = Math.min(...tried.filter(({ answer }) => isNaming(answer)).map(({ left }) => left.numbersAsNames));
  const worth = tried.filter(
    ({ answer, left }) => !left.isDeadEnd && left.jumps === 0 && !(isNaming(answer) && left.numbersAsNames > fewest),
  );
  worth.sort((a, b) => a.left.numbersAsNames - b.left.numbersAsNames);
  return { ...question, answers: worth.map(({ answer }) => answer) };
}

/** Questions that are followed, one behind the other, by their first answer. */
const QUESTIONS_MAX = 4;

/**
 * What an answer leaves, with the first answer to each question behind it. One that no dialect can hold, such as a time of day
 * without its start, leads nowhere.
 */
function tryOne(answer: DialectInput, bytes: Uint8Array, recognise: Recognise, left = QUESTIONS_MAX): Leftover {
  try {
    const found = recognise(completeDialect(Dialect.parse(answer), shippedDialects()));
    if ('layout' in found) return leftOver(found, bytes);
    const [next] = found.answers ?? [];
    if (next === undefined) return { ...NOTHING_LEFT, isDeadEnd: !found.isWaiting };
    return left === 0 ? NOTHING_LEFT : tryOne(completeAnswer(next, Dialect.parse(answer)), bytes, recognise, left - 1);
  } catch (thrown) {
    if (thrown instanceof AgentError) return { ...NOTHING_LEFT, isDeadEnd: true };
    throw thrown;
  }
}

/** It says where the names stand. */
function isNaming({ header, header_line }: DialectInput): boolean {
  return Array.isArray(header) || (header_line !== undefined && header_line !== null);
}

function leftOver({ layout, kinds, dataByte }: Recognised, bytes: Uint8Array): Leftover {
  const frame = frameLines(bytes.subarray(dataByte), dataByte, encodingOf(layout.encoding));
  const block = { bytes: frame.bytes, place: '', line: null, sinceMs: Number.NEGATIVE_INFINITY };
  const parsed = makeParser(layout).parse({ ...block, fileByteOf: frame.fileByteOf }, kinds, Number.NaN);
  const { timesMs, columns } = parsed;
  const headers = columns.map((column) => layout.columns[column]?.header ?? '');
  return {
    isDeadEnd: false,
    jumps: timesMs.filter((atMs, index) => atMs < (timesMs[index - 1] ?? atMs) - BACK_MS).length,
    numbersAsNames: headers.filter((header) => shapeOfCell(header, layout.decimal) === 'number').length,
  };
}
