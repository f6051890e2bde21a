// Which file is which, from one look at the folder to the next.
//
// A look is a plan first: what each known file was found as, which went where, what is new. Nothing of it holds before the
// folder was listed once more and every name still leads to the same object; else the look was torn by a rotation, and is
// made again. So each look is one of a folder that stood still, and what is concluded from "not there" is true.
//
// A file whose path still holds what was read of it goes on. One that no longer does was restarted (truncated, rewritten,
// or renamed away and made again), and what was read of it may live on under another name: it is searched by its content
// (heirs.ts) and read to its end there before anything else. Whatever was written between it and the file that has its name
// now lies beside it under rotated names, also where the match leaves these out, and is read in between (`#between`). What
// finds no heir is over; if lines may have been written after the last look, that is a gap. Of what is left those that only
// repeat a known file are its shadows (copies.ts).
//
// Bounds and invariants
//  1. A path leads to one file at most, and a key names one file for good once anything of it was read.
//  2. What cannot be told now, because another program holds a file, is not decided: it waits for a later look. So does all
//     that a look torn five times would have said.
//  3. A file that got shorter and begins alike is given 2 s: it may be in the middle of being written again.
//  4. A file that looks as before is compared once more, a tick of its clock later (same-tick.ts).
//  5. A file that is gone is looked for among its neighbours for 24 h (1,000 a folder), among all that is new for 30 days
//     (gone-files.ts). Whether it is a gap: file-fate.ts.

import type { Clock } from '../../../platform/clock.ts';
import { type Files, withoutNumbers } from '../../../platform/files.ts';
import type { Position } from '../../source.ts';
import { Copies } from './copies.ts';
import {
  forgetUnproved,
  noteGone,
  noteGrown,
  noteMoved,
  noteSeen,
  noteShrunk,
  noteStill,
  noteWhole,
  setEnded,
  staySkipped,
  takePosition,
} from './file-changes.ts';
import { Aftermath, copiesUnread, missedSince } from './file-fate.ts';
import type { Entry, Listing } from './folder-scan.ts';
import { GoneFiles } from './gone-files.ts';
import type { Heir } from './heirs.ts';
import { type Between, type Known, LookPlan, type Plan } from './look-plan.ts';
import { isGzip } from './packed.ts';
import { areNumbersNew, Picture } from './picture.ts';
import { formerPaths, isRotated, type KnownPaths } from './rotated-names.ts';
import { type Moment, SameTick } from './same-tick.ts';
import type { Place } from './verdict.ts';
import { birthPath, generationOf, isAtEnd, isProved, newFile, positionOf, type WatchedFile } from './watched-file.ts';
import type { Folder } from './with-file.ts';

/** How often a look is made until it is not torn. */
const TRIES = 5;
/** How often in one look nothing but the numbers of the objects is new: a file that was replaced has another one once. */
const RENUMBERED_MIN = 3;

/** How the folder is looked at. */
export interface HowToLook {
  list(folder: Folder): Listing;
  /** Since when the folder is known; null: it was never looked at. */
  readonly surveyedMs: number | null;
  /** Wall clock of a look that is noted now and then, so that a later run knows it; 0: of none. */
  readonly notedMs: number;
}

export interface Look {
  readonly listing: Listing;
  readonly nowMs: number;
  readonly fresh: readonly WatchedFile[];
  readonly isTorn: boolean;
}

/** What the registry reports of files while it follows them. */
export interface RegistryEvents {
  /**
   * A file was restarted in place; what was read of it stands, what was written since the last look may be lost, or stand in a
   * file into which it was compressed (empty: there is none).
   */
  restarted(file: WatchedFile, packed: string): void;
  /** A file vanished that had bytes unread, or was written to until just now. */
  lost(file: WatchedFile, packed: string): void;
  /** A file repeats another one and is not read. */
  sameContent(file: WatchedFile, original: WatchedFile): void;
  /** A log was rotated in this way; each has something that no look can show. */
  rotated(file: WatchedFile, way: 'renamed' | 'copied'): void;
  /** Another program holds a file; it is tried again. */
  held(path: string): void;
  freed(path: string): void;
}

