// Compares the clocks of the machine, so that what a person, a time server, a sleeping PC or a dead battery does to them is
// an event and never a stamp. No event of the system is believed or needed: they are known to be missed and doubled.
//
// Each look takes the wall clock, the monotonic clock and the time since the machine was started, and holds what passed on
// each against the others:
//
//   monotonic says more than PAUSE_MS         -> the agent stood still: asleep, or stopped
//   start of machine says more than monotonic -> asleep, on a system whose monotonic clock stops meanwhile
//   wall says something else than the others  -> the wall clock was set
//
// The process may be halted between two reads: those of one moment are taken again until they lie close together.
//
// Bounds and invariants
//  1. Stamps of `steady` never go back, and go forward as the monotonic clock does, save for two jumps: by the time asleep,
//     and to the wall clock when that becomes plausible.
//  2. A step of the wall clock of STEP_MS or more is told once, with how far; smaller ones are what time servers do all day.
//  3. A wall clock that is not plausible (model/plausible-clock.ts) cannot be right. Capture does not ask; who sends does.
import { formatDuration, formatSecond } from '../model/format.ts';
import { isPlausibleTime } from '../model/plausible-clock.ts';
import type { Clock } from './clock.ts';

/** A step of the wall clock smaller than this is drift, milliseconds. */
export const STEP_MS = 500;
/** Longer than this between two looks, and the agent stood still, milliseconds. It looks once a second. */
export const PAUSE_MS = 10_000;
/** Reads of the clocks that lie closer together are of one moment, milliseconds. They are taken again so many times at most. */
const TOGETHER_MS = 50;
const READS_MAX = 5;
/** The time since the machine was started is coarse: asleep means that it ran ahead by more than this, milliseconds. */
const SLEEP_MS = 5_000;

export type ClockEvent =
  /** The wall clock was set, by so much (negative: back). `fromMs`: what it would show, `toMs`: what it shows. */
  | { readonly kind: 'set'; readonly byMs: number; readonly fromMs: number; readonly toMs: number }
  /** Nothing ran between these two moments of the wall clock. */
  | { readonly kind: 'stood-still'; readonly fromMs: number; readonly toMs: number; readonly wasAsleep: boolean }
  /** The wall clock is not plausible (any more), or is plausible (again). */
  | { readonly kind: 'implausible' | 'plausible'; readonly nowMs: number };

interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
  readonly bootMs: number | null;
}

export class ClockWatch {
  readonly #clock: Clock;
  readonly #onEvent: (event: ClockEvent) => void;
  #last: Moment;
  #isPlausible: boolean;
  /** What `steady` shows is the monotonic clock plus these. */
  #offsetMs: number;
  #asleepMs = 0;
  /** The machine's clocks, as a source or a waiting part should see them: steady, and counting the time asleep. */
  readonly steady: Clock;

  /** Takes the machine's clocks and the listener for events; those of the first look are told by the first `look`. */
  constructor(clock: Clock, onEvent: (event: ClockEvent) => void) {
    this.#clock = clock;
    this.#onEvent = onEvent;
    this.#last = this.#moment();
    // Told as soon as somebody looks.
    this.#isPlausible = true;
    this.#offsetMs = this.#last.wallMs - this.#last.monotonicMs;
    this.steady = {
      nowMs: () => this.#now() + this.#offsetMs,
      monotonicMs: () => this.#now() + this.#asleepMs,
      sleep: (durationMs, signal) => clock.sleep(durationMs, signal),
    };
  }

