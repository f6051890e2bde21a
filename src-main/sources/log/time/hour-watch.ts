// Which hour is it where the clock is set back while a file is read on? Only what stands before a line is known: the instant of
// the line before, and the usual step. A line is of the hour that makes the better step; where neither is better, nothing tells.
import { DAY_MS } from './calendar.ts';
import type { StampKind, ZoneClock } from './zone-clock.ts';

/** Steps that are remembered; a middle one of them is the usual one. */
const STEPS = 9;
/** Usual step as long as none has been seen, milliseconds. */
const UNSEEN_MS = 20_000;
/** A step so many times as long as the usual one is a rest, after which anything may follow. */
const REST_STEPS = 3;
/** Lines of one instant or two may change places. */
const DISORDER_MS = 60_000;

/** What answers the question about an hour that summer time skips. */
export const SKIPPED_HINT =
  'If the clock of the tool stays on winter time, say its zone as an offset, such as +01:00. If it was only set late, name its zone: then such stamps are read as of before the change.';

/** What is settled about the stamps of a file in such an hour. */
interface Settled {
  /** Up to this instant, Unix ms, it is settled which stamps are of the hour that comes twice; absent: nothing is. */
  readonly hourToldMs?: number | undefined;
  /** What a person has said about stamps of that hour of which nothing tells. */
  readonly repeatedHour?: 'first' | 'second' | undefined;
  /** A person has named the zone: stamps in the hour that its clock skips are of before the change. */
  readonly isZoneNamed?: true | undefined;
}

/** Watches the stamps of a file on their way through the hour that comes twice. */
export class HourWatch {
  readonly #zone: ZoneClock;
  readonly #slowMs: number;
  readonly #settled: Settled;
  /** The last stamp is of an hour that a change of the clock repeats or skips, and which instant it is nobody has said. */
  open: 'twice' | 'never' | null = null;
  #steps: number[] = [];
  /** The day that was looked up last, and whether the clock is set back about it. */
  #day = Number.NaN;
  #isNear = false;

  /**
   * Make a watch.
   *
   * @param zone - the clock of the stamps; what it was asked last is lost.
   * @param slowMs - the usual step, where it is known to be long; 0: it is not.
   */
  constructor(zone: ZoneClock, slowMs: number, settled: Settled) {
    this.#zone = zone;
    this.#slowMs = slowMs;
    this.#settled = settled;
  }

  /** Begin a block, with the `carry` of the one before. */
  begin(carry: string): void {
    this.#steps = carry === '' ? [] : carry.split(',').map(Number);
  }

  /** The last steps, for the next block; empty where no change of the clock is near. */
  get carry(): string {
    return this.#steps.join(',');
  }

  /**
   * Settle the stamp of a line; `open` says what nobody has said.
   *
   * @param localMs - as if UTC, Unix ms.
   * @param formerMs - instant of the line before; NaN: none, and nothing is judged.
   * @param instantMs - the instant that it was read as.
   * @param kind - what it is by its zone.
   * @returns the instant, by what a person has said.
   */
  settle(localMs: number, formerMs: number, instantMs: number, kind: StampKind): number {
    const { hourToldMs = Number.NEGATIVE_INFINITY, repeatedHour, isZoneNamed } = this.#settled;
    this.open = kind === 'never' && isZoneNamed !== true ? 'never' : null;
    if (!this.#isOpen(localMs, formerMs, instantMs, kind) || instantMs <= hourToldMs) return instantMs;
    if (repeatedHour === undefined) this.open = 'twice';
    const isSecond = repeatedHour === 'second' && kind === 'twice';
    return isSecond ? this.#zone.toInstant(localMs, Number.POSITIVE_INFINITY) : instantMs;
  }

  /** It may as well, or better, be another instant: of the other hour, or of a clock that is not set back. */
  #isOpen(localMs: number, formerMs: number, instantMs: number, kind: StampKind): boolean {
    const day = Math.floor(instantMs / DAY_MS);
    if (day !== this.#day) this.#look(day);
    if (!this.#isNear || Number.isNaN(formerMs)) {
      // Nearly every line comes this way.
      if (this.#steps.length > 0) this.#steps = [];
      return false;
    }
    const isOpen =
      kind === 'twice' ? this.#isOther(localMs, formerMs, instantMs) : this.#stays(localMs, formerMs, instantMs);
    const stepMs = instantMs - formerMs;
    if (!isOpen && stepMs > 0) this.#steps = [...this.#steps, stepMs].slice(-STEPS);
    return isOpen;
  }

  #look(day: number): void {
    const offsetAt = (atMs: number) => this.#zone.toLocal(atMs) - atMs;
    this.#day = day;
    this.#isNear = offsetAt((day - 1) * DAY_MS) > offsetAt((day + 2) * DAY_MS);
  }

  #isOther(localMs: number, formerMs: number, instantMs: number): boolean {
    const first = this.#zone.toInstant(localMs, Number.NaN);
    const second = this.#zone.toInstant(localMs, Number.POSITIVE_INFINITY);
    const [ofFirst, ofSecond] = [this.#rank(first - formerMs), this.#rank(second - formerMs)];
    // A clock that goes back within the second hour was set right.
    if (ofFirst === 0 && ofSecond === 0) return false;
    return ofFirst === ofSecond || instantMs !== (ofFirst > ofSecond ? first : second);
  }

  /** Behind the hour without a step back: a clock that is not set back makes the better step. */
  #stays(localMs: number, formerMs: number, instantMs: number): boolean {
    const follows = instantMs - formerMs;
    const stays = localMs - this.#zone.toLocal(formerMs);
    return stays !== follows && this.#rank(stays) > this.#rank(follows);
  }

  /** How well a step fits: 3 as the usual one, 2 without a rest, 1 possible, 0 back. */
  #rank(stepMs: number): number {
    const usual = this.#usualMs();
    if (stepMs < -DISORDER_MS) return 0;
    if (Math.abs(stepMs - usual) <= usual / 4) return 3;
    return stepMs <= REST_STEPS * usual ? 2 : 1;
  }

  #usualMs(): number {
    if (this.#slowMs > 0) return this.#slowMs;
    return this.#steps.toSorted((a, b) => a - b)[Math.floor(this.#steps.length / 2)] ?? UNSEEN_MS;
  }
}