/** All files of one source, by identity and by path. */
export class FileRegistry implements Known {
  readonly folder: { readonly path: string; files: Files };
  readonly #events: RegistryEvents;
  readonly #files = new Map<string, WatchedFile>();
  readonly byPath = new Map<string, WatchedFile>();
  /** Files that have gone or were restarted, and come back perhaps. */
  readonly gone = new GoneFiles();
  /** Of these, whose end is not told yet: another program holds what may be their new place. */
  readonly waiting = new Set<WatchedFile>();
  /** Which files repeat others. */
  readonly copies: Copies;
  readonly sameTick = new SameTick();
  unsearched: ReadonlyMap<string, number> = new Map();
  readonly #generations = new Map<string, number>();
  /** True for a path at which a file was ever found. */
  readonly isLog = (path: string): boolean => this.#generations.has(path);
  #floor = 0;
  /** Wall clock of the look before, in this run; 0 before the second. */
  #lookedMs = 0;
  /** The same in any run, as far as it is known. */
  #formerMs = 0;
  /** What refused to be looked at or read at the look before. */
  #refused: ReadonlySet<string> = new Set();
  /** Keys of files that are no more, and may be stored. */
  readonly #dropped: string[] = [];

  constructor(folder: Folder, events: RegistryEvents) {
    this.folder = { path: folder.path, files: folder.files };
    this.#events = events;
    const isIntact = (file: WatchedFile) => this.byPath.get(file.path) === file && file.shrunkSinceMs === null;
    const known = { all: this.#files, isIntact };
    this.copies = new Copies(this.folder, known, (file, original) => events.sameContent(file, original));
  }

  /** Files that are there, in the order in which they were found. */
  get present(): readonly WatchedFile[] {
    return [...this.byPath.values()];
  }

  /** All files that are known, gone ones too. */
  get all(): Iterable<WatchedFile> {
    return this.#files.values();
  }

  /**
   * What is to be committed although nothing was read: files that are no more, or whose key another one has since, then files
   * that moved, went or came back. Told once, and stored at once: a reader that is killed in between would find two at one path.
   * @param max Files that moved, at most.
   */
  takeChanged(max = Number.POSITIVE_INFINITY): Position[] {
    const dropped = this.#dropped.splice(0).map((key) => {
      const file = this.#files.get(key);
      return file === undefined ? { key, value: '' } : positionOf(file);
    });
    const moved = [...this.#files.values()].filter(({ isUncommitted }) => isUncommitted).slice(0, max);
    return [...dropped, ...moved.map(takePosition)];
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
    const rival = this.byPath.get(file.path);
    const isHere = file.goneMs === null && (rival === undefined || file.lookedMs > rival.lookedMs);
    if (isHere) this.byPath.set(file.path, file);
    const loser = isHere ? rival : file;
    if (loser === undefined) return;
    this.gone.add(loser);
    // It was not where it is said to be, and what became of it was not told before the run ended.
    if (loser.goneMs === null) this.waiting.add(loser);
  }

  /** Take up how far the numbers of forgotten files went. */
  restoreFloor(floor: number): void {
    this.#floor = Math.max(this.#floor, floor);
  }

