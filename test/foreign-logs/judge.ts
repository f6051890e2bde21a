// Judges how a log is read: as it stands, and with each answer that its question offers. An answer may ask once more; what
// a person gets who takes the first answer each time is followed to its end.
import { AgentError } from '../../src-main/model/agent-error.ts';
import type { Dialect } from '../../src-main/model/dialect.ts';
import { resolveDialect } from '../../src-main/sources/log/log-source.ts';
import { writeAnswer } from '../../src-main/sources/log/recognise/answers.ts';
import { type Question, type ReadThrough, readThrough } from './read-through.ts';
import { type FaultKind, type Score, scoreOf } from './score.ts';
import type { WrittenLog } from './truth.ts';

/** Answers that are given one after the other. */
const ANSWERS_MAX = 4;
/** More of what should be there refused than this share: it is misread, and said so. */
const REFUSED_SHARE = 0.25;

/** A reading of a log. */
export interface Judged {
  /**
   * `right`: as it was written; `told`: much of it is refused, or left out by the answer itself; `asked`: a question;
   * `wrong`: anything else.
   */
  readonly kind: 'right' | 'told' | 'asked' | 'wrong';
  readonly why: string;
  readonly score: Score;
  readonly question: Question | null;
  readonly reasons: readonly string[];
}

/** An answer that was offered, and its result. */
interface Answered {
  /** As it would be pasted, or what would be done on the page of the source. */
  readonly text: string;
  /** The reading to which it leads, with the first answer of each question behind it. */
  readonly end: Judged;
  /** Answers up to there. */
  readonly pastes: number;
  /**
   * Null: it reads nothing that is not true. `guess`: the file is read whole and under its names, and its times or values could
   * be so; `damage`: anything else.
   */
  readonly fault: 'guess' | 'damage' | null;
}

export interface Verdict {
  /**
   * `first`: the first answer leads to what was written; `other`: another one; `open`: the file lacks what is asked for;
   * `guess`: likewise, and what is offered is not true; `answer wrong`: an answer does damage, or is such a guess where the file
   * lacks nothing; `dead end`: no answer leads anywhere.
   */
  readonly kind: (typeof VERDICTS)[number];
  readonly unasked: Judged;
  readonly answers: readonly Answered[];
}

export const VERDICTS = [
  'right',
  'first',
  'other',
  'open',
  'guess',
  'told',
  'dead end',
  'answer wrong',
  'wrong',
] as const;

interface Given {
  readonly dialect: Dialect;
  /** Changes on the way that are accepted. */
  readonly accepted: number;
}

const UNASKED: Given = { dialect: resolveDialect('auto'), accepted: 0 };

/** Read a log as it stands. */
export function readUnasked(log: WrittenLog): Judged {
  return judge(log, UNASKED);
}

/** Judge a log with all that is offered. */
export function judgeLog(log: WrittenLog): Verdict {
  const unasked = readUnasked(log);
  if (unasked.kind !== 'asked') return { kind: unasked.kind, unasked, answers: [] };
  const answers = answerAll(log, unasked.question);
  const isOpen = log.truth.isOpen === true;
  const isRight = ({ end }: Answered) => end.kind === 'right';
  const [first] = answers;
  const verdict = (kind: Verdict['kind']): Verdict => ({ kind, unasked, answers });
  if (answers.some(({ fault }) => fault === 'damage')) return verdict('answer wrong');
  if (first !== undefined && isRight(first)) return verdict('first');
  if (answers.some(isRight)) return verdict('other');
  if (answers.some(({ fault }) => fault === 'guess')) return verdict(isOpen ? 'guess' : 'answer wrong');
  return verdict(isOpen ? 'open' : 'dead end');
}

interface Offered {
  readonly text: string;
  readonly given: Given;
}

function answerAll(log: WrittenLog, question: Question | null): Answered[] {
  const ends = offeredOf(question, UNASKED).map((offered) => ({ offered, ...followTo(log, offered) }));
  const best = ends.find(({ end }) => end.kind === 'right')?.end.score ?? null;
  return ends.map(({ offered, end, pastes }) => {
    // No question was about the time, or the meaning of a number, where the rows change.
    const fault = end.kind !== 'wrong' ? null : question?.isOnTheWay === true ? 'damage' : faultOf(end, offered, best);
    return { text: offered.text, end, pastes, fault };
  });
}

