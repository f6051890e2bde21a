// What it means that a file went on nowhere: nothing, or that lines of it may be missing.
//
// Rule: lines are missed unless something proves that there were none. The proof is that the tool had turned to another file
// before: the file was rotated away and the next one of its name is known, or a look after the last change found it read to its
// end while a later file was there. Where a rotation left files that nobody knew, the last file of which data were read, or one
// that came after it, must be among them; else nothing tells how many came and went in between.
import { byChain, isRefuted, type Shift, type ShiftsByLog } from './chain-holes.ts';
import type { Entry } from './folder-scan.ts';
import type { Found as HeirsFound } from './heirs.ts';
import {
  byFormer,
  compareRotated,
  formerPaths,
  isAway,
  isRotated,
  type KnownPaths,
  knownLogsOf,
  logsOf,
  numberInChain,
  placeInChain,
} from './rotated-names.ts';
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
  /**
   * Another one has its rotated name, and the file with the next higher number is where it was. A rotation moves both, so the look
   * that found it there saw two moments.
   */
  readonly isSwapped: boolean;
  /** A later file of its log, of which nothing was read, was moved away and stands there still. */
  readonly hasLater: boolean;
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
  const isNothing =
    !around.isRotated && !file.isInDoubt && (isEmpty || (layout === null && triedAtBytes === seen?.sizeBytes));
  // A shadow gives nothing that its original does not, unless it got longer or its original went before; or was rotated away, so
  // that the tool writes to the shadow.
  const original = around.present.byKey.get(file.copyOf ?? '');
  const isRepeat =
    original !== undefined &&
    (original.seen?.sizeBytes ?? 0) >= (seen?.sizeBytes ?? 0) &&
    !isRotated(original.path, file.path);
  if (isRepeat || isNothing || (around.isThere && byte <= dataByte)) return null;
  const isUnread = file.copyOf === null && (seen?.sizeBytes ?? 0) > byte;
  const isFollowed = isMoved(file, around) || (!isUnread && isSettled(file, around));
  if (around.isReplaced && !isFollowed) return 'restarted';
  return isUnread || (formerMs - file.lookedMs < RECENT_MS && !isFollowed) ? 'lost' : null;
}

