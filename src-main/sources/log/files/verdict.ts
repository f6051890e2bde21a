// What a known file is found as where it was: itself, longer, shorter, another one, or not to be told now. A shadow is judged by
// its original. Invariant: what opens at a path is the object that the listing names; else the look is torn (`gone`).
import { readRange } from '../../../platform/read-range.ts';
import type { Copies } from './copies.ts';
import { beginsAlike, HEAD_BYTES_MAX, isSameFile } from './file-identity.ts';
import type { Entry } from './folder-scan.ts';
import { isAway } from './rotated-names.ts';
import type { Moment, SameTick } from './same-tick.ts';
import { isProved, type WatchedFile } from './watched-file.ts';
import { type Folder, mayBeSame, withFile } from './with-file.ts';

/**
 * What a known file was found as: unchanged; grown or touched; shorter; not what it was; held; a shadow that is none any more.
 */
export type Verdict = 'alike' | 'same' | 'shrunk' | 'other' | 'held' | 'parted' | 'longer';

/** A file as a look found it. */
export interface Place {
  readonly verdict: Verdict;
  readonly entry: Entry;
}

/** What is known before the look. */
export interface Before {
  readonly folder: Folder;
  readonly byPath: ReadonlyMap<string, WatchedFile>;
  readonly copies: Copies;
  readonly sameTick: SameTick;
}

/** What the look has found until now. */
export interface Judged {
  readonly verdicts: ReadonlyMap<WatchedFile, Place>;
  /**
   * What was seen at a look before, looks so still, and was looked at again: its content was compared, or, where nothing was read
   * of it, what lies beside it was searched.
   */
  readonly lookedAgain: Entry[];
}

/** Judges the files of one look; the caller has each original judged before its shadows. */
export class Judge {
  readonly #known: Before;
  readonly #judged: Judged;
  readonly #files: ReadonlyMap<string, unknown>;
  readonly #now: Moment;

  /** Takes what was known before and was found until now, the paths that were listed, and when. */
  constructor(known: Before, judged: Judged, files: ReadonlyMap<string, unknown>, now: Moment) {
    this.#known = known;
    this.#judged = judged;
    this.#files = files;
    this.#now = now;
  }

  /**
   * Judge what stands where a file was.
   * @returns `gone`: another object opens at its path, the look is torn.
   */
  judge(file: WatchedFile, entry: Entry): Verdict | 'gone' {
    const { seen } = file;
    const isAlike =
      seen !== null &&
      seen.sizeBytes === entry.sizeBytes &&
      entry.sizeBytes >= file.byte &&
      seen.modifiedMs === entry.modifiedMs &&
      mayBeSame(seen.id, entry.id) &&
      file.shrunkSinceMs === null;
    if (file.skip !== null) return isAlike ? 'alike' : 'same';
    const original = file.copyOf === null ? null : this.#known.copies.originalOf(file);
    if (original === undefined) return 'parted';
    if (isAlike && this.#known.sameTick.isCertain(seen, this.#now)) return 'alike';
    const isAsSeen = isAlike && file.byte === 0;
    const compare = () => (isAsSeen ? 'same' : this.#compare(file, entry));
    const verdict = original === null ? compare() : this.#judgeShadow(file, original, entry);
    if (!isAlike) return verdict;
    if (verdict === 'same') this.#judged.lookedAgain.push(seen);
    // What looks as before and cannot be opened is believed.
    return verdict === 'same' || verdict === 'held' ? 'alike' : verdict;
  }

  /** What a shadow is found as: it belongs to its original, and is compared with that one. */
  #judgeShadow(file: WatchedFile, original: WatchedFile, entry: Entry): Verdict | 'gone' {
    const place = this.#judged.verdicts.get(original);
    const at = { path: file.path, seen: entry };
    const relation = this.#known.copies.relate(at, original, place?.entry ?? null);
    if (relation === 'copy') return 'same';
    if (relation !== 'different') return relation;
    const own = this.#compare(file, entry);
    return own === 'same' ? 'parted' : own;
  }

  #compare(file: WatchedFile, entry: Entry): 'same' | 'other' | 'shrunk' | 'held' | 'gone' {
    // Names of columns are the same in many files: only the object itself tells them apart.
    if (!isProved(file) && !mayBeSame(file.seen?.id ?? '', entry.id)) return 'other';
    // Nothing was read of what stood in it.
    if (!isProved(file) && entry.sizeBytes < (file.seen?.sizeBytes ?? 0)) return 'other';
    return withFile(this.#known.folder, { path: file.path, seen: entry }, (handle) => {
      const before = handle.facts();
      const isSame = isSameFile(handle, file.byte, file.print);
      const after = handle.facts();
      // Written to while it was compared: what was read of it is of two moments.
      const isWritten = after.sizeBytes !== before.sizeBytes || after.modifiedMs !== before.modifiedMs;
      if (!isSame && isWritten) return 'gone';
      // Asked last: one that is truncated meanwhile is one that is shorter. So is one that was shorter when it was listed and is
      // being written again: a length of one moment and a content of another prove nothing together.
      const sizeBytes = Math.min(entry.sizeBytes, after.sizeBytes);
      if (sizeBytes >= file.byte) return isSame ? 'same' : 'other';
      const head = readRange(handle, 0, Math.min(sizeBytes, HEAD_BYTES_MAX));
      // A tool rewrites its log, not what was rotated away: that is another file, where it is another object.
      const paths = { has: (path: string) => this.#files.has(path) || this.#known.byPath.has(path) };
      const mayBeRewritten = !isAway(file, paths) || mayBeSame(file.seen?.id ?? '', entry.id);
      return mayBeRewritten && beginsAlike(head, file.print) ? 'shrunk' : 'other';
    });
  }
}

/**
 * True for a file that need not be the one that the look before saw, though all that was read stands in it. Of it names of columns
 * alone were read at that look, and it was written to since, or may have been (`isCertain`: it was not, if it looks as before).
 * Then it may be a later file, and others may lie between the two.
 */
export function isWeak({ seenByte, dataByte, seen, skip }: WatchedFile, entry: Entry, isCertain: boolean): boolean {
  const isTouched = !isCertain || entry.modifiedMs !== seen?.modifiedMs || entry.sizeBytes !== seen.sizeBytes;
  return skip === null && isTouched && seenByte <= dataByte;
}
