// The health of one source, made from the moments at which its live data came and from nothing else: a port that was opened, a
// question that was answered, or old data are no sign of life. It worsens at once, and recovers only by data that keep coming
// for one interval of the source. Time is monotonic, so setting the clock has no effect.
import type { SourceView } from '../../contract/snapshot.ts';

/** From good to bad. */
const STATES = ['giving', 'late', 'silent', 'gone'] as const;
type State = (typeof STATES)[number];

/** Late after so many intervals without data, and silent. */
const LATE_INTERVALS = 3;
const SILENT_INTERVALS = 10;
/** And not before, milliseconds. */
const LATE_MIN_MS = 5_000;
const SILENT_MIN_MS = 15_000;
/** While the interval is not known, milliseconds. */
const LATE_UNKNOWN_MS = 120_000;
const SILENT_UNKNOWN_MS = 600_000;
/** Late and silent of a camera: a person starts and stops it, milliseconds. */
const CAMERA_MS = 120_000;

/**
 * Pauses that the interval is learned from; the second longest of them counts, since a single long one may be a fault. With fewer
 * than PAUSES_KNOWN the interval is not known. Of the pauses of a second the longest is one of them: a look at many files gives
 * data many times at once.
 */
const PAUSES = 16;
const PAUSES_KNOWN = 3;
const SECOND_MS = 1000;
/** Breaks (longer than the late limit) that are remembered: one is a part of the rhythm once it came so often in alike length. */
const BREAKS = 8;
const BREAKS_ALIKE = 3;
const ALIKE = 0.25;
/** And as long as it is no older than so many times its length. */
const BREAK_AGES = 20;

/**
 * A source that was lost no longer counts as gone once it has been open for so long without failing, milliseconds; it is then
 * judged by its last data. A line that gives nothing is opened again sooner than that.
 */
const REOPENED_MS = { line: 120_000, other: 15_000 };
const REOPENED_LINE_SILENCES = 2;

export class SourceHealth {
  readonly #kind: SourceView['kind'];
  #pausesMs: readonly number[] = [];
  #breaks: readonly { readonly ms: number; readonly atMs: number }[] = [];
  /** The longest pause since the last one was learned, and when that was, milliseconds. */
  #longestMs = 0;
  #learnedMs = Number.NEGATIVE_INFINITY;
  /** When data came last; null: none came yet. */
  #lastMs: number | null = null;
  /** State shown until recovery. */
  #held: State = 'giving';
  /** Start of the recovery, and how long it takes; null: none is under way. */
  #recovery: { readonly sinceMs: number; readonly neededMs: number } | null = null;
  /** Since when it is open; null: it is not. */
  #openMs: number | null = null;

  /** @param previous - of the same source, before its settings changed. */
  constructor(kind: SourceView['kind'], previous?: SourceHealth) {
    this.#kind = kind;
    if (previous === undefined) return;
    this.#pausesMs = previous.#pausesMs;
    this.#breaks = previous.#breaks;
    this.#lastMs = previous.#lastMs;
  }

  /** True while data come again and have not yet come for long enough. */
  get isRecovering(): boolean {
    return this.#recovery !== null;
  }

  /** Without data for longer it is late, milliseconds. */
  lateAfterMs(nowMs: number): number {
    return this.#limits(nowMs)[0];
  }

  /**
   * Live data came.
   *
   * @param isOfNow - whether they were measured just now; backlog has no rhythm.
   */
  heard(nowMs: number, isOfNow: boolean): void {
    const before = this.at(nowMs);
    const intervalMs = this.#intervalMs(nowMs);
    const pauseMs = this.#lastMs === null ? null : nowMs - this.#lastMs;
    const isBroken = pauseMs === null || pauseMs > this.lateAfterMs(nowMs);
    if (pauseMs !== null && before !== 'gone' && isOfNow) this.#learn(pauseMs, nowMs, isBroken);
    this.#lastMs = nowMs;
    if (before === 'giving' || before === 'idle') return;
    this.#held = before;
    if (isBroken || this.#recovery === null) this.#recovery = { sinceMs: nowMs, neededMs: intervalMs };
    else if (nowMs - this.#recovery.sinceMs >= this.#recovery.neededMs) [this.#held, this.#recovery] = ['giving', null];
  }

  /** It was opened. */
  opened(nowMs: number): void {
    this.#openMs = nowMs;
  }

  /** It cannot be read. */
  lost(): void {
    [this.#held, this.#recovery, this.#openMs] = ['gone', null, null];
  }

  /** Its health now; `idle`: it has given nothing yet. */
  at(nowMs: number): SourceView['health'] {
    const held = this.#held === 'gone' && this.#isReopened(nowMs) ? 'giving' : this.#held;
    if (this.#lastMs === null) return held === 'gone' ? 'gone' : 'idle';
    const [lateMs, silentMs] = this.#limits(nowMs);
    const pauseMs = nowMs - this.#lastMs;
    const present: State = pauseMs > silentMs ? 'silent' : pauseMs > lateMs ? 'late' : 'giving';
    return STATES.indexOf(present) > STATES.indexOf(held) ? present : held;
  }

  #isReopened(nowMs: number): boolean {
    if (this.#openMs === null) return false;
    const openMs = nowMs - this.#openMs;
    if (this.#kind !== 'serial') return openMs > REOPENED_MS.other;
    return openMs > Math.max(REOPENED_MS.line, REOPENED_LINE_SILENCES * this.#limits(nowMs)[1]);
  }

  #learn(pauseMs: number, nowMs: number, isBreak: boolean): void {
    if (isBreak && this.#isKnown) {
      this.#breaks = [...this.#breaks, { ms: pauseMs, atMs: nowMs }].slice(-BREAKS);
      return;
    }
    this.#longestMs = Math.max(this.#longestMs, pauseMs);
    if (nowMs - this.#learnedMs < SECOND_MS) return;
    this.#pausesMs = [...this.#pausesMs, this.#longestMs].slice(-PAUSES);
    [this.#longestMs, this.#learnedMs] = [0, nowMs];
  }

  get #isKnown(): boolean {
    return this.#pausesMs.length >= PAUSES_KNOWN;
  }

  /** The longest pause that is usual, milliseconds; 0: not known yet. */
  #intervalMs(nowMs: number): number {
    if (!this.#isKnown) return 0;
    const recent = this.#breaks.filter(({ ms, atMs }) => nowMs - atMs < BREAK_AGES * ms).map(({ ms }) => ms);
    const usual = recent.filter(
      (ms) => recent.filter((other) => Math.abs(other - ms) <= ALIKE * ms).length >= BREAKS_ALIKE,
    );
    return Math.max(this.#pausesMs.toSorted((a, b) => b - a)[1] ?? 0, ...usual);
  }

  #limits(nowMs: number): readonly [lateMs: number, silentMs: number] {
    if (!this.#isKnown) return this.#kind === 'rheed' ? [CAMERA_MS, CAMERA_MS] : [LATE_UNKNOWN_MS, SILENT_UNKNOWN_MS];
    const intervalMs = this.#intervalMs(nowMs);
    const [lateMinMs, silentMinMs] =
      this.#kind === 'rheed' ? [CAMERA_MS, CAMERA_MS] : ([LATE_MIN_MS, SILENT_MIN_MS] as const);
    return [Math.max(LATE_INTERVALS * intervalMs, lateMinMs), Math.max(SILENT_INTERVALS * intervalMs, silentMinMs)];
  }
}
