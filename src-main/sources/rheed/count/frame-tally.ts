// The count of frames: what was counted, lost, restarted, wrapped around. Pure arithmetic on sightings; the same whatever the
// counter is made of.
//
// Bounds and invariants
//  1. counted only grows, so no rate made from it is ever negative. A counter that goes back is an event.
//  2. A frame is counted once: by its number within its run, or by the difference of a counter's values.
//  3. For counters that number each frame: written = counted + lost, and each loss is named with its numbers.
//  4. Memory is bounded: RUNS_MAX runs, and the ranges of MissingNumbers for each.
import { formatCount, formatDuration, formatTime } from '../../../model/format.ts';
import { FrameClock } from './frame-clock.ts';
import { FrameRate, type Rate } from './frame-rate.ts';
import { MissingNumbers, type MissingRange } from './missing-numbers.ts';
import { findRollover } from './rollover.ts';
import type { CounterEvent, Sighting } from './sighting.ts';

/** A number that was skipped may still come for this long, milliseconds. */
const LATE_MS = 1500;
/** A number farther ahead than this is another counting, not a loss. */
const JUMP_MAX = 100_000;
const RUNS_MAX = 32;
/** A camera that is busy writes late, and then much at once, milliseconds. */
const BURST_MS = 2000;
/** When nobody looked for longer, a smaller number says that it restarted: any number fits the end of a register then. */
const UNSEEN_MAX_MS = 60_000;
/** First numbers of a recording that begins again that may be missing; beyond that it began elsewhere. */
const FIRST_MISSING_MAX = 100;
/** Frames a second that are assumed while the rate is not known: the most that a session takes. */
const RATE_ASSUMED = 120;

interface Run {
  readonly run: string;
  first: number;
  last: number;
  lostSoFar: number;
  missing: MissingNumbers;
}

interface Sums {
  counted: number;
  lost: number;
  restarts: number;
  rollovers: number;
  stalls: number;
  lastFrameMs: number | null;
  lastOwnMs: number | null;
}

/** What is kept over a restart; plain JSON. */
export interface TallyState extends Readonly<Sums> {
  readonly runs: readonly {
    readonly run: string;
    readonly first: number;
    readonly last: number;
    readonly lostSoFar: number;
    readonly missing: readonly MissingRange[];
  }[];
}

export interface TallyOptions {
  /** Frames per second that the settings say; null: not said. */
  readonly setRate: number | null;
  /** Numbers wrap around here; null: at any usual end. */
  readonly rollsOverAt: number | null;
  /** Without a frame for so long the counter is stalled, milliseconds. */
  readonly stallAfterMs: number;
}

/** The figures of a moment. */
export interface Figures {
  readonly counted: number;
  /** Counted and lost together where losses are known, else by the set rate; null: not known. */
  readonly expected: number | null;
  /** Null where the counter does not tell losses. */
  readonly lost: number | null;
  readonly lostPerMille: number | null;
  /** Null: not known yet; 0: stalled. */
  readonly perSecond: number | null;
  /** As `perSecond`, also while it is stalled. */
  readonly cameraRate: number | null;
  readonly stalls: number;
  readonly restarts: number;
  readonly rollovers: number;
  /** The newest frame's own number; null where frames carry none or none was seen. */
  readonly number: number | null;
  /** When that frame was there. */
  readonly frameMs: number | null;
  readonly uncertaintyMs: number | null;
  /** The frame's own time minus this PC's clock, milliseconds. */
  readonly ownOffsetMs: number | null;
  readonly isStill: boolean;
}

export class FrameTally {
  readonly #options: TallyOptions;
  readonly #rate = new FrameRate();
  readonly #clock = new FrameClock();
  #runs: Run[];
  #sums: Sums = { counted: 0, lost: 0, restarts: 0, rollovers: 0, stalls: 0, lastFrameMs: null, lastOwnMs: null };
  /** Frames of this life of the program, for the set rate: running time in milliseconds, and what was counted in it. */
  #ranMs = 0;
  #ranFrames = 0;
  #isStill = true;
  /** The first look of this life: all that it finds is older. */
  #isFirstLook = true;
  /** Nothing was seen yet in this life: a value that went on while nobody looked did not stand still. */
  #isFresh = true;
  #firstFrameMs: number | null = null;
  /** When somebody last looked. */
  #lookedMs = Number.NEGATIVE_INFINITY;
  #seenMs = 0;
  #knowsLosses = false;
  #newest: Sighting | null = null;
  #events: CounterEvent[] = [];