  /**
   * Look at the folder and compare it with what is known.
   * @returns the listing, when it was made, and the files that are new with this look; none where it was torn each time.
   */
  look({ list, surveyedMs, notedMs }: HowToLook, clock: Clock): Look {
    const planner = new LookPlan(this);
    const now = { nowMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
    // A clock that was ahead of this one says nothing.
    if (this.#formerMs === 0 && notedMs <= now.nowMs) this.#formerMs = notedMs;
    let picture = new Picture(this.folder, list(this.folder));
    let renumbered = 0;
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const plan = planner.make(picture, now);
      const isQuiet = plan !== null && !isNews(plan) && this.unsearched.size === 0;
      if (isQuiet) return this.#apply(planner, plan, picture, now, []);
      const between = plan === null ? [] : planner.between(picture, plan, surveyedMs);
      const again = new Picture(this.folder, list(this.folder));
      // What goes on growing, or refusing to be looked at, holds nothing up.
      const isLast = attempt === TRIES;
      const isSame = picture.isSameAs(again, this.isLog, !isLast);
      if (plan !== null && isSame && (isLast || this.#isClear(planner.refused(picture, plan)))) {
        this.unsearched = planner.unsearched;
        return this.#apply(planner, plan, picture, now, between);
      }
      if (plan !== null) planner.drop(plan);
      renumbered = !isSame && areNumbersNew(picture, again) ? renumbered + 1 : 0;
      // Names, sizes and times stood still, and the numbers did not: nothing is concluded from them any more.
      const isRenumbered = renumbered === RENUMBERED_MIN;
      if (isRenumbered) this.folder.files = withoutNumbers(this.folder.files);
      picture = isRenumbered ? new Picture(this.folder, list(this.folder)) : again;
    }
    return { listing: picture.listing, nowMs: now.nowMs, fresh: [], isTorn: true };
  }

  /** The latest file that began at a path. */
  lastBornAt(path: string): WatchedFile | undefined {
    return this.#files.get(`${path}@${this.#generations.get(path) ?? 0}`);
  }

  #apply(planner: LookPlan, plan: Plan, picture: Picture, now: Moment, between: readonly Between[]): Look {
    const { listing } = picture;
    const { verdicts, held, orphans, fresh, found } = plan;
    this.waiting.clear();
    for (const path of held) this.#events.held(path);
    for (const entry of plan.lookedAgain) this.sameTick.noteLookedAgain(entry, now);
    const left = new Set(orphans.map(({ path }) => path));
    const paths: KnownPaths = { has: (path) => listing.files.has(path) || left.has(path) };
    for (const [file, place] of verdicts) this.#note(file, place, now);
    for (const file of orphans) if (this.byPath.get(file.path) === file) this.byPath.delete(file.path);
    for (const heir of found.heirs) this.#goOnAs(heir, fresh, now);
    for (const { file, entry } of found.held) {
      if (!this.gone.has(file)) continue;
      // Neither the one that is held nor one that took its old place is begun before that is told.
      this.#events.held(entry.path);
      fresh.delete(entry.path);
      fresh.delete(file.path);
      if (file.shrunkSinceMs === null) this.waiting.add(file);
    }
    for (const [file] of verdicts) if (this.byPath.get(file.path) === file) this.gone.delete(file);
    // A quiet look concludes nothing, and may be one of ten thousand files twice a second.
    const isQuiet = fresh.size + between.length + orphans.length + plan.weak.length + found.heirs.length === 0;
    const adopted = isQuiet ? [] : this.#conclude(plan, paths, between, picture, now);
    this.#lookedMs = now.nowMs;
    // Behind what refused for the first time files may have been there since the look before.
    const refused = planner.refused(picture, plan);
    if (this.#isClear(refused)) this.#formerMs = now.nowMs;
    for (const path of this.#refused) if (!refused.has(path)) this.#events.freed(path);
    this.#refused = refused;
    return { listing, nowMs: now.nowMs, fresh: adopted, isTorn: false };
  }

  /** Tell what became of the files that are not where they were, and take up those that are new, which it returns. */
  #conclude(
    { fresh, found, orphans, verdicts }: Plan,
    paths: KnownPaths,
    between: readonly Between[],
    picture: Picture,
    now: Moment,
  ): WatchedFile[] {
    const unread = orphans.filter((file) => !isProved(file));
    const known = [...verdicts.values(), ...found.heirs].map(({ entry }) => entry);
    const { present } = this;
    const lain = between.map(({ entry }) => entry);
    const after = new Aftermath({ fresh, between: lain, known, unread, present, paths });
    let toldMs = Number.POSITIVE_INFINITY;
    // Those of which nothing was read leave no trace: last, since they tell that a log went on.
    for (const orphan of [...orphans.filter(isProved), ...unread]) {
      if (!this.gone.has(orphan) || this.waiting.has(orphan)) continue;
      const born = birthPath(orphan);
      const fate = after.fateOf(orphan, this.lastBornAt(born), this.#formerMs);
      this.#end(orphan, now);
      if (fate === null) continue;
      this.#events[fate](orphan, picture.newestPacked(born));
      toldMs = Math.min(toldMs, missedSince(orphan) || Number.POSITIVE_INFINITY);
    }
    const adopted = this.#adopt(between, fresh, now);
    const unreadById = Map.groupBy(unread, ({ seen }) => seen?.id);
    const unreadBorn = Map.groupBy(unread, birthPath);
    for (const file of adopted) {
      const { path, seen } = file;
      // It may be or repeat one of which nothing was read: missed since then. What was told is not missed a second time.
      const mayRepeat = formerPaths(path).flatMap((log) => unreadBorn.get(log) ?? []);
      const copied = mayRepeat.filter((one) => seen !== null && copiesUnread(seen, one));
      const former = [...(unreadById.get(seen?.id) ?? []), ...copied].filter(({ endedMs }) => endedMs > 0);
      const fromMs = Math.min(this.#formerMs, ...former.map(({ endedMs }) => endedMs));
      setEnded(file, fromMs < toldMs ? fromMs : now.nowMs);
    }
    return adopted;
  }

  /** True where all that refuses to be looked at or read did so at the look before. */
  #isClear(refused: ReadonlySet<string>): boolean {
    return [...refused].every((path) => this.#refused.has(path));
  }

  #see(file: WatchedFile, entry: Entry, now: Moment): void {
    noteSeen(file, entry, now.nowMs);
    this.sameTick.noteSeen(entry, now);
  }

  /** Keep what a known file was found as. */
  #note(file: WatchedFile, { verdict, entry }: Place, now: Moment): void {
    if (verdict === 'alike') {
      noteStill(file, isAtEnd(file), now.nowMs);
      return;
    }
    if (verdict === 'held') {
      this.#events.held(file.path);
      return;
    }
    this.#events.freed(file.path);
    if (verdict === 'shrunk') {
      noteShrunk(file, now.monotonicMs);
      return;
    }
    noteWhole(file);
    if (file.skip !== null) staySkipped(file, file.skip, entry);
    else if (verdict === 'parted' || verdict === 'longer') this.copies.part(file, verdict);
    else forgetUnproved(file);
    const isNextLook = file.seen !== null && this.#lookedMs > 0 && file.byte >= file.seen.sizeBytes;
    if (isNextLook && file.skip === null) noteGrown(file, now.nowMs);
    this.#see(file, entry, now);
  }

  /** A file goes on where its content was found. */
  #goOnAs({ file, entry }: Heir, fresh: Map<string, Entry>, now: Moment): void {
    this.gone.delete(file);
    const former = this.byPath.get(entry.path);
    if (former !== undefined && former !== file) {
      this.copies.inherit(former, file);
      this.#files.delete(former.key);
      this.#dropped.push(former.key);
    }
    const id = file.seen?.id ?? '';
    const isRotation = [birthPath(file), file.path].some((path) => isRotated(entry.path, path));
    const isTold = isRotation && id !== '' && entry.id !== '' && !isGzip(entry.path);
    if (isTold) this.#events.rotated(file, id === entry.id ? 'renamed' : 'copied');
    // A copy that is shorter than the file was seen to be, or that no rotation made and that ends where we do, need not hold all
    // that was written.
    const isShort = entry.sizeBytes < (file.seen?.sizeBytes ?? 0) || (!isRotation && entry.sizeBytes <= file.byte);
    if (isShort && entry.id !== id) this.#events.restarted(file, '');
    if (this.byPath.get(file.path) === file) this.byPath.delete(file.path);
    noteMoved(file, entry.path, !fresh.has(entry.path) && former === undefined);
    this.#see(file, entry, now);
    this.byPath.set(entry.path, file);
    this.copies.noteRead(file);
    fresh.delete(entry.path);
  }

  /** A file that went on nowhere. */
  #end(orphan: WatchedFile, now: Moment): void {
    noteGone(orphan, now.nowMs);
    // What was neither read nor skipped leaves no trace.
    const isTraced = isProved(orphan) || orphan.copyOf !== null || orphan.skip !== null;
    if (!isTraced) this.#unmake(orphan);
  }

