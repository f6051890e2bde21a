// Everything a log source says about itself, in one place: codes, words, hints.
import type { Clock } from '../../../platform/clock.ts';
import type { SourceNote } from '../../source.ts';
import type { PassedOver } from '../files/passed-over.ts';
import { isMuchRefused, type WatchedFile } from '../files/watched-file.ts';
import type { ParsedBlock } from '../parse/parsed-block.ts';
import { isNoLog, type Undecided } from '../recognise/header-line.ts';
import { NoteBoard } from './note-board.ts';
import { type ClockDifference, looksLikeZone, sayLength } from './tool-clock.ts';

const HELD_HINT =
  'It is tried again at each look, and nothing of it is lost. If it stays: let the other program open its log for shared reading, give this user the right to read it, or check the disk.';

/** Turns what happens to files into remarks. */
export class LogNotes {
  readonly #board: NoteBoard;
  readonly #clock: Clock;

  constructor(note: (note: SourceNote) => void, clock: Clock) {
    this.#board = new NoteBoard(note);
    this.#clock = clock;
  }

  publish(): void {
    this.#board.publish();
  }

  restarted({ path }: WatchedFile): void {
    const at = new Date(this.#clock.nowMs()).toISOString().slice(0, 19);
    this.#board.add(
      'warning',
      'log.file-restarted',
      (files) => `Restarted or replaced: ${files}. What was read of it before stands.`,
      'The tool began its log again. Lines written between the last look and the restart may be missing: see the gaps.',
      `${path} (${at} UTC)`,
    );
  }