/** Rotated away, and the next file of its name is known. */
function isMoved(file: WatchedFile, around: Around): boolean {
  const isNextKnown = around.last !== undefined && around.last !== file;
  return (
    file.path !== birthPath(file) &&
    isNextKnown &&
    !around.isSwapped &&
    (!around.isRotated || around.hasLater || laterOf(file, around).length > 0)
  );
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
  if (around.isRotated && !around.hasLater && later.length === 0) return false;
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

/**
 * The files that are not where they were, as far as it can be told now, and where they are: one of which data were read where its
 * content was found, any other where its number is and nothing changed.
 *
 * @param plan - what a look found, and of which files nothing is concluded yet.
 */
export function shiftsOf({
  found,
  orphans,
  waiting,
}: {
  readonly found: HeirsFound;
  readonly orphans: readonly WatchedFile[];
  readonly waiting: readonly WatchedFile[];
}): Shift[] {
  const open = new Set([...waiting, ...[...found.held, ...found.heirs].map(({ file }) => file)]);
  const left = orphans
    .filter((file) => !open.has(file))
    .map((file) => ({
      from: file.path,
      isAt: (entry: Entry) => !isProved(file) && entry.path !== file.path && holdsUnread(entry, file, true),
    }));
  const moved = found.heirs.map(({ file, entry: { path: to } }) => ({
    from: file.path,
    isAt: ({ path }: Entry) => path === to,
  }));
  return [...left, ...moved];
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

/**
 * Of the losses of one look such as are told: what is missing of a log since a later time is covered by the gap before. One
 * of which it is not known since when is told, gives no gap, and covers nothing.
 *
 * @param isLog - true for a path at which a file was ever found.
 */
export function longestOf(losses: readonly Loss[], isLog: (path: string) => boolean): Loss[] {
  const covered = new Set<string>();
  return [...losses]
    .sort((a, b) => missedSince(a.file) - missedSince(b.file))
    .filter(({ file }) => {
      const logs = knownLogsOf(birthPath(file), isLog);
      if (logs.some((path) => covered.has(path))) return false;
      if (missedSince(file) > 0) for (const path of logs) covered.add(path);
      return true;
    });
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
  /** Where files went that are not where they were. */
  readonly shifts: readonly Shift[];
  /** The files that are there. */
  readonly present: readonly WatchedFile[];
  readonly paths: KnownPaths;
}

/** What a look found around the files that are not where they were. */
export class Aftermath {
  // A folder may hold thousands of files that all go at once: each is looked up.
  readonly #found: Found;
  /** All entries, by path. */
  readonly #byPath: ReadonlyMap<string, Entry>;
  /** Those of known files, by path. */
  readonly #known: ReadonlyMap<string, Entry>;
  /** All entries, by inode. */
  readonly #byId: ReadonlyMap<string, readonly Entry[]>;
  /** All entries, by the logs that they may be rotated from. */
  readonly #copies: ReadonlyMap<string, readonly Entry[]>;
  /** Files of which nothing was read, by the inode that they had. */
  readonly #unreadById: ReadonlyMap<string | undefined, readonly WatchedFile[]>;
  /** The same, by the logs that they may be rotated from. */
  readonly #unreadOf: ReadonlyMap<string, readonly WatchedFile[]>;
  /** The same, by where they began. */
  readonly #unreadBorn: ReadonlyMap<string, readonly WatchedFile[]>;
  /** Entries that nobody knew, by the logs of which they were rotated away. */
  readonly #rotated: ReadonlyMap<string, readonly Entry[]>;
  readonly #shifts: ShiftsByLog;
  readonly #present: Present;

  constructor(found: Found) {
    const { fresh, between, known, unread } = found;
    this.#found = found;
    const shown = [...between, ...known, ...fresh.values()];
    const pathOf = ({ path }: Entry | WatchedFile) => path;
    this.#byPath = new Map(shown.map((entry) => [entry.path, entry]));
    this.#known = new Map(known.map((entry) => [entry.path, entry]));
    this.#byId = Map.groupBy(shown, ({ id }) => id);
    this.#copies = byFormer(shown, pathOf);
    this.#unreadById = Map.groupBy(unread, ({ seen }) => seen?.id);
    this.#unreadOf = byFormer(unread, pathOf);
    this.#unreadBorn = Map.groupBy(unread, birthPath);
    this.#shifts = byChain(found.shifts);
    this.#present = {
      byKey: new Map(found.present.map((file) => [file.key, file])),
      born: Map.groupBy(found.present, birthPath),
      alike: Map.groupBy(found.present, ({ layoutKey }) => layoutKey),
    };
    const isKnown = (entry: Entry) => this.#unreadIn(entry).length > 0;
    this.#rotated = byFormer(
      [...between, ...fresh.values()].filter((entry) => !isKnown(entry)),
      pathOf,
    );
  }

  /** What it found around a file, beside the last one that began at its path. */
  around(orphan: WatchedFile, last: WatchedFile | undefined): Around {
    const { fresh, paths } = this.#found;
    const { seen } = orphan;
    const born = birthPath(orphan);
    const isCut = fresh.get(orphan.path)?.id === seen?.id;
    // Where times are whole seconds a number that was given again looks like the one before. If lines were seen in it and not
    // read, that is a doubt, and told.
    const isSure = seen !== null && (!isCoarse(seen) || isAtEnd(orphan) || orphan.endedMs > orphan.lookedMs);
    // Of several copies nobody can tell which is the one of what was seen.
    const isOnly = (this.#rotated.get(born)?.length ?? 0) <= 1;
    // Where times are whole seconds a number that was given again looks like the one before: what nobody knew is no copy for certain.
    const isCopy = (entry: Entry) =>
      (seen === null || !isCoarse(seen) || this.#known.has(entry.path)) && copiesUnread(entry, orphan);
    const isCopied = isCut && isOnly && (this.#copies.get(born) ?? []).some(isCopy);
    return {
      isReplaced: fresh.has(orphan.path),
      isThere: isCopied || (isSure && this.#withIdOf(orphan).some((entry) => this.#mayHold(entry, orphan))),
      isAway: isAway(orphan, paths),
      isRotated: logsOf(born).some((path) => this.#rotated.has(path)),
      isSwapped: this.#isSwapped(orphan.path, born),
      hasLater: formerPaths(orphan.path).some((log) =>
        (this.#unreadOf.get(log) ?? []).some((file) => this.#isLater(file, orphan)),
      ),
      last,
      present: this.#present,
    };
  }

  /** Logs of which files were found that a rotation made, and that nobody knew: where nothing was read they may be others now. */
  rotatedOf(byPath: ReadonlyMap<string, WatchedFile>): WatchedFile[] {
    return [...this.#rotated.keys()].flatMap((path) => byPath.get(path) ?? []);
  }

  /** Since when lines of a file may be missing that was found now: the look before, or longer where it holds what was never read. */
  missedFrom({ seen }: WatchedFile, formerMs: number): number {
    if (seen === null) return formerMs;
    const copied = formerPaths(seen.path).flatMap((log) => this.#unreadBorn.get(log) ?? []);
    const held = [...this.#unreadIn(seen), ...copied.filter((one) => copiesUnread(seen, one))];
    return Math.min(formerMs, ...held.filter(({ endedMs }) => endedMs > 0).map(({ endedMs }) => endedMs));
  }

  /** The files of which nothing was read and that an entry may hold. */
  #unreadIn(entry: Entry): WatchedFile[] {
    return (this.#unreadById.get(entry.id) ?? []).filter((file) => this.#mayHold(entry, file));
  }

  /** The entries that have the number that a file had. */
  #withIdOf({ seen }: WatchedFile): readonly Entry[] {
    return (seen !== null && this.#byId.get(seen.id)) || [];
  }

  #mayHold(entry: Entry, file: WatchedFile): boolean {
    const isAsSeen = holdsUnread(entry, file, isAway(file, this.#found.paths));
    return isAsSeen && !isRefuted(file.path, entry, this.#shifts, this.#byPath);
  }

  #isSwapped(path: string, log: string): boolean {
    const number = numberInChain(path, log);
    if (number === null || number === 0 || !this.#byPath.has(path)) return false;
    const above = this.#known.get(placeInChain(path, log, number + 1));
    return above !== undefined && !this.#found.shifts.some((shift) => shift.isAt(above));
  }

  /** True for a file that came after the other one of its log, and that one of the entries holds for certain. */
  #isLater(file: WatchedFile, former: WatchedFile): boolean {
    // Where times are whole seconds a number that was given again looks like the one before.
    const isFine = file.seen !== null && !isCoarse(file.seen);
    const isLater = isFine && compareRotated(former.path, file.path) < 0;
    return isLater && this.#withIdOf(file).some((entry) => holdsUnread(entry, file, true));
  }
}
