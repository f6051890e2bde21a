// Whether a log was rotated since the look that saw it. Before data of a log are read nothing but that look says what it is, so
// its first data count only when nothing came up beside it since. What lay there is noted between the two listings of a look:
// what comes later differs from it, and what was there before is no news, however close the times are. Where times are whole
// seconds that shows too little, and the next file up its chain of which data were read is compared.
import { dirname, join } from 'node:path';
import { forgetLook, noteUnopened } from './file-changes.ts';
import { isSameFile } from './file-identity.ts';
import { type Entry, isUnchanged, type Listing, statEntry } from './folder-scan.ts';
import { formerPaths, knownLogsOf, numberInChain, pathIn, placeInChain, sharedStem } from './rotated-names.ts';
import { isCoarse } from './same-tick.ts';
import { isAtEnd, isProved, type WatchedFile } from './watched-file.ts';
import { type Folder, mayBeSame, saysGone, withFile } from './with-file.ts';

/** A log that changed within this time is written to now, milliseconds. */
const WRITTEN_NOW_MS = 60_000;

/** What is known of the files of a folder. */
interface KnownFiles {
  readonly byPath: ReadonlyMap<string, WatchedFile>;
  isLog(path: string): boolean;
}

/** What lies beside logs under names that a rotation gives. */
export class RotationWatch {
  /** By log, as the last look that looked beside it found them. */
  readonly #noted = new Map<string, readonly Entry[]>();

  /**
   * Note what lies beside logs of which no data are read yet. Those that were not written to for a minute are left out.
   *
   * @param root - the folder that is watched.
   * @param logs - their paths.
   * @param files - the entries of the listing on which the look stands.
   * @param nowMs - wall clock of the look, Unix milliseconds.
   */
  note(root: Folder, logs: Iterable<string>, files: Listing['files'], nowMs: number): void {
    const written = [...logs].filter((path) => {
      this.#noted.delete(path);
      return isWrittenNow(files.get(path), nowMs);
    });
    for (const [log, entries] of listRotated(root, new Set(written)) ?? []) this.#noted.set(log, entries);
  }

  /** The look that noted what lay beside these logs was torn: it says nothing of them. */
  forget(logs: readonly string[]): void {
    for (const path of logs) this.#noted.delete(path);
  }

  /**
   * Ask, once first data of a file are read, whether they are what the look saw. A rotation may have moved that away since: then a
   * file that is neither known nor noted lies beside it under a rotated name, and was changed no earlier. Where times are whole
   * seconds, two rotations leave names, numbers, sizes and times as they were, so the next file up its chain of which data were
   * read is compared with these; it is judged again where it differs.
   *
   * @param root - the folder that is watched.
   * @param file - the file.
   * @param known - all known files by their paths, and at which paths files were ever found.
   * @param nowMs - wall clock, Unix milliseconds.
   * @returns false: they may be of a later file.
   */
  areAsSeen(root: Folder, { path, seen }: WatchedFile, known: KnownFiles, nowMs: number): boolean {
    if (seen === null || !isWrittenNow(seen, nowMs)) return true;
    const noted = this.#noted.get(path) ?? [];
    const rotated = listRotated(root, new Set([path]));
    if (rotated === null) return false;
    const found = rotated.get(path) ?? [];
    const isNew = found.some((entry) => {
      const there = known.byPath.get(entry.path)?.seen ?? null;
      const isAsKnown = there !== null && mayBeSame(there.id, entry.id) && there.sizeBytes === entry.sizeBytes;
      return entry.modifiedMs >= seen.modifiedMs && !isAsKnown && !noted.some((one) => isUnchanged(one, entry));
    });
    if (isNew || !isCoarse(seen)) return !isNew;
    const first = found.filter((entry) => numberInChain(entry.path, path) === 1).map((entry) => entry.path);
    const chains = [...first.map((one) => ({ log: path, above: one })), ...placesAbove(path, known.isLog)];
    for (const { log, above } of chains) {
      const file = nextRead(above, log, known.byPath);
      if (file === undefined || holdsWhatWasRead(root, file)) continue;
      forgetLook(file);
      return false;
    }
    return true;
  }
}

