// What it means that a file went on nowhere: nothing, or that lines of it may be missing.
//
// Rule: lines are missed unless something proves that there were none. The proof is that the tool had turned to another file
// before: the file was rotated away and the next one of its name is known, or a look after the last change found it read to its
// end while a later file was there. Where a rotation left files that nobody knew, the last file of which data were read, or one
// that came after it, must be among them; else nothing tells how many came and went in between.
import type { Entry } from './folder-scan.ts';
import { byFormer, isAway, isRotated, type KnownPaths, logsOf } from './rotated-names.ts';
import { isCoarse } from './same-tick.ts';
import { birthPath, generationOf, isAtEnd, isProved, type WatchedFile } from './watched-file.ts';

/** A file that changed within this time before the last look that found it may have been written to after that, milliseconds. */
const RECENT_MS = 10 * 60_000;

/** True for an entry that may hold all that was seen of a file of which nothing was read: by the number that it had. */
export function mayHoldUnread({ sizeBytes, modifiedMs, id }: Entry, { seen }: Pick<WatchedFile, 'seen'>): boolean {
  return seen !== null && id === seen.id && sizeBytes >= seen.sizeBytes && modifiedMs >= seen.modifiedMs;
}

/** True for an entry that may be a copy of what was seen of a file of which nothing was read, and which was cut since. */
export function copiesUnread({ path, sizeBytes, modifiedMs }: Entry, { key, seen }: WatchedFile): boolean {
  const isLater = seen !== null && sizeBytes >= seen.sizeBytes && modifiedMs >= seen.modifiedMs;
  return isLater && isRotated(path, birthPath({ key }));
}

/** Since when lines of a file may be missing, Unix ms: since it was last known to be read to its end; 0: not known. */
export function missedSince(file: WatchedFile): number {
  const { copyOf, seen, lookedMs, endedMs } = file;
  // One that was found empty may have been in the middle of being written again.
  const isAsRead = isAtEnd(file) && (isProved(file) || endedMs === 0);
  if (copyOf !== null || isAsRead) return Math.max(lookedMs, endedMs);
  return endedMs > 0 ? endedMs : Math.min(lookedMs, seen?.modifiedMs ?? lookedMs);
}

/** What a look found. */
interface Found {
  /** Paths that match and lead to no known file. */
  readonly fresh: ReadonlyMap<string, Entry>;
  /** The same of what lies beside them. */
  readonly between: readonly Entry[];
  /** Where known files stand. */
  readonly known: readonly Entry[];
  /** Files of which nothing was read, and that are not where they were. */
  readonly unread: readonly WatchedFile[];
  /** The files that are there. */
  readonly present: readonly WatchedFile[];
  readonly paths: KnownPaths;
}

/** Tells what became of files that went on nowhere, by what a look found. */
export class Aftermath {
  readonly #fresh: Found['fresh'];
  readonly #paths: KnownPaths;
  // A folder may hold thousands of files that all go at once: each is looked up.
  readonly #entriesById: ReadonlyMap<string, readonly Entry[]>;
  /** All entries, by the logs that they may be rotated from; and those of them that nobody knew. */
  readonly #rotated: ReadonlyMap<string, readonly Entry[]>;
  readonly #unknown: ReadonlyMap<string, readonly Entry[]>;
  /** The files that are there: by key, where they began, and by the layout that they have. */
  readonly #byKey: ReadonlyMap<string, WatchedFile>;
  readonly #born: ReadonlyMap<string, readonly WatchedFile[]>;
  readonly #alike: ReadonlyMap<string | null, readonly WatchedFile[]>;

