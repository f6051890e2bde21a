// The line to the service, shared by all streams.
//
// Bounds and invariants
//  1. At most SLOTS requests are under way (4), or as many as one stream may have where that is more.
//  2. Streams that are still being written come first, so that after a long outage today is there before last Tuesday; every
//     BACKLOG_TURN-th place (4th) goes to the backlog all the same, so that it moves too. Among equals, first come first
//     served.
//  3. While nobody gets through, one request at a time probes, at most 4 s apart (a certificate: 30 s, a refused key: 5 min,
//     something else that answers: 1 min); the others stay where they are, and all go on when one got through. There is no last probe.
//  4. A wait that the service asked for is kept to its end, also when a request that went out before gets through.
//  5. A stream takes further places only where they are free, so that nobody waits for one, and requests get through.
//  6. Requests that were under way together and fail together are one failure.
import { backoffMs } from './backoff.ts';

/** Requests under way at the same time, over all streams; more where one stream alone may have more. */
const SLOTS = 4;
/** Every so manieth place goes to a stream of the backlog, if one waits. */
const BACKLOG_TURN = 4;
/**
 * Longest time between two probes of a service out of reach, milliseconds: one that comes back gets its first point within
 * 5 s. A probe that does not get through is an attempt to connect and nothing more.
 */
const OFFLINE_CAP_MS = 4000;
/** The same where its certificate cannot be trusted, which a person repairs. */
const CERTIFICATE_CAP_MS = 30_000;
/** Time between two tries while the key is refused, milliseconds. */
const KEY_RETRY_MS = 5 * 60_000;
/** Time between two tries while something else than the service answers, milliseconds. */
const FOREIGN_RETRY_MS = 60_000;

export interface LineClock {
  nowMs(): number;
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

/**
 * `offline` it cannot be reached; `asked` it asked to wait; `key` it refuses the key; `foreign` something else answers
 * in its place, such as a log-in page; `certificate` what stands there cannot be trusted: its issuer is unknown, or by the
 * clock of this PC its time is over or has not come.
 */
export type LineTrouble = 'offline' | 'asked' | 'key' | 'foreign' | 'certificate';

/** Why nobody gets through, and when the next probe is due. */
export interface LineFault {
  readonly trouble: LineTrouble;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly failures: number;
}

export interface LineOutcome {
  readonly trouble: LineTrouble;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** Wait that the service asked for, milliseconds. */
  readonly afterMs: number | null;
}

export class Line {
  readonly #clock: LineClock;
  readonly #random: () => number;
  readonly #onChange: (fault: LineFault | null, before: LineFault | null) => void;
  readonly #slots: number;
  readonly #queue: { readonly admit: () => void; readonly isLive: boolean }[] = [];
  #admitted = 0;
  #underWay = 0;
  #fault: LineFault | null = null;
  #upSinceMs: number | null = null;
  #timer: AbortController | null = null;

  /**
   * `onChange` hears what holds the line now and what held it before; null: nothing. `window`: requests that one stream may
   * have under way.
   */
  constructor(
    clock: LineClock,
    random: () => number,
    onChange: (fault: LineFault | null, before: LineFault | null) => void,
    window = 1,
  ) {
    this.#slots = Math.max(SLOTS, window);
    this.#clock = clock;
    this.#random = random;
    this.#onChange = onChange;
  }

  /** What holds the line now; null: nothing. */
  get fault(): LineFault | null {
    return this.#fault;
  }

  /** Since when requests get through, wall clock; null while none has, or none does. */
  get upSinceMs(): number | null {
    return this.#upSinceMs;
  }

  /** Places that a stream could take at once: a free place is given at once to a stream that waits for it. */
  get spare(): number {
    return this.#fault ? 0 : this.#slots - this.#underWay;
  }

  /**
   * Take further places, for a stream that has one, without waiting.
   *
   * @returns how many of those asked for it got; each must be given back by `leave`.
   */
  enterMore(count: number): number {
    const places = Math.min(count, this.spare);
    this.#underWay += places;
    return places;
  }

