// What was missed, as gaps. A gap begins with the last good reading of what is missing and ends with the next; questions
// that were missing at the same time make one gap. It outlives the source, which is made again for each try.
//
// Bounds: less than 1.5 intervals between two good readings is no gap. Where nothing failed, a reading may be 1 s late (0.5 s
// where it comes unasked). A gap that ended waits up to 5 s for others, told with the next reading. One entry a question.
// Invariant: what was missed is told once, each cause with its part; the time in which no agent ran is told apart from
// what went wrong before and after it. What is missing still when the agent stops is a gap up to then, as is what would be one if it were
// read then; the next one begins there.

import { NOT_RUNNING } from '../../source.ts';

export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
  readonly cause: string;
}

/** What readings are expected of. */
export interface Expected {
  readonly what: string;
  readonly everyMs: number;
  readonly isAsked: boolean;
}

/** A part of what was missed that is not told yet, of one question. */
export interface MissedPart extends Gap {
  readonly what: string;
}

interface Missing {
  readonly fromMs: number;
  readonly cause: string;
  /** It ended when the agent was started: what is missing from then on has another cause, if any. */
  readonly isBeforeStart?: true;
}

/** A gap that ended waits this long for others that ended with it, milliseconds. */
const TOGETHER_MS = 5000;
/** Less than so many intervals between two good readings is none. */
const INTERVALS = 1.5;
/** Where nothing failed, a reading that is asked for up to so much later than planned is late, not missing, milliseconds. */
const LATE_MS = 1000;
/** The same for what is said unasked: no plan of this side delays it, only a busy machine. */
const LATE_UNASKED_MS = 500;

export class GapWatch {
  readonly #startMs: number;
  readonly #good = new Map<string, number>();
  readonly #missing = new Map<string, Missing>();
  #ended: MissedPart[] = [];
  /** When the line was disturbed last, Unix ms. */
  #disturbedMs = 0;
  /** When the source was told to stop, Unix ms; null: it was not. */
  #toldToStopMs: number | null = null;

  /** Takes the moment from which on readings are missed, Unix ms. */
  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  /** Up to when all was read or told as a gap, Unix ms; null before the first. */
  get lastMs(): number | null {
    return this.#good.size === 0 ? null : Math.max(...this.#good.values());
  }

