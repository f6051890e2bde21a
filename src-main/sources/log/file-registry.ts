// Which file is which, from one look at the folder to the next.
//
// A look compares the listing with what is known. A path whose file still holds what was read of it goes on. One that no
// longer does was restarted (truncated, written anew, or renamed away and made again), and what was read of the old file
// may live on under another name: the orphan is searched by its fingerprint among the new paths, the copies and the
// neighbours, and read to its end there before anything else. What finds no heir is over; if lines may have been written
// after the last look, that is a gap. What is left are new files, after those that only repeat a known one are set aside.

import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Copies } from './copies.ts';
import { beginsAlike, HEAD_BYTES_MAX, hashBytes, isSameFile, readRange } from './file-identity.ts';
import { withFile } from './file-reader.ts';
import { type Entry, type Listing, statEntry } from './folder-scan.ts';
import { birthPath, forgetLayout, newFile, type WatchedFile } from './watched-file.ts';

/** How long a file found shorter than read, but beginning alike, may be in the middle of being rewritten. */
const SETTLE_MS = 2000;
/** Files that have gone and are still recognised when they come back. */
const GONE_MAX = 1000;
/** Neighbours looked at for one orphan. */
const NEIGHBOURS_MAX = 1000;
/** A file gone for longer is not searched among its neighbours any more, milliseconds. */
const NEIGHBOURS_AGE_MS = 24 * 3_600_000;
/** A file that changed within this time before it vanished may have been written to after the last look, milliseconds. */
const RECENT_MS = 10 * 60_000;
export interface RegistryEvents {
  /** A file was restarted in place; what was read of it stands, what was written since the last look may be lost. */
  restarted(file: WatchedFile): void;
  /** A file vanished that had bytes unread, or was written to until just now. */
  lost(file: WatchedFile): void;
  /** A file repeats another one and is not read. */
  sameContent(file: WatchedFile, original: WatchedFile): void;
  /** Another program holds a file; it is tried again. */
  held(path: string): void;
  freed(path: string): void;
}

interface Moment {
  readonly nowMs: number;
  readonly monotonicMs: number;
}

/** All files of one source, by identity and by path. */
export class FileRegistry {
  readonly #root: string;
  readonly #events: RegistryEvents;
  readonly #files = new Map<string, WatchedFile>();
  readonly #byPath = new Map<string, WatchedFile>();
  /** Files that have gone or were restarted, the longest gone first. */
  readonly #gone = new Set<WatchedFile>();
  /** Which files repeat others. */
  readonly copies: Copies;
  readonly #generations = new Map<string, number>();

