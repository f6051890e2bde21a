// What a known file is found as where it was: itself, longer, shorter, another one, or not to be told now. A shadow is judged by
// its original. Invariant: what opens at a path is the object that the listing names; else the look is torn (`gone`).
import { readRange } from '../../../platform/read-range.ts';
import type { Copies } from './copies.ts';
import { beginsAlike, HEAD_BYTES_MAX, isSameFile } from './file-identity.ts';
import type { Entry } from './folder-scan.ts';
import { isAway } from './rotated-names.ts';
import type { SameTick } from './same-tick.ts';
import { isProved, type WatchedFile } from './watched-file.ts';
import { type Folder, mayBeSame, withFile } from './with-file.ts';

/**
 * What a known file was found as: unchanged; grown or touched; shorter; not what it was; held; not to be told before another one
 * of its log is; a shadow that is none any more.
 */
export type Verdict = 'alike' | 'same' | 'shrunk' | 'other' | 'held' | 'waits' | 'parted' | 'longer';

/** A file as a look found it. */
export interface Place {
  readonly verdict: Verdict;
  readonly entry: Entry;
}

/** When a look is made: wall clock, Unix ms, and monotonic clock, ms. */
export interface Moment {
  readonly nowMs: number;
  readonly monotonicMs: number;
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
  readonly held: readonly string[];
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
   * @returns `unproved`: it looks as before and cannot be opened; `gone`: another object opens at its path, the look is torn.
   */
  judge(file: WatchedFile, entry: Entry): Verdict | 'unproved' | 'gone' {
    const { seen } = file;
    const isAlike =
      seen !== null &&
      seen.sizeBytes === entry.sizeBytes &&
      entry.sizeBytes >= file.byte &&
      seen.modifiedMs === entry.modifiedMs &&
      mayBeSame(seen.id, entry.id) &&
      file.shrunkSinceMs === null &&
      !file.isInDoubt;
    if (file.skip !== null) return isAlike ? 'alike' : 'same';
    const original = file.copyOf === null ? null : this.#known.copies.originalOf(file);
    if (original === undefined) return 'parted';
    if (isAlike && this.#known.sameTick.isCertain(seen, this.#now)) return 'alike';
    const isAsSeen = isAlike && file.byte === 0;
    const compare = () => (isAsSeen ? 'same' : this.#compare(file, entry));
    const verdict = original === null ? compare() : this.#judgeShadow(file, original, entry);
    if (!isAlike) return verdict;
    if (verdict === 'same') this.#judged.lookedAgain.push(seen);
    if (verdict === 'held') return 'unproved';
    return verdict === 'same' ? 'alike' : verdict;
  }

  /** What a shadow is found as: it belongs to its original, and is compared with that one. */
  #judgeShadow(file: WatchedFile, original: WatchedFile, entry: Entry): Verdict | 'gone' {
    const { verdicts, held } = this.#judged;
    const place = verdicts.get(original);
    // An original that is being rewritten, or may be gone, is waited for, unless another one stands here by now.
    const isOpen = place === undefined ? held.includes(original.path) : !['same', 'alike'].includes(place.verdict);
    const at = { path: file.path, seen: entry };
    const relation = isOpen ? 'different' : this.#known.copies.relate(at, original, place?.entry ?? null);
    if (relation === 'copy') return 'same';
    if (relation !== 'different') return relation;
    const own = file.byte === 0 ? this.#hasGrown(file, original, entry) : this.#compare(file, entry);
    if (own !== 'same') return own;
    return isOpen ? 'alike' : 'parted';
  }

  /** Of a shadow nothing was read: what was seen of it is what its original begins with. */
  #hasGrown({ path, seen }: WatchedFile, { print }: WatchedFile, entry: Entry) {
    const bytes = Math.min(seen?.sizeBytes ?? 0, HEAD_BYTES_MAX);
    return withFile(this.#known.folder, { path, seen: entry }, (handle) => {
      const head = readRange(handle, 0, bytes);
      return head.length === bytes && beginsAlike(head, print) ? 'same' : 'other';
    });
  }

  #compare(file: WatchedFile, entry: Entry): 'same' | 'other' | 'shrunk' | 'held' | 'gone' {
    // Names of columns are the same in many files: only the object itself tells them apart.
    if (!isProved(file) && !mayBeSame(file.seen?.id ?? '', entry.id)) return 'other';
    // Nothing was read of what stood in it.
    const seenBytes = Math.max(file.seen?.sizeBytes ?? 0, file.unopened?.entry.sizeBytes ?? 0);
    if (!isProved(file) && entry.sizeBytes < seenBytes) return 'other';
    return withFile(this.#known.folder, { path: file.path, seen: entry }, (handle) => {
      const isSame = isSameFile(handle, file.byte, file.print);
      // Asked last: one that is truncated meanwhile is one that is shorter. So is one that was shorter when it was listed and is
      // being written again: a length of one moment and a content of another prove nothing together.
      const sizeBytes = Math.min(entry.sizeBytes, handle.facts().sizeBytes);
      if (sizeBytes >= file.byte) return isSame ? 'same' : 'other';
      const head = readRange(handle, 0, Math.min(sizeBytes, HEAD_BYTES_MAX));
      // A tool rewrites its log, not what was rotated away: that is another file, where it is another object.
      const paths = { has: (path: string) => this.#files.has(path) || this.#known.byPath.has(path) };
      const mayBeRewritten = !isAway(file, paths) || mayBeSame(file.seen?.id ?? '', entry.id);
      return mayBeRewritten && beginsAlike(head, file.print) ? 'shrunk' : 'other';
    });
  }
}
