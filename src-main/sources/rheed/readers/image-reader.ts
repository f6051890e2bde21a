// Counts images in a folder tree: numbered ones, ones with the time in the name, or both.
//
// What is new is found in three ways, cheapest first; none of them costs more with the number of files that are there:
//   names that the operating system tells,
//   the next numbers of the sequences that are being written,
//   a walk through the folder, as seldom as it takes long (walk.ts).
//
// Bounds: 50,000 sequences remembered, the 8 that were written last kept over a restart, 3 of these asked for their next
// numbers, up to 400 of each a look; 50 names that are no frames looked at a look. A walk 15 s apart at least, 2 s while the
// system tells nothing.
// Invariants: a frame is counted once, also when its folder is moved or copied, or its name is used again (sequence.ts). What
// was there before the first look of all is where counting begins, and is not counted.
import { join } from 'node:path';
import { z } from 'zod';
import { Sequence, type SequenceState } from '../count/sequence.ts';
import type { CounterEvent, CounterReader, Sighting } from '../count/sighting.ts';
import type { Candidate } from '../files/candidate.ts';
import { isCopyOf } from '../files/copies.ts';
import { FolderWatch } from '../files/folder-watch.ts';
import { LocalTimes } from '../files/local-times.ts';
import { compileNames, type NamedFrame, type NamePattern } from '../files/name-pattern.ts';
import { look, lookAtAll, WalkPace, walkFolder } from '../files/walk.ts';
import { addGone } from './came-and-went.ts';
import { findMoved, type Timed } from './moved.ts';

/** Sequences that are kept over a restart, and that a new one may be a copy of. */
const ACTIVE_MAX = 8;
/** Of these, sequences that are asked for their next numbers. */
const ASKED_MAX = 3;
/** Sequences remembered, so that an old one is not taken for a new one. */
const SEQUENCES_MAX = 50_000;
/** Next numbers that are asked for in one look. */
const AHEAD_MAX = 400;
/** Names that are no frames but may be new folders, looked at in one look. */
const FOLDERS_A_LOOK = 50;
/** Time between walks at least, while the system tells names and while it does not, milliseconds. */
const WALK_MS = 15_000;
const WALK_BLIND_MS = 2000;
/** A file's time is believed when it is that close to its arrival, milliseconds. */
const BELIEVED_MS = 2000;
const AHEAD_MS = 100;
/** File systems and kernels round times of files by a tick or so, milliseconds. */
const FILE_TIME_MS = 10;

export const ImageState = z.object({
  seenMs: z.number(),
  sequences: z.array(
    z.object({
      ...{ name: z.string(), width: z.number(), first: z.number(), last: z.number(), newestMs: z.number() },
      ...{ lastInode: z.string().optional(), lastTime: z.string().optional() },
      ...{ formerLast: z.number().optional(), sinceMs: z.number().optional() },
      missing: z
        .array(z.object({ from: z.number(), to: z.number(), sinceMs: z.number(), isLost: z.boolean() }))
        .readonly()
        .optional(),
    }),
  ),
});

export interface ImageReaderOptions {
  /** Folder, absolute. */
  readonly path: string;
  readonly match: string;
  readonly timeFormat: string | null;
  readonly timeZone: string;
  readonly monotonicMs: () => number;
  /** What `state` gave before; undefined: what is there now is not counted. */
  readonly state: unknown;
  /** Breaks a look off. */
  readonly signal?: AbortSignal | undefined;
}

export class ImageReader implements CounterReader {
  readonly #options: ImageReaderOptions;
  readonly #pattern: NamePattern;
  readonly #watch: FolderWatch;
  readonly #pace = new WalkPace();
  readonly #localTimes: LocalTimes;
  readonly #sequences = new Map<string, Sequence>();
  /** Written last, newest first. */
  #active: Sequence[] = [];
  #events: CounterEvent[] = [];
  #isFirst = true;
  /** The system has not reported a frame yet, or not of the last ones: a share can be watched and tells nothing. */
  #isBlind = true;
  /** Names that the system told since the look before. */
  #told: ReadonlySet<string> = new Set();
  /** What was there before this moment is not counted; null: nothing is known of before. */
  #seenMs: number | null = null;
  #formerLookMs: number | null = null;