  constructor(root: string, events: RegistryEvents) {
    this.#root = root;
    this.#events = events;
    const isIntact = (file: WatchedFile) => this.#byPath.get(file.path) === file && file.shrunkSinceMs === null;
    const known = { byKey: (key: string) => this.#files.get(key), isIntact };
    this.copies = new Copies(root, known, (file, original) => events.sameContent(file, original));
  }

  /** Files that are there, in the order in which they were found. */
  get present(): readonly WatchedFile[] {
    return [...this.#byPath.values()];
  }

  /** Take a committed file up again; where two claim one path the later one holds it. */
  restore(file: WatchedFile): void {
    this.#files.set(file.key, file);
    this.copies.noteRead(file);
    const generation = Number(file.key.slice(file.key.lastIndexOf('@') + 1));
    const born = birthPath(file);
    this.#generations.set(born, Math.max(generation, this.#generations.get(born) ?? 0));
    const rival = this.#byPath.get(file.path);
    if (rival === undefined) this.#byPath.set(file.path, file);
    else {
      const isLater = file.lookedMs > rival.lookedMs;
      this.#byPath.set(file.path, isLater ? file : rival);
      this.#setGone(isLater ? rival : file);
    }
  }

  /**
   * Compare a listing with what is known.
   * **Gives**: the files that are new with this look.
   */
  async reconcile(listing: Listing, now: Moment): Promise<WatchedFile[]> {
    const orphans: WatchedFile[] = [];
    const fresh = new Map<string, Entry>();
    // Copies last: what became of their originals must be known by then.
    const known = [...this.#byPath].sort(([, a], [, b]) => Number(a.copyOf !== null) - Number(b.copyOf !== null));
    for (const [path, file] of known) {
      const entry = listing.files.get(path) ?? (file.isOutside ? await statEntry(join(this.#root, path), path) : null);
      if (entry === null) {
        this.#byPath.delete(path);
        orphans.push(file);
      } else if (!(await this.#goesOn(file, entry, now))) {
        this.#byPath.delete(path);
        orphans.push(file);
        fresh.set(path, entry);
      }
    }
    for (const [path, entry] of listing.files) if (!this.#byPath.has(path)) fresh.set(path, entry);
    // A file found shorter waits, unless what was read of it stands elsewhere: then it was moved there for certain.
    const shrunk = this.present.filter((file) => file.shrunkSinceMs !== null);
    const isSearched = orphans.length + shrunk.length > 0 || (fresh.size > 0 && this.#gone.size > 0);
    if (isSearched) await this.#findHeirs([...orphans, ...shrunk], fresh, listing, now);
    for (const orphan of orphans) {
      if (this.#byPath.get(orphan.path) === orphan) continue;
      this.#end(orphan, fresh.has(orphan.path), now);
    }
    return this.#adopt(fresh, now);
  }

  /** Look at a file whose content was found changed while it was read; the next look tells what became of it. */
  forgetLook(file: WatchedFile): void {
    file.seen = null;
  }

  /** True when the file at its path is still the one that was read. */
  async #goesOn(file: WatchedFile, entry: Entry, now: Moment): Promise<boolean> {
    const { seen } = file;
    const isUnchanged =
      seen !== null &&
      seen.sizeBytes === entry.sizeBytes &&
      seen.modifiedMs === entry.modifiedMs &&
      seen.inode === entry.inode &&
      file.shrunkSinceMs === null;
    if (isUnchanged) return true;
    const verdict = await withFile(join(this.#root, file.path), async (handle) => {
      if (file.copyOf !== null) return this.copies.checkCopy(file, handle, entry);
      const { size } = await handle.stat();
      if (size >= file.byte) return (await isSameFile(handle, file.byte, file.print)) ? 'same' : 'other';
      const head = await readRange(handle, 0, Math.min(size, HEAD_BYTES_MAX));
      return beginsAlike(head, file.print) ? 'shrunk' : 'other';
    });
    if (verdict === 'held') {
      this.#events.held(file.path);
      return true;
    }
    this.#events.freed(file.path);
    if (verdict === 'gone' || verdict === 'other') return false;
    if (verdict === 'shrunk') {
      file.shrunkSinceMs ??= now.monotonicMs;
      return now.monotonicMs - file.shrunkSinceMs < SETTLE_MS;
    }
    file.shrunkSinceMs = null;
    // Nothing is read yet, so nothing tells whether this is still what the layout was made from.
    if (file.byte === 0) forgetLayout(file);
    file.seen = entry;
    file.lookedMs = now.nowMs;
    return true;
  }

  async #findHeirs(
    orphans: readonly WatchedFile[],
    fresh: Map<string, Entry>,
    listing: Listing,
    now: Moment,
  ): Promise<void> {
    const known = new Set([...orphans, ...this.#gone].filter((file) => file.byte > 0 && file.copyOf === null));
    // Besides new paths: those of which nothing is read yet, copies above all.
    const candidates = new Map(fresh);
    for (const { path, byte, seen } of this.present) if (byte === 0 && seen !== null) candidates.set(path, seen);
    for (const orphan of orphans) {
      if (!known.has(orphan) || now.nowMs - orphan.lookedMs > NEIGHBOURS_AGE_MS) continue;
      for (const entry of await this.#neighbours(orphan, candidates)) candidates.set(entry.path, entry);
    }
    // The same inode first: a rename is more likely than a copy. Then the longest: it may hold what was not read yet.
    const inodes = new Set([...known].map((file) => file.seen?.inode));
    const isSame = ({ inode }: Entry) => Number(inodes.has(inode));
    const ordered = [...candidates.values()].sort((a, b) => isSame(b) - isSame(a) || b.sizeBytes - a.sizeBytes);
    for (const entry of ordered) {
      if (known.size === 0) return;
      const orphan = await this.#orphanOf(entry, known);
      if (orphan === null) continue;
      known.delete(orphan);
      this.#gone.delete(orphan);
      const former = this.#byPath.get(entry.path);
      if (former !== undefined) this.#files.delete(former.key);
      // A copy that stood there before, or that ends where we do, need not hold what was written since.
      const isOldCopy = former !== undefined && (former.lookedMs < now.nowMs || entry.sizeBytes <= orphan.byte);
      if (isOldCopy && orphan.seen?.inode !== entry.inode) this.#events.restarted(orphan);
      if (orphan.shrunkSinceMs !== null) {
        this.#byPath.delete(orphan.path);
        const left = listing.files.get(orphan.path);
        if (left !== undefined) fresh.set(orphan.path, left);
      }
      orphan.isOutside = !fresh.has(entry.path) && former === undefined;
      orphan.path = entry.path;
      orphan.seen = entry;
      orphan.lookedMs = now.nowMs;
      orphan.shrunkSinceMs = null;
      orphan.hasMoved = true;
      this.#byPath.set(entry.path, orphan);
      this.copies.noteRead(orphan);
      fresh.delete(entry.path);
    }
  }

  /** Files beside an orphan that the match leaves out, such as `log.csv.1`. */
  async #neighbours(orphan: WatchedFile, candidates: ReadonlyMap<string, Entry>): Promise<Entry[]> {
    const folder = dirname(orphan.path);
    let names: string[];
    try {
      names = await readdir(join(this.#root, folder));
    } catch {
      // The folder went with the file: nothing beside it is left to look at.
      return [];
    }
    const stem = basename(orphan.path).slice(0, 3);
    names.sort((a, b) => Number(b.startsWith(stem)) - Number(a.startsWith(stem)));
    const found: Entry[] = [];
    for (const name of names.slice(0, NEIGHBOURS_MAX)) {
      const path = folder === '.' ? name : `${folder}/${name}`;
      if (candidates.has(path) || this.#byPath.has(path)) continue;
      const entry = await statEntry(join(this.#root, path), path);
      if (entry !== null && entry.sizeBytes >= orphan.byte) found.push(entry);
    }
    return found;
  }

  async #orphanOf(entry: Entry, known: ReadonlySet<WatchedFile>): Promise<WatchedFile | null> {
    const possible = [...known].filter(({ byte }) => byte <= entry.sizeBytes);
    if (possible.length === 0) return null;
    const found = await withFile(join(this.#root, entry.path), async (handle) => {
      const head = await readRange(handle, 0, Math.min(entry.sizeBytes, HEAD_BYTES_MAX));
      const hashes = new Map<number, string>();
      const hashOf = (length: number) => {
        const hash = hashes.get(length) ?? hashBytes(head.subarray(0, length));
        hashes.set(length, hash);
        return hash;
      };
      const alike = possible.filter(({ print }) => {
        const longest = print.heads.at(-1);
        return longest !== undefined && longest[0] <= head.length && hashOf(longest[0]) === longest[1];
      });
      alike.sort(
        (a, b) => Number(b.seen?.inode === entry.inode) - Number(a.seen?.inode === entry.inode) || b.byte - a.byte,
      );
      for (const file of alike) if (await isSameFile(handle, file.byte, file.print)) return file;
      return null;
    });
    return typeof found === 'string' ? null : found;
  }

  /** A file that went on nowhere. */
  #end(orphan: WatchedFile, isReplaced: boolean, now: Moment): void {
    this.#setGone(orphan);
    if (orphan.copyOf !== null || orphan.layout === null) return;
    // An old log that is tidied away is no loss; one that was written to until just now may have had more to say.
    const isUnread = (orphan.seen?.sizeBytes ?? 0) > orphan.byte;
    const isRecent = now.nowMs - orphan.lookedMs < RECENT_MS;
    if (isReplaced) this.#events.restarted(orphan);
    else if (isUnread || isRecent) this.#events.lost(orphan);
  }

  #setGone(file: WatchedFile): void {
    this.#gone.add(file);
    const oldest = this.#gone.values().next().value;
    if (this.#gone.size <= GONE_MAX || oldest === undefined) return;
    this.#gone.delete(oldest);
    this.copies.forget(oldest);
  }

  /** Give new paths an identity. */
  #adopt(fresh: ReadonlyMap<string, Entry>, now: Moment): WatchedFile[] {
    const adopted: WatchedFile[] = [];
    for (const [path, entry] of fresh) {
      const generation = (this.#generations.get(path) ?? 0) + 1;
      this.#generations.set(path, generation);
      const file = newFile(`${path}@${generation}`, path);
      file.seen = entry;
      file.lookedMs = now.nowMs;
      this.#files.set(file.key, file);
      this.#byPath.set(path, file);
      adopted.push(file);
    }
    return adopted;
  }
}
