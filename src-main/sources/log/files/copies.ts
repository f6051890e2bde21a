// Shadows: files that repeat what another one holds, copied into the folder or kept beside the live file by the tool. Their
// lines are not read twice. A shadow belongs to its original: it is taken up the moment that one is cut or gone (heirs.ts), goes
// on alone from where the two part, and becomes the original when it holds all of it and more.
//
// Bounds: first bytes are compared at the lengths of file-identity.ts (8 bytes to 8 KiB), and 20 files that begin alike
// whole. Invariants: two files are compared through handles that are open at once, and only while the original still holds
// what was read of it; else nothing is decided (`held`). A file is called a shadow only when data of it were compared, not
// the names of columns alone. No shadow has a shadow.
import { Buffer } from 'node:buffer';
import type { OpenFile } from '../../../platform/files.ts';
import { readRange } from '../../../platform/read-range.ts';
import { AlikeIndex, COMPARED_LENGTHS } from './alike-index.ts';
import { type ByteRange, joinRanges, withoutRanges } from './byte-ranges.ts';
import { forgetLayout, goOnAfter, noteRepeated, setOriginal } from './file-changes.ts';
import { beginsAlike, HEAD_BYTES_MAX, isSameFile, startsAlike, toldBytes } from './file-identity.ts';
import type { WatchedFile } from './watched-file.ts';
import { type Folder, withFile } from './with-file.ts';

/** Step of a comparison of whole contents, bytes. */
const COMPARE_BYTES = 256 * 1024;

/**
 * How a file stands to one that was read: the same content or a part of it, all of it and more, something else, or not
 * to be told now because one of them is held by another program or not what it was.
 */
type Relation = 'copy' | 'longer' | 'different' | 'held';

/** A file as a look has found it. */
type Place = Pick<WatchedFile, 'path'> & { readonly seen: { readonly id: string } | null };

/** What it needs to know of the other files. */
export interface KnownFiles {
  /** By key. */
  readonly all: ReadonlyMap<string, WatchedFile>;
  /** True when the file is there as it was read. */
  isIntact(file: WatchedFile): boolean;
}

/**
 * Find the copies among files that were taken up at their ends, of which no line was read. Takes the files, opened, and
 * whether one may be a copy of another.
 *
 * @returns each copy and its original, which is the one with the shorter name.
 */
function findTwins(
  files: readonly WatchedFile[],
  mayRepeat: (file: WatchedFile, original: WatchedFile) => boolean,
): Map<WatchedFile, WatchedFile> {
  const first = new Map<string, WatchedFile>();
  const copies = new Map<WatchedFile, WatchedFile>();
  const byName = (a: WatchedFile, b: WatchedFile) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1);
  for (const file of [...files].sort(byName)) {
    const isUnread = file.unread.length === 1 && file.unread[0]?.[0] === 0 && file.unread[0][1] === file.byte;
    if (file.layout === null || !isUnread || file.byte <= file.dataByte || file.copyOf !== null) continue;
    const content = JSON.stringify([file.byte, file.print.heads.at(-1), file.print.tail]);
    const original = first.get(content);
    if (original === undefined) first.set(content, file);
    else if (mayRepeat(file, original)) copies.set(file, original);
  }
  return copies;
}

/** Tells copies of one folder. */
export class Copies {
  readonly #folder: Folder;
  readonly #known: KnownFiles;
  readonly #onSame: (file: WatchedFile, original: WatchedFile) => void;
  /** Files with lines read, by length and hash of their first bytes. */
  readonly #alike = new AlikeIndex();

  constructor(folder: Folder, known: KnownFiles, onSame: (file: WatchedFile, original: WatchedFile) => void) {
    this.#folder = folder;
    this.#known = known;
    this.#onSame = onSame;
  }

  /** Take note that lines of a file were read, so that its copies can be told. */
  noteRead(file: WatchedFile): void {
    if (file.byte > file.dataByte) this.#alike.add(file);
  }

  /** Take the copies among files that were just taken up at their ends for what they are. */
  noteTwins(files: readonly WatchedFile[], mayRepeat: (file: WatchedFile, original: WatchedFile) => boolean): void {
    for (const [copy, original] of findTwins(files, mayRepeat)) {
      this.#follow(copy, original);
      this.#onSame(copy, original);
    }
  }

