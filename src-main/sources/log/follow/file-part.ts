// A piece of a file read as a file of its own: what was skipped at first and is wanted later. It has a position, a
// former instant and column kinds of its own; layout, names and identity are those of the file.
import { encodingOf } from '../cells/encoding.ts';
import { endAt, endSooner, noteBefore, putBack, resumeAt, setProblem, setUnread } from '../files/file-changes.ts';
import { isSameFile, takeFingerprint } from '../files/file-identity.ts';
import { newFile, type PartState, type WatchedFile } from '../files/watched-file.ts';
import { type Folder, type Unreadable, withFile } from '../files/with-file.ts';
import type { LogNotes } from '../notes/log-notes.ts';
import { type BlockRead, readBlock } from './file-reader.ts';
import type { RunOptions } from './run-options.ts';

/** What became of a search: `found`, `end` when the piece ended first, or why it could not be read now. */
export type Sought = 'found' | 'end' | 'changed' | Unreadable;

/**
 * Begin a piece at the beginning of its file. Takes the file (its layout is known) and the byte at which the piece ends,
 * after a line end.
 */
export function beginPart(file: WatchedFile, toByte: number): WatchedFile {
  const { layoutKey, layout, parser, kinds, dataByte, seen, eras } = file;
  return { ...newFile(file.key, file.path), layoutKey, layout, parser, kinds, dataByte, seen, eras, stopAt: toByte };
}

/**
 * Go on with a piece where it stood.
 *
 * @returns `found`, or why the file cannot be read now.
 */
export function resumePart(part: WatchedFile, state: PartState, folder: Folder): Sought {
  return withFile(folder, part, (handle) => {
    const print = takeFingerprint(handle, state.byte, part.dataByte);
    if (print === null || !isSameFile(handle, state.byte, print)) return 'changed' as const;
    resumeAt(part, state, print);
    return 'found' as const;
  });
}

/**
 * Move a piece to a byte, reading what is before it only to know the instant of the line before.
 *
 * @param part - the piece.
 * @param byte - the byte (after a line end).
 */
export function seekByte(part: WatchedFile, folder: Folder, byte: number): Sought {
  const { stopAt } = part;
  endAt(part, byte);
  const sought = readWhile(part, folder, () => true);
  endAt(part, stopAt);
  return sought === 'end' && part.byte === byte ? 'found' : sought;
}

/**
 * Move a piece to the first line that is stamped at or after an instant.
 *
 * @returns `end` when there is none; the piece then stands at its end.
 */
export function seekInstant(part: WatchedFile, folder: Folder, sinceMs: number): Sought {
  const isBefore = ({ parsed }: BlockRead) =>
    parsed.timesMs.every((timeMs) => timeMs < sinceMs) && parsed.marks.every(({ timeMs }) => timeMs < sinceMs);
  let before = { ...part };
  let ends: number[] = [];
  const sought = readWhile(part, folder, (read) => {
    if (isBefore(read)) {
      before = { ...part };
      return true;
    }
    ends = endsOf(read);
    return false;
  });
  if (sought !== 'found') return sought;
  // The block holds the line: how many lines can be taken before one is wanted?
  let [taken, wanted] = [0, ends.length];
  while (wanted - taken > 1) {
    const lines = Math.floor((taken + wanted) / 2);
    const read = readUpTo(part, before, ends[lines - 1] ?? 0, folder);
    if (typeof read === 'string') return read;
    if (read === null || isBefore(read)) taken = lines;
    else wanted = lines;
  }
  const last = readUpTo(part, before, taken === 0 ? 0 : (ends[taken - 1] ?? 0), folder);
  endAt(part, before.stopAt);
  return typeof last === 'string' ? last : 'found';
}

/**
 * Learn what is to be known of a file that was taken up in the middle: the number and the instant of the line before its
 * position, without which times of day would begin with the first day again, and whether its columns changed on the way.
 *
 * @returns `found`, or why the file cannot be read now.
 */
function takeUp(file: WatchedFile, folder: Folder): Sought {
  const part = beginPart(file, file.byte);
  const sought = seekByte(part, folder, file.byte);
  if (part.problem !== null) {
    // What was found out so far holds only up to there: it is learnt again once a person has answered.
    setProblem(file, file.problem ?? part.problem);
    return 'found';
  }
  if (sought !== 'found' && sought !== 'end') return sought;
  if (sought === 'end') {
    // What looked like a line end was none in the file's encoding: the last true one before it counts.
    endSooner(file, part);
  }
  noteBefore(file, part);
  return 'found';
}

/** Put a piece back and read it up to a byte of its file. */
function readUpTo(part: WatchedFile, before: WatchedFile, byte: number, folder: Folder) {
  putBack(part, before, Math.max(byte, before.byte));
  return byte <= before.byte ? null : readBlock(part, folder);
}

/**
 * Read blocks as long as they are skipped.
 *
 * @returns `found` at the first that is not.
 */
function readWhile(part: WatchedFile, folder: Folder, isPassed: (read: BlockRead) => boolean): Sought {
  while (part.byte < part.stopAt && part.problem === null) {
    const read = readBlock(part, folder);
    if (read === null) return 'end';
    if (typeof read === 'string') return read;
    if (!isPassed(read)) return 'found';
  }
  return 'end';
}

/** The bytes of a file at which the lines of a block end. */
function endsOf({ taken, layout }: BlockRead): number[] {
  return lineEnds(taken.bytes, layout.encoding).map((end) => taken.fromByte + end);
}

/** Places just after the line ends of bytes that begin with a line. */
export function lineEnds(bytes: Uint8Array, encoding: string): number[] {
  const unit = encodingOf(encoding).unitBytes;
  const ends: number[] = [];
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) {
    // In UTF-16 a line feed is one of two bytes, the other of them 0.
    const first = at - (at % unit);
    const isFeed = unit === 1 || bytes[first] === 0 || bytes[first + 1] === 0;
    if (isFeed) ends.push(first + unit);
  }
  return ends;
}

/**
 * Before lines of a file are read: what must be known of those before them.
 *
 * @returns false when that is not now.
 */
export function isReady(file: WatchedFile, options: RunOptions, notes: Pick<LogNotes, 'undecided'>): boolean {
  const { backfill } = options;
  if (file.byte > 0 && file.line === null) {
    const sought = takeUp(file, options);
    if (file.problem !== null) notes.undecided(file, { ...file.problem, isWaiting: false });
    return sought === 'found' && file.problem === null;
  }
  if (file.byte > 0 || typeof backfill !== 'object') return true;
  // What is older than the date is skipped, and can be asked for later.
  const sought = seekInstant(file, options, backfill.fromMs);
  if (file.byte === 0) return sought === 'found';
  setUnread(file, [[0, file.byte]]);
  return sought === 'found';
}