  /**
   * Wait for a place on the line. Takes the signal that ends the wait, and whether the stream is still being written.
   *
   * @returns true with a place, which must be given back by `leave`; false when aborted.
   */
  enter(signal: AbortSignal, isLive: boolean): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const admit = () => {
        signal.removeEventListener('abort', giveUp);
        this.#underWay += 1;
        resolve(true);
      };
      const giveUp = () => {
        const at = this.#queue.findIndex((place) => place.admit === admit);
        if (at >= 0) this.#queue.splice(at, 1);
        resolve(false);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#queue.push({ admit, isLive });
      this.#pump();
    });
  }

  /**
   * Give the place back.
   *
   * @param outcome - `through` when the service itself answered, whatever it said; `unknown` when the outcome tells nothing of
   *   the line; else why nobody gets through.
   */
  leave(outcome: 'through' | 'unknown' | LineOutcome): void {
    this.#underWay -= 1;
    if (outcome === 'through') this.#clear();
    else if (outcome !== 'unknown') this.#fail(outcome);
    this.#pump();
  }

  /** Try at once: the key changed, the network came back, a person asked. */
  release(): void {
    if (!this.#fault) return;
    const before = this.#fault;
    this.#fault = { ...before, untilMs: this.#clock.nowMs() };
    this.#onChange(this.#fault, before);
    this.#pump();
  }

  /** Give up a wait that is under way: the uploader stops. */
  close(): void {
    this.#timer?.abort();
  }

  #clear(): void {
    if (this.#upSinceMs !== null) return;
    // A request that was under way before got through; the service asked for the wait all the same.
    if (this.#fault?.trouble === 'asked' && this.#clock.nowMs() < this.#fault.untilMs) return;
    this.#upSinceMs = this.#clock.nowMs();
    const before = this.#fault;
    this.#fault = null;
    this.#onChange(null, before);
  }

  #fail({ trouble, code, message, hint, afterMs }: LineOutcome): void {
    const nowMs = this.#clock.nowMs();
    const old = this.#fault;
    this.#upSinceMs = null;
    // Requests that were under way together fail together: that is one failure, not four.
    const isSame = old !== null && nowMs < old.untilMs;
    const failures = (old?.failures ?? 0) + (isSame ? 0 : 1);
    const ownMs = nowMs + this.#waitMs(trouble, failures, afterMs);
    // Of those, the longest wait that was asked for holds.
    const untilMs = !isSame ? ownMs : afterMs === null ? old.untilMs : Math.max(old.untilMs, ownMs);
    this.#fault = { trouble, code, message, hint, failures, sinceMs: old?.sinceMs ?? nowMs, untilMs };
    this.#onChange(this.#fault, old);
  }

  #waitMs(trouble: LineTrouble, failures: number, afterMs: number | null): number {
    if (trouble === 'key') return KEY_RETRY_MS;
    if (trouble === 'foreign') return FOREIGN_RETRY_MS;
    // A tenth on top of what was asked for, so that many agents do not come back at the same moment.
    if (afterMs !== null) return afterMs * (1 + this.#random() / 10);
    return backoffMs(failures, this.#random(), trouble === 'certificate' ? CERTIFICATE_CAP_MS : OFFLINE_CAP_MS);
  }

  #pump(): void {
    if (!this.#fault) {
      while (this.#underWay < this.#slots && this.#queue.length > 0) this.#admitNext();
      return;
    }
    const waitMs = this.#fault.untilMs - this.#clock.nowMs();
    if (waitMs > 0) this.#wakeIn(waitMs);
    else if (this.#underWay === 0 && this.#queue.length > 0) this.#admitNext();
  }

  #admitNext(): void {
    this.#admitted += 1;
    const isBacklogTurn = this.#admitted % BACKLOG_TURN === 0;
    const wanted = this.#queue.findIndex(({ isLive }) => isLive !== isBacklogTurn);
    const [place] = this.#queue.splice(Math.max(0, wanted), 1);
    place?.admit();
  }

  #wakeIn(waitMs: number): void {
    this.#timer?.abort();
    const timer = new AbortController();
    this.#timer = timer;
    void this.#clock.sleep(waitMs, timer.signal).then(() => {
      if (!timer.signal.aborted) this.#pump();
    });
  }
}
