// What one look at a folder finds, before anything of it is believed: what each known file was found as, where those that are
// not where they were have gone, what lies between them and what has their names now. Nothing is changed here but the index of
// gone files, which a look that was torn puts back (`drop`).
//
// Invariant: a path that leads to another object than the listing says, or a folder that could not be listed, tears the look.
import { mayHoldUnread } from './file-fate.ts';
import { type Entry, isHidden } from './folder-scan.ts';
import type { GoneFiles } from './gone-files.ts';
import { type Found, findHeirs } from './heirs.ts';
import type { Picture } from './picture.ts';
import { compareRotated, isRotated } from './rotated-names.ts';
import type { Moment } from './same-tick.ts';
import { type Before, isWeak, Judge, type Judged, type Place } from './verdict.ts';
import { birthPath, isProved, provedMsByLog, type WatchedFile } from './watched-file.ts';

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
  /** All files, gone ones too. */
  readonly all: Iterable<WatchedFile>;
  /** Logs of which a rotated file refused to be looked at or read, and since when what lies there is new, Unix ms. */
  readonly unsearched: ReadonlyMap<string, number>;
}

/** What a look found, before it is known whether the folder stood still. */
export interface Plan extends Judged {
  readonly verdicts: Map<WatchedFile, Place>;
  readonly held: string[];
  /** Files that are not where they were, or not what they were. */
  readonly orphans: WatchedFile[];
  /** Paths that lead to no known file. */
  readonly fresh: Map<string, Entry>;
  /** Files that hold names of columns alone and may have held lines in between. */
  weak: readonly WatchedFile[];
  found: Found;
}

/** A file that nobody knew, and the path that it had while it was written. */
export interface Between {
  readonly entry: Entry;
  readonly born: string;
}

const NOTHING_FOUND: Found = { heirs: [], held: [], refused: [], isTorn: false };

/** Makes the plan of one look. */
export class LookPlan {
  readonly #known: Known;
  /** As `Known` has it, after this look. */
  readonly unsearched = new Map<string, number>();

  constructor(known: Known) {
    this.#known = known;
  }

