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

/** What a look found around a file that went on nowhere. */
export interface Around {
  /** Another one has its path. */
  readonly isReplaced: boolean;
  /** Another one may hold all that was seen of it. */
  readonly isThere: boolean;
  /** Its name is one that a rotation gives, and the file of the name before is there. */
  readonly isAway: boolean;
  /** Files were found that a rotation made of its log, and that nobody knew. */
  readonly isRotated: boolean;
  /** The latest file that began at its path. */
  readonly last: WatchedFile | undefined;
  readonly present: Present;
}

/** The files that are there: by key, where they began, and the layout that they have. */
export interface Present {
  readonly byKey: ReadonlyMap<string, WatchedFile>;
  readonly born: ReadonlyMap<string, readonly WatchedFile[]>;
  readonly alike: ReadonlyMap<string | null, readonly WatchedFile[]>;
}

/**
 * Tell what became of a file.
 *
 * @param formerMs - wall clock of the look before, Unix milliseconds.
 * @returns how lines of it may be missing; null: none are.
 */
export function fateOf(file: WatchedFile, around: Around, formerMs: number): 'restarted' | 'lost' | null {
  const { seen, byte, dataByte, layout, triedAtBytes } = file;
  const isEmpty = (seen?.sizeBytes ?? 0) <= dataByte && byte <= dataByte;
  // What was looked into as the last look saw it, and holds no data or is no log; and what stands whole in another file.
  const isNothing = isEmpty || (layout === null && triedAtBytes === seen?.sizeBytes);
  // A shadow gives nothing that its original does not, unless that was rotated away and the tool writes to the shadow.
  const original = around.present.byKey.get(file.copyOf ?? '');
  const isRepeat = original !== undefined && !isRotated(original.path, file.path);
  if (isRepeat || isNothing || (around.isThere && byte <= dataByte)) return null;
  const isUnread = file.copyOf === null && (seen?.sizeBytes ?? 0) > byte;
  const isFollowed = isMoved(file, around) || (!isUnread && isSettled(file, around));
  if (around.isReplaced && !isFollowed) return 'restarted';
  return isUnread || (formerMs - file.lookedMs < RECENT_MS && !isFollowed) ? 'lost' : null;
}

/** Rotated away, and the next file of its name is known. */
function isMoved(file: WatchedFile, around: Around): boolean {
  const isNextKnown = around.last !== undefined && around.last !== file;
  const isLast = around.isRotated && laterOf(file, around).length === 0;
  return file.path !== birthPath(file) && isNextKnown && !isLast;
}

/**
 * Files of which data were read and that came after a file: at its path, or with its columns and later lines. What was rotated away
 * from beside it came before it, also where it was found later, with a higher number.
 */
function laterOf(file: WatchedFile, { present }: Around): WatchedFile[] {
  const isNext = (one: WatchedFile) => generationOf(one) > generationOf(file) && !isRotated(one.path, file.path);
  const next = (present.born.get(birthPath(file)) ?? []).filter(isNext);
  const alike = (present.alike.get(file.layoutKey) ?? []).filter(({ firstMs }) => firstMs >= file.lastMs);
  // The file may have gone on in an old copy of it, and is among those that are there: it does not follow itself.
  return [...next, ...alike].filter((one) => isProved(one) && one.key !== file.key);
}

/** A look after its last change found it read to its end, and a later file was there by then: so a tool begins a new log. */
function isSettled(file: WatchedFile, around: Around): boolean {
  if (file.endedMs <= file.lookedMs) return false;
  const later = laterOf(file, around);
  if (around.isRotated && later.length === 0) return false;
  // Of an earlier run only this is known: it was found no later than it was seen to change.
  return around.isAway || later.some(({ foundMs, lookedMs }) => (foundMs || lookedMs) < file.endedMs);
}

/** True for an entry that may hold all that was seen of a file of which nothing was read: by the number that it had. */
export function mayHoldUnread({ sizeBytes, modifiedMs, id }: Entry, { seen }: Pick<WatchedFile, 'seen'>): boolean {
  return seen !== null && id === seen.id && sizeBytes >= seen.sizeBytes && modifiedMs >= seen.modifiedMs;
}

