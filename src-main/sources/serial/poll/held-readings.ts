// Readings whose unit is set at the instrument wait here until it has told its unit again, and the same one: a unit that was
// told before a reading says nothing of it once somebody has changed it at the front.
//
//   told mbar . . reading . . reading . . told mbar      both go out
//   told mbar . . reading . . reading . . told Torr      neither: a gap with its name
//
// What an instrument sends unasked also comes while the unit is asked for: an answer speaks for what came before its question.
//
// Bounds: HELD_MAX readings, more are a gap; HELD_MS by the clock, then the unit counts as not told, and they go out without
// one. Invariants: nothing goes out under a unit that was not told before and after it; what does not go out is a gap;
// readings go out in the order in which they came. Known and left: a unit that was changed and changed back between two answers.
import type { Clock } from '../../../platform/clock.ts';
import type { Refusal } from '../../source.ts';
import type { Outbox, Row } from './outbox.ts';

/** A reading waits so long for the unit, milliseconds: less at first, so that the first values are soon there. */
const CONFIRM_MS = [0, 500, 1000, 2000];
/** So many readings wait at most; after so long, milliseconds, the instrument does not tell its unit. */
const HELD_MAX = 10_000;
const HELD_MS = 60_000;
/** A reading that came up to so much later than planned is late, not missing, milliseconds (gap-watch.ts). */
const LATE_MS = 1000;

interface Held {
  readonly row: Row;
  readonly refusals: readonly Refusal[];
  /** Names of the lookups that tell its units. */
  readonly lookups: readonly string[];
  /** Where a gap begins that begins with it, Unix ms. */
  readonly fromMs: number;
  /** Monotonic clock when it came. */
  readonly sinceMs: number;
}

export class HeldReadings {
  readonly #outbox: Outbox;
  readonly #clock: Clock;
  readonly #gap: (fromMs: number, toMs: number, cause: string) => void;
  #held: Held[] = [];
  /** Monotonic clock at the first of them. */
  #sinceMs = 0;
  /** Units that were the same again, one after the other. */
  #rounds = 0;
  /** When the last reading of each question came, whatever became of it, Unix ms: a gap begins there. */
  readonly #cameMs = new Map<Row['channels'], number>();
  #notBeforeMs = 0;
  /** Lookups that the instrument does not answer: nothing waits for them. */
  readonly #without = new Set<string>();

  constructor(outbox: Outbox, clock: Clock, gap: (fromMs: number, toMs: number, cause: string) => void) {
    this.#outbox = outbox;
    this.#clock = clock;
    this.#gap = gap;
  }

  /** Up to when everything that was read went out, Unix ms; null: nothing is held. */
  get fromMs(): number | null {
    return this.#held.length === 0 ? null : Math.min(...this.#held.map(({ fromMs }) => fromMs));
  }

  /** When the unit is to be asked for, monotonic clock; null: nothing waits for it. */
  get dueMs(): number | null {
    if (this.#held.length === 0) return null;
    const waitMs = CONFIRM_MS[Math.min(this.#rounds, CONFIRM_MS.length - 1)] as number;
    return Math.max(this.#sinceMs + waitMs, this.#notBeforeMs);
  }

  /** Whether something has waited so long that the instrument counts as one that does not tell its unit. */
  get isGivenUp(): boolean {
    if (this.#held.length === 0) return false;
    return this.#clock.monotonicMs() - this.#sinceMs >= HELD_MS;
  }

  /**
   * Take a reading; never waits.
   *
   * @param lookups what tells its units
   * @param everyMs the time between two of its kind
   * @param isOfThisUnit false: it came before its unit was told as it is now, and is a gap
   */
  add(row: Row, refusals: readonly Refusal[], lookups: readonly string[], everyMs: number, isOfThisUnit = true): void {
    const awaited = lookups.filter((lookup) => !this.#without.has(lookup));
    // One that is later than this has a gap of its own before it.
    const fromMs = Math.max(this.#cameMs.get(row.channels) ?? 0, row.atMs - everyMs - LATE_MS);
    this.#cameMs.set(row.channels, row.atMs);
    if (awaited.length === 0 || row.values.every((value) => Number.isNaN(value))) {
      this.#outbox.add([row], refusals);
      return;
    }
    if (!isOfThisUnit) {
      this.#gap(Math.min(fromMs, row.atMs), row.atMs, '1 reading was not stored: its unit was told after it');
      return;
    }
    if (this.#held.length >= HELD_MAX) this.refuse(null, 'too many waited for their unit');
    const sinceMs = this.#clock.monotonicMs();
    if (this.#held.length === 0) this.#sinceMs = sinceMs;
    this.#held.push({ row, refusals, lookups: awaited, fromMs, sinceMs });
  }

  /** The instrument does not tell this unit, or tells it again: whether readings wait for it. */
  await(lookup: string, isTold: boolean): void {
    if (isTold) this.#without.delete(lookup);
    else this.#without.add(lookup);
  }

  /** Where something still waits, its unit was not told: it is asked for again after so long, milliseconds. */
  postpone(ms: number): void {
    if (this.#held.length > 0) this.#notBeforeMs = this.#clock.monotonicMs() + ms;
  }

  /** These told the same as before, each with the monotonic clock at its question: what came before and waits for no other goes out. */
  release(same: ReadonlyMap<string, number>): void {
    this.#rounds += 1;
    const { out, left } = this.#split(({ lookups, sinceMs }) =>
      lookups.every((lookup) => sinceMs <= (same.get(lookup) ?? Number.NEGATIVE_INFINITY)),
    );
    this.#keep(left);
    for (const { row, refusals } of out) {
      this.#outbox.add([row], refusals);
    }
  }

  /** This one told another unit, or nobody can be asked any more (null): what waits for it is a gap. */
  refuse(lookup: string | null, cause: string): void {
    this.#rounds = 0;
    const { out, left } = this.#split(({ lookups }) => lookup === null || lookups.includes(lookup));
    this.#keep(left);
    const last = out.at(-1);
    if (!last) return;
    const what = out.length === 1 ? '1 reading was' : `${out.length} readings were`;
    const fromMs = Math.min(...out.map((held) => held.fromMs));
    this.#gap(fromMs, last.row.atMs, `${what} not stored: ${cause}`);
  }

  #keep(left: Held[]): void {
    this.#held = left;
    this.#notBeforeMs = 0;
    this.#sinceMs = left[0]?.sinceMs ?? 0;
  }

  #split(isOut: (held: Held) => boolean): { readonly out: readonly Held[]; readonly left: Held[] } {
    return { out: this.#held.filter(isOut), left: this.#held.filter((held) => !isOut(held)) };
  }
}
