// What one look at a folder finds, before anything of it is believed: what each known file was found as, where those that are
// not where they were have gone, what lies between them and what has their names now. Nothing is changed here but the index of
// gone files, which a look that was torn puts back (`drop`).
//
// Invariant: a path that leads to another object than the listing says, or a folder that could not be listed, tears the look.
import { join } from 'node:path';
import { byChain, isRefuted, type Shift } from './chain-holes.ts';
import { mayHoldUnread } from './file-fate.ts';
import { type Entry, isHidden, type Listing, statEntry } from './folder-scan.ts';
import type { GoneFiles } from './gone-files.ts';
import { type Found, findHeirs, type Heir, Neighbours } from './heirs.ts';
import { compareRotated, formerPaths, isRotated, knownLogsOf } from './rotated-names.ts';
import { isWeak } from './rotation-watch.ts';
import { type Before, Judge, type Judged, type Moment, type Place } from './verdict.ts';
import { birthPath, isProved, provedMsByLog, type WatchedFile } from './watched-file.ts';
import { mayBeSame } from './with-file.ts';

/** Modification times may be whole seconds, and even ones, milliseconds. */
const COARSE_TICK_MS = 2000;
/** How long a file found shorter than read, but beginning alike, may be in the middle of being rewritten. */
const SETTLE_MS = 2000;
/** A file gone for longer is not searched among its neighbours any more, milliseconds. */
const NEIGHBOURS_AGE_MS = 24 * 3_600_000;

/** What is known of the folder before the look. */
export interface Known extends Before {
  readonly gone: GoneFiles;
  /** Files whose end is not told yet: another program holds what may be their new place. */
  readonly waiting: ReadonlySet<WatchedFile>;
  /** The paths that the look before found and that do not match. */
  readonly beside: ReadonlySet<string>;
  /** All files, gone ones too. */
  readonly all: Iterable<WatchedFile>;
  /** True for a path at which a file was ever found. */
  isLog(path: string): boolean;
}

/** What a look found, before it is known whether the folder stood still. */
export interface Plan extends Judged {
  readonly verdicts: Map<WatchedFile, Place>;
  readonly held: string[];
  /** Paths of files that look as before, and that could not be opened. */
  believed: readonly string[];
  /** Files that are not where they were, or not what they were. */
  readonly orphans: WatchedFile[];
  /** Paths that lead to no known file. */
  readonly fresh: Map<string, Entry>;
  /** Files that hold names of columns alone and may have held lines in between. */
  weak: readonly WatchedFile[];
  found: Found;
  /** Orphans of which nothing is concluded before another file of their log can be told. */
  waiting: readonly WatchedFile[];
  /** True for the name of a log of which a file cannot be told now; null: there is none. */
  isOpen: ((path: string) => boolean) | null;
}

/** A file that nobody knew, and the path that it had while it was written. */
export interface Between {
  readonly entry: Entry;
  readonly born: string;
}

const NOTHING_FOUND: Found = { heirs: [], held: [], isBlind: false, isTorn: false };
export const NO_PLAN = { fresh: new Map(), orphans: [], weak: [], waiting: [], found: NOTHING_FOUND };

/** Makes the plan of one look. */
export class LookPlan {
  readonly #known: Known;
  /** Something refused to be looked at, in which a file may go on or lines between two files may stand. */
  isBlind = false;
  /** Where the plan that was made last has searched the files that are not where they were. */
  #candidates: ReadonlyMap<string, Entry> = new Map();
  /** What stands beside the logs in which something changed; null: nothing was looked for. */
  beside: Neighbours | null = null;

  constructor(known: Known) {
    this.#known = known;
  }

