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
import { holesOf, newestPacked, type Shift } from './chain-holes.ts';
import { Copies } from './copies.ts';
import {
  forgetLook,
  forgetUnproved,
  noteGone,
  noteGrown,
  noteMoved,
  noteSeen,
  noteShrunk,
  noteStill,
  noteUnopened,
  noteWhole,
  setEnded,
  setOriginal,
  settleUnopened,
  staySkipped,
  takePosition,
} from './file-changes.ts';
import { Aftermath, fateOf, type Loss, longestOf, missedSince, shiftsOf } from './file-fate.ts';
import { areNumbersNew, type Entry, isHidden, type Listing } from './folder-scan.ts';
import { GoneFiles } from './gone-files.ts';
import type { Heir, Neighbours } from './heirs.ts';
import { type Between, type Known, LookPlan, NO_PLAN, type Plan } from './look-plan.ts';
import { isGzip } from './packed.ts';
import type { RegistryEvents } from './registry-events.ts';
import { isAway, isRotated, type KnownPaths } from './rotated-names.ts';
import { RotationWatch } from './rotation-watch.ts';
import { SameTick } from './same-tick.ts';
import { areAlike, isCopying, isStill, shownOf } from './standstill.ts';
import type { Moment, Place, Verdict } from './verdict.ts';
import { birthPath, generationOf, isAtEnd, isProved, newFile, positionOf, type WatchedFile } from './watched-file.ts';
import { type Folder, mayBeSame } from './with-file.ts';

/** How often a look is made until it is not torn. */
const TRIES = 5;

/** How the folder is looked at. */
export interface HowToLook {
  list(folder: Folder): Listing;
  /** Since when the folder is known; null: it was never looked at. */
  readonly surveyedMs: number | null;
  /** Wall clock of a look that is noted now and then, so that a later run knows it; 0: of none. */
  readonly notedMs: number;
}

/** What a look has left to be concluded. */
interface Left {
  /** Files, as they were, that go on in a copy or were cut: neither need hold all that was written. */
  readonly copied: readonly WatchedFile[];
  /** Files of which nothing was read, as the look before found them, and that may be others by now. */
  readonly unsure: readonly WatchedFile[];
  readonly shifts: readonly Shift[];
  readonly paths: KnownPaths;
}