  /** Whose shadow a file is; undefined also where that one is not known any more. */
  originalOf({ copyOf }: WatchedFile): WatchedFile | undefined {
    return this.#known.all.get(copyOf ?? '');
  }

  /** True when a file repeats another one that is there, and that so gives all that this one could. */
  isCovered(file: WatchedFile): boolean {
    const original = this.originalOf(file);
    return original !== undefined && this.#known.isIntact(original);
  }

  /** What was never read of the original of a copy, and now stands in the copy alone; nothing while the original is there. */
  leftToCopy(copy: WatchedFile): readonly ByteRange[] {
    if (copy.copyOf === null || copy.byte > 0 || this.isCovered(copy)) return [];
    return this.originalOf(copy)?.unread ?? [];
  }

  forget(file: WatchedFile): void {
    this.#alike.remove(file);
  }

  /**
   * Before the first data of a file are read: does it repeat a file that is read already? Takes the file, and whether it
   * may be a copy of another at all (files of one channel each can begin alike).
   *
   * @returns true when it does; it is not read then. A file that holds another one and more is read from where that one ends.
   *   `held`: it cannot be told now; to read on could double.
   */
  repeats(file: WatchedFile, mayRepeat: (file: WatchedFile, original: WatchedFile) => boolean): boolean | 'held' {
    if (file.byte > file.dataByte || this.#alike.isEmpty) return false;
    const head = withFile(this.#folder, file, (handle) => readRange(handle, 0, HEAD_BYTES_MAX));
    if (typeof head === 'string') return 'held';
    const lengths = COMPARED_LENGTHS.filter((length) => length <= head.length).reverse();
    for (const length of lengths) {
      for (const original of this.#alike.find(length, head)) {
        if (original === file || original.copyOf !== null || !mayRepeat(file, original)) continue;
        if (!startsAlike(head, original.print)) continue;
        // A shorter hash says something only about a file that has no longer one.
        const longest = original.print.heads.findLast(([one]) => COMPARED_LENGTHS.includes(one))?.[0] ?? 0;
        if (length !== lengths[0] && length !== longest) continue;
        const relation = this.relate(file, original, this.#known.isIntact(original) ? original.seen : null);
        if (relation === 'held') return relation;
        if (relation === 'different') continue;
        if (relation === 'longer') this.#goOn(file, original);
        else {
          this.#follow(file, original);
          noteRepeated(file, head.length);
          this.#onSame(file, original);
        }
        return relation === 'copy';
      }
    }
    return false;
  }

  /**
   * Before old lines of a file are read: do they stand in another file that is read? Takes the file, how many of its first
   * bytes are in question (a line end), and whether it may be a copy of another.
   *
   * @returns the pieces of it that were read from other files; `held` when that cannot be told now.
   */
  readElsewhere(
    file: WatchedFile,
    bytes: number,
    mayRepeat: (original: WatchedFile) => boolean,
  ): readonly ByteRange[] | 'held' {
    const lengths = COMPARED_LENGTHS.filter((length) => length <= bytes).reverse();
    const head = withFile(this.#folder, file, (handle) =>
      readRange(handle, 0, Math.min(bytes, COMPARED_LENGTHS.at(-1) as number)),
    );
    if (typeof head === 'string') return 'held';
    const others = new Set(lengths.flatMap((length) => this.#alike.find(length, head)));
    const found: ByteRange[] = [];
    for (const other of others) {
      const read = withoutRanges([[0, other.byte]], other.unread);
      if (other === file || read.length === 0 || !mayRepeat(other)) continue;
      const same = Math.min(bytes, other.byte);
      const isAlike = this.#known.isIntact(other)
        ? this.#beginAlike(file, other, same)
        : same === other.byte && this.#holds(file, other);
      if (isAlike === 'held') return 'held';
      if (isAlike) found.push(...withoutRanges(read, [[same, Number.POSITIVE_INFINITY]]));
    }
    return joinRanges(found);
  }

  /** A file that has gone is known by its first bytes and those before its position alone. */
  #holds(file: WatchedFile, gone: WatchedFile): boolean | 'held' {
    const isSame = withFile(this.#folder, file, (handle) => isSameFile(handle, gone.byte, gone.print));
    return typeof isSame === 'string' ? 'held' : isSame;
  }

  /** How a file stands to another one. Takes the file and the original, each as the look has found it; null: the original is gone. */
  relate(file: Place, original: WatchedFile, originalSeen: Place['seen']): Relation {
    if (originalSeen === null) return this.#holdsPart(file, original);
    return this.#both(file, { path: original.path, seen: originalSeen }, (one, other) => {
      if (!isSameFile(other, original.byte, original.print)) return 'held';
      // This one first: one that is longer than the other is then is no plain copy of it.
      const { sizeBytes } = one.facts();
      const there = other.facts();
      // Names of columns alone are no data, and repeat nothing.
      if (sizeBytes <= original.dataByte) return 'different';
      const same = Math.min(sizeBytes, there.sizeBytes);
      const isAlike = beginAlike(one, other, same);
      if (other.facts().sizeBytes < there.sizeBytes || one.facts().sizeBytes < sizeBytes) return 'held';
      if (!isSameFile(other, original.byte, original.print)) return 'held';
      if (!isAlike) return 'different';
      return sizeBytes <= there.sizeBytes ? 'copy' : 'longer';
    });
  }

  /** The same of an original that is gone: only what is kept of it tells. All of it in another file is for the heirs. */
  #holdsPart(file: Place, gone: WatchedFile): Relation {
    const isPart = withFile(this.#folder, file, (handle) => {
      const { sizeBytes } = handle.facts();
      if (sizeBytes >= gone.byte) return isSameFile(handle, gone.byte, gone.print);
      const head = readRange(handle, 0, Math.min(sizeBytes, HEAD_BYTES_MAX));
      return beginsAlike(head, gone.print) && toldBytes(head, gone.print) > gone.dataByte;
    });
    if (typeof isPart === 'string') return 'held';
    return isPart ? 'copy' : 'different';
  }

  #beginAlike(file: Place, other: Place, bytes: number): boolean | 'held' {
    return this.#both(file, other, (one, two) => beginAlike(one, two, bytes));
  }

