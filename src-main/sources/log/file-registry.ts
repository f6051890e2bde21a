// Which file is which, from one look at the folder to the next.
//
// A look compares the listing with what is known. A path whose file still holds what was read of it goes on. One that no
// longer does was restarted (truncated, written anew, or renamed away and made again), and what was read of the old file
// may live on under another name: the orphan is searched by its fingerprint among the new paths, the copies and the
// neighbours, and read to its end there before anything else. What finds no heir is over; if lines may have been written
// after the last look, that is a gap. What is left are new files, after those that only repeat a known one are set aside.
//
// Bounds and invariants
//  1. A path leads to one file at most, and a key names one file for good once anything of it was read.
//  2. What cannot be told now, because another program holds a file, is not decided: it waits for a later look.
//  3. A file that got shorter and begins alike is given 2 s: it may be in the middle of being written anew.
//  4. A file that looks as before is compared once more, a tick of its clock later (same-tick.ts).
//  5. A file that is gone is looked for among its neighbours for 24 h (1,000 a folder), among all that is new for 30 days
//     (gone-files.ts). It tells a gap if bytes of it are unread, or it changed less than 10 min before it vanished.

import { join } from 'node:path';
import { readRange } from '../../platform/read-range.ts';
import { Copies } from './copies.ts';
import { beginsAlike, HEAD_BYTES_MAX, isSameFile } from './file-identity.ts';
import { type Entry, isHidden, type Listing, statEntry } from './folder-scan.ts';
import { GoneFiles } from './gone-files.ts';
import { findHeirs, type Heir, Neighbours } from './heirs.ts';
import { SameTick } from './same-tick.ts';
import { birthPath, forgetLayout, newFile, type WatchedFile } from './watched-file.ts';
import { type Folder, mayBeSame, type Unreadable, withFile } from './with-file.ts';