  /**
   * Plan what a look does with each file of a picture.
   * @returns null when a path led to another object than the picture says.
   */
  make(picture: Picture, now: Moment): Plan | null {
    const { files } = picture.listing;
    const orphans = [...this.#known.waiting];
    const weak: WatchedFile[] = [];
    const [verdicts, fresh] = [new Map(), new Map()];
    const [found, held, lookedAgain] = [NOTHING_FOUND, [], []];
    const plan: Plan = { verdicts, held, lookedAgain, orphans, fresh, weak, found };
    // Shadows last: what became of their originals must be known by then.
    const judge = new Judge(this.#known, plan, files, now);
    const known = [...this.#known.byPath].sort(([, a], [, b]) => Number(a.copyOf !== null) - Number(b.copyOf !== null));
    for (const [path, file] of known) {
      // What the match leaves out is followed only where a rotation put it there.
      const entry =
        files.has(path) || file.isOutside ? picture.entry(path) : isHidden(picture.listing, path) ? 'held' : null;
      if (entry === 'held') plan.held.push(path);
      else if (entry === null) plan.orphans.push(file);
      else {
        const isCertain = file.seen !== null && this.#known.sameTick.isCertain(file.seen, now);
        const verdict = judge.judge(file, entry);
        if (verdict === 'gone') return null;
        plan.verdicts.set(file, { verdict, entry });
        if (verdict !== 'held' && isWeak(file, entry, isCertain)) weak.push(file);
        const isWaiting = now.monotonicMs - (file.shrunkSinceMs ?? now.monotonicMs) < SETTLE_MS;
        const isOver = verdict === 'shrunk' && !isWaiting;
        if (verdict !== 'other' && !isOver) continue;
        plan.verdicts.delete(file);
        plan.orphans.push(file);
        // What stands under a name that the match leaves out is followed there, never begun.
        if (files.has(path)) plan.fresh.set(path, entry);
      }
    }
    for (const [path, entry] of files) if (!this.#known.byPath.has(path)) plan.fresh.set(path, entry);
    this.#searchHeirs(plan, picture, now);
    for (const path of picture.hidden) if (!plan.held.includes(path)) plan.held.push(path);
    if (!plan.found.isTorn) return plan;
    this.drop(plan);
    return null;
  }

  /** The paths that refused to be looked at or read. */
  refused(picture: Picture, { verdicts, found }: Plan): Set<string> {
    const unread = [...verdicts].flatMap(([{ path }, { verdict }]) => (verdict === 'held' ? [path] : []));
    return new Set([...unread, ...found.refused, ...picture.hidden]);
  }

  /** What is concluded of a torn look never was. */
  drop({ orphans, verdicts, found }: Plan): void {
    for (const file of [...orphans, ...verdicts.keys(), ...found.heirs.map((heir) => heir.file)]) {
      if (this.#known.byPath.get(file.path) === file) this.#known.gone.delete(file);
    }
  }

  #searchHeirs(plan: Plan, picture: Picture, now: Moment): void {
    const { orphans, fresh, verdicts } = plan;
    // A file found shorter waits, unless what was read of it stands elsewhere: then it was moved there for certain.
    const shrunk = [...verdicts].filter(([, { verdict }]) => verdict === 'shrunk').map(([file]) => file);
    const searched = [...orphans, ...shrunk];
    // Nothing is read of these yet: shadows above all.
    const unread = [...verdicts].filter(
      ([file]) => (!isProved(file) || file.copyOf !== null) && file.skip === null && !fresh.has(file.path),
    );
    for (const file of searched) this.#known.gone.add(file);
    if (searched.length === 0 && (fresh.size === 0 || this.#known.gone.size === 0)) return;
    const candidates = new Map(fresh);
    for (const [{ path }, { entry }] of unread) candidates.set(path, entry);
    const missing = new Set(orphans);
    const isKnown = (path: string) => candidates.has(path) || this.#isHolder(path, missing);
    for (const file of searched) {
      const isTold = (isProved(file) && file.copyOf === null) || file.skip !== null;
      if (!isTold || now.nowMs - file.lookedMs > NEIGHBOURS_AGE_MS) continue;
      for (const entry of picture.neighboursOf(file, isKnown)) candidates.set(entry.path, entry);
    }
    plan.found = findHeirs(this.#known.folder, this.#known.gone, candidates.values());
    for (const { file } of plan.found.heirs) {
      const left = picture.listing.files.get(file.path);
      if (verdicts.delete(file) && left !== undefined) fresh.set(file.path, left);
    }
  }

  /**
   * What was written between a file and the one that has its name now: files beside it that nobody knows, under names as
   * a rotation gives them, last changed no earlier than the one before was seen to change. The oldest first.
   */
  between(picture: Picture, plan: Plan, surveyedMs: number | null): Between[] {
    if (surveyedMs === null) return [];
    const { fresh, found, verdicts, weak, orphans } = plan;
    const between: Between[] = [];
    const moved = found.heirs.map(({ file }) => file);
    const placed = [...found.heirs, ...found.held, ...verdicts.values()].map(({ entry }) => entry);
    const taken = new Set([...placed.map(({ path }) => path), ...fresh.keys()]);
    const changed = [...moved, ...orphans, ...weak];
    const provedMs = provedMsByLog(this.#known.all);
    const left = new Set([...orphans, ...moved]);
    const again = this.#known.unsearched;
    this.unsearched.clear();
    for (const path of new Set([...fresh.keys(), ...changed.map(birthPath), ...again.keys()])) {
      const sinceMs = again.get(path) ?? provedMs.get(path) ?? surveyedMs - COARSE_TICK_MS;
      const isKnown = (one: string) => taken.has(one) || this.#isHolder(one, left);
      for (const entry of picture.rotatedOf(path, isKnown)) {
        // Where it has the number of a file of which nothing was read, it may well be that one.
        const isOld =
          entry.modifiedMs < sinceMs && !orphans.some((file) => !isProved(file) && mayHoldUnread(entry, file));
        if (isOld) continue;
        between.push({ entry, born: path });
        taken.add(entry.path);
      }
      if ([...this.refused(picture, plan)].some((one) => isRotated(one, path))) this.unsearched.set(path, sinceMs);
    }
    // Modification times may be whole seconds; of two numbered alike the higher number is older, of two dates the earlier.
    return between.sort(
      (a, b) => a.entry.modifiedMs - b.entry.modifiedMs || compareRotated(a.entry.path, b.entry.path),
    );
  }

  /** True for the path of a known file that is there, or of which nothing can be told now. */
  #isHolder(path: string, left: ReadonlySet<WatchedFile>): boolean {
    const file = this.#known.byPath.get(path);
    return file !== undefined && !left.has(file);
  }
}
