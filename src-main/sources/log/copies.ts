// Files that repeat what another one holds: copied into the folder, or kept beside the live file by the tool. Their lines
// are not read twice; a copy that goes on alone is read from where the two part.
//
// Bounds: first bytes are compared at the lengths of file-identity.ts (8 bytes to 8 KiB), and 20 files that begin alike
// whole. Invariant: a file is called a copy only when its content was compared; `held` decides nothing.
import { join } from 'node:path';
import { readRange } from '../../platform/read-range.ts';
import { AlikeIndex, COMPARED_LENGTHS } from './alike-index.ts';
import { type ByteRange, joinRanges, withoutRanges } from './byte-ranges.ts';
import { beginAlike } from './compare-files.ts';
import { beginsAlike, HEAD_BYTES_MAX, isSameFile, startsAlike } from './file-identity.ts';
import { type Entry, statEntry } from './folder-scan.ts';
import type { WatchedFile } from './watched-file.ts';
import { type Folder, withFile } from './with-file.ts';

/**
 * How a file stands to one that was read: the same content or a part of it, all of it and more, something else, or not
 * to be told now because one of them is held by another program.
 */
type Relation = 'copy' | 'longer' | 'different' | 'held';

/** What it needs to know of the other files. */
export interface KnownFiles {
  byKey(key: string): WatchedFile | undefined;
  /** True when the file is there as it was read. */
  isIntact(file: WatchedFile): boolean;
}

/**
 * Find the copies among files that were taken up at their ends, of which no line was read.
 * **Takes**: the files, opened, and whether one may be a copy of another. **Gives**: each copy and its original, which is
 * the one with the shorter name.
 */
