// Judges how a log is read: as it stands, and with each answer that its question offers. An answer may ask once more; what
// a person gets who takes the first answer each time is followed to its end.

import { AgentError } from '../../src-main/model/agent-error.ts';
import type { Dialect, DialectInput } from '../../src-main/model/dialect.ts';
import { resolveDialect } from '../../src-main/sources/log/log-source.ts';
import { writeAnswer } from '../../src-main/sources/log/recognise/answers.ts';
import { type Question, type ReadThrough, readThrough } from './read-through.ts';
import { isTrue, type Score, scoreOf } from './score.ts';
import type { WrittenLog } from './truth.ts';

/** Answers that are given one after the other. */
const ANSWERS_MAX = 4;
/** More of what should be there refused than this share: it is misread, and said so. */
const REFUSED_SHARE = 0.25;

/**
 * `right`: as it was written; `told`: much of it is refused, with a word; `asked`: a question; `wrong`: anything else.
 */
export type ReadingKind = 'right' | 'told' | 'asked' | 'wrong';

/** A reading of a log, and what is wrong with it. */
export interface Judged {
  readonly kind: ReadingKind;
  readonly why: string;
  readonly score: Score;
  readonly question: Question | null;
  readonly reasons: readonly string[];
}

/** An answer that was offered, and what comes of it. */
export interface Answered {
  /** As it would be pasted, or what would be done on the page of the source. */
  readonly text: string;
  readonly judged: Judged;
  /** The answer to a question of its own, and so on to the end. */
  readonly next: Answered | null;
  /** Another answer of the same question is right, and this one reads as many points under the same names. */
  readonly isChoice: boolean;
}

export interface Verdict {
  /**
   * `first`: the first answer leads to what was written; `other`: another one; `answer wrong`: an answer reads what is not
   * true; `open`: the file lacks what is asked for; `dead end`: no answer leads anywhere.
   */
  readonly kind: 'right' | 'told' | 'wrong' | 'first' | 'other' | 'answer wrong' | 'open' | 'dead end';
  readonly unasked: Judged;
  readonly answers: readonly Answered[];
  /** Answers that were given up to the right reading; 0: unasked. */
  readonly pastes: number;
}

interface Given {
  readonly dialect: Dialect;
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
  if (unasked.kind !== 'asked') return { kind: unasked.kind, unasked, answers: [], pastes: 0 };
  const answers = answerAll(log, UNASKED, unasked);
  const [first] = answers;
  const pastes = first === undefined ? 0 : pastesOf(first);
  const verdict = { unasked, answers, pastes };
  const isWrong = answers.some((answer) => leadsTo(answer) === 'wrong' && !answer.isChoice);
  if (isWrong) return { ...verdict, kind: 'answer wrong' };
  if (first !== undefined && leadsTo(first) === 'right') return { ...verdict, kind: 'first' };
  if (answers.some((answer) => leadsTo(answer) === 'right')) return { ...verdict, kind: 'other' };
  return { ...verdict, kind: log.truth.isOpen === true ? 'open' : 'dead end' };
}

/** What comes of an answer and those behind it. */
export function leadsTo({ judged, next }: Answered): ReadingKind {
  return next === null || judged.kind === 'wrong' ? judged.kind : leadsTo(next);
}

function pastesOf({ next }: Answered): number {
  return next === null ? 1 : 1 + pastesOf(next);
}

function answerAll(log: WrittenLog, given: Given, asked: Judged): Answered[] {
  const offered = offeredOf(asked.question, given);
  const answered = offered.map(({ text, given: own }) => {
    const judged = judgeAnswer(log, own);
    return { text, judged, next: judged.kind === 'asked' ? goOn(log, own, judged, ANSWERS_MAX) : null };
  });
  const right = answered.find((answer) => leadsTo({ ...answer, isChoice: false }) === 'right');
  const best = right === undefined ? null : scoreAtEnd(right);
  return answered.map((answer) => {
    const own = scoreAtEnd(answer);
    const isChoice =
      best !== null && own.right + own.wrong >= best.right && own.named === best.named && own.inUnit === best.inUnit;
    return { ...answer, isChoice };
  });
}

function scoreAtEnd({ judged, next }: Omit<Answered, 'isChoice'>): Score {
  return next === null ? judged.score : scoreAtEnd(next);
}

/** Take the first answer of each question that follows. */
function goOn(log: WrittenLog, given: Given, asked: Judged, left: number): Answered | null {
  const [first] = offeredOf(asked.question, given);
  if (first === undefined || left === 0) return null;
  const judged = judgeAnswer(log, first.given);
  const next = judged.kind === 'asked' ? goOn(log, first.given, judged, left - 1) : null;
  return { text: first.text, judged, next, isChoice: false };
}

function offeredOf(question: Question | null, { dialect, accepted }: Given): { text: string; given: Given }[] {
  if (question === null) return [];
  if (question.isOnTheWay && question.code === 'log.columns-changed')
    return [{ text: 'columns_change: accept', given: { dialect, accepted: accepted + 1 } }];
  return question.answers.map((answer: DialectInput) => ({
    text: writeAnswer(answer),
    given: { dialect: resolveDialect(answer), accepted },
  }));
}

/** An answer that cannot be carried out leads nowhere. */
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
  const score = scoreOf(read, log.truth);
  const { question, reasons } = read;
  const judged = { score, question, reasons };
  if (!isTrue(score)) return { ...judged, kind: 'wrong', why: score.fault };
  const early = accepted === 0 ? readTooFar(read, log) : null;
  if (early !== null) return { ...judged, kind: 'wrong', why: early };
  if (question !== null) return { ...judged, kind: 'asked', why: question.code };
  const due = score.right + score.refused;
  if (score.refused > due * REFUSED_SHARE) {
    return { ...judged, kind: 'told', why: `${score.refused} of ${due} points refused` };
  }
  return { ...judged, kind: 'right', why: '' };
}

/** A change that no person has accepted must stop the reading. */
function readTooFar({ channels, readTo, refused }: ReadThrough, { truth }: WrittenLog): string | null {
  const from = truth.changedFrom ?? Number.POSITIVE_INFINITY;
  if (readTo <= from || channels.length === 0) return null;
  const behind = truth.channels.flatMap(({ points }) => points.filter(({ line }) => line >= from && line < readTo));
  const open = behind.find(({ line }) => !refused.some((one) => one.line === line));
  return open === undefined ? null : `line ${open.line}: read behind the change in line ${from}`;
}