export interface Look {
  readonly listing: Listing;
  readonly nowMs: number;
  readonly fresh: readonly WatchedFile[];
  readonly isTorn: boolean;
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
  readonly rotations = new RotationWatch();
  readonly #generations = new Map<string, number>();
  /** True for a path at which a file was ever found. */
  readonly isLog = (path: string): boolean => this.#generations.has(path);
  #floor = 0;
  /** The paths that the look before found and that do not match. */
  beside: ReadonlySet<string> = new Set();
  /** Wall clock of the look before, in this run; 0 before the second. */
  #lookedMs = 0;
  /** The same in any run, as far as it is known. */
  #formerMs = 0;
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
    if (this.#formerMs === 0) this.#formerMs = this.#lastKnownMs(notedMs, now.nowMs);
    let listing = list(this.folder);
    let renumbered = 0;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const plan = planner.make(listing, now);
      const { fresh, orphans, weak, found } = plan ?? NO_PLAN;
      const isTold = fresh.size + orphans.length + weak.length + found.heirs.length > 0;
      if (plan !== null && !isTold) return this.#apply(plan, listing, now, [], null);
      const between = plan === null ? [] : planner.between(plan, surveyedMs);
      const unread = [...fresh.keys(), ...weak.map(({ path }) => path)];
      this.rotations.note(this.folder, unread, listing.files, now.nowMs);
      const again = list(this.folder);
      const isSame = isStill(listing, again);
      // Names that the match leaves out are in no listing: what lies between is collected twice as well.
      const beside = plan === null ? [] : planner.between(plan, surveyedMs);
      const isWhole = plan !== null && isSame && areAlike(between, beside);
      const holes = plan === null ? [] : holesOf(plan, planner.beside);
      const isWanting = planner.isBlind || holes.length > 0 || (plan !== null && !planner.hasSearched(plan, between));
      const isOpen = isWanting || isCopying(shownOf(listing, between), shownOf(again, beside));
      // What goes on refusing to be looked at, growing, or missing in a chain, holds nothing up.
      const isClear = !isOpen || attempt >= TRIES - 1;
      if (isWhole && isClear && planner.standsBeside(plan, between)) {
        for (const hole of holes) this.#events.missing(hole.file, hole.missing);
        return this.#apply(plan, listing, now, between, planner.beside);
      }
      if (plan !== null) planner.drop(plan);
      this.rotations.forget(unread);
      if (!isSame && areNumbersNew(listing, again)) renumbered += 1;
      // Names, sizes and times stood still, and the numbers did not: nothing is concluded from them any more.
      if (renumbered === TRIES) this.folder.files = withoutNumbers(this.folder.files);
      listing = again;
    }
    // What it saw may have been moved since: of what nothing proves no data are read before a look that tells.
    for (const file of this.present) if (!isProved(file)) forgetLook(file);
    return { listing, nowMs: now.nowMs, fresh: [], isTorn: true };
  }

  /** When an earlier run looked last, as far as that is known: a clock that was ahead of this one says nothing. */
  #lastKnownMs(notedMs: number, nowMs: number): number {
    let lastMs = notedMs <= nowMs ? notedMs : 0;
    for (const { lookedMs, endedMs } of this.#files.values())
      for (const ms of [lookedMs, endedMs]) if (ms <= nowMs) lastMs = Math.max(lastMs, ms);
    return lastMs;
  }

  /** The latest file that began at a path. */
  lastBornAt(path: string): WatchedFile | undefined {
    return this.#files.get(`${path}@${this.#generations.get(path) ?? 0}`);
  }

  #apply(plan: Plan, listing: Listing, now: Moment, between: readonly Between[], beside: Neighbours | null): Look {
    const { verdicts, held, orphans, fresh, found } = plan;
    const shifts = shiftsOf(plan);
    this.waiting.clear();
    for (const path of held) this.#events.held(path);
    for (const file of held.flatMap((path) => this.byPath.get(path) ?? [])) if (!isProved(file)) forgetLook(file);
    for (const entry of plan.lookedAgain) this.sameTick.noteLookedAgain(entry, now);
    for (const [file, { verdict }] of verdicts) if (!isOpenYet(verdict)) settleUnopened(file, undefined);
    for (const file of [...orphans, ...found.heirs.map((heir) => heir.file)])
      settleUnopened(file, fresh.get(file.path));
    // As the look before found them.
    const unsure = plan.weak.filter((file) => !isProved(file)).map((file) => ({ ...file }));
    // All that was read stands there, also where the listing found it shorter, and not all that was seen.
    const isCut = ({ byte, seen }: WatchedFile, { verdict, entry }: Place) =>
      verdict === 'same' && Math.max(entry.sizeBytes, byte) < (seen?.sizeBytes ?? 0);
    const cut = [...verdicts].flatMap(([file, place]) => (isProved(file) && isCut(file, place) ? [{ ...file }] : []));
    const left = new Set(orphans.map(({ path }) => path));
    const paths: KnownPaths = { has: (path) => listing.files.has(path) || left.has(path) };
    const unseen = new Set([...held, ...plan.believed]);
    for (const [file, place] of verdicts) this.#note(file, place, { paths, unseen }, now);
    for (const file of orphans) if (this.byPath.get(file.path) === file) this.byPath.delete(file.path);
    const copied = [...cut, ...found.heirs.flatMap((heir) => this.#goOnAs(heir, fresh, listing, now) ?? [])];
    for (const { file, entry } of found.held) {
      if (!this.gone.has(file)) continue;
      // Neither the one that is held nor one that took its old place is begun before that is told.
      this.#events.held(entry.path);
      fresh.delete(entry.path);
      fresh.delete(file.path);
      if (file.shrunkSinceMs === null) this.waiting.add(file);
    }
    for (const file of plan.waiting) if (this.gone.has(file)) this.waiting.add(file);
    for (const [file] of verdicts) if (this.byPath.get(file.path) === file) this.gone.delete(file);
    // Told once all are found: an original that moved as well, waits or is being rewritten is not gone.
    for (const { file } of found.heirs) {
      const original = this.copies.originalOf(file);
      if (original !== undefined && this.gone.has(original) && !this.waiting.has(original)) setOriginal(file, null);
    }
    // A quiet look concludes nothing, and may be one of ten thousand files twice a second.
    const isQuiet = fresh.size + between.length + orphans.length + plan.weak.length + copied.length === 0;
    const adopted = isQuiet ? [] : this.#conclude(plan, { copied, unsure, shifts, paths }, { between, beside }, now);
    this.#lookedMs = now.nowMs;
    // What lies between two files is asked for again once it can be told, and may have been there since the look before.
    if (plan.isOpen === null) this.#formerMs = now.nowMs;
    this.beside = plan.isOpen !== null ? new Set() : listing.beside;
    return { listing, nowMs: now.nowMs, fresh: adopted, isTorn: false };
  }

  /** Tell what became of the files that are not where they were, and take up those that are new, which it returns. */
  #conclude(
    { fresh, found, orphans, verdicts, weak }: Plan,
    { copied, unsure, shifts, paths }: Left,
    { between, beside }: { readonly between: readonly Between[]; readonly beside: Neighbours | null },
    now: Moment,
  ): WatchedFile[] {
    const unread = orphans.filter((file) => !isProved(file));
    const known = [...verdicts.values(), ...found.heirs].map(({ entry }) => entry);
    const { present } = this;
    const lain = between.map(({ entry }) => entry);
    const after = new Aftermath({ fresh, between: lain, known, unread, shifts, present, paths });
    const lost: Loss[] = [];
    const aroundOf = (file: WatchedFile) => after.around(file, this.lastBornAt(birthPath(file)));
    const formerMs = Math.max(this.#lookedMs, this.#formerMs);
    for (const file of copied)
      if (fateOf(file, aroundOf(file), formerMs) !== null) lost.push({ fate: 'restarted', file });
    for (const file of after.rotatedOf(this.byPath)) forgetUnproved(file);
    // Those of which nothing was read leave no trace: last, since they tell that a log went on.
    for (const orphan of [...orphans.filter(isProved), ...unread]) {
      if (!this.gone.has(orphan) || this.waiting.has(orphan)) continue;
      const around = aroundOf(orphan);
      this.#end(orphan, now);
      const fate = fateOf(orphan, around, formerMs);
      if (fate === null) continue;
      lost.push({ fate, file: orphan });
      if (!isProved(orphan) || !around.isRotated) continue;
      // What stands where it stood may be another one, too: then what the look before saw there was not read.
      for (const file of unsure) if (birthPath(file) === birthPath(orphan)) lost.push({ fate: 'restarted', file });
    }
    const packedOf = (file: WatchedFile) => newestPacked(birthPath(file), beside);
    for (const { fate, file } of longestOf(lost, this.isLog)) this.#events[fate](file, packedOf(file));
    const toldMs = Math.min(...lost.map(({ file }) => missedSince(file) || Number.POSITIVE_INFINITY));
    // What was seen in the middle of a copy may hold by now what was never read.
    for (const file of weak) if (!isProved(file)) setEnded(file, after.missedFrom(file, file.endedMs));
    const adopted = this.#adopt(between, fresh, now);
    for (const file of adopted) {
      const fromMs = after.missedFrom(file, this.#formerMs);
      // What was told is not missed a second time.
      setEnded(file, fromMs < toldMs ? fromMs : now.nowMs);
    }
    return adopted;
  }

  #see(file: WatchedFile, entry: Entry, now: Moment): void {
    noteSeen(file, entry, now.nowMs);
    this.sameTick.noteSeen(entry, now);
  }

  /** Keep what a known file was found as. Takes the paths of the look, and those at which nobody could look. */
  #note(
    file: WatchedFile,
    { verdict, entry }: Place,
    { paths, unseen }: { readonly paths: KnownPaths; readonly unseen: ReadonlySet<string> },
    now: Moment,
  ): void {
    if (verdict === 'alike') {
      // That a rotated file was read whole, or that one holds no data yet, is known to the next run as well.
      const isNews = file.endedMs <= file.lookedMs && (isAway(file, paths) || !isProved(file));
      // This says nothing where it, or the log that it was rotated from, may have gone on unseen.
      const isEnd = isAtEnd(file) && !unseen.has(file.path) && !unseen.has(birthPath(file));
      noteStill(file, isEnd, isNews, now.nowMs);
      return;
    }
    if (verdict === 'held') {
      this.#events.held(file.path);
      // A rotated file is not written again: another object in its place is the next one.
      if (!isAway(file, paths) || mayBeSame(file.seen?.id ?? '', entry.id)) noteUnopened(file, entry, now.nowMs);
    }
    if (verdict === 'waits' && !isProved(file)) forgetLook(file);
    if (isOpenYet(verdict)) return;
    this.#events.freed(file.path);
    if (verdict === 'shrunk') {
      noteShrunk(file, entry.sizeBytes, now.monotonicMs);
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

  /** Returns the file as it was where it goes on in a copy that need not hold all that was written. */
  #goOnAs({ file, entry }: Heir, fresh: Map<string, Entry>, listing: Listing, now: Moment): WatchedFile | null {
    this.gone.delete(file);
    const former = this.byPath.get(entry.path);
    if (former !== undefined && former !== file) {
      this.copies.inherit(former, file);
      this.#files.delete(former.key);
      this.#dropped.push(former.key);
    }
    // A copy that was made before, and that ends where we do, need not hold what was written since; nor does one that is shorter
    // than the file was seen to be. A rotation makes one and then cuts the log, which stays the same object.
    const isShort = entry.sizeBytes < (file.seen?.sizeBytes ?? 0);
    const isKnownBefore = former !== undefined && former.lookedMs < now.nowMs;
    const isRotation = [birthPath(file), file.path].some((path) => isRotated(entry.path, path));
    const id = file.seen?.id ?? '';
    const isCut = isHidden(listing, file.path) || mayBeSame(id, listing.files.get(file.path)?.id ?? 'none');
    const isOldCopy = isRotation ? isKnownBefore && !isCut : isKnownBefore || entry.sizeBytes <= file.byte;
    const isTold = isRotation && id !== '' && entry.id !== '' && !isGzip(entry.path);
    if (isTold) this.#events.rotated(file, id === entry.id ? 'renamed' : 'copied');
    const before = (isOldCopy || isShort) && file.seen?.id !== entry.id ? { ...file } : null;
    if (this.byPath.get(file.path) === file) this.byPath.delete(file.path);
    noteMoved(file, entry.path, !fresh.has(entry.path) && former === undefined);
    this.#see(file, entry, now);
    this.byPath.set(entry.path, file);
    this.copies.noteRead(file);
    fresh.delete(entry.path);
    return before;
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

/** Nothing is concluded of it at this look. */
function isOpenYet(verdict: Verdict): boolean {
  return verdict === 'held' || verdict === 'waits';
}