  #both<T>(one: Place, other: Place, use: (a: OpenFile, b: OpenFile) => T): T | 'held' {
    const found = withFile(this.#folder, one, (a) => withFile(this.#folder, other, (b) => use(a, b)));
    return found === 'gone' ? 'held' : (found as T | 'held');
  }

  /** A shadow that changed, and is none any more or all of its original and more. */
  part(file: WatchedFile, how: 'parted' | 'longer'): void {
    const original = this.originalOf(file);
    setOriginal(file, null);
    // One that goes on alone continues where the original ends; one that has become different is read from where it was.
    if (how === 'longer' && original !== undefined) this.#goOn(file, original);
    else if (file.byte === 0) forgetLayout(file);
  }

  /** The shadows of a file are those of another one from now on. */
  inherit(former: WatchedFile, heir: WatchedFile): void {
    for (const file of this.#known.all.values())
      if (file.copyOf === former.key && file !== heir) setOriginal(file, heir);
  }

  #follow(file: WatchedFile, original: WatchedFile): void {
    setOriginal(file, original);
    this.inherit(file, original);
  }

  /** The longer of two files goes on where the shorter one ends, under its own names; the shorter one is its shadow. */
  #goOn(longer: WatchedFile, shorter: WatchedFile): void {
    goOnAfter(longer, shorter);
    this.#follow(shorter, longer);
    this.noteRead(longer);
  }
}

/** True when the first bytes of two files are the same. */
function beginAlike(one: OpenFile, other: OpenFile, bytes: number): boolean {
  for (let at = 0; at < bytes; at += COMPARE_BYTES) {
    const length = Math.min(COMPARE_BYTES, bytes - at);
    const [a, b] = [readRange(one, at, length), readRange(other, at, length)];
    if (a.length !== length || Buffer.compare(a, b) !== 0) return false;
  }
  return true;
}
