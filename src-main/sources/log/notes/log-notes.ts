// Everything a log source says about itself: remarks that gather files under a code (remarks.ts), and messages of which the
// newest replaces the one before.
import { formatBytes, formatCounted, formatDuration, formatSecond } from '../../../model/format.ts';
import type { SourceNote } from '../../source.ts';
import { hasSharedStamps, isMuchRefused, type WatchedFile } from '../files/watched-file.ts';
import type { ParsedBlock } from '../parse/parsed-block.ts';
import { isNoLog, type Undecided } from '../recognise/header-line.ts';
import { NoteBoard, type Remark } from './note-board.ts';
import type { PassedOver } from './passed-over.ts';
import { type RemarkCode, remarkOf } from './remarks.ts';
import { type ClockDifference, looksLikeZone } from './tool-clock.ts';

/** Gathers remarks until they are published; a message that replaces its former one goes out at once. */
export class LogNotes {
  readonly #board: NoteBoard;

  constructor(note: (note: SourceNote) => void) {
    this.#board = new NoteBoard(note);
  }

  publish(): void {
    this.#board.publish();
  }

  /**
   * Remark something of a file, a column or a folder.
   *
   * @param subject - what it is about, as the list of the remark names it.
   * @param detail - what stands behind it in brackets; empty: nothing.
   */
  add(code: RemarkCode, subject: string, detail = ''): void {
    this.#board.add(code, remarkOf(code), detail === '' ? subject : `${subject} (${detail})`);
  }

  /** Remark all for which a code holds now; what it was said of before, and does not hold for any more, is taken back. */
  only(code: RemarkCode, subjects: readonly string[]): void {
    this.#board.keepOnly(code, subjects);
    for (const subject of subjects) this.add(code, subject);
  }

  /** A file can be read, after another program held it. */
  freed(path: string): void {
    this.#board.remove('log.file-held', path);
  }

  /** The folder is reachable again. */
  back(text: string): void {
    this.#board.add('log.folder-back', { level: 'info', hint: '', say: () => text }, text);
  }

  /** Old data was skipped, and nobody has said whether that is right. */
  askBackfill(passed: PassedOver): void {
    this.#board.add('log.backfill-question', backfillQuestion(passed), 'question');
  }

  /** The question is answered, by the settings or by what was read. */
  settleBackfill(): void {
    this.#board.replace('log.backfill-question', null);
  }

  /** How far the reading of old data has come; `isOver` when this run does no more of it. */
  filling(left: { files: number; bytes: number }, isOver: boolean): void {
    this.#board.replace('log.backfill', backfillProgress(left, isOver));
  }

  /** Files of which the queue lost something are not there any more. */
  rereadGone(files: number): void {
    this.#board.replace('log.reread-gone', rereadGone(files));
  }

  /** The tool's clock and this PC's differ; null: no longer. */
  toolClock(difference: ClockDifference | null): void {
    this.#board.replace('log.tool-clock', difference === null ? null : clockNote(difference));
  }

  startFound({ path, layout }: WatchedFile, from: string): void {
    const begin = layout?.startMs ?? layout?.dayMs ?? 0;
    this.add('log.start-found', path, `${layout?.startMs === null ? dayOf(begin) : formatSecond(begin)}, by ${from}`);
  }

  /** Why a file has no layout, or cannot be read on. */
  undecided({ path }: WatchedFile, { code, message, hint, isWaiting }: Omit<Undecided, 'answers'>): void {
    if (isWaiting) return;
    const say = isNoLog(code)
      ? (files: string) => `Not read as logs: ${files}.`
      : (files: string) => (files === path ? message : `${message} Files: ${files}.`);
    this.#board.add(code, { level: isNoLog(code) ? 'warning' : 'error', hint, say }, path);
  }

  /** The file has a layout now: whatever was said against it no longer holds. */
  decided({ path, problem }: WatchedFile): void {
    if (problem !== null) this.#board.remove(problem.code, path);
  }

  columnsLeftOut({ layout, kinds }: WatchedFile): void {
    for (const [column, { name }] of (layout?.columns ?? []).entries()) {
      if (kinds[column] === 'text') this.add('log.columns-left-out', name);
    }
  }

  /** What reading a block brought to light. */
  parsed(file: WatchedFile, { numbersLeftOut, stampsTwice, stampsNever, kinds }: ParsedBlock): void {
    const { path, layout } = file;
    if (isMuchRefused(file)) this.add('log.lines-refused', path);
    if (hasSharedStamps(file)) this.add('log.stamps-shared', path);
    if (kinds.includes('text')) this.columnsLeftOut(file);
    for (const column of numbersLeftOut) {
      this.add('log.number-in-text-column', layout?.columns[column]?.name ?? '', path);
    }
    if (stampsTwice > 0) this.add('log.clock-change', path);
    if (stampsNever > 0) this.add('log.time-not-existing', path);
  }
}

function rereadGone(files: number): SourceNote {
  return {
    level: 'warning',
    code: 'log.reread-gone',
    message: `The queue was damaged, and ${formatCounted(files, 'log file')} of which it lost something ${files === 1 ? 'is' : 'are'} not there any more.`,
    hint: 'What was lost of them is a gap. If you have a copy, put it back into the folder.',
  };
}

const dayOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);

function backfillQuestion({ files, bytes, fromMs, toMs }: PassedOver): Remark {
  const span = `last changed from ${dayOf(fromMs)} to ${dayOf(toMs)}, ${formatBytes(bytes)}`;
  const text = `${formatCounted(files, 'file')} ${files === 1 ? 'was' : 'were'} there before the first start (${span}). They are not read: only what comes from now on.`;
  return {
    level: 'warning',
    hint: 'Set backfill in the settings: from-now if that is right, all, or a date such as 2026-11-01 to read them too. "epistream backfill" lists them.',
    say: () => text,
  };
}

function backfillProgress({ files, bytes }: { files: number; bytes: number }, isOver: boolean): SourceNote {
  const code = 'log.backfill';
  const left = `${formatCounted(files, 'file')}, ${formatBytes(bytes)}`;
  if (!isOver) {
    return { level: 'info', code, message: `Old data is being read, after what is new: ${left} left.`, hint: '' };
  }
  if (files === 0) return { level: 'info', code, message: 'All old data that was asked for is read.', hint: '' };
  return {
    level: 'warning',
    code,
    message: `Old data that was asked for could not be read: ${left}.`,
    hint: 'The other remarks say why. It is tried again at the next start.',
  };
}

function clockNote(difference: ClockDifference): SourceNote {
  const { lagMs, stampMs, nowMs } = difference;
  return {
    level: 'warning',
    code: 'log.tool-clock',
    message: `Tool clock is ${formatDuration(Math.abs(lagMs))} ${lagMs > 0 ? 'behind' : 'ahead'}: at ${formatSecond(nowMs)} of this PC its newest line said ${formatSecond(stampMs)}. Stamps are kept as the tool wrote them.`,
    hint: looksLikeZone(difference)
      ? 'About whole hours: the time zone of the source is more likely wrong than the clock. Compare time_zone in the settings with the clock on the tool.'
      : 'Set the clock of the tool, or of this PC, best both by a time server. A tool that writes its lines that much later looks the same.',
  };
}