  /**
   * Plan what a look does with each file of a listing.
   * @returns null when a path led to another object than the listing says.
   */
  make(listing: Listing, now: Moment): Plan | null {
    this.#candidates = new Map();
    const orphans = [...this.#known.waiting];
    const weak: WatchedFile[] = [];
    const [verdicts, fresh] = [new Map(), new Map()];
    const [found, held, believed, lookedAgain, waiting] = [NOTHING_FOUND, [], [], [], []];
    const plan: Plan = { verdicts, held, believed, lookedAgain, orphans, fresh, weak, waiting, found, isOpen: null };
    const outside = new Map<string, Entry>();
    const unproved = new Map<WatchedFile, Entry>();
    const leave = (file: WatchedFile, entry: Entry) => {
      plan.verdicts.delete(file);
      plan.orphans.push(file);
      // What stands under a name that the match leaves out is followed there, never begun.
      if (listing.files.has(file.path)) plan.fresh.set(file.path, entry);
    };
    /** Files in whose places others stand. */
    const replaced: Shift[] = [];
    // Shadows last: what became of their originals must be known by then.
    const rotated = this.#newlyRotated(listing);
    const judge = new Judge(this.#known, plan, listing.files, now);
    const known = [...this.#known.byPath].sort(([, a], [, b]) => Number(a.copyOf !== null) - Number(b.copyOf !== null));
    for (const [path, file] of known) {
      const entry = listing.files.get(path) ?? (file.isOutside ? this.#entry(path) : null);
      if (entry === 'held' || (entry === null && isHidden(listing, path))) plan.held.push(path);
      else if (entry === null) plan.orphans.push(file);
      else {
        if (file.isOutside) outside.set(path, entry);
        const isCertain = file.seen !== null && !file.isInDoubt && this.#known.sameTick.isCertain(file.seen, now);
        const found = judge.judge(file, entry);
        if (found === 'gone') return null;
        const verdict = found === 'unproved' ? 'alike' : found;
        if (found === 'unproved') unproved.set(file, entry);
        plan.verdicts.set(file, { verdict, entry });
        const isDoubtful = verdict !== 'held' && isWeak(file, entry, isCertain, rotated.has(birthPath(file)));
        if (isDoubtful) weak.push(file);
        // A log that was cut to nothing in a rotation is not in the middle of a rewrite.
        const isWaiting = now.monotonicMs - (file.shrunkSinceMs ?? now.monotonicMs) < SETTLE_MS;
        const isOver = verdict === 'shrunk' && (!isWaiting || (isDoubtful && entry.sizeBytes === 0));
        if (verdict !== 'other' && !isOver) continue;
        replaced.push({ from: path, isAt: () => false });
        leave(file, entry);
      }
    }
    const shown = { get: (path: string) => listing.files.get(path) ?? outside.get(path) };
    const shifts = byChain(replaced);
    for (const [file, { verdict, entry }] of replaced.length > 0 ? [...plan.verdicts] : []) {
      const isUnread = !isProved(file) && file.copyOf === null && file.skip === null;
      const isAsSeen = isUnread && (verdict === 'same' || verdict === 'alike');
      if (isAsSeen && isRefuted(file.path, entry, shifts, shown)) leave(file, entry);
    }
    for (const [path, entry] of listing.files) if (!this.#known.byPath.has(path)) plan.fresh.set(path, entry);
    // What looks as before and cannot be opened is believed as long as nothing else of its log has changed.
    const others = unproved.size === 0 ? [] : [...plan.orphans.map(birthPath), ...plan.fresh.keys()];
    const logs = (path: string) => knownLogsOf(path, this.#known.isLog);
    const changed = new Set(others.flatMap(logs));
    for (const [file, entry] of unproved) {
      if (logs(birthPath(file)).some((path) => changed.has(path))) plan.verdicts.set(file, { verdict: 'held', entry });
    }
    plan.believed = [...unproved.values()].map(({ path }) => path);
    this.#searchHeirs(plan, listing, now);
    if (!plan.found.isTorn) return plan;
    this.drop(plan);
    return null;
  }

  /** The logs of which a rotated name came up since the look before. */
  #newlyRotated({ beside }: Listing): ReadonlySet<string> {
    const names = [...beside].filter((path) => !this.#known.beside.has(path));
    return new Set(names.flatMap(formerPaths));
  }

  #entry(path: string): Entry | null | 'held' {
    return statEntry(this.#known.folder.files, join(this.#known.folder.path, path), path);
  }

  /** What is concluded of a torn look never was. */
  drop({ orphans, verdicts, found }: Plan): void {
    for (const file of [...orphans, ...verdicts.keys(), ...found.heirs.map((heir) => heir.file)]) {
      if (this.#known.byPath.get(file.path) === file) this.#known.gone.delete(file);
    }
  }

  #searchHeirs(plan: Plan, listing: Listing, now: Moment): void {
    const { orphans, fresh, verdicts } = plan;
    // A file found shorter waits, unless what was read of it stands elsewhere: then it was moved there for certain.
    const shrunk = [...verdicts].filter(([, { verdict }]) => verdict === 'shrunk').map(([file]) => file);
    const searched = [...orphans, ...shrunk];
    // Nothing is read of these yet: shadows above all. One whose original is gone may be all that is left of it.
    const unread = [...verdicts].filter(
      ([file]) => (!isProved(file) || file.copyOf !== null) && file.skip === null && !fresh.has(file.path),
    );
    for (const file of searched) this.#known.gone.add(file);
    const originals = new Set(unread.map(([{ copyOf }]) => copyOf));
    const isLeft = [...this.#known.gone].some(({ key }) => originals.has(key));
    if (searched.length === 0 && !isLeft && (fresh.size === 0 || this.#known.gone.size === 0)) {
      this.#waitFor(plan, listing.hidden, this.#openLogs(plan, listing.hidden));
      return;
    }
    const candidates = new Map(fresh);
    for (const [{ path }, { entry }] of unread) candidates.set(path, entry);
    const neighbours = new Neighbours(this.#known.folder);
    const missing = new Set(orphans);
    const isKnown = (path: string) => candidates.has(path) || this.#isHolder(path, missing);
    for (const file of searched) {
      const isTold = (isProved(file) && file.copyOf === null) || file.skip !== null;
      if (!isTold || now.nowMs - file.lookedMs > NEIGHBOURS_AGE_MS) continue;
      for (const entry of neighbours.of(file, isKnown)) candidates.set(entry.path, entry);
    }
    this.#candidates = candidates;
    plan.found = neighbours.isTorn
      ? { ...NOTHING_FOUND, isTorn: true }
      : findHeirs(this.#known.folder, this.#known.gone, candidates.values());
    // What is searched may stand where nothing can be looked at.
    if (neighbours.hidden.size > 0) plan.found = { ...plan.found, isBlind: true };
    const hidden = [...neighbours.hidden, ...listing.hidden];
    const isOpen = this.#openLogs(plan, hidden);
    // While a file of its log cannot be told, another object that holds the same may be a person's copy: unless it has the file's
    // own path, or a name that a rotation gives.
    const isItsName = ({ file, entry: { path } }: Heir) =>
      [file.path, birthPath(file)].some((own) => path === own || isRotated(path, own));
    const isTold = (heir: Heir) =>
      isOpen?.(birthPath(heir.file)) !== true || mayBeSame(heir.file.seen?.id ?? '', heir.entry.id) || isItsName(heir);
    plan.found = { ...plan.found, heirs: plan.found.heirs.filter(isTold) };
    for (const { file } of plan.found.heirs) {
      const left = listing.files.get(file.path);
      if (verdicts.delete(file) && left !== undefined) fresh.set(file.path, left);
    }
    this.#waitFor(plan, hidden, isOpen);
  }

  /**
   * The logs of which a file cannot be told now.
   *
   * @param hidden - paths that refuse to be looked at.
   * @returns true for the name of one; null: there is none.
   */
  #openLogs({ verdicts, held, found }: Plan, hidden: readonly string[]): Plan['isOpen'] {
    const unread = [...verdicts].filter(([, { verdict }]) => verdict === 'held').map(([{ path }]) => path);
    const paths = [...unread, ...held, ...hidden, ...found.held.map(({ entry }) => entry.path)];
    if (paths.length === 0) return null;
    const logs = new Set(paths.flatMap((path) => [path, ...formerPaths(path), ...this.#bornAs(path)]));
    return (path) => logs.has(path) || formerPaths(path).some((one) => logs.has(one));
  }

  /**
   * Where one file of a log cannot be told now, nothing is concluded of the others: which of them is new, and which went,
   * depends on what it is.
   */
  #waitFor(plan: Plan, hidden: readonly string[], isOpen: Plan['isOpen']): void {
    const { verdicts, held, orphans, fresh, weak, found } = plan;
    if (isOpen === null) return;
    for (const path of [...fresh.keys()]) if (isOpen(path)) fresh.delete(path);
    // Not read before that is told either: then nothing would be left to tell what came before it.
    for (const file of weak) {
      const place = verdicts.get(file);
      if (place !== undefined && isOpen(birthPath(file))) verdicts.set(file, { ...place, verdict: 'waits' });
    }
    plan.weak = weak.filter((file) => !isOpen(birthPath(file)));
    const placed = new Set(found.heirs.map(({ file }) => file));
    plan.waiting = orphans.filter((file) => isOpen(birthPath(file)) && !placed.has(file));
    plan.isOpen = isOpen;
    held.push(...hidden.filter((path) => !held.includes(path)));
  }

  #bornAs(path: string): string[] {
    const file = this.#known.byPath.get(path);
    return file === undefined ? [] : [birthPath(file)];
  }

  /**
   * What was written between a file and the one that has its name now: files beside it that nobody knows, under names as
   * a rotation gives them, last changed no earlier than the one before was seen to change. The oldest first.
   */
  between({ fresh, found, verdicts, weak, orphans, isOpen }: Plan, surveyedMs: number | null): Between[] {
    if (surveyedMs === null) return [];
    const between: Between[] = [];
    const moved = found.heirs.map(({ file }) => file);
    const placed = [...found.heirs, ...found.held, ...verdicts.values()].map(({ entry }) => entry);
    const taken = new Set([...placed.map(({ path }) => path), ...fresh.keys()]);
    const ids = new Set(placed.map(({ id }) => id));
    const neighbours = new Neighbours(this.#known.folder);
    this.beside = neighbours;
    const changed = [...moved, ...orphans, ...weak];
    const provedMs = provedMsByLog(this.#known.all);
    const left = new Set([...orphans, ...moved]);
    for (const path of new Set([...fresh.keys(), ...changed.map(birthPath)])) {
      if (isOpen?.(path)) continue;
      const sinceMs = provedMs.get(path) ?? surveyedMs - COARSE_TICK_MS;
      const isKnown = (one: string) => taken.has(one) || this.#isHolder(one, left);
      for (const entry of neighbours.rotatedOf(path, isKnown)) {
        // Where it has the number of a file of which nothing was read, it may well be that one.
        const isOld =
          entry.modifiedMs < sinceMs && !orphans.some((file) => !isProved(file) && mayHoldUnread(entry, file));
        if (isOld || (entry.id !== '' && ids.has(entry.id))) continue;
        between.push({ entry, born: path });
        taken.add(entry.path);
      }
    }
    // Modification times may be whole seconds; of two numbered alike the higher number is older, of two dates the earlier.
    this.isBlind = found.isBlind || neighbours.isTorn || neighbours.hidden.size > 0;
    return between.sort(
      (a, b) => a.entry.modifiedMs - b.entry.modifiedMs || compareRotated(a.entry.path, b.entry.path),
    );
  }

  /** True for the path of a known file that is there, or of which nothing can be told now. */
  #isHolder(path: string, left: ReadonlySet<WatchedFile>): boolean {
    const file = this.#known.byPath.get(path);
    return file !== undefined && !left.has(file);
  }

  /** True when every file that is not where it was was searched in all that lies between and can hold it. */
  hasSearched({ orphans }: Plan, between: readonly Between[]): boolean {
    const read = orphans.filter((file) => isProved(file) && file.copyOf === null);
    return between.every(({ entry: { path, id, sizeBytes } }) => {
      const isSearched = this.#candidates.get(path)?.id === id;
      return isSearched || read.every(({ byte }) => byte > sizeBytes);
    });
  }

  /** True when what a plan says of paths that the listing leaves out still holds. */
  standsBeside({ verdicts, found }: Plan, between: readonly Between[]): boolean {
    const outside = [...verdicts].filter(([{ isOutside }]) => isOutside).map(([, { entry }]) => entry);
    for (const entry of [...outside, ...[...found.heirs, ...between].map((one) => one.entry)]) {
      const again = this.#entry(entry.path);
      if (again === null || again === 'held' || !mayBeSame(again.id, entry.id)) return false;
      if (again.sizeBytes < entry.sizeBytes) return false;
    }
    return true;
  }
}
