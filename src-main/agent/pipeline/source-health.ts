// The health of one source, made from the moments at which its data came and from nothing else: a port that was opened, a
// folder that was found, or a question that was answered is no data. It gets worse at once, and better only by data that keep
// coming for one interval of the source, so it never flickers. One that was lost and has been open for long is silent no more
// than others are. Time is monotonic: a clock that is set is no silence.
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
/** Lost, and open again for so many times as long, it is silent like others: a line that gives nothing is opened again sooner. */
const BACK_TIMES = 2;
/** Both, while the interval is not known, and of a camera, which a person starts and stops, milliseconds. */
const UNKNOWN_MS = 120_000;
/**
 * Pauses that the interval is learned from. Of them the second longest counts: one that came once may be the very fault that
 * a person wants to hear of, one that came again is the way of the source. With fewer than PAUSES_KNOWN none is known. Of the
 * pauses of a second the longest is one of them: a look at many files gives data many times at once.
 */
const PAUSES = 16;
const PAUSES_KNOWN = 3;
const SECOND_MS = 1000;

export class SourceHealth {
  readonly #isCamera: boolean;
  /** The last pauses between data, milliseconds. */
  #pausesMs: readonly number[] = [];
  /** The longest pause since the last of these was taken, and when that was, milliseconds. */
  #longestMs = 0;
  #takenMs = Number.NEGATIVE_INFINITY;
  /** When data came last; null: none came yet. */
  #lastMs: number | null = null;
  /** What stands until data keep coming. */
  #held: State = 'giving';
  /** Since when data keep coming again; null: they do not. */
  #againMs: number | null = null;
  /** Since when it is open; null: it is not. */
  #openMs: number | null = null;

  /** @param former - of the same source, before its settings changed. */
  constructor(kind: SourceView['kind'], former?: SourceHealth) {
    this.#isCamera = kind === 'rheed';
    if (former === undefined) return;
    this.#pausesMs = former.#pausesMs;
    this.#lastMs = former.#lastMs;
  }

  /** Without data for longer it is late, milliseconds. */
  get lateAfterMs(): number {
    return this.#limits[0];
  }

  get #isKnown(): boolean {
    return this.#pausesMs.length >= PAUSES_KNOWN;
  }

  /** The longest pause that is usual, milliseconds; 0: not known yet. */
  get #intervalMs(): number {
    return this.#isKnown ? (this.#pausesMs.toSorted((a, b) => b - a)[1] ?? 0) : 0;
  }

  get #limits(): readonly [lateMs: number, silentMs: number] {
    if (!this.#isKnown) return [UNKNOWN_MS, UNKNOWN_MS];
    const [lateMs, silentMs] = [LATE_INTERVALS, SILENT_INTERVALS].map((times) => times * this.#intervalMs) as [
      number,
      number,
    ];
    const [lateMinMs, silentMinMs] = this.#isCamera ? [UNKNOWN_MS, UNKNOWN_MS] : [LATE_MIN_MS, SILENT_MIN_MS];
    return [Math.max(lateMs, lateMinMs), Math.max(silentMs, silentMinMs)];
  }

  /** Data came; `isLive`: they were measured just now. */
  heard(nowMs: number, isLive: boolean): void {
    const before = this.at(nowMs);
    const pauseMs = this.#lastMs === null ? null : nowMs - this.#lastMs;
    const isBroken = pauseMs === null || pauseMs > this.lateAfterMs;
    // A pause in which the source could not be read says nothing of its way, and neither does the reading of old data.
    if (pauseMs !== null && before !== 'gone' && isLive) this.#learn(pauseMs, nowMs);
    this.#lastMs = nowMs;
    if (before === 'giving' || before === 'idle') return;
    this.#held = before;
    if (isBroken || this.#againMs === null) this.#againMs = nowMs;
    else if (nowMs - this.#againMs >= this.#intervalMs) [this.#held, this.#againMs] = ['giving', null];
  }

  #learn(pauseMs: number, nowMs: number): void {
    this.#longestMs = Math.max(this.#longestMs, pauseMs);
    if (nowMs - this.#takenMs < SECOND_MS) return;
    this.#pausesMs = [...this.#pausesMs, this.#longestMs].slice(-PAUSES);
    [this.#longestMs, this.#takenMs] = [0, nowMs];
  }

  /** It was opened. */
  opened(nowMs: number): void {
    this.#openMs = nowMs;
  }

  /** It cannot be read. */
  lost(): void {
    [this.#held, this.#againMs, this.#openMs] = ['gone', null, null];
  }

  /** Its health now; `idle`: it has given nothing yet. */
  at(nowMs: number): SourceView['health'] {
    const [lateMs, silentMs] = this.#limits;
    const openMs = this.#openMs === null ? 0 : nowMs - this.#openMs;
    const isBack = this.#held === 'gone' && openMs > Math.max(UNKNOWN_MS, BACK_TIMES * silentMs);
    if (this.#lastMs === null) return this.#held === 'gone' && !isBack ? 'gone' : 'idle';
    const pauseMs = nowMs - this.#lastMs;
    const present: State = pauseMs > silentMs ? 'silent' : pauseMs > lateMs ? 'late' : 'giving';
    const held = isBack ? 'silent' : this.#held;
    return STATES.indexOf(present) > STATES.indexOf(held) ? present : held;
  }
}