/** The next higher place of a rotated file in the chain of each log that it may belong to. */
function placesAbove(path: string, isLog: (path: string) => boolean): { log: string; above: string }[] {
  return knownLogsOf(path, isLog).flatMap((log) => {
    const number = numberInChain(path, log);
    return number === null || number === 0 ? [] : { log, above: placeInChain(path, log, number + 1) };
  });
}

/** The first file of which data were read, from a place in the chain of a log up. */
function nextRead(place: string, log: string, byPath: ReadonlyMap<string, WatchedFile>): WatchedFile | undefined {
  let file = byPath.get(place);
  for (let number = numberInChain(place, log) ?? 0; file !== undefined && !isProved(file); ) {
    number += 1;
    file = byPath.get(placeInChain(place, log, number));
  }
  return file;
}

/** False where another file stands at the path of a file of which data were read. What repeats another one is judged by that. */
function holdsWhatWasRead(root: Folder, file: WatchedFile): boolean {
  if (!isProved(file) || file.copyOf !== null) return true;
  const isSame = withFile(root, file, (handle) => isSameFile(handle, file.byte, file.print));
  return isSame !== false && isSame !== 'gone';
}

/**
 * Look once more at what a look saw and nobody could read: should it be gone at the next look, this much of it is missing.
 *
 * @param root - the folder that is watched.
 * @param files - the files that are there.
 * @param nowMs - wall clock, Unix milliseconds.
 */
export function lookBack(root: Folder, files: readonly WatchedFile[], nowMs: number): void {
  const isUnread = (file: WatchedFile) => {
    const isWanted = file.problem === null && file.copyOf === null && file.skip === null && !file.isLeftOut;
    return isWanted && !isProved(file) && !isAtEnd(file);
  };
  for (const file of files) {
    if (file.unopened === null && !isUnread(file)) continue;
    const known = file.unopened?.entry ?? file.seen;
    const entry = statEntry(root.files, join(root.path, file.path), file.path);
    if (entry !== null && entry !== 'held' && entry.id === known?.id) noteUnopened(file, entry, nowMs);
  }
}

/**
 * True for a file that need not be the one that the look before saw, though all that was read stands in it. Of it names of columns
 * alone were read at that look, and it was written to since, or may have been (`isCertain`: it was not, if it looks as before); or
 * it is another object than before; or a rotated name came up beside it. Then it may be a later file, or a copy of the log that
 * was put back, and others may lie between the two.
 */
export function isWeak(
  { seenByte, dataByte, seen, skip }: WatchedFile,
  entry: Entry,
  isCertain: boolean,
  isRotatedNow: boolean,
): boolean {
  const isTouched = !isCertain || entry.modifiedMs !== seen?.modifiedMs || entry.sizeBytes !== seen.sizeBytes;
  const isOther = seen !== null && !mayBeSame(seen.id, entry.id);
  return skip === null && (isOther || isRotatedNow || (isTouched && seenByte <= dataByte));
}

function isWrittenNow(entry: Entry | undefined, nowMs: number): boolean {
  return entry !== undefined && Math.abs(nowMs - entry.modifiedMs) <= WRITTEN_NOW_MS;
}

/** The files, one byte or more, that lie beside logs under names that a rotation of them gives, by log; null: a folder was not listed. */
function listRotated(root: Folder, logs: ReadonlySet<string>): Map<string, Entry[]> | null {
  const found = new Map<string, Entry[]>();
  for (const folder of new Set([...logs].map(dirname))) {
    const names = namesIn(root, folder);
    if (names === null) return null;
    // A folder may hold thousands of files: most are told apart by how their names begin.
    const stem = sharedStem([...logs].filter((log) => dirname(log) === folder));
    for (const name of names) {
      if (!name.startsWith(stem)) continue;
      const path = pathIn(folder, name);
      const rotatedOf = formerPaths(path).filter((former) => logs.has(former));
      if (rotatedOf.length === 0) continue;
      const entry = statEntry(root.files, join(root.path, path), path);
      if (entry === null || entry === 'held' || entry.sizeBytes === 0) continue;
      for (const log of rotatedOf) found.set(log, [...(found.get(log) ?? []), entry]);
    }
  }
  return found;
}

/** The names in a folder; null where it refuses to be listed, so that nothing is concluded. */
function namesIn(root: Folder, folder: string): string[] | null {
  try {
    return root.files.list(join(root.path, folder)).map(({ name }) => name);
  } catch (thrown) {
    return saysGone(thrown) ? [] : null;
  }
}