export function findTwins(
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
  readonly #root: Folder;
  readonly #known: KnownFiles;
  readonly #onSame: (file: WatchedFile, original: WatchedFile) => void;
  /** Files with lines read, by length and hash of their first bytes. */
  readonly #alike = new AlikeIndex();

  constructor(root: Folder, known: KnownFiles, onSame: (file: WatchedFile, original: WatchedFile) => void) {
    this.#root = root;
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
      copy.copyOf = original.key;
      copy.hasMoved = true;
      this.#onSame(copy, original);
    }
  }

  /** True when a file repeats another one that is there, and that so gives all that this one could. */
  isCovered({ copyOf }: WatchedFile): boolean {
    const original = copyOf === null ? undefined : this.#known.byKey(copyOf);
    return original !== undefined && this.#known.isIntact(original);
  }

  /** What was never read of the original of a copy, and now stands in the copy alone; nothing while the original is there. */
  leftToCopy(copy: WatchedFile): readonly ByteRange[] {
    if (copy.copyOf === null || copy.byte > 0 || this.isCovered(copy)) return [];
    return this.#known.byKey(copy.copyOf)?.unread ?? [];
  }

  forget(file: WatchedFile): void {
    this.#alike.remove(file);
  }

  /**
   * Are the lines that wait in a file those of another one?
   * **Takes**: the file, and whether it may be a copy of another at all. **Gives**: as `isRepeat` before its first line, as
   * `repeatsTwin` later on.
   */
  async repeats(
    file: WatchedFile,
    mayRepeat: (file: WatchedFile, original: WatchedFile) => boolean,
  ): Promise<boolean | 'held'> {
    const isRepeat = file.byte === 0 && (await this.isRepeat(file, (original) => mayRepeat(file, original)));
    return isRepeat || (file.twin !== null && this.repeatsTwin(file));
  }

  /**
   * Before the first line of a file is read: does it repeat a file that is read already?
   *
   * **Takes**: the file, and whether it may be a copy of another at all (files of one channel each can begin alike).
   * **Gives**: true when it does; it is not read then. A file that holds another one and more is read from where that
   * one ends. `held`: it cannot be told now; to read on could double.
   */
  async isRepeat(file: WatchedFile, mayRepeat: (original: WatchedFile) => boolean): Promise<boolean | 'held'> {
    const size = file.seen?.sizeBytes ?? 0;
    const lengths = COMPARED_LENGTHS.filter((length) => length <= size).reverse();
    if (this.#alike.isEmpty || lengths.length === 0) return false;
    const head = await withFile(this.#root, file, (handle) =>
      readRange(handle, 0, Math.min(size, COMPARED_LENGTHS.at(-1) as number)),
    );
    if (typeof head === 'string') return 'held';
    const repeat = await this.#findOriginal(file, size, head, lengths, mayRepeat);
    if (repeat === 'copy') this.#onSame(file, this.#known.byKey(file.copyOf ?? '') ?? file);
    return repeat === 'held' ? 'held' : repeat === 'copy';
  }

  async #findOriginal(
    file: WatchedFile,
    size: number,
    head: Uint8Array,
    lengths: readonly number[],
    mayRepeat: (original: WatchedFile) => boolean,
  ): Promise<Relation> {
    for (const length of lengths) {
      for (const original of this.#alike.find(length, head)) {
        if (original === file || original.copyOf !== null || size <= original.dataByte || !mayRepeat(original))
          continue;
        if (!startsAlike(head, original.print)) continue;
        // A shorter hash says something only about a file that has no longer one.
        const longest = original.print.heads.findLast(([one]) => COMPARED_LENGTHS.includes(one))?.[0] ?? 0;
        if (length !== lengths[0] && length !== longest) continue;
        const relation = await this.#relate(size, file, original);
        if (relation === 'held') return relation;
        if (relation === 'different') continue;
        if (relation === 'longer') this.#goOn(file, original);
        else file.copyOf = original.key;
        file.hasMoved = true;
        return relation;
      }
    }
    return 'different';
  }

  /**
   * Before old lines of a file are read: do they stand in another file that is read?
   *
   * **Takes**: the file, how many of its first bytes are in question (a line end), and whether it may be a copy of another.
   * **Gives**: the pieces of it that were read from other files; `held` when that cannot be told now.
   */
  async readElsewhere(
    file: WatchedFile,
    bytes: number,
    mayRepeat: (original: WatchedFile) => boolean,
  ): Promise<readonly ByteRange[] | 'held'> {
    const lengths = COMPARED_LENGTHS.filter((length) => length <= bytes).reverse();
    const head = await withFile(this.#root, file, (handle) =>
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
        ? await beginAlike(this.#root, file, other, same)
        : same === other.byte && (await this.#holds(file, other));
      if (isAlike === 'held') return 'held';
      if (isAlike) found.push(...withoutRanges(read, [[same, Number.POSITIVE_INFINITY]]));
    }
    return joinRanges(found);
  }

  /** A file that has gone is known by its first bytes and those before its position alone. */
  async #holds(file: WatchedFile, gone: WatchedFile): Promise<boolean | 'held'> {
    const isSame = await withFile(this.#root, file, (handle) => isSameFile(handle, gone.byte, gone.print));
    return typeof isSame === 'string' ? 'held' : isSame;
  }

  /**
   * Before a file is read on that once was the same as another: was it only copied over by that one again?
   * **Gives**: true when its new lines are those of its twin; it is a copy from now on. `held`: as above.
   */
  async repeatsTwin(file: WatchedFile): Promise<boolean | 'held'> {
    const twin = this.#known.byKey(file.twin ?? '');
    if (twin === undefined || twin.copyOf !== null) {
      file.twin = null;
      return false;
    }
    const size = file.seen?.sizeBytes ?? 0;
    const relation = await this.#relate(size, file, twin);
    if (relation === 'held') return 'held';
    file.twin = null;
    const isLongerOrHeir =
      relation === 'longer' || (relation === 'copy' && !this.#known.isIntact(twin) && size >= twin.byte);
    if (isLongerOrHeir) {
      if (twin.byte > file.byte) this.#goOn(file, twin);
      return false;
    }
    if (relation !== 'copy') return false;
    file.copyOf = twin.key;
    file.hasMoved = true;
    return true;
  }

  /** A copy that changed: still one, or by now a file of its own. **Gives**: `held` when that cannot be told now. */
  async checkCopy(copy: WatchedFile, entry: Entry): Promise<'same' | 'held'> {
    const original = this.#known.byKey(copy.copyOf ?? '');
    if (original === undefined) return 'same';
    const relation = await this.#relate(entry.sizeBytes, copy, original);
    if (relation === 'held') return relation;
    if (relation === 'copy') return 'same';
    copy.copyOf = null;
    copy.hasMoved = true;
    // A copy that goes on alone continues where the original ends; one that has become different is read from its start.
    if (relation === 'longer') this.#goOn(copy, original);
    return 'same';
  }

  async #relate(size: number, file: WatchedFile, original: WatchedFile): Promise<Relation> {
    const isIntact = this.#known.isIntact(original);
    const likeness = await withFile(this.#root, file, async (handle) => {
      if (size >= original.byte) return (await isSameFile(handle, original.byte, original.print)) ? 'whole' : 'none';
      const head = await readRange(handle, 0, Math.min(size, HEAD_BYTES_MAX));
      return beginsAlike(head, original.print) ? 'part' : 'none';
    });
    if (likeness === 'held' || likeness === 'gone') return 'held';
    if (likeness === 'none') return 'different';
    // While the original is gone or being rewritten, this may be all that is left of it: that is for the heirs.
    if (!isIntact) return 'copy';
    const entry = await statEntry(this.#root.files, join(this.#root.path, original.path), original.path);
    if (entry === 'held') return 'held';
    if (entry === null) return 'different';
    const isAlike = await beginAlike(this.#root, file, original, Math.min(size, entry.sizeBytes));
    if (isAlike === 'held') return 'held';
    if (!isAlike) return 'different';
    return size <= entry.sizeBytes ? 'copy' : 'longer';
  }

  /** The longer of two files goes on where the shorter one ends, under its own names; the shorter one remembers it. */
  #goOn(longer: WatchedFile, shorter: WatchedFile): void {
    const { byte, line, dataByte, print, layoutKey, layout, parser, kinds, lastMs, firstMs, unread } = shorter;
    Object.assign(longer, { byte, line, dataByte, print, layoutKey, layout, parser, kinds, lastMs, firstMs, unread });
    longer.copyOf = null;
    longer.twin = null;
    shorter.twin = longer.key;
    longer.hasMoved = true;
    shorter.hasMoved = true;
    this.noteRead(longer);
  }
}