  /**
   * What is missed and not told yet, up to now (Unix ms), so that it outlives a kill: from then on the agent did not run, which
   * is a cause of its own.
   */
  parts(nowMs: number): MissedPart[] {
    const open = [...this.#missing].map(([what, { fromMs, cause, isBeforeStart }]) => ({
      ...{ what, fromMs, cause, toMs: isBeforeStart ? Math.max(fromMs, this.#startMs) : nowMs },
    }));
    return [...this.#ended, ...open];
  }

  /**
   * Where the last run of the agent ended: nothing was read since. Takes the questions, up to when all of them were read or
   * told (Unix ms; null: never), and the parts that were missed and not told.
   */
  restore(what: readonly string[], lastMs: number | null, parts: readonly MissedPart[] = []): void {
    for (const one of what) {
      if (this.#good.has(one)) continue;
      const own = parts.filter((part) => part.what === one);
      this.#ended.push(...own);
      // Nothing is known from the end of its own parts on; where it has none, from the last reading on.
      const knownMs = own.length > 0 ? Math.max(...own.map(({ toMs }) => toMs)) : lastMs;
      if (knownMs === null) continue;
      this.#good.set(one, knownMs);
      const before: Missing = { fromMs: knownMs, cause: NOT_RUNNING, isBeforeStart: true };
      if (this.#missing.has(one)) this.#endAtStart(one, before);
      else this.#missing.set(one, before);
    }
  }

  /** Something was not read. The first cause stands. */
  missed(what: string, cause: string): void {
    const former = this.#missing.get(what);
    if (former && !former.isBeforeStart) return;
    if (former) this.#endAtStart(what, former);
    const goodMs = this.#good.get(what) ?? this.#startMs;
    this.#missing.set(what, { fromMs: former ? Math.max(goodMs, this.#startMs) : goodMs, cause });
  }

  /** What is missing from before the start, when something else is the cause from the start on. */
  #endAtStart(what: string, { fromMs, cause }: Missing): void {
    if (this.#startMs > fromMs) this.#ended.push({ fromMs, toMs: this.#startMs, cause, what });
  }

  /** The line had to be brought back in step: what is not read in time was not asked for that reason. */
  disturbed(atMs: number): void {
    this.#disturbedMs = atMs;
  }

  /**
   * Something was read. Takes what, when (Unix ms), the time that is expected between two (0: it comes when it comes), and
   * whether it is asked for.
   *
   * @returns the gaps that are over now and can be told.
   */
  read(what: string, atMs: number, everyMs: number, isAsked = true): Gap[] {
    const missing = this.#missing.get(what) ?? this.#leftOut(what, atMs, everyMs, isAsked);
    this.#good.set(what, atMs);
    if (missing) {
      this.#missing.delete(what);
      if (atMs - missing.fromMs > INTERVALS * everyMs) this.#ended.push({ ...missing, toMs: atMs, what });
    }
    return this.#tell(atMs, this.#missing.size === 0);
  }

  /** What was left out without a failure of its own: others took up the line, nothing was said, or the machine was busy. */
  #leftOut(what: string, atMs: number, everyMs: number, isAsked: boolean): Missing | null {
    const fromMs = this.#good.get(what);
    if (fromMs === undefined || everyMs === 0) return null;
    const lateMs = atMs - fromMs - everyMs;
    if (!isAsked) return lateMs > LATE_UNASKED_MS ? { fromMs, cause: 'no data' } : null;
    if (this.#disturbedMs >= fromMs) return { fromMs, cause: 'the line had to be brought back in step' };
    return lateMs > LATE_MS ? { fromMs, cause: 'nothing was read in time' } : null;
  }

  /** From now on nothing more is asked for, Unix ms. */
  toldToStop(nowMs: number): void {
    this.#toldToStopMs = nowMs;
  }

  /** The agent stops: what is missing still is a gap up to now. Takes the time, and what was expected until it was told to stop. */
  stop(nowMs: number, expected: readonly Expected[] = []): Gap[] {
    const toldMs = this.#toldToStopMs ?? nowMs;
    this.#toldToStopMs = null;
    for (const { what, everyMs, isAsked } of expected) {
      const lastMs = this.#good.get(what);
      if (lastMs === undefined || this.#missing.has(what) || toldMs - lastMs <= INTERVALS * everyMs) continue;
      const leftOut = this.#leftOut(what, toldMs, everyMs, isAsked);
      if (leftOut) this.#missing.set(what, leftOut);
    }
    for (const [what, { fromMs, cause }] of this.#missing) {
      this.#ended.push({ fromMs, toMs: nowMs, cause, what });
      this.#good.set(what, nowMs);
    }
    this.#missing.clear();
    return this.#tell(nowMs, true);
  }

  #tell(nowMs: number, isComplete: boolean): Gap[] {
    // Those of the last run wait for what ends in this one: they belong together.
    const isOld = this.#ended.some(({ toMs }) => toMs > this.#startMs && nowMs - toMs > TOGETHER_MS);
    if (this.#ended.length === 0 || !(isComplete || isOld)) return [];
    const ended = this.#ended;
    this.#ended = [];
    return together(ended).map((alike) => {
      const names = [...new Set(alike.map(({ what }) => what))];
      const isAll = names.length === this.#good.size;
      const { cause } = alike[0] as MissedPart;
      return {
        fromMs: Math.min(...alike.map(({ fromMs }) => fromMs)),
        toMs: Math.max(...alike.map(({ toMs }) => toMs)),
        cause: isAll ? cause : `${cause} (${names.join(', ')})`,
      };
    });
  }
}

/** Parts of one cause that lie together are one gap; the same cause at another time is another. */
function together(parts: readonly MissedPart[]): MissedPart[][] {
  const groups: { toMs: number; parts: MissedPart[] }[] = [];
  for (const part of parts.toSorted((one, other) => one.fromMs - other.fromMs)) {
    const own = groups.find(
      ({ toMs, parts: [first] }) => first?.cause === part.cause && part.fromMs <= toMs + TOGETHER_MS,
    );
    if (own) {
      own.parts.push(part);
      own.toMs = Math.max(own.toMs, part.toMs);
    } else groups.push({ toMs: part.toMs, parts: [part] });
  }
  return groups.map((group) => group.parts);
}