  /**
   * Forget the files that have been gone for so long that nobody expects them back.
   * @returns the keys of their positions.
   */
  forgetOld(nowMs: number): string[] {
    const originals = new Set(this.present.map(({ copyOf }) => copyOf));
    const over = this.gone.expire(nowMs, ({ key }) => originals.has(key));
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

  /** Nothing is known of the file: its number is free again. */
  #unmake(file: WatchedFile): void {
    this.gone.delete(file);
    this.#files.delete(file.key);
    this.#dropped.push(file.key);
    const born = birthPath(file);
    const isLast = this.#generations.get(born) === generationOf(file);
    if (isLast && file.byte === 0) this.#generations.set(born, generationOf(file) - 1);
  }

  /** Give new paths an identity: first what lies between, named after the path that it began at. */
  #adopt(between: readonly Between[], fresh: ReadonlyMap<string, Entry>, now: Moment): WatchedFile[] {
    const adopted: WatchedFile[] = [];
    for (const { entry, born } of [...between, ...[...fresh].map(([path, entry]) => ({ entry, born: path }))]) {
      const generation = Math.max(this.#generations.get(born) ?? 0, this.#floor) + 1;
      this.#generations.set(born, generation);
      const isOutside = !fresh.has(entry.path);
      const file: WatchedFile = { ...newFile(`${born}@${generation}`, entry.path), isOutside };
      this.#see(file, entry, now);
      this.#files.set(file.key, file);
      this.byPath.set(entry.path, file);
      adopted.push(file);
    }
    return adopted;
  }
}

/** True for a plan that says more than that known files stand where they were. */
function isNews({ fresh, orphans, weak, found, verdicts }: Plan): boolean {
  const isShorter = [...verdicts.values()].some(({ verdict }) => verdict === 'shrunk');
  return isShorter || fresh.size + orphans.length + weak.length + found.heirs.length > 0;
}