  constructor(options: TallyOptions, state?: TallyState) {
    this.#options = options;
    const { runs = [], ...sums } = state ?? {};
    this.#sums = { ...this.#sums, ...sums };
    this.#runs = runs.map((run) => ({ ...run, missing: new MissingNumbers(run.missing) }));
  }

  get state(): TallyState {
    return {
      ...this.#sums,
      runs: this.#runs.map(({ missing, ...run }) => ({ ...run, missing: missing.ranges })),
    };
  }

  /** First frame since it last stood still, by its time; null before that. */
  get firstFrameMs(): number | null {
    return this.#firstFrameMs;
  }

  /** What happened since this was asked last. */
  takeEvents(): readonly CounterEvent[] {
    return this.#events.splice(0);
  }

  /** Take what a look gave, in order. `seenMs`: when the look was over, by the same clock; left out: the time of its last. */
  take(sightings: readonly Sighting[], seenMs = sightings.at(-1)?.atMs ?? 0): void {
    this.#seenMs = seenMs;
    for (const sighting of sightings) this.#takeOne(sighting);
    this.#isFirstLook = false;
  }

  /** Do what time brings: numbers that did not come are lost, a counter without frames is stalled. */
  settle(nowMs: number): void {
    this.#lookedMs = nowMs;
    for (const run of this.#runs) this.#settleMissing(run, nowMs - LATE_MS, nowMs);
    if (this.#isStill || this.#sums.lastFrameMs === null) return;
    if (nowMs - this.#sums.lastFrameMs < this.#options.stallAfterMs) return;
    this.#isStill = true;
    this.#tell(
      'stands-still',
      this.#sums.lastFrameMs,
      `no frame since ${formatTime(this.#sums.lastFrameMs)}${this.#atNumber()}`,
    );
  }

  /** The rate of the run that counts now, or of the last one before a standstill; null: not known yet. */
  get rate(): Rate | null {
    return this.#rate.rate;
  }

  /** The figures as they stand; nothing changes by asking. */
  figures(): Figures {
    const cameraRate = this.rate?.perSecond ?? null;
    const newest = this.#newest;
    const named = newest?.number ?? null;
    const frame = named === null ? null : this.#clock.timeOf(named);
    const lost = this.#knowsLosses ? this.#sums.lost : null;
    const bySetRate = this.#options.setRate === null ? null : Math.round((this.#ranMs * this.#options.setRate) / 1000);
    const expected =
      lost === null
        ? bySetRate === null
          ? null
          : this.#sums.counted - this.#ranFrames + bySetRate
        : this.#sums.counted + lost;
    const short = expected === null ? null : Math.max(0, expected - this.#sums.counted);
    return {
      counted: this.#sums.counted,
      expected,
      lost,
      lostPerMille: short === null || !expected ? null : (1000 * short) / Math.max(expected, this.#sums.counted),
      perSecond: this.#isStill && cameraRate !== null ? 0 : cameraRate,
      cameraRate,
      stalls: this.#sums.stalls,
      restarts: this.#sums.restarts,
      rollovers: this.#sums.rollovers,
      number: named,
      frameMs: frame?.timeMs ?? newest?.atMs ?? null,
      uncertaintyMs: frame?.uncertaintyMs ?? newest?.uncertaintyMs ?? null,
      ownOffsetMs: newest?.ownMs == null ? null : newest.ownMs - newest.atMs,
      isStill: this.#isStill,
    };
  }

  #takeOne(sighting: Sighting): void {
    const { kind, number: value, run: name } = sighting;
    if (kind === 'each')
      this.#knowsLosses ||= value !== null || (sighting.ownMs !== null && this.#options.setRate !== null);
    if (sighting.lostSoFar !== undefined) this.#knowsLosses = true;
    const known = this.#runs.find(({ run }) => run === name);
    // Those that go on stay, however many others begin.
    if (known) this.#runs = [...this.#runs.filter((one) => one !== known), known];
    if (!known) this.#begin(sighting);
    else if (value === null) this.#addUnnumbered(sighting);
    else if (kind === 'each') this.#takeNumber(known, value, sighting);
    else this.#takeValue(known, value, sighting);
    this.#addOwnLosses(name, sighting);
  }

  #begin(sighting: Sighting): void {
    const { number: value, run, kind, atMs, isBaseline = false } = sighting;
    const isFirst = this.#runs.length === 0;
    const counts = isBaseline ? 0 : kind === 'each' ? 1 : (value ?? 0);
    const first = value ?? 0;
    this.#runs.push({ run, first, last: first, lostSoFar: sighting.lostSoFar ?? 0, missing: new MissingNumbers() });
    if (this.#runs.length > RUNS_MAX) this.#runs.shift();
    if (isBaseline) {
      this.#noteNewest(0, sighting);
      return;
    }
    if (isFirst) this.#tell('began', atMs, `counting begins at ${formatCount(first)} (${run})`);
    else {
      this.#sums.restarts += 1;
      this.#rate.restart();
      this.#clock.restart();
      this.#sums.lastOwnMs = null;
      this.#tell('new-run', atMs, `a new run begins at ${formatCount(first)} (${run})`);
    }
    this.#count(counts, sighting, true);
  }

  #addUnnumbered(sighting: Sighting): void {
    const { ownMs } = sighting;
    const { setRate, stallAfterMs } = this.#options;
    if (ownMs !== null && this.#sums.lastOwnMs !== null && setRate !== null) {
      const gapMs = ownMs - this.#sums.lastOwnMs;
      // Frames that carry a time and no number tell by it how many are missing, as long as the camera ran.
      const missing = gapMs < stallAfterMs ? Math.round((gapMs * setRate) / 1000) - 1 : 0;
      if (missing > 0) {
        this.#sums.lost += missing;
        const between = `between ${formatTime(this.#sums.lastOwnMs)} and ${formatTime(ownMs)}`;
        this.#tell('lost', sighting.atMs, `${frames(missing)} lost ${between}`);
      }
    }
    this.#count(1, sighting, false);
  }

  #takeNumber(run: Run, value: number, sighting: Sighting): void {
    const { atMs } = sighting;
    if (value > run.last) {
      const passed = value - run.last - 1;
      if (passed > JUMP_MAX) {
        this.#tell('jumped', atMs, `the number jumped from ${formatCount(run.last)} to ${formatCount(value)}`);
        this.#sums.restarts += 1;
        this.#renew(run, value, atMs);
      } else run.missing.add(run.last + 1, value - 1, atMs);
      run.last = value;
      this.#count(1, sighting, false);
      return;
    }
    const late = run.missing.take(value);
    if (late !== null) {
      this.#sums.counted += 1;
      this.#ranFrames += 1;
      this.#noteRate(1, sighting);
      if (late === 'lost') {
        this.#sums.lost -= 1;
        this.#tell('found-late', atMs, `frame ${formatCount(value)} came after all`);
      }
      return;
    }
    const end = this.#endBetween(run.last, value, sighting);
    if (end !== null) {
      this.#sums.rollovers += 1;
      this.#tell(
        'rolled-over',
        atMs,
        `wrapped around from ${formatCount(run.last)} to ${formatCount(value)} (at ${formatCount(end)})`,
      );
      run.missing.add(run.last + 1, end - 1, atMs);
      this.#settleMissing(run, atMs, atMs);
      run.missing = new MissingNumbers();
      run.missing.add(0, value - 1, atMs);
      run.first = 0;
    } else {
      this.#tell('went-back', atMs, `went back from ${formatCount(run.last)} to ${formatCount(value)}`);
      this.#sums.restarts += 1;
      const beganAt = run.first;
      this.#renew(run, value, atMs);
      // It began at 0 or 1 before: what lies between that and its first number now did not come.
      if (beganAt <= 1 && value - beganAt <= FIRST_MISSING_MAX) run.missing.add(beganAt, value - 1, atMs);
      run.first = Math.min(beganAt, value);
    }
    run.last = value;
    this.#count(1, sighting, true);
  }