  lost({ path }: WatchedFile): void {
    this.#board.add(
      'warning',
      'log.file-lost',
      (files) => `Removed while they were being written: ${files}. Lines after the last look are missing.`,
      'Keep old logs for a while before they are deleted.',
      path,
    );
  }

  sameContent(path: string, original: string): void {
    this.#board.add(
      'info',
      'log.same-content',
      (files) => `Not read again, same content as a file that is read already: ${files}.`,
      'Keep copies outside the watched folder.',
      `${path} (as ${original})`,
    );
  }

  /** What a way of rotation cannot show is said once, since no gap ever tells of it. */
  rotated(log: string, way: 'renamed' | 'copied'): void {
    if (way === 'renamed') {
      this.#board.add(
        'info',
        'log.rotated-by-renaming',
        (logs) =>
          `Rotated by renaming: ${logs}. What is written, rotated and deleted between two looks stands in no file, and no gap tells of it.`,
        'Looks are a second apart at most. Keep rotated files longer than that, best for days.',
        log,
      );
      return;
    }
    this.#board.add(
      'info',
      'log.rotated-by-copying',
      (logs) =>
        `Rotated by a copy, after which the log is cut: ${logs}. Lines written between the two stand in no file, and no gap tells of them.`,
      'Have the log renamed instead; in logrotate, leave out copytruncate.',
      log,
    );
  }

  held(path: string): void {
    this.#board.add(
      'warning',
      'log.file-held',
      (files) => `Held by another program or not readable now, waiting: ${files}.`,
      HELD_HINT,
      path,
    );
  }

  freed(path: string): void {
    this.#board.remove('log.file-held', path);
  }

  /** The folder is reachable again. */
  back(message: string): void {
    this.#board.add('info', 'log.folder-back', () => message, '', message);
  }

  /** Old data was skipped, and nobody has said whether that is right. */
  askBackfill({ files, bytes, fromMs, toMs }: PassedOver): void {
    const day = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);
    const count = files === 1 ? '1 file was' : `${files.toLocaleString('en-US')} files were`;
    const span = `last changed from ${day(fromMs)} to ${day(toMs)}, ${sizeText(bytes)}`;
    this.#board.add(
      'warning',
      'log.backfill-question',
      () => `${count} there before the first start (${span}). They are not read: only what comes from now on.`,
      'Set backfill in the settings: from-now if that is right, all, or a date such as 2026-11-01 to read them too. "epistream backfill --plan" lists them.',
      'question',
    );
  }

  /** The tool's clock and this PC's differ; null: no longer. */
  toolClock(difference: ClockDifference | null): void {
    this.#board.replace('log.tool-clock', difference === null ? null : this.#sayClock(difference));
  }

  #sayClock(difference: ClockDifference): SourceNote {
    const { lagMs, stampMs, nowMs } = difference;
    const at = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ');
    const isZone = looksLikeZone(difference);
    return {
      level: 'warning',
      code: 'log.tool-clock',
      message: `Tool clock is ${sayLength(lagMs)} ${lagMs > 0 ? 'behind' : 'ahead'}: at ${at(nowMs)} UTC of this PC its newest line said ${at(stampMs)} UTC. Stamps are kept as the tool wrote them.`,
      hint: isZone
        ? 'About whole hours: the time zone of the source is more likely wrong than the clock. Compare time_zone in the settings with the clock on the tool.'
        : 'Set the clock of the tool, or of this PC, best both by a time server. A tool that writes its lines that much later looks the same.',
    };
  }

  /** The question is answered by what was read. */
  settleBackfill(): void {
    this.#board.replace('log.backfill-question', null);
  }

  /** How far the reading of old data has come; `isOver` when this run does no more of it. */
  filling({ files, bytes }: { files: number; bytes: number }, isOver: boolean): void {
    const left = `${files === 1 ? '1 file' : `${files.toLocaleString('en-US')} files`}, ${sizeText(bytes)}`;
    const done = { level: 'info', message: 'All old data that was asked for is read.', hint: '' } as const;
    const rest = {
      level: 'warning',
      message: `Old data that was asked for could not be read: ${left}.`,
      hint: 'The other remarks say why. It is tried again at the next start; "epistream backfill --plan" lists the files.',
    } as const;
    const going = {
      level: 'info',
      message: `Old data is being read, after what is new: ${left} left.`,
      hint: '',
    } as const;
    const said = !isOver ? going : files === 0 ? done : rest;
    this.#board.replace('log.backfill', { code: 'log.backfill', ...said });
  }

  linkRefused(path: string): void {
    this.#board.add(
      'warning',
      'log.link-refused',
      (links) => `Links that lead out of the folder, in a circle or nowhere are not followed: ${links}.`,
      'Watch the folder they lead to as a source of its own.',
      path,
    );
  }

  nameUnreadable(path: string): void {
    this.#board.add(
      'warning',
      'log.name-unreadable',
      (files) => `The names of these files are no Unicode, so that they cannot be opened: ${files}.`,
      'Rename them, or mount the share with the right character set.',
      path,
    );
  }

  nameQualified(name: string): void {
    this.#board.add(
      'info',
      'log.name-qualified',
      (names) => `Channels that other files name too carry their file's name: ${names}.`,
      'Nothing is mixed; check in the tool whether a header is wrong.',
      name,
    );
  }

  runContinues({ path }: WatchedFile): void {
    this.#board.add(
      'info',
      'log.run-continues',
      (files) => `These files continue the channels of the runs before them, by name, columns and time: ${files}.`,
      'Where each is a thing of its own, set runs: apart at the source.',
      path,
    );
  }

  runsOverlap(path: string): void {
    this.#board.add(
      'error',
      'log.runs-overlap',
      (files) => `Files that share channels as runs of one log are written at the same time: ${files}.`,
      'They are no runs of one log. Set runs: apart at the source: then each has channels of its own from there on.',
      path,
    );
  }

  startFromFile({ path }: WatchedFile): void {
    this.#board.add(
      'warning',
      'log.start-from-file',
      (files) => `The modification time of these files stands for their last line, since they tell no start: ${files}.`,
      'Right while the tool itself writes them; a copied file has lost it.',
      path,
    );
  }

  startsFarApart(folder: string, spreadMs: number): void {
    this.#board.add(
      'warning',
      'log.starts-differ',
      (folders) =>
        `The modification times of the files of a run do not agree: ${folders}. Its start was taken from the earliest.`,
      'The files were copied, it seems, and lost their times: set dialect: time: start from the name of the folder, if it tells it.',
      `${folder === '' ? 'the folder itself' : folder} (by ${Math.round(spreadMs / 1000)} s)`,
    );
  }

  startFound({ path, layout }: WatchedFile, from: string): void {
    const begin = new Date(layout?.startMs ?? layout?.dayMs ?? 0).toISOString();
    const said = layout?.startMs === null ? begin.slice(0, 10) : `${begin.slice(0, 19)} UTC`;
    this.#board.add(
      'info',
      'log.start-found',
      (files) => `The time of these files counts from a start that was found: ${files}.`,
      'If that is wrong, set under dialect: time: start where it stands.',
      `${path} (${said}, by ${from})`,
    );
  }

  secondsAssumed({ path }: WatchedFile): void {
    this.#board.add(
      'warning',
      'log.time-unit-assumed',
      (files) => `The time of these files was taken for seconds, as its header names no unit: ${files}.`,
      'Set dialect: time: format to relative-seconds, -ms, -minutes or -hours to settle it.',
      path,
    );
  }

  timesCounted({ path }: WatchedFile): void {
    this.#board.add(
      'warning',
      'log.times-counted',
      (files) =>
        `The rows of these files write no time: they are counted from the start and by the step in their heads: ${files}.`,
      'A pause that the program made is not seen so. Let it write the time of each row (in LabVIEW: X_Columns One).',
      path,
    );
  }

  undecided(file: WatchedFile, { code, message, hint, isWaiting }: Undecided): void {
    if (isWaiting) return;
    if (!isNoLog(code)) {
      const say = (files: string) => (files === file.path ? message : `${message} Files: ${files}.`);
      this.#board.add('error', code, say, hint, file.path);
    } else {
      this.#board.add('warning', code, (files) => `Not read as logs: ${files}.`, hint, file.path);
    }
  }

  /** The file has a layout now: whatever was said against it no longer holds. */
  decided({ path, problem }: WatchedFile): void {
    if (problem !== null) this.#board.remove(problem.code, path);
  }

  columnsLeftOut({ layout, kinds }: WatchedFile): void {
    const names = (layout?.columns ?? []).filter((_, column) => kinds[column] === 'text').map(({ name }) => name);
    for (const name of names) {
      this.#board.add(
        'info',
        'log.columns-left-out',
        (columns) => `Columns of text are not streamed: ${columns}.`,
        'A column that holds numbers after all can be named under dialect: numeric.',
        name,
      );
    }
  }

  keptAsMarks({ path }: WatchedFile): void {
    this.#board.add(
      'info',
      'log.events',
      (files) => `Kept as marks, since their lines are words: ${files}.`,
      'Marks stay in this agent. A log whose numbers are missed needs a dialect that says how it is written.',
      path,
    );
  }

  lineTooLong({ path }: WatchedFile, bytes: number): void {
    this.#board.add(
      'warning',
      'log.line-too-long',
      (files) => `Lines longer than 1 MiB were skipped: ${files}.`,
      'This is hardly a text log; leave it out with a narrower match.',
      `${path} (${bytes} bytes)`,
    );
  }

  lastLinePending({ path }: WatchedFile): void {
    this.#board.add(
      'warning',
      'log.line-pending',
      (files) => `The last line has no line end yet and was not delivered: ${files}.`,
      'It is read when the tool has finished it, or when the file has not changed for a day.',
      path,
    );
  }

  nothingRead({ path }: WatchedFile): void {
    this.#board.add(
      'info',
      'log.nothing-read',
      (files) => `Nothing was read of these files, which hold no line with data yet: ${files}.`,
      'Right for a log that has only its head. Else describe its lines under dialect.',
      path,
    );
  }

  lineGrown({ path }: WatchedFile): void {
    this.#board.add(
      'warning',
      'log.line-grown',
      (files) => `A last line without a line end was read after a day, and has grown since: ${files}.`,
      'What was added to it is left out; look whether its last number was whole.',
      path,
    );
  }

  /** What reading a block brought to light. */
  parsed(file: WatchedFile, { numbersLeftOut, stampsTwice, stampsNever, kinds }: ParsedBlock): void {
    const { path, layout } = file;
    if (isMuchRefused(file)) {
      this.#board.add(
        'error',
        'log.lines-refused',
        (files) => `Many lines of these files do not fit and are refused: ${files}. What they hold is missing.`,
        'Look at the refused lines on the page of the source: the file is hardly written as its dialect says. Correct the dialect, and have the file read again.',
        path,
      );
    }
    if (kinds.includes('text')) this.columnsLeftOut(file);
    for (const column of numbersLeftOut) {
      this.#board.add(
        'warning',
        'log.number-in-text-column',
        (columns) =>
          `Numbers appeared in columns that are left out as text: ${columns}. They are kept as refused cells.`,
        'Name the column under dialect: numeric to stream it.',
        `${layout?.columns[column]?.name ?? ''} (${path})`,
      );
    }
    if (stampsTwice > 0) {
      this.#board.add(
        'info',
        'log.clock-change',
        (files) => `Clock change handled: the hour that comes twice was settled by the order of lines in ${files}.`,
        '',
        path,
      );
    }
    if (stampsNever > 0) {
      this.#board.add(
        'warning',
        'log.time-not-existing',
        (files) =>
          `Stamps fall into the hour that the clock change leaves out: ${files}. They were read with the offset before it.`,
        "The tool's clock may not follow daylight saving: then give its zone as a fixed one, such as Etc/GMT-1.",
        path,
      );
    }
  }
}

/** Bytes for people: three digits at most. */
function sizeText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${Number((bytes / 1000 ** step).toPrecision(3))} ${units[step]}`;
}