  constructor(options: ImageReaderOptions) {
    this.#options = options;
    this.#pattern = compileNames(options.match, options.timeFormat);
    this.#watch = new FolderWatch(options.path);
    this.#localTimes = new LocalTimes(options.timeZone);
    const state = ImageState.safeParse(options.state);
    if (!state.success) return;
    this.#seenMs = state.data.seenMs;
    for (const one of state.data.sequences) this.#remember(new Sequence(one, this.#pattern.hasNumber));
  }

  describe(): string {
    return `images ${this.#options.match} in ${this.#options.path}`;
  }

  state(): z.infer<typeof ImageState> {
    return { seenMs: this.#seenMs ?? 0, sequences: this.#active.map(({ state }) => state) };
  }

  takeEvents(): readonly CounterEvent[] {
    return this.#events.splice(0);
  }

  close(): void {
    this.#watch.close();
  }

  async look(nowMs: number): Promise<readonly Sighting[]> {
    try {
      return await this.#look(nowMs);
    } catch (error) {
      // A folder that is not there holds nothing yet: what comes into it counts.
      this.#seenMs ??= nowMs;
      throw error;
    }
  }

  async #look(nowMs: number): Promise<readonly Sighting[]> {
    const startMs = this.#options.monotonicMs();
    this.#watch.follow('');
    const told = this.#watch.take();
    this.#told = told.names;
    const isFirst = this.#isFirst;
    const paths = new Set<string>();
    const baseline: Sighting[] = [];
    if (isFirst || told.isOverrun || this.#pace.isDue(this.#options.monotonicMs())) {
      baseline.push(...(await this.#walk(paths, nowMs)));
    }
    const walked = paths.size;
    await this.#addTold(told.names, paths);
    const candidates = await this.#lookAt(paths);
    const lastOf = (sequence: string) => this.#sequences.get(sequence)?.last ?? Number.NEGATIVE_INFINITY;
    addGone(candidates, told.names, this.#pattern, lastOf);
    // A number that was found by its name is asked for no more.
    const ahead = await this.#lookAhead(candidates);
    if (paths.size > walked) this.#isBlind = false;
    else if (ahead.some((one) => this.#isNews(one))) this.#isBlind = true;
    candidates.push(...ahead);
    if (ahead.some((one) => this.#isNewBeginning(one))) {
      // The end of what was before may not be told yet, and lie behind numbers that were skipped: a walk finds it.
      const rest = new Set<string>();
      baseline.push(...(await this.#walk(rest, nowMs)));
      for (const { path } of candidates) rest.delete(path);
      candidates.push(...(await this.#lookAt(rest)));
    }
    // A machine that is busy takes its time for a look: files may be younger than its begin.
    const seenMs = nowMs + this.#options.monotonicMs() - startMs;
    const sightings = await this.#decide(candidates, seenMs, isFirst);
    this.#isFirst = false;
    this.#seenMs = nowMs;
    this.#formerLookMs = nowMs;
    return [...baseline, ...sightings];
  }

  /** Walk through everything. Returns where counting begins, for sequences that are no news. */
  async #walk(paths: Set<string>, nowMs: number): Promise<Sighting[]> {
    let names = 0;
    const isBaselineOnly = this.#isFirst && this.#seenMs === null;
    const unknown = new Map<string, { first: number; last: number; width: number; path: string; paths: string[] }>();
    await walkFolder(
      this.#options.path,
      (path) => {
        names += 1;
        const named = this.#pattern.read(path);
        if (named === null) return;
        const soFar = this.#orderOf(named, nowMs);
        const known = this.#sequences.get(named.sequence);
        if (known) {
          if (known.isWorthLooking(soFar)) paths.add(path);
          return;
        }
        // A name is of no later than now: in the hour that comes twice it is the earlier one then.
        const order = soFar > nowMs + 60_000 ? this.#orderOf(named, Number.NEGATIVE_INFINITY) : soFar;
        const found = unknown.get(named.sequence) ?? { first: order, last: order, width: named.width, path, paths: [] };
        unknown.set(named.sequence, found);
        // Where counting only begins, the names themselves are not needed: there may be a hundred thousand.
        if (!isBaselineOnly) found.paths.push(path);
        found.first = Math.min(found.first, order);
        // Numbers without zeros in front are as wide as the shortest.
        found.width = Math.min(found.width, named.width);
        if (order < found.last) return;
        Object.assign(found, { last: order, path });
      },
      (below) => this.#watch.follow(below),
      '',
      this.#options.signal,
    );
    const baseline: Sighting[] = [];
    for (const [name, { paths: its, path, ...rest }] of unknown) {
      const facts = await look(join(this.#options.path, path));
      const newestMs = facts?.modifiedMs ?? 0;
      const isOld = this.#isFirst && (this.#seenMs === null || newestMs <= this.#seenMs);
      if (!isOld) {
        // Found by this walk and not before: all of it is new, or what of it is newer than the last look.
        for (const one of its) paths.add(one);
        continue;
      }
      const last = { lastInode: facts?.inode, lastTime: this.#pattern.read(path)?.time ?? undefined };
      const state = { name, newestMs, ...last, ...rest };
      this.#remember(new Sequence({ ...state, newestMs: await this.#newestOf(state) }, this.#pattern.hasNumber));
      if (this.#seenMs !== null) continue;
      const number = this.#pattern.hasNumber ? rest.last : null;
      baseline.push({
        ...{ run: name, kind: 'each', number, atMs: nowMs, uncertaintyMs: 0, ownMs: null, isBaseline: true },
      });
    }
    this.#pace.made(this.#options.monotonicMs(), names, this.#isBlind ? WALK_BLIND_MS : WALK_MS);
    return baseline;
  }

  /** A recording may have been written over a longer one before anybody watched: its first numbers are the newer ones then. */
  async #newestOf(state: SequenceState): Promise<number> {
    if (!this.#pattern.hasNumber || this.#pattern.hasTime) return state.newestMs;
    const sequence = new Sequence(state, true);
    const firsts = [0, 1, state.first].map((order) => look(join(this.#options.path, sequence.pathOf(order))));
    return Math.max(state.newestMs, ...(await Promise.all(firsts)).map((facts) => facts?.modifiedMs ?? 0));
  }

  async #addTold(names: ReadonlySet<string>, paths: Set<string>): Promise<void> {
    let others = 0;
    for (const name of names) {
      if (this.#pattern.read(name) !== null) paths.add(name);
      else if (others < FOLDERS_A_LOOK && !/(^|\/)\./.test(name)) {
        others += 1;
        if (!(await look(join(this.#options.path, name)))?.isFolder) continue;
        const onFile = (path: string) => void (this.#pattern.read(path) !== null && paths.add(path));
        await walkFolder(this.#options.path, onFile, (below) => this.#watch.follow(below), name);
      }
    }
  }

  async #lookAt(paths: Iterable<string>): Promise<Candidate[]> {
    const candidates: Candidate[] = [];
    for (const { path, facts } of await lookAtAll(this.#options.path, [...paths], this.#options.signal)) {
      const named = this.#pattern.read(path);
      if (!facts.isFolder && named) candidates.push({ path, named, facts });
    }
    return candidates;
  }

  /** Ask for the next numbers, and for the first ones again: a camera may have begun again. */
  async #lookAhead(found: readonly Candidate[]): Promise<Candidate[]> {
    if (!this.#pattern.hasNumber || this.#pattern.hasTime) return [];
    const known = new Set(found.map(({ path }) => path));
    const more: Candidate[] = [];
    const ask = async (sequence: Sequence, order: number): Promise<boolean> => {
      const path = sequence.pathOf(order);
      if (known.has(path)) return true;
      const [candidate] = await this.#lookAt([path]);
      if (candidate) more.push(candidate);
      return candidate !== undefined;
    };
    for (const sequence of this.#active.slice(0, ASKED_MAX)) {
      // First the first ones: what is there before them was there before the next numbers were asked for.
      // Asked for always: a folder that took the place of a watched one is reported by nothing.
      for (const order of [1, 0]) if (sequence.last > order) await ask(sequence, order);
      const first = sequence.last + 1;
      for (let next = first; next < first + AHEAD_MAX && (await ask(sequence, next)); next++);
    }
    return more;
  }

  /** True where a file that was asked for should have been told: first numbers of then are there all the time. */
  #isNews({ named, facts }: Candidate): boolean {
    const sequence = this.#sequences.get(named.sequence);
    return !sequence || (named.number ?? 0) > sequence.last || facts.modifiedMs > sequence.newestMs;
  }

  #isNewBeginning({ named, facts }: Candidate): boolean {
    const sequence = this.#sequences.get(named.sequence);
    return sequence !== undefined && (named.number ?? 0) <= sequence.last && facts.modifiedMs > sequence.newestMs;
  }

  async #decide(candidates: Candidate[], nowMs: number, isCatchUp: boolean): Promise<Sighting[]> {
    const ownOf = ({ named: { localMs }, facts: { modifiedMs } }: Candidate) =>
      localMs === null ? modifiedMs : this.#localTimes.toUnixMs(localMs, modifiedMs);
    const timed = candidates.map((one) => ({ ...one, ownMs: ownOf(one) }));
    timed.sort((a, b) => a.ownMs - b.ownMs || (a.named.number ?? 0) - (b.named.number ?? 0));
    const sightings: Sighting[] = [];
    const met = new Set<string>();
    while (timed.length > 0) {
      const candidate = timed.splice(this.#nextOf(timed), 1)[0] as (typeof timed)[number];
      const { named, facts, ownMs } = candidate;
      const order = named.number ?? ownMs;
      const known = this.#sequences.get(named.sequence);
      if (!known) met.add(named.sequence);
      const sequence = known ?? (await this.#meet(candidate, order, nowMs, [candidate, ...timed]));
      // A sequence that this program knew goes on by its numbers; of another one, only what came since counts.
      const isBefore = this.#seenMs !== null && facts.modifiedMs <= this.#seenMs;
      const isOld = isCatchUp && isBefore && met.has(named.sequence);
      if (!sequence.accept(order, facts.modifiedMs, nowMs) || sequence.isCopy || isOld) continue;
      this.#remember(sequence);
      if (order === sequence.last)
        Object.assign(sequence, { lastInode: facts.inode, lastTime: named.time ?? undefined });
      const time = this.#timeOf(ownMs, facts.modifiedMs, nowMs, isCatchUp);
      // Pictures that were put there are as old as they say, and come all at once.
      const isPutThere = time.uncertaintyMs !== FILE_TIME_MS && met.has(named.sequence);
      sightings.push({
        ...{ run: named.sequence, kind: 'each', number: named.number, ownMs },
        ...time,
        isOld: isCatchUp || isPutThere,
      });
    }
    return sightings;
  }

  /** Files of one tick of the clock have one time: among them a sequence first goes on, and begins again afterwards. */
  #nextOf(timed: readonly (Candidate & { readonly ownMs: number })[]): number {
    const [first] = timed;
    const sequence = first && this.#sequences.get(first.named.sequence);
    if (!sequence || (first.named.number ?? Number.POSITIVE_INFINITY) > sequence.last) return 0;
    const next = timed.findIndex(
      ({ named, ownMs }) =>
        named.sequence === sequence.name && (named.number ?? 0) > sequence.last && ownMs <= first.ownMs + FILE_TIME_MS,
    );
    return Math.max(0, next);
  }

  /** A sequence that was never seen. */
  async #meet(
    { path, named, facts }: Candidate,
    order: number,
    nowMs: number,
    found: readonly Timed[],
  ): Promise<Sequence> {
    const its = found.filter((one) => one.named.sequence === named.sequence);
    const { sequence: name, width } = named;
    const met = new Sequence({ name, width, first: order, last: order - 1, newestMs: 0 }, this.#pattern.hasNumber);
    const file = (below: string) => join(this.#options.path, below);
    const movedFrom = findMoved(its, this.#sequences.values());
    if (movedFrom) {
      const former = await look(file(movedFrom.pathOf(movedFrom.last, movedFrom.lastTime)));
      if (former?.inode !== movedFrom.lastInode) return this.#goOn(movedFrom, name, nowMs);
      // It lies there still, and here by a link.
      met.isCopy = true;
      this.#sequences.set(name, met);
      return met;
    }
    for (const other of this.#active) {
      const original = other.pathOf(order, named.time ?? undefined);
      const same = await look(file(original));
      // Put elsewhere one after the other, this one among the first: the system tells of both its names.
      const isGone = same === null && this.#told.has(original);
      if (isGone && order <= other.last && facts.modifiedMs <= other.newestMs) return this.#goOn(other, name, nowMs);
      if (same === null || same.sizeBytes !== facts.sizeBytes) continue;
      // A picture that holds nothing tells by its time, where a copy keeps it.
      const isSameTime = same.modifiedMs === facts.modifiedMs && facts.modifiedMs < (this.#formerLookMs ?? 0);
      if (!(await isCopyOf(file(path), file(original), facts.sizeBytes, isSameTime))) continue;
      met.isCopy = true;
      this.#events.push({ kind: 'copy', atMs: nowMs, text: `${name} is a copy of ${other.name} and is not counted` });
      break;
    }
    if (met.isCopy) this.#sequences.set(name, met);
    else this.#remember(met);
    return met;
  }

  /** A recording under another name: what is there beyond the last frame that was counted is new, now and later. */
  #goOn(former: Sequence, name: string, nowMs: number): Sequence {
    const text = `${name} is ${former.name} under a new name and is not counted again`;
    this.#events.push({ kind: 'copy', atMs: nowMs, text });
    const moved = new Sequence({ ...former.state, name }, this.#pattern.hasNumber);
    this.#remember(moved);
    return moved;
  }

  #timeOf(ownMs: number, modifiedMs: number, nowMs: number, isCatchUp: boolean) {
    const isBelieved = (ms: number) => ms <= nowMs + AHEAD_MS && (isCatchUp || ms >= nowMs - BELIEVED_MS);
    for (const ms of [ownMs, modifiedMs])
      if (isBelieved(ms)) return { atMs: Math.min(ms, nowMs), uncertaintyMs: FILE_TIME_MS };
    // Another clock wrote it: what is certain is that it came between the two last looks.
    const sinceMs = this.#formerLookMs ?? nowMs;
    return { atMs: (sinceMs + nowMs) / 2, uncertaintyMs: (nowMs - sinceMs) / 2 };
  }

  /** Number of a frame, or its time where it has none: what comes later is larger, also when clocks are put back. */
  #orderOf({ number, localMs }: NamedFrame, nearMs: number): number {
    return number ?? this.#localTimes.toUnixMs(localMs ?? 0, nearMs);
  }

  #remember(sequence: Sequence): void {
    if (this.#sequences.size < SEQUENCES_MAX) this.#sequences.set(sequence.name, sequence);
    if (this.#active[0] === sequence) return;
    this.#active = [sequence, ...this.#active.filter((one) => one !== sequence)];
    // Those that were there before anybody watched come in the order of their names; the newest is what matters.
    if (this.#isFirst) this.#active.sort((a, b) => b.newestMs - a.newestMs);
    this.#active = this.#active.slice(0, ACTIVE_MAX);
  }
}