  #takeValue(run: Run, value: number, sighting: Sighting): void {
    const { atMs, isBaseline = false } = sighting;
    let passed = value - run.last;
    let isRestart = false;
    if (passed < 0) {
      const end = this.#endBetween(run.last, value, sighting);
      if (end !== null) {
        passed += end;
        this.#sums.rollovers += 1;
        this.#tell(
          'rolled-over',
          atMs,
          `wrapped around from ${formatCount(run.last)} to ${formatCount(value)} (at ${formatCount(end)})`,
        );
      } else {
        passed = value;
        isRestart = true;
        run.lostSoFar = 0;
        this.#sums.restarts += 1;
        this.#tell('went-back', atMs, `went back from ${formatCount(run.last)} to ${formatCount(value)}`);
        this.#rate.restart();
      }
      this.#clock.restart();
    }
    run.last = value;
    if (passed > 0 || isRestart) this.#count(isBaseline ? 0 : passed, sighting, isRestart);
  }

  /** Losses that the counter itself tells: a field of its text, or places in a movie that hold no picture. */
  #addOwnLosses(name: string, { lostSoFar, atMs, isBaseline = false }: Sighting): void {
    const run = this.#runs.find((one) => one.run === name);
    if (!run || lostSoFar === undefined) return;
    const more = lostSoFar - run.lostSoFar;
    run.lostSoFar = lostSoFar;
    if (more <= 0 || isBaseline) return;
    this.#sums.lost += more;
    this.#tell('lost', atMs, `${frames(more)} lost before frame ${formatCount(run.last)}, says the counter`);
  }

  #renew(run: Run, first: number, atMs: number): void {
    this.#settleMissing(run, atMs, atMs);
    run.missing = new MissingNumbers();
    run.first = first;
    this.#rate.restart();
    this.#clock.restart();
  }

  #settleMissing(run: Run, beforeMs: number, atMs: number): void {
    for (const { from, to } of run.missing.settle(beforeMs)) {
      this.#sums.lost += to - from + 1;
      const which = from === to ? `frame ${formatCount(from)}` : `frames ${formatCount(from)} to ${formatCount(to)}`;
      this.#tell('lost', atMs, `${frames(to - from + 1)} lost: ${which}`);
    }
  }

  #count(passed: number, sighting: Sighting, isRestart: boolean): void {
    const { atMs } = sighting;
    const formerMs = this.#sums.lastFrameMs;
    this.#sums.counted += passed;
    const stoodMs = formerMs === null ? 0 : atMs - formerMs;
    // A look that came late finds the frames from before and after a standstill together.
    const wasStill = this.#isStill || stoodMs >= this.#options.stallAfterMs;
    if (wasStill) {
      const isKnown = !this.#isFresh || sighting.kind === 'each';
      if (!isRestart && isKnown && formerMs !== null && stoodMs >= this.#options.stallAfterMs) {
        this.#sums.stalls += 1;
        this.#tell('goes-on', atMs, `goes on after ${formatDuration(stoodMs)} without a frame`);
      }
      this.#isStill = false;
      this.#isFresh = false;
      this.#rate.restart();
      this.#firstFrameMs = atMs;
    } else if (formerMs !== null && !isRestart) {
      this.#ranMs += Math.max(0, atMs - formerMs);
      this.#ranFrames += passed;
    }
    this.#sums.lastFrameMs = Math.max(formerMs ?? atMs, atMs);
    this.#sums.lastOwnMs = sighting.ownMs;
    this.#noteNewest(passed, sighting);
  }

  #noteNewest(passed: number, sighting: Sighting): void {
    this.#newest = sighting;
    this.#noteRate(passed, sighting);
    if (sighting.number !== null) this.#clock.note(sighting.number, sighting.atMs, sighting.uncertaintyMs);
  }

  /** Only frames that came live have a rate. */
  #noteRate(passed: number, { atMs, uncertaintyMs, isBaseline = false, isOld = false }: Sighting): void {
    if (!isBaseline && !isOld && !this.#isFirstLook) this.#rate.note(passed, atMs, uncertaintyMs);
  }

  #endBetween(former: number, next: number, { kind, atMs }: Sighting): number | null {
    const { rollsOverAt: namedEnd } = this.#options;
    return findRollover({ former, next, kind, framesAllowed: this.#allowed(atMs), namedEnd });
  }

  /** Frames that may have passed since the last one: while somebody looked and saw none, none came. */
  #allowed(atMs: number): number {
    // Frames that were lost make the measured rate small: it never counts for less than the set one.
    const perSecond = Math.max(this.#rate.rate?.perSecond ?? 0, this.#options.setRate ?? RATE_ASSUMED);
    const sinceMs = Math.max(this.#sums.lastFrameMs ?? atMs, this.#lookedMs);
    const unseenMs = Math.min(Math.max(0, Math.max(atMs, this.#seenMs) - sinceMs), UNSEEN_MAX_MS);
    return ((unseenMs + BURST_MS) * perSecond) / 1000;
  }

  #atNumber(): string {
    const value = this.#newest?.number;
    return value == null ? '' : ` (number ${formatCount(value)})`;
  }

  #tell(kind: CounterEvent['kind'], atMs: number, text: string): void {
    this.#events.push({ kind, atMs, text });
  }
}

function frames(count: number): string {
  return count === 1 ? '1 frame' : `${formatCount(count)} frames`;
}