/** How long a file found shorter than read, but beginning alike, may be in the middle of being rewritten. */
const SETTLE_MS = 2000;
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
  readonly #root: Folder;
  readonly #events: RegistryEvents;
  readonly #files = new Map<string, WatchedFile>();
  readonly #byPath = new Map<string, WatchedFile>();
  /** Files that have gone or were restarted, and come back perhaps. */
  readonly #gone = new GoneFiles();
  /** Of these, whose end is not told yet: another program holds what may be their new place. */
  readonly #waiting = new Set<WatchedFile>();
  /** Which files repeat others. */
  readonly copies: Copies;
  readonly #sameTick = new SameTick();
  readonly #generations = new Map<string, number>();
  #floor = 0;
  /** Wall clock of the look before, in this run; 0 before the second. */
  #lookedMs = 0;

  constructor(root: Folder, events: RegistryEvents) {
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

  /** All files that are known, gone ones too. */
  get all(): Iterable<WatchedFile> {
    return this.#files.values();
  }

  /** All files whose position is to be committed although nothing was read of them: moved, gone, come back. */
  get moved(): readonly WatchedFile[] {
    return [...this.#files.values()].filter(({ hasMoved }) => hasMoved);
  }

  /** The highest number among files of one path that were forgotten: later ones are numbered on from it. */
  get floor(): number {
    return this.#floor;
  }

  /** Take a committed file up again; where two claim one path the later one holds it. */
  restore(file: WatchedFile): void {
    this.#files.set(file.key, file);
    this.copies.noteRead(file);
    const born = birthPath(file);
    this.#generations.set(born, Math.max(generationOf(file), this.#generations.get(born) ?? 0));
    const rival = this.#byPath.get(file.path);
    const isHere = file.goneMs === null && (rival === undefined || file.lookedMs > rival.lookedMs);
    if (isHere) this.#byPath.set(file.path, file);
    const loser = isHere ? rival : file;
    if (loser !== undefined) this.#gone.add(loser);
  }

  /** Take up how far the numbers of forgotten files went. */
  restoreFloor(floor: number): void {
    this.#floor = Math.max(this.#floor, floor);
  }

  /**
   * Compare a listing with what is known.
   * **Gives**: the files that are new with this look.
   */
  async reconcile(listing: Listing, now: Moment): Promise<WatchedFile[]> {
    const orphans = [...this.#waiting];
    this.#waiting.clear();
    const fresh = new Map<string, Entry>();
    // Copies last: what became of their originals must be known by then.
    const known = [...this.#byPath].sort(([, a], [, b]) => Number(a.copyOf !== null) - Number(b.copyOf !== null));
    for (const [path, file] of known) {
      const entry =
        listing.files.get(path) ??
        (file.isOutside ? await statEntry(this.#root.files, join(this.#root.path, path), path) : null);
      if (entry === 'held' || (entry === null && isHidden(listing, path))) {
        this.#events.held(path);
      } else if (entry === null) {
        this.#byPath.delete(path);
        orphans.push(file);
      } else if (!(await this.#goesOn(file, entry, now))) {
        this.#byPath.delete(path);
        orphans.push(file);
        fresh.set(path, entry);
      }
    }
    for (const [path, entry] of listing.files) if (!this.#byPath.has(path)) fresh.set(path, entry);
    await this.#searchHeirs(orphans, fresh, listing, now);
    for (const orphan of orphans) {
      if (!this.#gone.has(orphan) || this.#waiting.has(orphan)) continue;
      this.#end(orphan, fresh.has(orphan.path), now);
    }
    this.#lookedMs = now.nowMs;
    return this.#adopt(fresh, now);
  }

  /** Look at a file whose content was found changed while it was read; the next look tells what became of it. */
  forgetLook(file: WatchedFile): void {
    file.seen = null;
  }

  #see(file: WatchedFile, entry: Entry, now: Moment): void {
    file.seen = entry;
    file.lookedMs = now.nowMs;
    this.#sameTick.noteSeen(entry, now);
  }

  /** True when the file at its path is still the one that was read. */
  async #goesOn(file: WatchedFile, entry: Entry, now: Moment): Promise<boolean> {
    const { seen } = file;
    const isAlike =
      seen !== null &&
      seen.sizeBytes === entry.sizeBytes &&
      seen.modifiedMs === entry.modifiedMs &&
      mayBeSame(seen.id, entry.id) &&
      file.shrunkSinceMs === null;
    if (isAlike) return this.#isStillSame(file, seen, now);
    if (file.skip !== null) return this.#staysSkipped(file, file.skip, entry, now);
    const verdict = await this.#compare(file, entry);
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
    const isNextLook = seen !== null && this.#lookedMs > 0 && file.byte >= seen.sizeBytes;
    if (isNextLook) file.grownMs = now.nowMs;
    this.#see(file, entry, now);
    return true;
  }

  /** A file that looks as before: whether it holds what was read of it. What cannot be told now is asked at the next look. */
  async #isStillSame(file: WatchedFile, seen: Entry, now: Moment): Promise<boolean> {
    const isNothingRead = file.byte === 0 || file.skip !== null || file.copyOf !== null;
    if (isNothingRead || this.#sameTick.isCertain(seen, now)) return true;
    const verdict = await this.#compare(file, seen);
    if (verdict === 'same') this.#sameTick.noteCompared(seen, now);
    return verdict !== 'other';
  }

  async #compare(file: WatchedFile, entry: Entry): Promise<'same' | 'other' | 'shrunk' | Unreadable> {
    if (file.copyOf !== null) {
      const verdict = await this.copies.checkCopy(file, entry);
      // No copy any more: whether it is still what was taken up of it is another question.
      if (verdict === 'held' || file.copyOf !== null) return verdict;
    }
    return withFile(this.#root, { path: file.path, seen: entry }, async (handle) => {
      const { sizeBytes: size } = await handle.facts();
      if (size >= file.byte) return (await isSameFile(handle, file.byte, file.print)) ? 'same' : 'other';
      const head = await readRange(handle, 0, Math.min(size, HEAD_BYTES_MAX));
      return beginsAlike(head, file.print) ? 'shrunk' : 'other';
    });
  }

  /** A file that was never opened: only its size tells whether what it held then still stands at its beginning. */
  #staysSkipped(file: WatchedFile, skip: { bytes: number }, entry: Entry, now: Moment): true {
    this.#see(file, entry, now);
    const isNew = entry.sizeBytes < skip.bytes;
    const isTouched = entry.sizeBytes === skip.bytes;
    if (isNew) file.skip = null;
    else if (isTouched) file.skip = { bytes: skip.bytes, modifiedMs: entry.modifiedMs };
    if (isNew || isTouched) file.hasMoved = true;
    return true;
  }

  async #searchHeirs(
    orphans: readonly WatchedFile[],
    fresh: Map<string, Entry>,
    listing: Listing,
    now: Moment,
  ): Promise<void> {
    // A file found shorter waits, unless what was read of it stands elsewhere: then it was moved there for certain.
    const shrunk = this.present.filter((file) => file.shrunkSinceMs !== null);
    // Nothing is read of these yet: copies above all. One whose original is gone may be all that is left of it.
    const unread = this.present.filter(
      ({ byte, copyOf, seen, skip }) => (byte === 0 || copyOf !== null) && seen !== null && skip === null,
    );
    const isLeft = unread.some(
      ({ copyOf }) => copyOf !== null && this.#gone.has(this.#files.get(copyOf) as WatchedFile),
    );
    const searched = [...orphans, ...shrunk];
    for (const file of searched) this.#gone.add(file);
    if (searched.length > 0 || isLeft || (fresh.size > 0 && this.#gone.size > 0)) {
      const candidates = new Map(fresh);
      for (const { path, seen } of unread) candidates.set(path, seen as Entry);
      const neighbours = new Neighbours(this.#root);
      const isKnown = (path: string) => candidates.has(path) || this.#byPath.has(path);
      for (const file of searched) {
        if (file.byte === 0 || file.copyOf !== null || now.nowMs - file.lookedMs > NEIGHBOURS_AGE_MS) continue;
        for (const entry of await neighbours.of(file, isKnown)) candidates.set(entry.path, entry);
      }
      const { heirs, held } = await findHeirs(this.#root, this.#gone, candidates.values());
      for (const heir of heirs) this.#goOnAs(heir, fresh, listing, now);
      for (const { file, entry } of held) {
        if (!this.#gone.has(file)) continue;
        // Neither the one that is held nor one that took its old place is begun before that is told.
        this.#events.held(entry.path);
        fresh.delete(entry.path);
        fresh.delete(file.path);
        if (file.shrunkSinceMs === null) this.#waiting.add(file);
      }
    }
    for (const file of shrunk) if (this.#byPath.get(file.path) === file) this.#gone.delete(file);
  }

  #goOnAs({ file, entry }: Heir, fresh: Map<string, Entry>, listing: Listing, now: Moment): void {
    this.#gone.delete(file);
    const former = this.#byPath.get(entry.path);
    if (former !== undefined && former !== file) this.#files.delete(former.key);
    // A copy that stood there before, or that ends where we do, need not hold what was written since.
    const isOldCopy = former !== undefined && (former.lookedMs < now.nowMs || entry.sizeBytes <= file.byte);
    if (isOldCopy && file.seen?.id !== entry.id) this.#events.restarted(file);
    if (file.shrunkSinceMs !== null) {
      this.#byPath.delete(file.path);
      const left = listing.files.get(file.path);
      if (left !== undefined) fresh.set(file.path, left);
    }
    file.isOutside = !fresh.has(entry.path) && former === undefined;
    file.path = entry.path;
    this.#see(file, entry, now);
    file.shrunkSinceMs = null;
    file.goneMs = null;
    file.hasMoved = true;
    this.#byPath.set(entry.path, file);
    this.copies.noteRead(file);
    fresh.delete(entry.path);
  }

  /** A file that went on nowhere. */
  #end(orphan: WatchedFile, isReplaced: boolean, now: Moment): void {
    orphan.goneMs = now.nowMs;
    orphan.hasMoved = true;
    // What was neither read nor passed over leaves no trace.
    if (orphan.byte === 0 && orphan.copyOf === null && orphan.skip === null) this.#unmake(orphan);
    if (orphan.copyOf !== null || orphan.layout === null) return;
    // An old log that is tidied away is no loss; one that was written to until just now may have had more to say.
    const isUnread = (orphan.seen?.sizeBytes ?? 0) > orphan.byte;
    const isRecent = now.nowMs - orphan.lookedMs < RECENT_MS;
    if (isReplaced) this.#events.restarted(orphan);
    else if (isUnread || isRecent) this.#events.lost(orphan);
  }

  /**
   * Forget the files that have been gone for so long that nobody expects them back.
   * **Gives**: the keys of their positions.
   */
  forgetOld(nowMs: number): string[] {
    const originals = new Set(this.present.flatMap(({ copyOf, twin }) => [copyOf, twin]));
    const over = this.#gone.expire(nowMs, ({ key }) => originals.has(key));
    for (const file of over) this.#forget(file);
    return over.map(({ key }) => key);
  }

  #forget(file: WatchedFile): void {
    this.#files.delete(file.key);
    this.copies.forget(file);
    const born = birthPath(file);
    if (this.#generations.get(born) !== generationOf(file)) return;
    this.#generations.delete(born);
    this.#floor = Math.max(this.#floor, generationOf(file));
  }

  /** No position names the file: its number is free again. */
  #unmake(file: WatchedFile): void {
    this.#gone.delete(file);
    this.#files.delete(file.key);
    const born = birthPath(file);
    if (this.#generations.get(born) === generationOf(file)) this.#generations.set(born, generationOf(file) - 1);
  }

  /** Give new paths an identity. */
  #adopt(fresh: ReadonlyMap<string, Entry>, now: Moment): WatchedFile[] {
    const adopted: WatchedFile[] = [];
    for (const [path, entry] of fresh) {
      const generation = Math.max(this.#generations.get(path) ?? 0, this.#floor) + 1;
      this.#generations.set(path, generation);
      const file = newFile(`${path}@${generation}`, path);
      this.#see(file, entry, now);
      this.#files.set(file.key, file);
      this.#byPath.set(path, file);
      adopted.push(file);
    }
    return adopted;
  }
}

/** Which file of its path it is, from 1. */
function generationOf({ key }: WatchedFile): number {
  return Number(key.slice(key.lastIndexOf('@') + 1));
}