/**
 * True for an entry that may well do so. Enough to tell no gap; not enough to take it for that file. What was rotated away is
 * not written to any more, so there one that changed has the number of another one that went; and where times are whole seconds a
 * number that was given again looks like the one before.
 */
function holdsUnread(entry: Entry, file: Pick<WatchedFile, 'seen'>, isAway: boolean): boolean {
  const { seen } = file;
  if (seen === null || !mayHoldUnread(entry, file)) return false;
  const isUnchanged = entry.sizeBytes === seen.sizeBytes && entry.modifiedMs === seen.modifiedMs;
  return isUnchanged || !(isAway || isCoarse(seen));
}

/** True for an entry that may be a copy of what was seen of a file of which nothing was read, and which was cut since. */
function copiesUnread({ path, sizeBytes, modifiedMs }: Entry, { key, seen }: WatchedFile): boolean {
  const isLater = seen !== null && sizeBytes >= seen.sizeBytes && modifiedMs >= seen.modifiedMs;
  return isLater && isRotated(path, birthPath({ key }));
}

/** Since when lines of a file may be missing, Unix ms: since it was last known to be read to its end; 0: not known. */
export function missedSince(file: WatchedFile): number {
  const { copyOf, seen, lookedMs, endedMs } = file;
  if (copyOf !== null || isAtEnd(file)) return Math.max(lookedMs, endedMs);
  return endedMs > 0 ? endedMs : Math.min(lookedMs, seen?.modifiedMs ?? lookedMs);
}

/** A file of which lines may be missing, and how. */
export interface Loss {
  readonly fate: 'restarted' | 'lost';
  readonly file: WatchedFile;
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

/** What a look found around the files that are not where they were. */
export class Aftermath {
  // A folder may hold thousands of files that all go at once: each is looked up.
  readonly #found: Found;
  /** All entries, by inode. */
  readonly #byId: ReadonlyMap<string, readonly Entry[]>;
  /** All entries, by the logs that they may be rotated from. */
  readonly #copies: ReadonlyMap<string, readonly Entry[]>;
  /** Entries that nobody knew, by the logs of which they were rotated away. */
  readonly #rotated: ReadonlyMap<string, readonly Entry[]>;
  readonly #present: Present;

  constructor(found: Found) {
    const { fresh, between, known, unread, present } = found;
    this.#found = found;
    const unknown = [...between, ...fresh.values()];
    const shown = [...unknown, ...known];
    const pathOf = ({ path }: Entry) => path;
    this.#byId = Map.groupBy(shown, ({ id }) => id);
    this.#copies = byFormer(shown, pathOf);
    this.#present = {
      byKey: new Map(present.map((file) => [file.key, file])),
      born: Map.groupBy(present, birthPath),
      alike: Map.groupBy(present, ({ layoutKey }) => layoutKey),
    };
    const unreadById = Map.groupBy(unread, ({ seen }) => seen?.id);
    const isKnown = (entry: Entry) => (unreadById.get(entry.id) ?? []).some((file) => this.#mayHold(entry, file));
    this.#rotated = byFormer(
      unknown.filter((entry) => !isKnown(entry)),
      pathOf,
    );
  }

  /** What it found around a file, beside the last one that began at its path. */
  around(orphan: WatchedFile, last: WatchedFile | undefined): Around {
    const { fresh, paths } = this.#found;
    const born = birthPath(orphan);
    const isCut = fresh.get(orphan.path)?.id === orphan.seen?.id;
    const isCopied = isCut && (this.#copies.get(born) ?? []).some((entry) => copiesUnread(entry, orphan));
    const withItsId = (orphan.seen !== null && this.#byId.get(orphan.seen.id)) || [];
    return {
      isReplaced: fresh.has(orphan.path),
      isThere: isCopied || withItsId.some((entry) => this.#mayHold(entry, orphan)),
      isAway: isAway(orphan, paths),
      isRotated: logsOf(born).some((path) => this.#rotated.has(path)),
      last,
      present: this.#present,
    };
  }

  #mayHold(entry: Entry, file: WatchedFile): boolean {
    return holdsUnread(entry, file, isAway(file, this.#found.paths));
  }
}