  constructor({ fresh, between, known, unread, present, paths }: Found) {
    this.#fresh = fresh;
    this.#paths = paths;
    const found = [...between, ...fresh.values()];
    const pathOf = ({ path }: Entry) => path;
    this.#entriesById = Map.groupBy([...found, ...known], ({ id }) => id);
    this.#rotated = byFormer([...found, ...known], pathOf);
    const unreadById = Map.groupBy(unread, ({ seen }) => seen?.id);
    const isKnown = (entry: Entry) => (unreadById.get(entry.id) ?? []).some((file) => this.#mayHold(entry, file));
    const unknown = found.filter((entry) => !isKnown(entry));
    this.#unknown = byFormer(unknown, pathOf);
    this.#byKey = new Map(present.map((file) => [file.key, file]));
    this.#born = Map.groupBy(present, birthPath);
    this.#alike = Map.groupBy(present, ({ layoutKey }) => layoutKey);
  }

  /**
   * Tell what became of a file.
   *
   * @param last - the latest file that began at its path.
   * @param formerMs - wall clock of the look before, Unix milliseconds.
   * @returns how lines of it may be missing; null: none are.
   */
  fateOf(file: WatchedFile, last: WatchedFile | undefined, formerMs: number): 'restarted' | 'lost' | null {
    const { seen, byte, dataByte, layout, triedAtBytes, copyOf, lookedMs, path } = file;
    const isEmpty = (seen?.sizeBytes ?? 0) <= dataByte && byte <= dataByte;
    // What was looked into as the last look saw it, and holds no data or is no log; and what stands whole in another file.
    const isNothing = isEmpty || (layout === null && triedAtBytes === seen?.sizeBytes);
    if (isNothing && !this.#isRotated(file)) return null;
    // A shadow gives nothing that its original does not, unless that was rotated away and the tool writes to the shadow.
    const original = this.#byKey.get(copyOf ?? '');
    if (original !== undefined && !isRotated(original.path, path)) return null;
    if (byte <= dataByte && this.#isThere(file)) return null;
    const isUnread = copyOf === null && (seen?.sizeBytes ?? 0) > byte;
    const isFollowed = this.#isMoved(file, last) || (!isUnread && this.#isSettled(file));
    if (this.#fresh.has(path) && !isFollowed) return 'restarted';
    return isUnread || (formerMs - lookedMs < RECENT_MS && !isFollowed) ? 'lost' : null;
  }

  /** Another file may hold all that was seen of it. */
  #isThere(file: WatchedFile): boolean {
    const { seen, path } = file;
    if (seen === null) return false;
    const isCut = this.#fresh.get(path)?.id === seen.id;
    const isCopied = isCut && (this.#rotated.get(birthPath(file)) ?? []).some((entry) => copiesUnread(entry, file));
    return isCopied || (this.#entriesById.get(seen.id) ?? []).some((entry) => this.#mayHold(entry, file));
  }

  /** Rotated away, and the next file of its name is known. */
  #isMoved(file: WatchedFile, last: WatchedFile | undefined): boolean {
    const isNextKnown = last !== undefined && last !== file;
    return file.path !== birthPath(file) && isNextKnown && !(this.#isRotated(file) && this.#laterOf(file).length === 0);
  }

  /** A look after its last change found it read to its end, and a later file was there by then: so a tool begins a new log. */
  #isSettled(file: WatchedFile): boolean {
    const later = this.#laterOf(file);
    if (file.endedMs <= file.lookedMs || (this.#isRotated(file) && later.length === 0)) return false;
    // Of an earlier run only this is known: it was found no later than it was seen to change.
    const wasLater = later.some(({ foundMs, lookedMs }) => (foundMs || lookedMs) < file.endedMs);
    return wasLater || isAway(file, this.#paths);
  }

  /** Files were found that a rotation made of its log, and that nobody knew. */
  #isRotated(file: WatchedFile): boolean {
    return logsOf(birthPath(file)).some((path) => this.#unknown.has(path));
  }

  /**
   * Files of which data were read and that came after a file: at its path, or with its columns and later lines. What was rotated
   * away from beside it came before it, also where it was found later, with a higher number.
   */
  #laterOf(file: WatchedFile): WatchedFile[] {
    const isNext = (one: WatchedFile) => generationOf(one) > generationOf(file) && !isRotated(one.path, file.path);
    const next = (this.#born.get(birthPath(file)) ?? []).filter(isNext);
    const alike = (this.#alike.get(file.layoutKey) ?? []).filter(({ firstMs }) => firstMs >= file.lastMs);
    // The file may have gone on in an old copy of it, and is among those that are there: it does not follow itself.
    return [...next, ...alike].filter((one) => isProved(one) && one.key !== file.key);
  }

  /**
   * True for an entry that may well hold what was seen of a file of which nothing was read. Enough to tell no gap; not enough to
   * take it for that file. What was rotated away is not written to any more, so there one that changed has the number of another
   * one that went; and where times are whole seconds a number that was given again looks like the one before.
   */
  #mayHold(entry: Entry, file: WatchedFile): boolean {
    const { seen } = file;
    if (seen === null || !mayHoldUnread(entry, file)) return false;
    const isUnchanged = entry.sizeBytes === seen.sizeBytes && entry.modifiedMs === seen.modifiedMs;
    return isUnchanged || !(isAway(file, this.#paths) || isCoarse(seen));
  }
}