/** What a file cannot disprove: its times, its numbers; and, beside an answer that is right, what a column is. */
const GUESSED: readonly FaultKind[] = ['times', 'values'];
const CHOSEN: readonly FaultKind[] = [...GUESSED, 'extra'];

function faultOf({ score }: Judged, { given }: Offered, best: Score | null): Answered['fault'] {
  // The question is about the letters; the names are those that are shown.
  const isOfLetters = given.dialect.encoding !== 'auto' && score.kinds.every((kind) => kind === 'names');
  if (isOfLetters) return 'guess';
  const isLess = best !== null && score.right + score.wrong < best.right;
  const possible = best === null ? GUESSED : CHOSEN;
  return !isLess && score.kinds.every((kind) => possible.includes(kind)) ? 'guess' : 'damage';
}

/** Give an answer, and the first answer to each question that follows. */
function followTo(log: WrittenLog, offered: Offered): { end: Judged; pastes: number } {
  let [given, pastes] = [offered.given, 1];
  for (;;) {
    const end = judgeAnswer(log, given);
    const [next] = end.kind === 'asked' ? offeredOf(end.question, given) : [];
    if (next === undefined || pastes === ANSWERS_MAX) return { end, pastes };
    given = next.given;
    pastes += 1;
  }
}

function offeredOf(question: Question | null, { dialect, accepted }: Given): Offered[] {
  if (question === null) return [];
  if (question.isOnTheWay && question.code === 'log.columns-changed')
    return [{ text: 'columns_change: accept', given: { dialect, accepted: accepted + 1 } }];
  return question.answers.map((answer) => ({
    text: writeAnswer(answer),
    given: { dialect: resolveDialect(answer), accepted },
  }));
}

/** An answer that cannot be used leads nowhere. */
function judgeAnswer(log: WrittenLog, given: Given): Judged {
  try {
    return judge(log, given);
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown;
    const nothing = { channels: [], refused: [], listedTo: 0, readTo: 0, isEvents: false, reasons: [] };
    const question = { code: thrown.code, message: thrown.message, answers: [], isOnTheWay: false };
    const score = scoreOf({ ...nothing, question }, log.truth);
    return { kind: 'asked', why: `cannot be used: ${thrown.message}`, score, question, reasons: [] };
  }
}

function judge(log: WrittenLog, { dialect, accepted }: Given): Judged {
  const read = readThrough(log, dialect, accepted);
  const whole = scoreOf(read, log.truth);
  const { question, reasons } = read;
  // What an answer leaves out lacks with a word.
  const isLeaving = dialect.leave_out.length > 0 || typeof dialect.preamble === 'number';
  const score = isLeaving ? { ...whole, kinds: whole.kinds.filter((kind) => kind !== 'missing') } : whole;
  const judged = { score, question, reasons };
  if (score.kinds.length > 0) return { ...judged, kind: 'wrong', why: score.fault };
  const early = dialect === UNASKED.dialect && accepted === 0 ? readTooFar(read, log) : null;
  if (early !== null) return { ...judged, kind: 'wrong', why: early };
  if (question !== null) return { ...judged, kind: 'asked', why: question.code };
  const due = score.right + score.refused + score.missing;
  const lacking = score.refused + score.missing;
  if (score.missing > 0 || lacking > due * REFUSED_SHARE) {
    return { ...judged, kind: 'told', why: `${lacking} of ${due} points refused or left out` };
  }
  return { ...judged, kind: 'right', why: '' };
}

/** A change that no person has accepted must stop the reading. */
function readTooFar({ channels, readTo, listedTo, refused }: ReadThrough, { truth }: WrittenLog): string | null {
  const from = truth.changedFrom ?? Number.POSITIVE_INFINITY;
  if (readTo <= from || channels.length === 0) return null;
  const end = Math.min(readTo, listedTo);
  const behind = truth.channels.flatMap(({ points }) => points.filter(({ line }) => line >= from && line < end));
  const open = behind.find(({ line }) => !refused.some((one) => one.line === line));
  return open === undefined ? null : `line ${open.line}: read behind the change in line ${from}`;
}