  /** Whether the wall clock is plausible now. */
  get isPlausible(): boolean {
    return isPlausibleTime(this.#clock.nowMs());
  }

  /** Look at the clocks; about once a second. What happened since the last look is told before it returns. */
  look(): void {
    const former = this.#last;
    const now = this.#moment();
    this.#last = now;
    const ranMs = now.monotonicMs - former.monotonicMs;
    const bootMs = now.bootMs === null || former.bootMs === null ? ranMs : now.bootMs - former.bootMs;
    const asleepMs = bootMs - ranMs > SLEEP_MS ? bootMs - ranMs : 0;
    const steppedMs = now.wallMs - former.wallMs - ranMs - asleepMs;
    const isStep = Math.abs(steppedMs) >= (asleepMs > 0 ? SLEEP_MS : STEP_MS);
    // A coarse clock does not tell the time asleep exactly; the wall clock does, when nobody set it.
    const exactMs = asleepMs > 0 && !isStep ? asleepMs + steppedMs : asleepMs;
    this.#asleepMs += exactMs;
    this.#offsetMs += exactMs;
    if (ranMs + exactMs > PAUSE_MS) {
      const fromMs = former.wallMs + (isStep ? steppedMs : 0);
      this.#onEvent({ kind: 'stood-still', fromMs, toMs: now.wallMs, wasAsleep: exactMs > 0 });
    }
    if (isStep) this.#onEvent({ kind: 'set', byMs: steppedMs, fromMs: now.wallMs - steppedMs, toMs: now.wallMs });
    this.#judge(now);
  }

  /** The steady clock follows the wall clock once, when that has become plausible: it was started on a wrong one. */
  #judge({ wallMs, monotonicMs }: Moment): void {
    const wasPlausible = this.#isPlausible;
    this.#isPlausible = isPlausibleTime(wallMs);
    if (this.#isPlausible === wasPlausible) return;
    if (this.#isPlausible) this.#offsetMs = Math.max(this.#offsetMs, wallMs - monotonicMs);
    this.#onEvent({ kind: this.#isPlausible ? 'plausible' : 'implausible', nowMs: wallMs });
  }

  /** The monotonic clock, after a look when the clocks disagree: a stamp taken right after waking is a right one. */
  #now(): number {
    const { wallMs, monotonicMs } = this.#last;
    const nowMs = this.#clock.monotonicMs();
    const ranMs = nowMs - monotonicMs;
    const isOdd = ranMs > PAUSE_MS || Math.abs(this.#clock.nowMs() - wallMs - ranMs) >= STEP_MS;
    if (isOdd) this.look();
    return nowMs;
  }

  #moment(): Moment {
    const clock = this.#clock;
    for (let reads = 1; ; reads++) {
      const beganMs = clock.monotonicMs();
      const moment = { wallMs: clock.nowMs(), bootMs: clock.bootMs?.() ?? null, monotonicMs: clock.monotonicMs() };
      if (moment.monotonicMs - beganMs <= TOGETHER_MS || reads === READS_MAX) return moment;
    }
  }
}

/**
 * Format a clock event for the journal.
 *
 * @returns level, stable code, message and what to do.
 */
export function tellClockEvent(event: ClockEvent): {
  level: 'info' | 'warning';
  code: string;
  message: string;
  hint: string;
} {
  switch (event.kind) {
    case 'set': {
      const way = event.byMs < 0 ? 'back' : 'forward';
      return {
        level: 'warning',
        code: `clock.set-${way}`,
        message: `The PC clock was set ${way} by ${formatDuration(Math.abs(event.byMs))}: from ${formatSecond(event.fromMs)} to ${formatSecond(event.toMs)}.`,
        hint: 'Stamps that Epistream makes go on without a step; stamps in logs are those of their own program.',
      };
    }
    case 'stood-still':
      return {
        level: 'warning',
        code: event.wasAsleep ? 'clock.asleep' : 'clock.stood-still',
        message: `${event.wasAsleep ? 'Asleep' : 'Stood still (asleep, or stopped)'} from ${formatSecond(event.fromMs)} to ${formatSecond(event.toMs)}.`,
        hint: 'Live instruments have a gap for this period. Logs resume at the saved offset.',
      };
    case 'implausible':
      return {
        level: 'warning',
        code: 'clock.implausible',
        message: `The PC clock shows ${formatSecond(event.nowMs)}, which cannot be right. Capture runs, upload waits.`,
        hint: "Set the PC's date and time; sending then continues automatically. A dead battery on the main board is the usual cause.",
      };
    case 'plausible':
      return {
        level: 'info',
        code: 'clock.plausible',
        message: `The PC clock is plausible again: it shows ${formatSecond(event.nowMs)}.`,
        hint: '',
      };
  }
}
